/// \file
/// Bit operations. Masks and disjoint operands become arithmetic, which the
/// other rules understand: x & 31 is x mod 32, 4*x | 3 is 4*x + 3.
#include "ExprImpl.h"
#include "Semantics.h"

#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

namespace {

/// A power of two that divides every value of an integer term.
double knownAlignment(Expr E) {
  constexpr double Max = 4503599627370496.0; // 2^52
  double Common = 0;
  LinearForm L = linearForm(E);
  for (const LinearTerm &T : L.Terms)
    Common = isWhole(T.Coefficient) ? gcdOf(Common, T.Coefficient) : 1;
  if (!isWhole(L.Constant))
    return 1;
  Common = gcdOf(Common, L.Constant);
  if (Common == 0)
    return Max;
  return std::exp2(llvm::countr_zero(static_cast<uint64_t>(Common)));
}

/// True when no bit can be set in both.
bool areDisjoint(Expr A, Expr B) {
  auto Below = [](Expr Small, Expr Large) {
    return Small.range().Low >= 0 && Small.range().High < knownAlignment(Large);
  };
  return A.isInteger() && B.isInteger() && (Below(A, B) || Below(B, A));
}

/// x & Mask for a mask that is one run of set bits, possibly up to the sign.
Expr applyMask(ExprContext &C, Expr X, double Mask) {
  if (!isWhole(Mask) || Mask == 0)
    return Expr();
  auto Bits = static_cast<int64_t>(Mask);
  unsigned Shift = llvm::countr_zero(static_cast<uint64_t>(Bits));
  Expr Unit = C.constant(std::exp2(Shift));
  Expr Shifted = C.floorDiv(X, Unit);
  if (Bits >> Shift == -1)
    return C.mul({Unit, Shifted});
  auto Width = exactLog2(static_cast<double>(Bits >> Shift) + 1);
  if (!Width)
    return Expr();
  return C.mul({Unit, C.mod(Shifted, C.constant(std::exp2(*Width)))});
}

/// Folds constants and orders the operands, a constant last. True when Result
/// is final.
bool prepare(ExprContext &C, ExprKind Kind, Expr &A, Expr &B, Expr &Result) {
  if (termLess(B, A))
    std::swap(A, B);
  auto ValueA = A.asConstant(), ValueB = B.asConstant();
  if (!ValueA || !ValueB)
    return false;
  auto Folded = foldBinary(Kind, *ValueA, *ValueB);
  Result = Folded ? C.constant(*Folded) : makeNode(C, Kind, {A, B});
  return true;
}

} // namespace

Expr ExprContext::bitAnd(Expr A, Expr B) {
  Expr Result;
  if (prepare(*this, ExprKind::BitAnd, A, B, Result))
    return Result;
  if (B.isConstant(0))
    return B;
  if (A.isInteger()) {
    if (A == B)
      return A;
    if (auto Mask = B.asConstant())
      if (Expr Masked = applyMask(*this, A, *Mask))
        return Masked;
    if (A.isBoolean() && B.isBoolean())
      return mul({A, B});
    if (areDisjoint(A, B))
      return constant(0);
  }
  return makeNode(*this, ExprKind::BitAnd, {A, B});
}

Expr ExprContext::bitOr(Expr A, Expr B) {
  Expr Result;
  if (prepare(*this, ExprKind::BitOr, A, B, Result))
    return Result;
  if (B.isConstant(-1))
    return B;
  if (A.isInteger() && (A == B || B.isConstant(0)))
    return A;
  if (areDisjoint(A, B))
    return A + B;
  return makeNode(*this, ExprKind::BitOr, {A, B});
}

Expr ExprContext::bitXor(Expr A, Expr B) {
  Expr Result;
  if (prepare(*this, ExprKind::BitXor, A, B, Result))
    return Result;
  if (A == B)
    return constant(0);
  if (A.isInteger()) {
    if (B.isConstant(0))
      return A;
    if (B.isConstant(-1)) // ~x
      return -1 - A;
    if (A.isBoolean() && B.isConstant(1))
      return 1 - A;
  }
  if (areDisjoint(A, B))
    return A + B;
  return makeNode(*this, ExprKind::BitXor, {A, B});
}

Expr ExprContext::shiftLeft(Expr A, Expr B) {
  if (A.isConstant(0))
    return A;
  auto ValueA = A.asConstant(), Amount = B.asConstant();
  if (ValueA && Amount)
    if (auto Folded = foldBinary(ExprKind::ShiftLeft, *ValueA, *Amount))
      return constant(*Folded);
  if (Amount && std::fabs(*Amount) <= 1000)
    return scaled(*this, semantics::shiftLeft(1, *Amount), A);
  return makeNode(*this, ExprKind::ShiftLeft, {A, B});
}

Expr ExprContext::floorLog2(Expr A) {
  if (auto Value = A.asConstant(); Value && *Value == *Value)
    return constant(semantics::floorLog2(*Value));
  Interval Range = A.range();
  if (double Low = semantics::floorLog2(Range.Low);
      std::isfinite(Low) && Low == semantics::floorLog2(Range.High))
    return constant(Low);
  if (A.kind() == ExprKind::ShiftLeft && A.operands()[0].isConstant(1) &&
      A.operands()[1].isInteger() && A.operands()[1].range().Low >= 0)
    return A.operands()[1];
  return makeNode(*this, ExprKind::FloorLog2, {A});
}

Expr ExprContext::squareRoot(Expr A) {
  if (auto Value = A.asConstant(); Value && *Value == *Value)
    return constant(semantics::squareRoot(*Value));
  return makeNode(*this, ExprKind::SquareRoot, {A});
}

} // namespace gpuestimate
