/// \file
/// Pointer arithmetic and reaching definitions of pointers.
#include "PointerOrigins.h"

#include "HostAnalysis.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/SaveAndRestore.h"

namespace gpuestimate {

/// Assignments and calls that are followed for one pointer.
static constexpr unsigned MaxSteps = 64;

PointerOrigins::PointerOrigins(HostAnalysis &Host) : Host(Host) {}

/// The origin after `pointer + Count`, or `- Count` if Backwards.
PointerOrigins::Result
PointerOrigins::moved(Result From, const clang::Expr *Count, bool Backwards,
                      clang::QualType Pointer, const CallFrame &Frame,
                      ProgramPoint Point) {
  clang::QualType Element =
      Pointer->isArrayType()
          ? Host.AST.getAsArrayType(Pointer)->getElementType()
          : Pointer->getPointeeType();
  if (!From || Element.isNull() || Element->isIncompleteType())
    return std::nullopt;
  Expr Elements = Host.Expressions.value(Count, Frame, Point);
  if (!Elements)
    return std::nullopt;
  double Bytes = Host.AST.getTypeSizeInChars(Element).getQuantity();
  From->Offset =
      From->Offset + Elements * Host.Terms.constant(Backwards ? -Bytes : Bytes);
  return From;
}

PointerOrigins::Result PointerOrigins::of(const clang::Expr *E,
                                          const CallFrame &Frame,
                                          ProgramPoint Point) {
  E = stripCasts(E);
  if (!E || Depth > MaxSteps || !Host.Expressions.spendStep())
    return std::nullopt;
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  if (AccessPath P = accessPathOf(E); P.Base)
    return of(P, Frame, Point);
  if (const auto *Binary = llvm::dyn_cast<clang::BinaryOperator>(E)) {
    const clang::Expr *X = Binary->getLHS(), *Y = Binary->getRHS();
    if (Binary->isAssignmentOp() || Binary->getOpcode() == clang::BO_Comma)
      return of(Y, Frame, Point);
    if (!Binary->isAdditiveOp())
      return std::nullopt;
    if (!X->getType()->isPointerType())
      std::swap(X, Y);
    return moved(of(X, Frame, Point), Y, Binary->getOpcode() == clang::BO_Sub,
                 X->getType(), Frame, Point);
  }
  if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(E);
      Unary && Unary->getOpcode() == clang::UO_AddrOf) {
    const clang::Expr *Target = Unary->getSubExpr()->IgnoreParens();
    if (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(Target))
      return moved(of(Element->getBase(), Frame, Point), Element->getIdx(),
                   false, Element->getBase()->getType(), Frame, Point);
    if (const auto *Inner = llvm::dyn_cast<clang::UnaryOperator>(Target);
        Inner && Inner->getOpcode() == clang::UO_Deref)
      return of(Inner->getSubExpr(), Frame, Point);
    return std::nullopt;
  }
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E))
    return returned(*Call, Frame, Point);
  return std::nullopt;
}

PointerOrigins::Result PointerOrigins::returned(const clang::CallExpr &Call,
                                                const CallFrame &Frame,
                                                ProgramPoint Point) {
  const clang::FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return std::nullopt;
  bool Named = Callee->getDeclName().isIdentifier();
  if (Named && Callee->getName() == "raw_pointer_cast" &&
      Call.getNumArgs() == 1)
    return of(Call.getArg(0), Frame, Point);
  if (const auto *Method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&Call)) {
    // v.data() of a container, v.data().get().
    const clang::Expr *Object = Method->getImplicitObjectArgument();
    if (Named && Callee->getName() == "get")
      if (Result Inner = of(Object, Frame, Point))
        return Inner;
    if (AccessPath P = accessPathOf(Object);
        Named && P.Base &&
        (Callee->getName() == "data" || Callee->getName() == "get"))
      return bufferOf(P, Frame, nullptr);
  }
  const HostFunction *Definition = Host.Index.find(Callee);
  if (!Definition || Definition->Returns.size() != 1 ||
      Frame.Depth >= CallFrames::MaxInlineDepth)
    return std::nullopt;
  auto [Value, Where] = Definition->Returns.front();
  return of(Value, Host.Frames.inlineCall(*Definition, Call, Frame, Point),
            Where);
}

/// The member Fields of an aggregate: `Pointers p = {x, x + 1}`, `p = q`.
PointerOrigins::Result PointerOrigins::member(const clang::Expr *Aggregate,
                                              llvm::StringRef Fields,
                                              const CallFrame &Frame,
                                              ProgramPoint Point) {
  const clang::Expr *E = stripCasts(Aggregate);
  if (const auto *Copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(E);
      Copy && Copy->getNumArgs() == 1)
    return member(Copy->getArg(0), Fields, Frame, Point);
  if (const auto *List = llvm::dyn_cast_or_null<clang::InitListExpr>(E)) {
    const clang::RecordDecl *Record = List->getType()->getAsRecordDecl();
    if (!Record || Record->isUnion())
      return std::nullopt;
    auto [Name, Inner] = Fields.drop_front().split('.');
    unsigned Index = 0;
    if (const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(Record))
      Index = Class->getNumBases();
    for (const clang::FieldDecl *Field : Record->fields()) {
      if (Field->getName() == Name && Index < List->getNumInits())
        return Inner.empty()
                   ? of(List->getInit(Index), Frame, Point)
                   : member(List->getInit(Index),
                            Fields.drop_front(1 + Name.size()), Frame, Point);
      ++Index;
    }
    return std::nullopt;
  }
  AccessPath P = accessPathOf(E);
  if (!P.Base)
    return std::nullopt;
  P.Fields += Fields;
  return of(P, Frame, Point);
}

PointerOrigins::Result PointerOrigins::of(const AccessPath &P,
                                          const CallFrame &Frame,
                                          ProgramPoint Point) {
  if (Depth > MaxSteps || !Host.Expressions.spendStep())
    return std::nullopt;
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  ReachingSet R;
  if (Frame.Function)
    if (auto It = Frame.Function->Writes.find(P.Base);
        It != Frame.Function->Writes.end())
      R = ReachingWrites::reaching(It->second, P.Fields, Point);
  // Another write may come later: the value has no other name than this.
  if (!R.Others.empty())
    return bufferOf(P, Frame, R.Others.back());
  if (R.Last)
    return written(*R.Last, P, Frame);
  return argument(P, Frame);
}

PointerOrigins::Result PointerOrigins::written(const Write &W,
                                               const AccessPath &P,
                                               const CallFrame &Frame) {
  llvm::StringRef Fields(P.Fields);
  Result Found;
  switch (W.Kind) {
  case Write::Assign:
    if (W.Value && Fields.starts_with(W.Fields))
      Found = W.Fields == Fields
                  ? of(W.Value, Frame, W.Point)
                  : member(W.Value, Fields.drop_front(W.Fields.size()), Frame,
                           W.Point);
    break;
  case Write::Compound: {
    const auto *Operator = llvm::cast<clang::CompoundAssignOperator>(W.Value);
    if (W.Fields == Fields)
      Found = moved(of(P, Frame, W.Point), Operator->getRHS(),
                    Operator->getOpcode() == clang::BO_SubAssign,
                    Operator->getLHS()->getType(), Frame, W.Point);
    break;
  }
  case Write::Opaque:
    Found = setByCall(W, P, Frame);
    break;
  case Write::Increment:
  case Write::Element:
  case Write::Uninitialised:
  case Write::Result:
    break;
  }
  return Found ? Found : bufferOf(P, Frame, &W);
}

/// The pointer that a function stores through a reference or a pointer to its
/// caller's pointer: `cut(x, &x0, &x1)`, where cut() has `*b = a + 1`.
PointerOrigins::Result PointerOrigins::setByCall(const Write &W,
                                                 const AccessPath &P,
                                                 const CallFrame &Frame) {
  for (const CallSite &Site : Frame.Function->Calls) {
    const HostFunction *Callee = Host.Index.find(Site.Callee);
    if (!Callee || Site.Point.Order < W.Point.Order ||
        Frame.Depth >= CallFrames::MaxInlineDepth)
      continue;
    for (const clang::ParmVarDecl *Parameter : Callee->Decl->parameters()) {
      bool Reference = Parameter->getType()->isReferenceType();
      const clang::Expr *Argument =
          argumentFor(*Parameter, *Callee->Decl, *Site.Call);
      if (!Argument)
        continue;
      AccessPath Passed =
          accessPathOf(Reference ? Argument : addressedOperand(Argument));
      if (Passed.Base != P.Base || Passed.Fields != P.Fields)
        continue;
      const auto &Writes = Reference ? Callee->Writes : Callee->PointeeWrites;
      auto It = Writes.find(Parameter->getCanonicalDecl());
      if (It == Writes.end())
        return std::nullopt;
      return last(It->second, Host.Frames.inlineCall(*Callee, *Site.Call, Frame,
                                                     Site.Point));
    }
  }
  return std::nullopt;
}

/// The only pointer that a function assigns.
PointerOrigins::Result PointerOrigins::last(const std::vector<Write> &Writes,
                                            const CallFrame &Frame) {
  if (Writes.size() != 1 || Writes.front().Kind != Write::Assign ||
      !Writes.front().Fields.empty() ||
      Writes.front().Point.Enclosing->Kind != Scope::Function)
    return std::nullopt;
  return of(Writes.front().Value, Frame, Writes.front().Point);
}

/// A parameter has the value of the call's argument.
PointerOrigins::Result PointerOrigins::argument(const AccessPath &P,
                                                const CallFrame &Frame) {
  const auto *Variable = llvm::dyn_cast<clang::VarDecl>(P.Base);
  if (!Variable || !Variable->isLocalVarDeclOrParm())
    return global(P, Frame);
  const auto *Parameter = llvm::dyn_cast<clang::ParmVarDecl>(P.Base);
  const clang::Expr *Argument =
      Parameter && Frame.Call && Frame.Caller
          ? argumentFor(*Parameter, *Frame.Function->Decl, *Frame.Call)
          : nullptr;
  if (!Argument)
    return bufferOf(P, Frame, nullptr);
  Result Found = P.Fields.empty() ? of(Argument, *Frame.Caller, Frame.CallPoint)
                                  : member(Argument, P.Fields, *Frame.Caller,
                                           Frame.CallPoint);
  return Found ? Found : bufferOf(P, Frame, nullptr);
}

/// A global variable, or a member of the class, that one function sets.
PointerOrigins::Result PointerOrigins::global(const AccessPath &P,
                                              const CallFrame &Frame) {
  const Write *Only = nullptr;
  const HostFunction *Writer = nullptr;
  for (const HostFunction *Function : Host.Index.InSourceOrder) {
    auto It = Function->Writes.find(P.Base);
    if (It == Function->Writes.end())
      continue;
    for (const Write &W : It->second) {
      if (!llvm::StringRef(P.Fields).starts_with(W.Fields))
        continue;
      if (Only)
        return bufferOf(P, Frame, nullptr);
      Only = &W;
      Writer = Function;
    }
  }
  if (!Only || Writer == Frame.Function)
    return bufferOf(P, Frame, nullptr);
  return written(*Only, P, Host.Frames.withoutCaller(*Writer, Frame));
}

PointerOrigin PointerOrigins::bufferOf(const AccessPath &P,
                                       const CallFrame &Frame,
                                       const Write *Last) {
  auto [It, New] = Names.try_emplace({P, Frame.Function, Last});
  if (New)
    It->second = P.Base->getNameAsString() + P.Fields + "#" +
                 std::to_string(Names.size());
  return {It->second, Host.Terms.constant(0)};
}

} // namespace gpuestimate
