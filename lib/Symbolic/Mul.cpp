/// \file
/// Products: flattening, constants, content of sums, idempotent conditions;
/// and real quotients.
#include "ExprImpl.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace gpuestimate {

namespace {

/// The largest g such that E = g * (sum with integer coefficients), for
/// coefficients that are integers or have a few binary fraction digits; 1 when
/// there is none. It is factored out of sums in products, so that n*(2*a + 2)
/// and 2*n*(a + 1) are one term.
double contentOf(Expr Sum) {
  constexpr double Scale = 1 << 20, Limit = 9007199254740992.0; // 2^53
  double Content = 0;
  auto Include = [&](double Coefficient) {
    double Scaled = Coefficient * Scale;
    if (!isWhole(Scaled) || std::fabs(Scaled) >= Limit)
      return false;
    Content = gcdOf(Content, Scaled);
    return true;
  };
  LinearForm L = linearForm(Sum);
  for (const LinearTerm &T : L.Terms)
    if (!Include(T.Coefficient))
      return 1;
  if (!Include(L.Constant))
    return 1;
  return Content / Scale;
}

/// E / Divisor; a division per coefficient, because 49 * (1.0 / 49) is not 1.
Expr dividedLinear(ExprContext &C, Expr E, double Divisor) {
  LinearForm L = linearForm(E);
  L.Constant /= Divisor;
  for (LinearTerm &T : L.Terms)
    T.Coefficient /= Divisor;
  return fromLinearForm(C, L);
}

Expr scaledLinear(ExprContext &C, double Factor, Expr E) {
  LinearForm L = linearForm(E);
  if (L.Constant != 0) // 0 stays 0 even times infinity
    L.Constant *= Factor;
  for (LinearTerm &T : L.Terms)
    T.Coefficient *= Factor;
  return fromLinearForm(C, L);
}

} // namespace

Expr ExprContext::mul(llvm::ArrayRef<Expr> Operands) {
  double Coefficient = 1;
  bool Zero = false;
  llvm::SmallVector<Expr, 6> Factors;
  auto Include = [&](Expr Factor) {
    if (auto Value = Factor.asConstant()) {
      Zero |= *Value == 0;
      Coefficient *= *Value;
    } else {
      Factors.push_back(Factor);
    }
  };
  for (Expr Operand : Operands) {
    if (Operand.kind() != ExprKind::Mul) {
      Include(Operand);
    } else if (Operand.operands().size() <= MaxFlatFactors) {
      llvm::for_each(Operand.operands(), Include);
    } else {
      // Large products stay whole; their coefficient moves out.
      llvm::ArrayRef<Expr> Inner = factorsOf(Operand);
      if (Inner.size() != Operand.operands().size()) {
        Include(Operand.operands().front());
        Operand = makeNode(*this, ExprKind::Mul, Inner);
      }
      Factors.push_back(Operand);
    }
  }
  if (Zero) // exact zero makes even an undefined factor vanish
    return constant(0);
  if (Factors.empty())
    return constant(Coefficient);

  if (Factors.size() > 1) {
    for (Expr &Factor : Factors)
      if (Factor.kind() == ExprKind::Add)
        if (double Content = contentOf(Factor); Content != 1) {
          Factor = dividedLinear(*this, Factor, Content);
          Coefficient *= Content;
        }
    llvm::sort(Factors, factorLess);
    // c * c is c for a condition.
    Factors.erase(
        std::unique(Factors.begin(), Factors.end(),
                    [](Expr A, Expr B) { return A == B && A.isBoolean(); }),
        Factors.end());
  }
  if (Factors.size() == 1) {
    if (Coefficient == 1)
      return Factors.front();
    if (Factors.front().kind() == ExprKind::Add)
      return scaledLinear(*this, Coefficient, Factors.front());
  }
  if (Coefficient != 1)
    Factors.insert(Factors.begin(), constant(Coefficient));
  return makeNode(*this, ExprKind::Mul, Factors);
}

Expr ExprContext::div(Expr A, Expr B) {
  if (A == B)
    return constant(1);
  if (A.isConstant(0))
    return A;
  auto ValueA = A.asConstant(), ValueB = B.asConstant();
  if (ValueA && ValueB)
    if (auto Folded = foldBinary(ExprKind::Div, *ValueA, *ValueB))
      return constant(*Folded);
  // (a/b)/c is a/(b*c).
  if (A.kind() == ExprKind::Div)
    return div(A.operands()[0], mul({A.operands()[1], B}));
  if (ValueB && *ValueB != 0 && std::isfinite(*ValueB)) {
    int Exponent;
    if (std::fabs(std::frexp(*ValueB, &Exponent)) == 0.5)
      return scaled(*this, 1 / *ValueB, A); // exact for powers of two
    if (*ValueB < 0)
      return scaled(*this, -1, div(A, constant(-*ValueB)));
    LinearForm L = linearForm(A);
    double Common = isWhole(*ValueB) ? *ValueB : 1;
    for (const LinearTerm &T : L.Terms)
      Common = isWhole(T.Coefficient) ? gcdOf(Common, T.Coefficient) : 1;
    Common = isWhole(L.Constant) ? gcdOf(Common, L.Constant) : 1;
    if (Common > 1)
      return div(dividedLinear(*this, A, Common), constant(*ValueB / Common));
  }
  // Factors that both sides share, the numerator being a product.
  if (!ValueB) {
    llvm::SmallVector<Expr, 4> Above(factorsOf(A)), Below(factorsOf(B));
    size_t Before = Below.size();
    llvm::erase_if(Below, [&](Expr Factor) {
      auto *Place = llvm::find(Above, Factor);
      if (Place == Above.end())
        return false;
      Above.erase(Place);
      return true;
    });
    if (Below.size() != Before) {
      auto WithCoefficient = [&](Expr E, llvm::SmallVector<Expr, 4> &Factors) {
        if (E.kind() == ExprKind::Mul && E.operands().front().asConstant())
          Factors.push_back(E.operands().front());
        return mul(Factors);
      };
      return div(WithCoefficient(A, Above), WithCoefficient(B, Below));
    }
  }
  return makeNode(*this, ExprKind::Div, {A, B});
}

Expr operator*(Expr A, Expr B) { return A.context().mul({A, B}); }
Expr operator*(double A, Expr B) { return scaled(B.context(), A, B); }

} // namespace gpuestimate
