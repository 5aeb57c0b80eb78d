/// \file
/// Search for allocations.
#include "HostAnalysis.h"
#include "IteratorRanges.h"
#include "RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

namespace gpuestimate {

BufferSizes::BufferSizes(HostAnalysis &Host)
    : Host(Host), AST(Host.AST), Index(Host.Index), Terms(Host.Terms) {}

struct BufferSizes::Search {
  std::set<std::pair<AccessPath, const HostFunction *>> Seen;
  std::vector<Expr> Sizes;
  std::set<BufferPlace> Places;
  bool Unknown = false; ///< the pointer has another value than these buffers
};

Expr BufferSizes::bytes(const clang::Expr *E, const CallFrame &Frame,
                        ProgramPoint Point) {
  Search Found;
  find(E, Frame, Point, Found);
  return commonSize(Found);
}

Expr BufferSizes::commonSize(const Search &Found) {
  if (Found.Unknown || Found.Sizes.empty())
    return {};
  for (Expr Size : Found.Sizes)
    if (!Size || Size != Found.Sizes.front())
      return {};
  return Found.Sizes.front();
}

Expr BufferSizes::bytes(const clang::VarDecl &Pointer, const CallFrame &Frame) {
  Search Found;
  find({Pointer.getCanonicalDecl(), ""}, Frame, Found);
  return commonSize(Found);
}

std::optional<BufferPlace> BufferSizes::place(const clang::Expr *E,
                                              const CallFrame &Frame,
                                              ProgramPoint Point) {
  Search Found;
  find(E, Frame, Point, Found);
  if (Found.Places.size() != 1)
    return std::nullopt;
  return *Found.Places.begin();
}

/// What the GPU's pointer to a buffer of the host points to is the host's.
void BufferSizes::take(const Allocation &A, const CallFrame &Frame,
                       Search &Found) {
  const clang::FunctionDecl &Callee = *A.Call->getDirectCallee();
  if (isDevicePointerQuery(Callee)) {
    Found.Places.insert(BufferPlace::Host);
    return find(A.Call->getArg(1), Frame, A.Point, Found);
  }
  Found.Places.insert(allocatedPlace(Callee));
  Found.Sizes.push_back(
      Host.Expressions.value(A.Call->getArg(1), Frame, A.Point));
}

/// The size of what a call returns. False if it is none of those that allocate
/// memory or return a pointer that was passed.
bool BufferSizes::findInCall(const clang::CallExpr &Call,
                             const CallFrame &Frame, ProgramPoint Point,
                             Search &Found) {
  const clang::FunctionDecl *Callee = Call.getDirectCallee();
  // CUDA kernels cannot access memory of malloc and new.
  if (!AST.getLangOpts().CUDA && Callee &&
      Callee->getDeclName().isIdentifier()) {
    // Arguments: bytes, or a count and the size of one element.
    llvm::StringRef Name = Callee->getName();
    if (Name == "malloc" && Call.getNumArgs() == 1) {
      Found.Sizes.push_back(
          Host.Expressions.value(Call.getArg(0), Frame, Point));
      return true;
    }
    if ((Name == "calloc" || Name == "aligned_alloc") &&
        Call.getNumArgs() == 2) {
      Expr Count = Host.Expressions.value(Call.getArg(0), Frame, Point);
      Expr Bytes = Host.Expressions.value(Call.getArg(1), Frame, Point);
      Found.Sizes.push_back(Name == "aligned_alloc" ? Bytes
                            : Count && Bytes        ? Count * Bytes
                                                    : Expr());
      return true;
    }
  }
  if (Callee && Callee->getDeclName().isIdentifier() &&
      Callee->getName() == "raw_pointer_cast" && Call.getNumArgs() == 1) {
    find(Call.getArg(0), Frame, Point, Found);
    return true;
  }
  const HostFunction *Definition = Index.find(Callee);
  if (Definition && Frame.Depth < CallFrames::MaxInlineDepth &&
      !Definition->Returns.empty()) {
    const CallFrame &Inner =
        Host.Frames.inlineCall(*Definition, Call, Frame, Point);
    for (auto [Value, Where] : Definition->Returns)
      if (Value)
        find(Value, Inner, Where, Found);
    return true;
  }
  return false;
}

void BufferSizes::find(const clang::Expr *E, const CallFrame &Frame,
                       ProgramPoint Point, Search &Found) {
  E = stripCasts(E);
  if (!E || !Host.Expressions.spendStep()) {
    Found.Unknown = true;
    return;
  }
  if (E->isNullPointerConstant(AST, clang::Expr::NPC_ValueDependentIsNotNull))
    return; // `float *p = nullptr`, to be allocated later
  if (clang::QualType Type = E->getType(); Type->isConstantArrayType()) {
    Found.Sizes.push_back(
        Terms.constant(AST.getTypeSizeInChars(Type).getQuantity()));
    return;
  }
  if (AccessPath P = accessPathOf(E); P.Base)
    return find(P, Frame, Found);
  if (const auto *Binary = llvm::dyn_cast<clang::BinaryOperator>(E)) {
    // An offset is ignored: the result is the size of the whole buffer.
    const clang::Expr *Pointer = Binary->getLHS()->getType()->isPointerType()
                                     ? Binary->getLHS()
                                     : Binary->getRHS();
    return find(Pointer, Frame, Point, Found);
  }
  if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(E);
      Unary && Unary->getOpcode() == clang::UO_AddrOf) {
    const clang::Expr *Target = stripCasts(Unary->getSubExpr());
    if (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(Target))
      return find(Element->getBase(), Frame, Point, Found);
  }
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    find(Choice->getTrueExpr(), Frame, Point, Found);
    return find(Choice->getFalseExpr(), Frame, Point, Found);
  }
  if (const auto *Method = llvm::dyn_cast<clang::CXXMemberCallExpr>(E)) {
    // v.data(), v.data().get(), v.begin() of a device container.
    const clang::Expr *Object = Method->getImplicitObjectArgument();
    clang::QualType Element = E->getType()->getPointeeType();
    if (!Element.isNull() && !Element->isVoidType() &&
        !Element->isIncompleteType()) {
      if (const auto *Inner =
              llvm::dyn_cast<clang::CXXMemberCallExpr>(stripCasts(Object)))
        Object = Inner->getImplicitObjectArgument();
      if (HostValue Count = containerSize(Object, Frame, Point)) {
        Found.Sizes.push_back(
            Count.E *
            static_cast<double>(AST.getTypeSizeInChars(Element).getQuantity()));
        return;
      }
    }
  }
  // CUDA kernels cannot access memory of malloc and new.
  bool Plain = !AST.getLangOpts().CUDA;
  if (const auto *New = llvm::dyn_cast<clang::CXXNewExpr>(E);
      Plain && New && New->isArray() && New->getArraySize()) {
    double Bytes =
        AST.getTypeSizeInChars(New->getAllocatedType()).getQuantity();
    Expr Count = Host.Expressions.value(*New->getArraySize(), Frame, Point);
    Found.Sizes.push_back(Count ? Count * Bytes : Expr());
    return;
  }
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E);
      Call && findInCall(*Call, Frame, Point, Found))
    return;
  Found.Unknown = true;
}

void BufferSizes::find(const AccessPath &P, const CallFrame &Frame,
                       Search &Found) {
  if (!Found.Seen.insert({P, Frame.Function}).second)
    return;
  if (clang::QualType Type = P.Base->getType();
      P.Fields.empty() && Type->isConstantArrayType()) {
    Found.Sizes.push_back(
        Terms.constant(AST.getTypeSizeInChars(Type).getQuantity()));
    return;
  }
  const auto *Variable = llvm::dyn_cast<clang::VarDecl>(P.Base);
  bool Global = !Variable || !Variable->isLocalVarDeclOrParm();

  if (Global) {
    for (const HostFunction *Function : Index.InSourceOrder)
      findIn(*Function, P,
             Function == Frame.Function
                 ? Frame
                 : Host.Frames.withoutCaller(*Function, Frame),
             Frame.Depth, Found);
    return;
  }
  if (!Frame.Function)
    return;
  findIn(*Frame.Function, P, Frame, Frame.Depth, Found);
  const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(P.Base);
  if (!Parameter || !Frame.Caller || !Frame.Call)
    return;
  const clang::Expr *Argument =
      argumentFor(*Parameter, *Frame.Function->Decl, *Frame.Call);
  if (!Argument)
    return;
  if (P.Fields.empty())
    return find(Argument, *Frame.Caller, Frame.CallPoint, Found);
  if (AccessPath Outer = accessPathOf(Argument); Outer.Base) {
    Outer.Fields += P.Fields;
    return find(Outer, *Frame.Caller, Found);
  }
}

/// Follows one variable through a function: allocations, assignments, swaps and
/// calls. Depth: of the frame in which the search began.
void BufferSizes::findIn(const HostFunction &Function, const AccessPath &P,
                         const CallFrame &Frame, unsigned Depth,
                         Search &Found) {
  if (auto It = Function.Allocations.find(P.Base);
      It != Function.Allocations.end())
    for (const Allocation &A : It->second)
      if (A.Fields == P.Fields)
        take(A, Frame, Found);
  if (auto It = Function.Writes.find(P.Base); It != Function.Writes.end())
    for (const Write &W : It->second)
      if (W.Kind == Write::Assign && W.Value && W.Fields == P.Fields)
        find(W.Value, Frame, W.Point, Found);
  for (const auto &[A, B] : Function.Swaps) {
    const AccessPath *Other = A.Base == P.Base && A.Fields == P.Fields ? &B
                              : B.Base == P.Base && B.Fields == P.Fields
                                  ? &A
                                  : nullptr;
    if (Other && Other->Base)
      find(*Other, Frame, Found);
  }
  if (Depth < CallFrames::MaxInlineDepth)
    findInCallees(Function, P, Frame, Found);
}

/// Functions that allocate for their caller: alloc(&p, n) or alloc(p, n).
void BufferSizes::findInCallees(const HostFunction &Function,
                                const AccessPath &P, const CallFrame &Frame,
                                Search &Found) {
  for (const CallSite &Site : Function.Calls) {
    const HostFunction *Callee = Index.find(Site.Callee);
    if (!Callee)
      continue;
    for (const clang::ParmVarDecl *Parameter : Callee->Decl->parameters()) {
      const clang::Expr *Argument =
          argumentFor(*Parameter, *Callee->Decl, *Site.Call);
      if (!Argument)
        continue;
      Argument = stripCasts(Argument);
      if (const auto *Address = llvm::dyn_cast<clang::UnaryOperator>(Argument);
          Address && Address->getOpcode() == clang::UO_AddrOf)
        Argument = Address->getSubExpr();
      else if (!Parameter->getType()->isReferenceType())
        continue;
      AccessPath Passed = accessPathOf(Argument);
      if (Passed.Base != P.Base || Passed.Fields != P.Fields)
        continue;
      auto It = Callee->Allocations.find(Parameter->getCanonicalDecl());
      if (It == Callee->Allocations.end())
        continue;
      const CallFrame &Inner =
          Host.Frames.inlineCall(*Callee, *Site.Call, Frame, Site.Point);
      for (const Allocation &A : It->second)
        take(A, Inner, Found);
    }
  }
}

/// The size of a container that is made as a copy of another one, or of a
/// range.
HostValue BufferSizes::copiedSize(const clang::Expr *Made,
                                  const CallFrame &Frame, ProgramPoint Point) {
  const auto *Construct =
      llvm::dyn_cast<clang::CXXConstructExpr>(stripCasts(Made));
  if (!Construct || Construct->getNumArgs() == 0)
    return {};
  const clang::Expr *First = Construct->getArg(0);
  if (Construct->getNumArgs() >= 2 &&
      !llvm::isa<clang::CXXDefaultArgExpr>(Construct->getArg(1)))
    if (Expr Range =
            distanceBetween(Host, First, Construct->getArg(1), Frame, Point))
      return {Range, true};
  // The elements of a container are of the type of its argument's.
  AccessPath Source = accessPathOf(First);
  const auto *Variable = llvm::dyn_cast_or_null<clang::VarDecl>(Source.Base);
  if (!Variable || !First->getType().getNonReferenceType()->isRecordType())
    return {};
  return containerSize(First, Frame, Point);
}

HostValue BufferSizes::containerSize(const clang::Expr *Object,
                                     const CallFrame &Frame,
                                     ProgramPoint Point) {
  auto sizeArgument = [](const clang::Expr *Made) -> const clang::Expr * {
    const auto *Construct =
        llvm::dyn_cast<clang::CXXConstructExpr>(stripCasts(Made));
    return Construct && Construct->getNumArgs() >= 1 &&
                   Construct->getArg(0)->getType()->isIntegerType()
               ? Construct->getArg(0)
               : nullptr;
  };
  if (const clang::Expr *Size = sizeArgument(Object)) // a temporary
    return Host.Expressions.evaluate(Size, Frame, Point);
  AccessPath P = accessPathOf(Object);
  if (!P.Base || !Frame.Function)
    return {};
  P.Fields += ".size()";
  if (const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(P.Base);
      Parameter && Frame.Call && Frame.Caller) {
    if (const clang::Expr *Argument =
            argumentFor(*Parameter, *Frame.Function->Decl, *Frame.Call))
      if (HostValue V = containerSize(Argument, *Frame.Caller, Frame.CallPoint))
        return V;
    return Host.Symbols.symbol(P, nullptr, Frame);
  }
  auto It = Frame.Function->Writes.find(P.Base);
  if (It == Frame.Function->Writes.end())
    return Host.Symbols.symbol(P, nullptr, Frame);
  std::vector<Write> Sizing;
  for (const Write &W : It->second) {
    const auto *Call =
        W.Kind == Write::Opaque
            ? llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(W.Value)
            : nullptr;
    const clang::CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
    bool Harmless = Method && Method->getDeclName().isIdentifier() &&
                    llvm::StringSwitch<bool>(Method->getName())
                        .Cases("data", "begin", "end", "rbegin", "rend", true)
                        .Cases("at", "front", "back", "reserve", true)
                        .Default(false);
    if (!Harmless)
      Sizing.push_back(W);
  }
  ReachingSet R = ReachingWrites::reaching(Sizing, "", Point);
  if (!R.Last || !R.Others.empty() || !R.Last->Value)
    return Host.Symbols.symbol(P, nullptr, Frame);
  const clang::Expr *Size = nullptr;
  if (R.Last->Kind == Write::Assign) {
    Size = sizeArgument(R.Last->Value);
    if (!Size)
      if (HostValue V = copiedSize(R.Last->Value, Frame, R.Last->Point))
        return V;
  } else if (const auto *Call =
                 llvm::dyn_cast<clang::CXXMemberCallExpr>(R.Last->Value);
             Call && Call->getMethodDecl() && Call->getNumArgs() >= 1 &&
             Call->getMethodDecl()->getDeclName().isIdentifier() &&
             (Call->getMethodDecl()->getName() == "resize" ||
              Call->getMethodDecl()->getName() == "assign")) {
    Size = Call->getArg(0);
  }
  if (Size && Size->getType()->isIntegerType())
    if (HostValue V = Host.Expressions.evaluate(Size, Frame, R.Last->Point))
      return V;
  return Host.Symbols.symbol(P, nullptr, Frame);
}

} // namespace gpuestimate
