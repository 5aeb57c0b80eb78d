/// \file
/// Evaluates host expressions. Integer division and shifts to the right round
/// to negative infinity here; sizes and counts, which is what launches are
/// made of, are never negative.
#include "HostValues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

namespace gpuestimate {

HostValue HostValues::constant(double Value) {
  if (!std::isfinite(Value))
    return {};
  return {Terms.constant(Value), std::trunc(Value) == Value, {}, {}};
}

HostValue HostValues::constantOf(const clang::Expr *E) {
  clang::QualType Type = E->getType();
  if (E->isValueDependent() ||
      !(Type->isIntegralOrEnumerationType() || Type->isRealFloatingType()))
    return {};
  clang::Expr::EvalResult Result;
  if (!E->EvaluateAsRValue(Result, AST) || Result.HasSideEffects)
    return {};
  if (Result.Val.isInt()) {
    const llvm::APSInt &Int = Result.Val.getInt();
    if (!Int.isRepresentableByInt64() && Int.getActiveBits() > 64)
      return {};
    return constant(Int.isSigned() ? static_cast<double>(Int.getSExtValue())
                                   : static_cast<double>(Int.getZExtValue()));
  }
  if (Result.Val.isFloat()) {
    llvm::APFloat Float = Result.Val.getFloat();
    bool Lost = false;
    Float.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &Lost);
    return constant(Float.convertToDouble());
  }
  return {};
}

HostValue HostValues::evaluate(const clang::Expr *E, const Frame &F,
                               Position At) {
  if (!E || ++Steps > MaxSteps || Depth > MaxDepth)
    return {};
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  if (HostValue V = constantOf(E))
    return V;
  return evaluateUncached(E, F, At);
}

HostValue HostValues::evaluateUncached(const clang::Expr *E, const Frame &F,
                                       Position At) {
  E = E->IgnoreParens();
  if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(E))
    return cast(*Cast, F, At);
  if (const clang::Expr *Inner = strip(E); Inner != E)
    return evaluate(Inner, F, At);
  if (HostValue V = deviceField(E))
    return V;
  if (Place P = placeOf(E); P.Root) {
    clang::QualType Type = E->getType().getNonReferenceType();
    if (!Type->isIntegralOrEnumerationType() && !Type->isRealFloatingType())
      return {};
    // An initialised reference is another name of what it is bound to.
    if (P.Root->getType()->isReferenceType() && P.Path.empty() && F.Function)
      if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(P.Root);
          Variable && !llvm::isa<clang::ParmVarDecl>(Variable) &&
          Variable->getInit())
        return evaluate(Variable->getInit(), F, At);
    return read(P, F, At);
  }
  if (const auto *Binary = llvm::dyn_cast<clang::BinaryOperator>(E)) {
    if (Binary->isAssignmentOp())
      return evaluate(Binary->getRHS(), F, At);
    if (Binary->getOpcode() == clang::BO_Comma)
      return evaluate(Binary->getRHS(), F, At);
    return binary(Binary->getOpcode(), Binary->getType()->isRealFloatingType(),
                  evaluate(Binary->getLHS(), F, At),
                  evaluate(Binary->getRHS(), F, At));
  }
  if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(E)) {
    HostValue V = evaluate(Unary->getSubExpr(), F, At);
    if (!V)
      return {};
    switch (Unary->getOpcode()) {
    case clang::UO_Plus:
      return V;
    case clang::UO_Minus:
      return binary(clang::BO_Mul, !V.Integral, constant(-1), V);
    case clang::UO_LNot:
      return {Terms.equal(V.E, Terms.constant(0)), true, {}, {}};
    default:
      return {};
    }
  }
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    Expr Condition = truth(Choice->getCond(), false, F, At);
    HostValue A = evaluate(Choice->getTrueExpr(), F, At);
    HostValue B = evaluate(Choice->getFalseExpr(), F, At);
    if (!Condition || !A || !B)
      return {};
    return {
        Terms.select(Condition, A.E, B.E), A.Integral && B.Integral, {}, {}};
  }
  if (const auto *List = llvm::dyn_cast<clang::InitListExpr>(E))
    return List->getNumInits() == 1 ? evaluate(List->getInit(0), F, At)
                                    : HostValue();
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E))
    return call(*Call, F, At);
  return {};
}

/// A quotient of whole numbers rounded down; other real values only when they
/// are known.
HostValue HostValues::whole(HostValue V) {
  if (!V || V.Integral)
    return V;
  if (auto Number = V.E.asConstant())
    return constant(std::trunc(*Number));
  if (V.Numerator)
    return {Terms.floorDiv(V.Numerator, V.Denominator), true, {}, {}};
  return {};
}

HostValue HostValues::cast(const clang::CastExpr &Cast, const Frame &F,
                           Position At) {
  clang::QualType To = Cast.getType();
  if (!To->isIntegralOrEnumerationType() && !To->isRealFloatingType())
    return {};
  HostValue V = evaluate(Cast.getSubExpr(), F, At);
  if (!V)
    return {};
  switch (Cast.getCastKind()) {
  case clang::CK_FloatingToIntegral:
    return whole(V);
  case clang::CK_IntegralToBoolean:
  case clang::CK_FloatingToBoolean:
    return {Terms.notEqual(V.E, Terms.constant(0)), true, {}, {}};
  default:
    return V;
  }
}

Expr HostValues::truth(const clang::Expr *Condition, bool Negated,
                       const Frame &F, Position At) {
  Expr C = evaluate(Condition, F, At).E;
  if (!C)
    return {};
  return Negated ? Terms.equal(C, Terms.constant(0))
                 : Terms.notEqual(C, Terms.constant(0));
}

HostValue HostValues::binary(unsigned Opcode, bool Real, HostValue A,
                             HostValue B) {
  if (!A || !B)
    return {};
  bool Integral = A.Integral && B.Integral;
  auto whole = [](Expr E) { return HostValue{E, true, {}, {}}; };
  auto truthOf = [&](Expr E) { return Terms.notEqual(E, Terms.constant(0)); };
  switch (Opcode) {
  case clang::BO_Add:
    return {A.E + B.E, Integral, {}, {}};
  case clang::BO_Sub:
    return {A.E - B.E, Integral, {}, {}};
  case clang::BO_Mul:
    return {A.E * B.E, Integral, {}, {}};
  case clang::BO_Div: {
    if (B.E.isConstant(0))
      return {};
    if (!Real)
      return whole(Terms.floorDiv(A.E, B.E));
    if (A.E.asConstant() && B.E.asConstant())
      return constant(*A.E.asConstant() / *B.E.asConstant());
    HostValue Quotient{Terms.div(A.E, B.E), false, {}, {}};
    if (Integral) {
      Quotient.Numerator = A.E;
      Quotient.Denominator = B.E;
    }
    return Quotient;
  }
  case clang::BO_Rem:
    return B.E.isConstant(0) ? HostValue() : whole(Terms.mod(A.E, B.E));
  case clang::BO_Shl:
    return whole(Terms.shiftLeft(A.E, B.E));
  case clang::BO_Shr:
    return whole(Terms.floorDiv(A.E, Terms.shiftLeft(Terms.constant(1), B.E)));
  case clang::BO_And:
    return whole(Terms.bitAnd(A.E, B.E));
  case clang::BO_Or:
    return whole(Terms.bitOr(A.E, B.E));
  case clang::BO_Xor:
    return whole(Terms.bitXor(A.E, B.E));
  case clang::BO_LT:
    return whole(Terms.less(A.E, B.E));
  case clang::BO_GT:
    return whole(Terms.less(B.E, A.E));
  case clang::BO_LE:
    return whole(Terms.lessEqual(A.E, B.E));
  case clang::BO_GE:
    return whole(Terms.lessEqual(B.E, A.E));
  case clang::BO_EQ:
    return whole(Terms.equal(A.E, B.E));
  case clang::BO_NE:
    return whole(Terms.notEqual(A.E, B.E));
  case clang::BO_LAnd:
    return whole(truthOf(A.E) * truthOf(B.E));
  case clang::BO_LOr:
    return whole(Terms.max({truthOf(A.E), truthOf(B.E)}));
  default:
    return {};
  }
}

Dim3 HostValues::dim3(const clang::Expr *E, const Frame &F, Position At) {
  Expr One = Terms.constant(1);
  if (!E)
    return {One, One, One};
  E = strip(E);
  Dim3 Unknown = {};
  if (!E->getType().getNonReferenceType()->isRecordType()) {
    if (llvm::isa<clang::InitListExpr>(E)) { // in a template's braces
      Dim3 Result = {One, One, One};
      const auto *List = llvm::cast<clang::InitListExpr>(E);
      for (unsigned I = 0; I < 3 && I < List->getNumInits(); ++I)
        Result[I] = value(List->getInit(I), F, At);
      return Result;
    }
    return {value(E, F, At), One, One};
  }
  if (const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(E)) {
    if (Construct->getNumArgs() >= 1 &&
        Construct->getArg(0)->getType().getNonReferenceType()->isRecordType())
      return dim3(Construct->getArg(0), F, At);
    Dim3 Result = {One, One, One};
    for (unsigned I = 0; I < 3 && I < Construct->getNumArgs(); ++I)
      Result[I] = value(Construct->getArg(I), F, At);
    return Result;
  }
  if (const auto *List = llvm::dyn_cast<clang::InitListExpr>(E)) {
    Dim3 Result = {One, One, One};
    for (unsigned I = 0; I < 3 && I < List->getNumInits(); ++I)
      Result[I] = value(List->getInit(I), F, At);
    return Result;
  }
  if (Place P = placeOf(E); P.Root) {
    Dim3 Result;
    for (unsigned I = 0; I < 3; ++I) {
      Place Component = P;
      Component.Path += {'.', static_cast<char>('x' + I)};
      Result[I] = ++Steps > MaxSteps ? Expr() : read(Component, F, At).E;
    }
    return Result;
  }
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    Expr Condition = truth(Choice->getCond(), false, F, At);
    Dim3 A = dim3(Choice->getTrueExpr(), F, At);
    Dim3 B = dim3(Choice->getFalseExpr(), F, At);
    Dim3 Result = {};
    for (unsigned I = 0; Condition && I < 3; ++I)
      if (A[I] && B[I])
        Result[I] = Terms.select(Condition, A[I], B[I]);
    return Result;
  }
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E)) {
    const HostFunction *Callee = Code.find(Call->getDirectCallee());
    if (Callee && Callee->Returns.size() == 1 && F.Depth < MaxInlineDepth) {
      const Frame &Inner = inlineCall(*Callee, *Call, F, At);
      return dim3(Callee->Returns[0].first, Inner, Callee->Returns[0].second);
    }
    if (const clang::FunctionDecl *Known = Call->getDirectCallee();
        Known && Known->getDeclName().isIdentifier() &&
        (Known->getName() == "make_uint3" || Known->getName() == "make_dim3") &&
        Call->getNumArgs() == 3)
      for (unsigned I = 0; I < 3; ++I)
        Unknown[I] = value(Call->getArg(I), F, At);
  }
  return Unknown;
}

} // namespace gpuestimate
