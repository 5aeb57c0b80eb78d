/// \file
/// Minimum and maximum: flattened, without duplicates and without terms that
/// another term always beats.
#include "ExprImpl.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace gpuestimate {

namespace {

/// True when A <= B under every binding, as far as forms and ranges show.
bool alwaysAtMost(Expr A, Expr B) {
  return A.range().High <= B.range().Low || (A - B).range().High <= 0;
}

/// max(a, ...) within a min that also has a: the max is at least a.
bool absorbs(Expr Nested, ExprKind Opposite, llvm::ArrayRef<Expr> Terms) {
  return Nested.kind() == Opposite &&
         llvm::any_of(Nested.operands(), [&](Expr Inner) {
           return llvm::is_contained(Terms, Inner);
         });
}

Expr extremum(ExprContext &C, ExprKind Kind, llvm::ArrayRef<Expr> Operands) {
  bool IsMin = Kind == ExprKind::Min;
  llvm::SmallVector<Expr, 8> Terms;
  std::optional<double> Constant;
  auto Include = [&](Expr E) {
    auto Value = E.asConstant();
    if (!Value)
      Terms.push_back(E);
    else if (!Constant)
      Constant = Value;
    else // NaN (unknown) stays NaN
      Constant = foldBinary(Kind, *Constant, *Value)
                     .value_or(std::numeric_limits<double>::quiet_NaN());
  };
  for (Expr Operand : Operands) {
    if (Operand.kind() == Kind)
      llvm::for_each(Operand.operands(), Include);
    else
      Include(Operand);
  }
  if (Constant)
    Terms.push_back(C.constant(*Constant));
  llvm::sort(Terms, termLess);
  Terms.erase(std::unique(Terms.begin(), Terms.end()), Terms.end());

  ExprKind Opposite = IsMin ? ExprKind::Max : ExprKind::Min;
  llvm::erase_if(Terms, [&](Expr E) { return absorbs(E, Opposite, Terms); });

  // Pairwise, so only for few terms. A dominated term is removed at once, which
  // keeps one of two terms that are always equal.
  constexpr size_t MaxPairwise = 12;
  for (size_t I = 0; I < Terms.size() && Terms.size() <= MaxPairwise;) {
    bool Beaten = false;
    for (size_t J = 0; J < Terms.size() && !Beaten; ++J)
      Beaten = I != J && (IsMin ? alwaysAtMost(Terms[J], Terms[I])
                                : alwaysAtMost(Terms[I], Terms[J]));
    if (Beaten)
      Terms.erase(Terms.begin() + I);
    else
      ++I;
  }
  return Terms.size() == 1 ? Terms.front() : makeNode(C, Kind, Terms);
}

} // namespace

Expr ExprContext::min(llvm::ArrayRef<Expr> Terms) {
  return extremum(*this, ExprKind::Min, Terms);
}

Expr ExprContext::max(llvm::ArrayRef<Expr> Terms) {
  return extremum(*this, ExprKind::Max, Terms);
}

} // namespace gpuestimate
