/// \file
/// a mod b = a - b*floor(a/b).
#include "ExprImpl.h"
#include "Semantics.h"

#include <cmath>

namespace gpuestimate {

namespace {

/// The residue of an integer coefficient in (-D/2, D/2].
double smallestResidue(double Coefficient, double D) {
  double Residue = semantics::mod(Coefficient, D);
  return 2 * Residue > D ? Residue - D : Residue;
}

/// x for c*(x mod a) where c*a is a multiple of D: the inner mod is invisible.
Expr operandOfCoarserMod(const LinearTerm &T, double D) {
  if (T.Base.kind() != ExprKind::Mod)
    return Expr();
  auto Inner = T.Base.operands()[1].asConstant();
  if (!Inner || std::fmod(T.Coefficient * *Inner, D) != 0)
    return Expr();
  return T.Base.operands()[0];
}

Expr modByConstant(ExprContext &C, Expr A, double D) {
  LinearForm L;
  llvm::SmallVector<Expr, 4> Uncovered;
  LinearForm Original = linearForm(A);
  L.Constant = semantics::mod(Original.Constant, D);
  for (const LinearTerm &T : Original.Terms) {
    if (!T.Base.isInteger() || !isWhole(T.Coefficient)) {
      L.Terms.push_back(T);
    } else if (double Residue = smallestResidue(T.Coefficient, D)) {
      LinearTerm Reduced{Residue, T.Base};
      if (Expr X = operandOfCoarserMod(Reduced, D))
        Uncovered.push_back(scaled(C, Residue, X));
      else
        L.Terms.push_back(Reduced);
    }
  }
  Expr Inside = fromLinearForm(C, L);
  if (!Uncovered.empty()) {
    Uncovered.push_back(Inside);
    return C.mod(C.add(Uncovered), C.constant(D));
  }
  if (auto Floor = constantFloor(Inside, D))
    return Inside - *Floor * D;
  if (D == 1 && Inside.isInteger())
    return C.constant(0);
  if (auto Fine = findGranularity(C, L, D)) {
    Expr Coarse = C.mod(Fine->Multiple + Fine->Floor, C.constant(D / Fine->G));
    return scaled(C, Fine->G, Coarse) +
           (Fine->Remainder - Fine->Floor * Fine->G);
  }
  return makeNode(C, ExprKind::Mod, {Inside, C.constant(D)});
}

Expr modBySymbol(ExprContext &C, Expr A, Expr B) {
  Multiples M = extractMultiples(C, A, B);
  if (!M.Quotient.isConstant(0))
    return C.mod(M.Remainder, B);
  if (A.kind() == ExprKind::Mod && A.operands()[1] == B)
    return A;
  if (A.range().Low >= 0 && (A - B).range().High < 0)
    return A;
  return makeNode(C, ExprKind::Mod, {A, B});
}

} // namespace

Expr ExprContext::mod(Expr A, Expr B) {
  if (A == B)
    return constant(0);
  if (A.isConstant(0))
    return A;
  auto D = B.asConstant();
  if (!D)
    return modBySymbol(*this, A, B);
  if (auto ValueA = A.asConstant())
    if (auto Folded = foldBinary(ExprKind::Mod, *ValueA, *D))
      return constant(*Folded);
  if (!isWhole(*D) || *D == 0 || !std::isfinite(linearForm(A).Constant))
    return makeNode(*this, ExprKind::Mod, {A, B});
  if (*D < 0) // a mod -d = -(-a mod d)
    return scaled(*this, -1, mod(scaled(*this, -1, A), constant(-*D)));
  return modByConstant(*this, A, *D);
}

} // namespace gpuestimate
