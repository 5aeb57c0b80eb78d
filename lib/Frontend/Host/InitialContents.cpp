#include "InitialContents.h"

#include "Frontend/Source/Kernels.h"
#include "HostAnalysis.h"
#include "RuntimeCalls.h"
#include "gpu-estimate/Symbolic/RealParameters.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"
#include <climits>

namespace gpuestimate {

static llvm::StringRef nameOf(const clang::FunctionDecl *F) {
  return F && F->getDeclName().isIdentifier() ? F->getName()
                                              : llvm::StringRef();
}

/// The buffer behind a pointer, also behind `v.data()` and `v.begin()`.
static AccessPath pathBehind(const clang::Expr *Pointer) {
  Pointer = stripCasts(Pointer);
  if (const auto *Method =
          llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(Pointer);
      Method && llvm::StringSwitch<bool>(nameOf(Method->getDirectCallee()))
                    .Cases("data", "begin", "end", "get", true)
                    .Default(false))
    return pathBehind(Method->getImplicitObjectArgument());
  if (const auto *Copy =
          llvm::dyn_cast_or_null<clang::CXXConstructExpr>(Pointer);
      Copy && Copy->getNumArgs() == 1)
    return pathBehind(Copy->getArg(0));
  return bufferPathOf(Pointer);
}

HostValue InitialContents::newDraw(RandomDraw Draw, bool Integral) {
  // A control character separates the name from the user's variables.
  Draw.Name = "\x05"
              "draw" +
              std::to_string(Draws.size());
  if (!Integral)
    assumeReal(Host.Terms, Draw.Name);
  if (Draw.Values.empty())
    Host.Terms.assumeRange(Draw.Name, {0, Draw.Largest > 0 ? Draw.Largest : 1});
  HostValue V{Host.Terms.parameter(Draw.Name), Integral};
  Draws.push_back(std::move(Draw));
  return V;
}

HostValue InitialContents::draw(const clang::Expr *E, const CallFrame &Frame,
                                ProgramPoint Point) {
  if (!Active)
    return {};
  constexpr double RandMax = 2147483647; // of glibc
  if (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(E)) {
    AccessPath Table = bufferPathOf(Element->getBase());
    const auto *Variable = llvm::dyn_cast_or_null<clang::VarDecl>(Table.Base);
    if (!Variable || !Table.Fields.empty())
      return {};
    RandomDraw Draw;
    Draw.Values = constantsOf(Variable->getAnyInitializer(), Host.AST);
    bool Integral = E->getType()->isIntegralOrEnumerationType();
    return Draw.Values.empty() ? HostValue()
                               : newDraw(std::move(Draw), Integral);
  }
  const auto *Call = llvm::dyn_cast<clang::CallExpr>(E);
  if (!Call)
    return {};
  if (const auto *Operator = llvm::dyn_cast<clang::CXXOperatorCallExpr>(Call);
      Operator && Operator->getOperator() == clang::OO_Call) {
    const clang::CXXRecordDecl *Record = Operator->getArg(0)
                                             ->getType()
                                             .getNonReferenceType()
                                             ->getAsCXXRecordDecl();
    if (!Record || !Record->isInStdNamespace())
      return {};
    if (Record->getName() == "mersenne_twister_engine" ||
        Record->getName() == "linear_congruential_engine") {
      RandomDraw Draw;
      Draw.Largest = 4294967295.0;
      return newDraw(std::move(Draw), true);
    }
    bool Whole = Record->getName() == "uniform_int_distribution";
    if (!Whole && Record->getName() != "uniform_real_distribution")
      return {};
    const clang::Expr *Made =
        stripCasts(Host.Variables.resolve(Operator->getArg(0), Frame, Point));
    const auto *Construct =
        llvm::dyn_cast_or_null<clang::CXXConstructExpr>(Made);
    if (!Construct || Construct->getNumArgs() > 2)
      return {};
    HostValue Low, High;
    if (Construct->getNumArgs() > 0)
      Low = Host.Expressions.evaluate(Construct->getArg(0), Frame, Point);
    if (Construct->getNumArgs() > 1)
      High = Host.Expressions.evaluate(Construct->getArg(1), Frame, Point);
    if (!Whole) { // from 0 to 1 unless stated
      if (!Low)
        Low = Host.Expressions.constant(0);
      if (!High)
        High = Host.Expressions.constant(1);
    }
    if (!Low || !High)
      return {};
    Expr Share = newDraw({}, false).E;
    if (Whole)
      return {Low.E + Host.Terms.floorDiv(Share * (High.E - Low.E + 1),
                                          Host.Terms.constant(1)),
              true};
    return {Low.E + Share * (High.E - Low.E), false};
  }
  const clang::FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || Host.Index.find(Callee))
    return {};
  llvm::StringRef Name = nameOf(Callee);
  RandomDraw Draw;
  if (Name == "drand48" || Name == "erand48")
    return newDraw(std::move(Draw), false);
  Draw.Largest = RandMax;
  if (llvm::StringSwitch<bool>(Name)
          .Cases("rand", "random", "lrand48", "rand_r", "nrand48", true)
          .Default(false))
    return newDraw(std::move(Draw), true);
  return {};
}

/// Whether the launch may write what the argument points to.
static bool mayWrite(const CallSite &Launch, unsigned Argument) {
  const auto *Kernel = llvm::dyn_cast<clang::CUDAKernelCallExpr>(Launch.Call);
  const clang::FunctionDecl *Callee = Launch.Call->getDirectCallee();
  if (!Kernel || !Callee || Argument >= Callee->getNumParams())
    return true;
  clang::QualType Type = Callee->getParamDecl(Argument)->getType();
  return !Type->isPointerType() || !Type->getPointeeType().isConstQualified();
}

/// Whether another launch of a loop around Point writes the buffer, so that
/// only the first iteration finds what host code has put there.
static bool isWrittenLater(const AccessPath &Buffer, const HostFunction &F,
                           ProgramPoint Point) {
  return llvm::any_of(F.Launches, [&](const CallSite &Launch) {
    bool IsInLoop = false;
    for (const Scope *S = Point.Enclosing; S; S = S->Parent)
      IsInLoop |= S->Kind == Scope::Loop && S->contains(Launch.Point.Enclosing);
    if (!IsInLoop || Launch.Point.Order <= Point.Order)
      return false;
    for (unsigned I = 0; I < Launch.Call->getNumArgs(); ++I)
      if (pathBehind(Launch.Call->getArg(I)) == Buffer && mayWrite(Launch, I))
        return true;
    return false;
  });
}

std::optional<BufferContents> InitialContents::of(const clang::Expr *Pointer,
                                                  const CallFrame &Frame,
                                                  ProgramPoint Point) {
  AccessPath Buffer = pathBehind(Pointer);
  if (!Buffer.Base)
    return std::nullopt;
  if (isWrittenLater(Buffer, *Frame.Function, Point))
    return std::nullopt;
  llvm::SaveAndRestore On(Active, true);
  return at(Buffer, Frame, Point.Order);
}

std::optional<BufferContents> InitialContents::at(const AccessPath &Path,
                                                  const CallFrame &Frame,
                                                  unsigned Order) {
  AccessPath Buffer = Path;
  for (const CallFrame *F = &Frame; F && F->Function && Buffer.Base;
       F = F->Caller) {
    Last Write = lastWrite(*F->Function, Buffer, Order, *F);
    if (Write.Found)
      return Write.Contents;
    Order = F->CallPoint.Order;
    Buffer = F->inCaller(Buffer, pathBehind);
  }
  return std::nullopt;
}

/// Executed with every execution of the function, maybe in loops of it.
static bool isUnconditional(ProgramPoint Point) {
  for (const Scope *S = Point.Enclosing; S; S = S->Parent)
    if (S->Kind == Scope::Branch)
      return false;
  return true;
}

static bool isInLoop(ProgramPoint Point) {
  for (const Scope *S = Point.Enclosing; S; S = S->Parent)
    if (S->Kind == Scope::Loop)
      return true;
  return false;
}

InitialContents::Last InitialContents::lastWrite(const HostFunction &F,
                                                 const AccessPath &Buffer,
                                                 unsigned Order,
                                                 const CallFrame &Frame) {
  Last Result;
  unsigned LastOrder = 0;
  const ElementWrite *LastElement = nullptr;
  auto isLater = [&](ProgramPoint Point) {
    return Point.Order < Order && Point.Order >= LastOrder;
  };
  auto take = [&](std::optional<BufferContents> Contents, ProgramPoint Point) {
    Result.Found = true;
    Result.Contents =
        isUnconditional(Point) ? std::move(Contents) : std::nullopt;
    LastOrder = Point.Order;
    LastElement = nullptr;
  };
  if (Depth > CallFrames::MaxInlineDepth || ++Steps > MaxSteps) {
    Result.Found = true;
    return Result;
  }
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  if (auto It = F.Writes.find(Buffer.Base); It != F.Writes.end())
    for (const Write &W : It->second)
      if (W.Fields == Buffer.Fields && isLater(W.Point))
        if (std::optional<Last> Made = initial(W, Frame))
          take(std::move(Made->Contents), W.Point);
  for (const CallSite &Call : F.Calls) {
    if (!isLater(Call.Point) || ++Steps > MaxSteps)
      continue;
    for (unsigned I = 0; I < Call.Call->getNumArgs(); ++I)
      if (pathBehind(Call.Call->getArg(I)) == Buffer)
        if (std::optional<Last> Write = written(Call, I, Frame))
          take(std::move(Write->Contents), Call.Point);
  }
  if (auto It = F.ElementWrites.find(Buffer.Base); It != F.ElementWrites.end())
    for (const ElementWrite &W : It->second) {
      if (W.Fields != Buffer.Fields || !isLater(W.Point))
        continue;
      // One element of many.
      if (!isInLoop(W.Point) && Result.Found)
        continue;
      // Elements in turns, such as the members of a vector.
      if (LastElement && LastElement->Point.Enclosing == W.Point.Enclosing) {
        Result.Contents = std::nullopt;
        continue;
      }
      take(element(W, Frame), W.Point);
      LastElement = &W;
    }
  for (const CallSite &Launch : F.Launches) {
    if (!isLater(Launch.Point))
      continue;
    for (unsigned I = 0; I < Launch.Call->getNumArgs(); ++I)
      if (pathBehind(Launch.Call->getArg(I)) == Buffer && mayWrite(Launch, I))
        take(std::nullopt, Launch.Point);
  }
  return Result;
}

std::optional<BufferContents>
InitialContents::value(const clang::Expr *Value, clang::SourceLocation At,
                       const clang::Type *ElementType, const CallFrame &Frame,
                       ProgramPoint Point) {
  Expr E = Host.Expressions.value(Value, Frame, Point);
  if (!E || !ElementType || ElementType->isIncompleteType() ||
      ElementType->isDependentType())
    return std::nullopt;
  BufferContents Contents;
  Contents.Element = E;
  for (const RandomDraw &Draw : Draws)
    if (E.dependsOn(Draw.Name))
      Contents.Draws.push_back(Draw);
  Contents.Bytes = static_cast<unsigned>(
      Host.AST.getTypeSizeInChars(ElementType).getQuantity());
  Contents.Location = presumedLocation(Host.AST.getSourceManager(), At);
  return Contents;
}

std::optional<BufferContents> InitialContents::bytes(const clang::Expr *Byte,
                                                     const clang::Expr *At,
                                                     const CallFrame &Frame,
                                                     ProgramPoint Point) {
  Expr E = Host.Expressions.value(Byte, Frame, Point);
  std::optional<double> Number = E ? E.asConstant() : std::nullopt;
  // -1 in every byte is -1 in every integer.
  bool Minus = Number && (*Number == -1 || *Number == 255);
  if (!Number || (*Number != 0 && !Minus))
    return std::nullopt;
  BufferContents Contents;
  Contents.Element = Host.Terms.constant(Minus ? -1 : 0);
  Contents.Location =
      presumedLocation(Host.AST.getSourceManager(), At->getBeginLoc());
  return Contents;
}

std::optional<BufferContents> InitialContents::element(const ElementWrite &W,
                                                       const CallFrame &Frame) {
  if (!W.Value || !W.Target)
    return std::nullopt;
  const clang::Expr *Target = stripCasts(W.Target);
  const clang::Expr *Index = nullptr;
  if (const auto *Subscript =
          llvm::dyn_cast<clang::ArraySubscriptExpr>(Target)) {
    if (llvm::isa<clang::ArraySubscriptExpr>(stripCasts(Subscript->getBase())))
      return std::nullopt;
    Index = Subscript->getIdx();
  } else if (const auto *Operator =
                 llvm::dyn_cast<clang::CXXOperatorCallExpr>(Target);
             Operator && Operator->getNumArgs() == 2) {
    Index = Operator->getArg(1);
  } else if (!llvm::isa<clang::UnaryOperator>(Target)) {
    return std::nullopt; // a member of a structure
  }
  std::optional<BufferContents> Contents =
      value(W.Value, W.Value->getExprLoc(), Target->getType().getTypePtr(),
            Frame, W.Point);
  if (!Contents)
    return std::nullopt;
  // Variables of the loops around give way to the number of the element.
  std::vector<std::string> Loops;
  for (const InductionVariable &V : Host.Symbols.inductionVariables())
    if (Contents->Element.dependsOn(V.Name))
      Loops.push_back(V.Name);
  if (Loops.empty())
    return Contents;
  Expr Place = Index ? Host.Expressions.value(Index, Frame, W.Point) : Expr();
  if (!Place)
    return std::nullopt;
  Expr Number = Host.Terms.parameter(BufferContents::Number);
  llvm::StringMap<Expr> Replaced;
  if (Place.kind() == ExprKind::Parameter) {
    Replaced[Place.name()] = Number;
  } else if (Place.kind() == ExprKind::Add) {
    // i * width + j
    Expr Inner, Outer, Width;
    for (Expr Term : Place.operands())
      if (Term.kind() == ExprKind::Parameter)
        Inner = Term;
    Expr Rest = Inner ? Place - Inner : Expr();
    for (const InductionVariable &V : Host.Symbols.inductionVariables())
      if (Rest && Rest.dependsOn(V.Name))
        if (auto Terms = Host.Terms.polynomial(Rest, V.Name, 1);
            Terms && Terms->size() == 2 && (*Terms)[0].isConstant(0)) {
          Outer = Host.Terms.parameter(V.Name);
          Width = (*Terms)[1];
        }
    if (Outer) {
      Replaced[Outer.name()] = Host.Terms.floorDiv(Number, Width);
      Replaced[Inner.name()] = Host.Terms.mod(Number, Width);
    }
  }
  Contents->Element = Host.Terms.substitute(Contents->Element, Replaced);
  bool HasLoop = llvm::any_of(Host.Symbols.inductionVariables(),
                              [&](const InductionVariable &V) {
                                return Contents->Element.dependsOn(V.Name);
                              });
  return HasLoop ? std::nullopt : Contents;
}

std::optional<BufferContents> InitialContents::copied(const clang::Expr *From,
                                                      const CallFrame &Frame,
                                                      ProgramPoint Point) {
  // One number: cudaMemcpy(p, &n, sizeof(n), ...).
  const clang::Expr *Source = stripCasts(From);
  if (const clang::Expr *Target = addressedOperand(Source); Target != Source) {
    Target = stripCasts(Target);
    clang::QualType Type = Target->getType();
    if (accessPathOf(Target).Base &&
        (Type->isIntegralOrEnumerationType() || Type->isRealFloatingType()))
      return value(Target, From->getExprLoc(), Type.getTypePtr(), Frame, Point);
  }
  AccessPath Buffer = pathBehind(From);
  return Buffer.Base ? at(Buffer, Frame, Point.Order) : std::nullopt;
}

std::optional<InitialContents::Last>
InitialContents::written(const CallSite &Site, unsigned I,
                         const CallFrame &Frame) {
  const clang::CallExpr &Call = *Site.Call;
  llvm::StringRef Name = nameOf(Site.Callee);
  Last Result;
  Result.Found = true;
  if (isRuntimeFunction(*Site.Callee)) {
    if (I != 0 || !isDeviceWrite(*Site.Callee))
      return std::nullopt;
    bool IsPlain = !Name.contains("2D") && !Name.contains("3D");
    if (Name.contains("Memset") && IsPlain && Call.getNumArgs() > 1)
      Result.Contents = bytes(Call.getArg(1), &Call, Frame, Site.Point);
    else if (Name.contains("Memcpy") && IsPlain && Call.getNumArgs() > 1)
      Result.Contents = copied(Call.getArg(1), Frame, Site.Point);
    return Result;
  }
  if (Name == "memset" || Name == "memcpy" || Name == "memmove") {
    if (I != 0)
      return std::nullopt;
    Result.Contents = Name == "memset"
                          ? bytes(Call.getArg(1), &Call, Frame, Site.Point)
                          : copied(Call.getArg(1), Frame, Site.Point);
    return Result;
  }
  if (Site.Callee->isInStdNamespace()) {
    bool Fills = Name == "fill" || Name == "fill_n";
    if (Fills && Call.getNumArgs() == 3) {
      const clang::Expr *Value = stripCasts(Call.getArg(2));
      clang::QualType Type = Call.getArg(0)->getType();
      const clang::Type *Element = Type->isPointerType()
                                       ? Type->getPointeeType().getTypePtr()
                                       : Value->getType().getTypePtr();
      Result.Contents =
          value(Value, Call.getExprLoc(), Element, Frame, Site.Point);
      return Result;
    }
    // The values stay, in another order.
    if (Name == "shuffle" || Name == "random_shuffle")
      return std::nullopt;
  }
  bool IsMemberOperator = llvm::isa<clang::CXXOperatorCallExpr>(Call) &&
                          llvm::isa<clang::CXXMethodDecl>(Site.Callee);
  unsigned Index = I - IsMemberOperator;
  if ((IsMemberOperator && I == 0) || Index >= Site.Callee->getNumParams())
    return std::nullopt;
  const clang::ParmVarDecl *Parameter = Site.Callee->getParamDecl(Index);
  if (const HostFunction *Callee = Host.Index.find(Site.Callee)) {
    const clang::ParmVarDecl *Own = Callee->Decl->getParamDecl(Index);
    const CallFrame &Inner =
        Host.Frames.inlineCall(*Callee, Call, Frame, Site.Point);
    Last Write =
        lastWrite(*Callee, {Own->getCanonicalDecl(), ""}, UINT_MAX, Inner);
    return Write.Found ? std::optional(std::move(Write)) : std::nullopt;
  }
  clang::QualType Type = Parameter->getType();
  clang::QualType Pointee = Type->isPointerType() || Type->isReferenceType()
                                ? Type->getPointeeType()
                                : clang::QualType();
  // By value, or nothing that may be written through.
  bool MayWrite = !Pointee.isNull() && !Pointee.isConstQualified();
  return MayWrite ? std::optional(std::move(Result)) : std::nullopt;
}

std::optional<InitialContents::Last>
InitialContents::initial(const Write &W, const CallFrame &Frame) {
  if (W.Kind != Write::Assign || !W.Value)
    return std::nullopt;
  const clang::Expr *Value = stripCasts(W.Value);
  Last Result;
  Result.Found = true;
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(Value)) {
    if (nameOf(Call->getDirectCallee()) != "calloc")
      return std::nullopt; // a buffer with no contents yet
    Result.Contents.emplace();
    Result.Contents->Element = Host.Terms.constant(0);
    Result.Contents->Location =
        presumedLocation(Host.AST.getSourceManager(), Call->getBeginLoc());
    return Result;
  }
  if (llvm::isa<clang::InitListExpr>(Value)) {
    std::vector<double> Values = constantsOf(Value, Host.AST);
    const clang::Type *Element = Value->getType()->getBaseElementTypeUnsafe();
    if (!Values.empty() && Element && !Element->isRecordType()) {
      bool Integral = Element->isIntegralOrEnumerationType();
      RandomDraw Draw;
      Draw.Values = std::move(Values);
      BufferContents Contents;
      Contents.Element = newDraw(std::move(Draw), Integral).E;
      Contents.Draws.push_back(Draws.back());
      Contents.Bytes = static_cast<unsigned>(
          Host.AST.getTypeSizeInChars(Element).getQuantity());
      Contents.Location =
          presumedLocation(Host.AST.getSourceManager(), Value->getBeginLoc());
      Result.Contents = std::move(Contents);
    }
    return Result;
  }
  // std::vector<T> v(n, value); without a value the elements are 0.
  const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(Value);
  const auto *Container =
      Construct ? llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(
                      Construct->getConstructor()->getParent())
                : nullptr;
  if (!Container || Container->getName() != "vector" ||
      Construct->getNumArgs() == 0 ||
      !Construct->getArg(0)->getType()->isIntegerType() ||
      Container->getTemplateArgs()[0].getKind() !=
          clang::TemplateArgument::Type)
    return std::nullopt;
  clang::QualType Element = Container->getTemplateArgs()[0].getAsType();
  const clang::Expr *Given =
      Construct->getNumArgs() > 1 ? stripCasts(Construct->getArg(1)) : nullptr;
  bool HasValue = Given && (Given->getType()->isIntegralOrEnumerationType() ||
                            Given->getType()->isRealFloatingType());
  if (HasValue) {
    Result.Contents = value(Given, Construct->getExprLoc(),
                            Element.getTypePtr(), Frame, W.Point);
  } else {
    Result.Contents.emplace();
    Result.Contents->Element = Host.Terms.constant(0);
    Result.Contents->Location =
        presumedLocation(Host.AST.getSourceManager(), Construct->getExprLoc());
  }
  return Result;
}

} // namespace gpuestimate
