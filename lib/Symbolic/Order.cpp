/// \file
/// The canonical order of operands. It depends on structure only, so that two
/// contexts, or two runs, order and print the same terms alike. Equal pointers
/// end a comparison at once; it descends into the first difference only.
#include "ExprImpl.h"

namespace gpuestimate {

namespace {

int compareNumbers(double A, double B) { return A < B ? -1 : (B < A ? 1 : 0); }

int compareNames(llvm::StringRef A, llvm::StringRef B) {
  if (int Order = A.compare_numeric(B)) // n2 before n10
    return Order;
  return A.compare(B);
}

/// A term's constant factor.
double coefficientOf(Expr E) {
  if (E.kind() != ExprKind::Mul)
    return 1;
  return E.operands().front().asConstant().value_or(1);
}

/// Parameters first, constants last, the rest as ExprKind lists them.
unsigned rank(ExprKind Kind) {
  if (Kind == ExprKind::Constant)
    return 1000;
  return static_cast<unsigned>(Kind);
}

} // namespace

llvm::ArrayRef<Expr> factorsOf(const Expr &E) {
  if (E.kind() != ExprKind::Mul)
    return E;
  llvm::ArrayRef<Expr> Factors = E.operands();
  if (Factors.front().kind() == ExprKind::Constant)
    Factors = Factors.drop_front();
  return Factors;
}

int compareFactors(Expr A, Expr B) {
  if (A == B)
    return 0;
  if (unsigned RankA = rank(A.kind()), RankB = rank(B.kind()); RankA != RankB)
    return RankA < RankB ? -1 : 1;
  switch (A.kind()) {
  case ExprKind::Constant:
    return compareNumbers(A.constant(), B.constant());
  case ExprKind::Parameter:
    return compareNames(A.name(), B.name());
  default:
    break;
  }
  llvm::ArrayRef<Expr> OperandsA = A.operands(), OperandsB = B.operands();
  for (size_t I = 0, E = std::min(OperandsA.size(), OperandsB.size()); I < E;
       ++I)
    if (int Order = compareTerms(OperandsA[I], OperandsB[I]))
      return Order;
  if (OperandsA.size() != OperandsB.size())
    return OperandsA.size() < OperandsB.size() ? -1 : 1;
  return compareNames(A.name(), B.name());
}

int compareTerms(Expr A, Expr B) {
  if (A == B)
    return 0;
  bool ConstantA = A.kind() == ExprKind::Constant,
       ConstantB = B.kind() == ExprKind::Constant;
  if (ConstantA || ConstantB)
    return ConstantA && ConstantB ? compareFactors(A, B) : (ConstantA ? 1 : -1);
  llvm::ArrayRef<Expr> FactorsA = factorsOf(A), FactorsB = factorsOf(B);
  if (FactorsA.size() != FactorsB.size()) // falling degree
    return FactorsA.size() > FactorsB.size() ? -1 : 1;
  for (size_t I = 0; I < FactorsA.size(); ++I)
    if (int Order = compareFactors(FactorsA[I], FactorsB[I]))
      return Order;
  return compareNumbers(coefficientOf(A), coefficientOf(B));
}

} // namespace gpuestimate
