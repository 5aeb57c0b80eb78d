/// \file
/// Derives facts about a term from those of its operands: whether it is an
/// integer, and the interval of its values. The ends of intervals are computed
/// by the operations of evaluation, which round monotonically, so an interval
/// contains every evaluated value.
#include "ExprImpl.h"
#include "Semantics.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

namespace {

constexpr Interval Everything = {-Infinity, Infinity};

/// The hull of Op at the four corners, for an Op that is monotone in each
/// argument. A corner without a value (inf - inf, 0 * inf aside) says nothing.
template <typename Operation>
Interval corners(Interval A, Interval B, Operation Op) {
  Interval Result = {Infinity, -Infinity};
  for (double X : {A.Low, A.High})
    for (double Y : {B.Low, B.High}) {
      double Value = Op(X, Y);
      if (std::isnan(Value))
        return Everything;
      Result = {std::min(Result.Low, Value), std::max(Result.High, Value)};
    }
  return Result;
}

Interval hull(Interval A, Interval B) {
  return {std::min(A.Low, B.Low), std::max(A.High, B.High)};
}

Interval add(Interval A, Interval B) {
  double Low = A.Low + B.Low, High = A.High + B.High;
  return {std::isnan(Low) ? -Infinity : Low,
          std::isnan(High) ? Infinity : High};
}

Interval mul(Interval A, Interval B) { return corners(A, B, semantics::mul); }

/// Powers matter: x*x is never negative.
Interval product(const ExprNode &N,
                 llvm::function_ref<Interval(Expr)> RangeOf) {
  Interval Result = {1, 1};
  llvm::ArrayRef<Expr> X = N.Operands;
  for (size_t I = 0; I < X.size();) {
    Interval Factor = RangeOf(X[I]), Power = Factor;
    size_t End = I + 1;
    for (; End < X.size() && X[End] == X[I]; ++End)
      Power = mul(Power, Factor);
    if ((End - I) % 2 == 0)
      Power.Low =
          Factor.Low <= 0 && Factor.High >= 0 ? 0 : std::max(Power.Low, 0.0);
    Result = mul(Result, Power);
    I = End;
  }
  return Result;
}

/// The values of a divisor that are defined: an integer one is not in (-1, 1).
Interval divisor(Expr B, Interval Range) {
  if (B.isInteger() && Range.Low >= 0)
    Range.Low = std::max(Range.Low, 1.0);
  if (B.isInteger() && Range.High <= 0)
    Range.High = std::min(Range.High, -1.0);
  return Range;
}

template <typename Operation>
Interval quotient(Interval A, Interval B, Operation Op) {
  if (B.Low > B.High || (B.Low <= 0 && B.High >= 0))
    return Everything;
  return corners(A, B, Op);
}

Interval modulo(const ExprNode &N, Interval A, Interval B) {
  double Step = N.IsInteger ? 1 : 0;
  if (B.Low > B.High)
    return Everything;
  if (B.Low > 0) {
    if (A.Low >= 0 && A.High < B.Low)
      return A;
    double High = B.High - Step;
    return {0, A.Low >= 0 ? std::min(High, A.High) : High};
  }
  if (B.High < 0)
    return {B.Low + Step, 0};
  return {std::min(B.Low, 0.0), std::max(B.High, 0.0)};
}

Interval truth(bool Always, bool Never) {
  return {Always ? 1.0 : 0.0, Never ? 0.0 : 1.0};
}

Interval equality(Interval A, Interval B) {
  return truth(A.Low == A.High && A == B, A.High < B.Low || B.High < A.Low);
}

/// Interval of a bit operation on non-negative operands; with other signs, any
/// 64-bit integer.
Interval bits(ExprKind Kind, Interval A, Interval B) {
  constexpr double Limit = 9223372036854775808.0;
  if (Kind == ExprKind::BitAnd && (A.Low >= 0 || B.Low >= 0)) {
    double High = Infinity;
    for (Interval X : {A, B})
      if (X.Low >= 0)
        High = std::min(High, X.High);
    return {0, High};
  }
  if (A.Low < 0 || B.Low < 0)
    return {-Limit, Limit};
  double Top = std::max(A.High, B.High);
  if (!(Top < Limit))
    return {0, Limit};
  return {Kind == ExprKind::BitOr ? std::floor(std::max(A.Low, B.Low)) : 0,
          std::exp2(semantics::floorLog2(Top) + 1) - 1};
}

Interval sumOf(Interval Count, Interval Body) {
  Interval Terms = {std::max(Count.Low, 0.0), std::max(Count.High, 0.0)};
  Interval Result = mul(Terms, Body);
  // The sum of rounded terms may exceed the rounded product by some ulps.
  constexpr double Slack = 1e-13;
  if (!isWhole(Result.Low))
    Result.Low -= std::fabs(Result.Low) * Slack;
  if (!isWhole(Result.High))
    Result.High += std::fabs(Result.High) * Slack;
  return Result;
}

} // namespace

bool computeIsInteger(const ExprNode &N) {
  auto All = [&](llvm::ArrayRef<Expr> Operands) {
    return llvm::all_of(Operands, [](Expr E) { return E.isInteger(); });
  };
  switch (N.Kind) {
  case ExprKind::Constant:
    return std::isfinite(N.Value) && std::floor(N.Value) == N.Value;
  case ExprKind::Parameter:
    return !isRealParameterName(N.Name);
  case ExprKind::Div:
  case ExprKind::SquareRoot:
    return false;
  case ExprKind::Select:
    return All(N.Operands.drop_front());
  case ExprKind::ShiftLeft:
    return All(N.Operands) && N.Operands[1].range().Low >= 0;
  case ExprKind::Add:
  case ExprKind::Mul:
  case ExprKind::Mod:
  case ExprKind::Min:
  case ExprKind::Max:
  case ExprKind::Sum:
    return All(N.Operands);
  default:
    return true;
  }
}

Interval intervalOf(const ExprNode &N,
                    llvm::function_ref<Interval(Expr)> RangeOf) {
  llvm::ArrayRef<Expr> X = N.Operands;
  switch (N.Kind) {
  case ExprKind::Constant:
    return std::isnan(N.Value) ? Everything : Interval{N.Value, N.Value};
  case ExprKind::Parameter:
    return RangeOf(Expr(&N));
  case ExprKind::Mul:
    return product(N, RangeOf);
  default:
    break;
  }
  Interval A = RangeOf(X[0]);
  if (N.Kind == ExprKind::FloorLog2)
    return {semantics::floorLog2(A.Low), semantics::floorLog2(A.High)};
  if (N.Kind == ExprKind::SquareRoot)
    return {semantics::squareRoot(A.Low), semantics::squareRoot(A.High)};
  if (N.Kind == ExprKind::Add || N.Kind == ExprKind::Min ||
      N.Kind == ExprKind::Max) {
    for (Expr Operand : X.drop_front()) {
      Interval B = RangeOf(Operand);
      if (N.Kind == ExprKind::Add)
        A = add(A, B);
      else if (N.Kind == ExprKind::Min)
        A = {std::min(A.Low, B.Low), std::min(A.High, B.High)};
      else
        A = {std::max(A.Low, B.Low), std::max(A.High, B.High)};
    }
    return A;
  }
  Interval B = RangeOf(X[1]);
  switch (N.Kind) {
  case ExprKind::Div:
    return quotient(A, divisor(X[1], B), semantics::div);
  case ExprKind::FloorDiv:
    return quotient(A, divisor(X[1], B), semantics::floorDiv);
  case ExprKind::CeilDiv:
    return quotient(A, divisor(X[1], B), semantics::ceilDiv);
  case ExprKind::Mod:
    return modulo(N, A, divisor(X[1], B));
  case ExprKind::Less:
    return truth(A.High < B.Low, A.Low >= B.High);
  case ExprKind::LessEqual:
    return truth(A.High <= B.Low, A.Low > B.High);
  case ExprKind::Equal:
    return equality(A, B);
  case ExprKind::NotEqual: {
    Interval Same = equality(A, B);
    return {1 - Same.High, 1 - Same.Low};
  }
  case ExprKind::Select: {
    Interval IfFalse = RangeOf(X[2]);
    if (A.Low > 0 || A.High < 0)
      return B;
    return A == Interval{0, 0} ? IfFalse : hull(B, IfFalse);
  }
  case ExprKind::ShiftLeft:
    return corners(A, B, semantics::shiftLeft);
  case ExprKind::Sum:
    return sumOf(A, B);
  default:
    return bits(N.Kind, A, B);
  }
}

namespace {

class Bounder {
public:
  Bounder(const IntervalBindings &Ranges) : Ranges(Ranges) {}

  Interval bound(Expr E) {
    if (auto Entry = Done.find(E.node()); Entry != Done.end())
      return Entry->second;
    Interval Result = compute(E);
    Done[E.node()] = Result;
    return Result;
  }

private:
  Interval compute(Expr E) {
    if (E.kind() == ExprKind::Parameter) {
      auto Entry = Ranges.find(E.name());
      return Entry == Ranges.end() ? E.range() : Entry->second;
    }
    if (E.kind() != ExprKind::Sum)
      return intervalOf(*E.node(), [&](Expr X) { return bound(X); });
    Interval Count = bound(E.operands()[0]);
    if (Count.High <= 0)
      return {0, 0};
    IntervalBindings Inner = Ranges;
    Inner[E.name()] = {0, std::ceil(Count.High) - 1};
    Interval Body = Bounder(Inner).bound(E.operands()[1]);
    return sumOf(Count, Body);
  }

  const IntervalBindings &Ranges;
  llvm::DenseMap<const ExprNode *, Interval> Done;
};

} // namespace

Interval bound(Expr E, const IntervalBindings &Ranges) {
  return Bounder(Ranges).bound(E);
}

} // namespace gpuestimate
