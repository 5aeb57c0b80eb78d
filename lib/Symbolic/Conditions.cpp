/// \file
/// Comparisons and Select.
#include "ExprImpl.h"

namespace gpuestimate {

namespace {

/// Cancels terms that both sides share: a + c < b + c is a < b. The sides
/// change only if they become shorter, so that `tid.x + 1 < n` stays as
/// written.
void cancelShared(ExprContext &C, Expr &A, Expr &B) {
  LinearForm Difference = linearForm(A - B);
  size_t Before = linearForm(A).Terms.size() + linearForm(B).Terms.size();
  bool BothHaveConstants = linearForm(A).Constant != 0 &&
                           linearForm(B).Constant != 0 && !A.asConstant() &&
                           !B.asConstant();
  if (Difference.Terms.size() >= Before && !BothHaveConstants)
    return;
  LinearForm Left, Right;
  for (const LinearTerm &T : Difference.Terms) {
    if (T.Coefficient > 0)
      Left.Terms.push_back(T);
    else
      Right.Terms.push_back({-T.Coefficient, T.Base});
  }
  // The constant goes to an otherwise empty side, else to the side where it is
  // positive.
  bool ToRight =
      Right.Terms.empty() || (!Left.Terms.empty() && Difference.Constant < 0);
  (ToRight ? Right : Left).Constant =
      ToRight ? -Difference.Constant : Difference.Constant;
  A = fromLinearForm(C, Left);
  B = fromLinearForm(C, Right);
}

/// The result of comparing a difference with 0, if its range decides it.
std::optional<bool> decide(ExprKind Kind, Interval Difference) {
  bool Below = Difference.High < 0, Above = Difference.Low > 0;
  switch (Kind) {
  case ExprKind::Less:
    if (Below || Difference.Low >= 0)
      return Below;
    break;
  case ExprKind::LessEqual:
    if (Above || Difference.High <= 0)
      return !Above;
    break;
  default:
    if (Below || Above)
      return Kind == ExprKind::NotEqual;
    break;
  }
  return std::nullopt;
}

Expr compare(ExprContext &C, ExprKind Kind, Expr A, Expr B) {
  if (A == B)
    return C.constant(Kind == ExprKind::LessEqual || Kind == ExprKind::Equal);
  auto ValueA = A.asConstant(), ValueB = B.asConstant();
  if (ValueA && ValueB) {
    if (auto Folded = foldBinary(Kind, *ValueA, *ValueB))
      return C.constant(*Folded);
    return makeNode(C, Kind, {A, B});
  }
  Interval RangeA = A.range(), RangeB = B.range();
  if (auto Decided =
          decide(Kind, {RangeA.Low - RangeB.High, RangeA.High - RangeB.Low}))
    return C.constant(*Decided);
  if (auto Decided = decide(Kind, (A - B).range()))
    return C.constant(*Decided);
  cancelShared(C, A, B);
  bool Symmetric = Kind == ExprKind::Equal || Kind == ExprKind::NotEqual;
  if (Symmetric && termLess(B, A))
    std::swap(A, B);
  // A condition compared with a truth value is itself or its negation.
  if (Symmetric && A.isBoolean() && (B.isConstant(0) || B.isConstant(1)))
    return (Kind == ExprKind::Equal) == B.isConstant(1) ? A : 1 - A;
  return makeNode(C, Kind, {A, B});
}

/// c when E is 1 - c for a condition c.
Expr operandOfNot(Expr E) {
  LinearForm L = linearForm(E);
  if (L.Terms.size() == 1 && L.Constant == 1 && L.Terms[0].Coefficient == -1 &&
      L.Terms[0].Base.isBoolean())
    return L.Terms[0].Base;
  return Expr();
}

} // namespace

Expr ExprContext::less(Expr A, Expr B) {
  return compare(*this, ExprKind::Less, A, B);
}
Expr ExprContext::lessEqual(Expr A, Expr B) {
  return compare(*this, ExprKind::LessEqual, A, B);
}
Expr ExprContext::equal(Expr A, Expr B) {
  return compare(*this, ExprKind::Equal, A, B);
}
Expr ExprContext::notEqual(Expr A, Expr B) {
  return compare(*this, ExprKind::NotEqual, A, B);
}

Expr ExprContext::select(Expr Condition, Expr IfTrue, Expr IfFalse) {
  if (auto Value = Condition.asConstant(); Value && *Value == *Value)
    return *Value != 0 ? IfTrue : IfFalse;
  if (Condition.range().Low > 0 || Condition.range().High < 0)
    return IfTrue;
  if (IfTrue == IfFalse)
    return IfTrue;
  if (Expr Negated = operandOfNot(Condition))
    return select(Negated, IfFalse, IfTrue);
  if (Condition.isBoolean()) {
    if (IfTrue.isConstant(1) && IfFalse.isConstant(0))
      return Condition;
    if (IfTrue.isConstant(0) && IfFalse.isConstant(1))
      return 1 - Condition;
  }
  // The condition's value is known in each arm.
  if (IfTrue.kind() == ExprKind::Select && IfTrue.operands()[0] == Condition)
    return select(Condition, IfTrue.operands()[1], IfFalse);
  if (IfFalse.kind() == ExprKind::Select && IfFalse.operands()[0] == Condition)
    return select(Condition, IfTrue, IfFalse.operands()[2]);
  return makeNode(*this, ExprKind::Select, {Condition, IfTrue, IfFalse});
}

} // namespace gpuestimate
