/// \file
/// Sums over a range. The polynomial part of the body gets a closed form
/// (Faulhaber's formulas), factors and terms without the variable move out, and
/// the remainder stays a Sum term.
#include "ExprImpl.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

namespace {

using Coefficients = std::vector<Expr>;

/// Highest degree with a closed form.
constexpr unsigned MaxClosedDegree = 3;

void accumulate(ExprContext &C, Coefficients &Into, size_t Degree, Expr E) {
  if (Into.size() <= Degree)
    Into.resize(Degree + 1, C.constant(0));
  Into[Degree] = Into[Degree] + E;
}

/// sum of i^K for i = 0 .. N-1, an integer N. Clamped is max(N, 0), which one
/// factor of each formula needs for empty ranges.
Expr powerSum(ExprContext &C, unsigned K, Expr N, Expr Clamped) {
  switch (K) {
  case 0:
    return Clamped;
  case 1: // N (N-1) / 2
    return C.div(C.mul({Clamped, N - 1}), C.constant(2));
  case 2: // N (N-1) (2N-1) / 6
    return C.div(C.mul({Clamped, N - 1, 2 * N - 1}), C.constant(6));
  default: // N^2 (N-1)^2 / 4
    return C.div(C.mul({Clamped, N, N - 1, N - 1}), C.constant(4));
  }
}

/// The sum of one term of a body; Variable occurs in it.
Expr sumOfTerm(ExprContext &C, llvm::StringRef Variable, Expr Count,
               Expr Clamped, Expr Term) {
  if (Count.isInteger())
    if (auto P = C.polynomial(Term, Variable, MaxClosedDegree)) {
      llvm::SmallVector<Expr, 4> Parts;
      for (unsigned K = 0; K < P->size(); ++K)
        Parts.push_back(C.mul({(*P)[K], powerSum(C, K, Count, Clamped)}));
      return C.add(Parts);
    }
  llvm::SmallVector<Expr, 4> Outside, Inside;
  llvm::ArrayRef<Expr> Factors = Term;
  if (Term.kind() == ExprKind::Mul)
    Factors = Term.operands();
  for (Expr Factor : Factors)
    (Factor.dependsOn(Variable) ? Inside : Outside).push_back(Factor);
  Expr Body = C.mul(Inside);
  if (!Outside.empty()) { // what remains may be a sum of terms again
    Outside.push_back(C.sum(Variable, Count, Body));
    return C.mul(Outside);
  }
  Expr Kept = C.impl().intern(C, ExprKind::Sum, {Count, Body}, 0, Variable);
  // A sum that depends on nothing is a number.
  if (Count.asConstant() && Kept.parameters().empty())
    if (auto Value = evaluate(Kept, Bindings()))
      return C.constant(*Value);
  return Kept;
}

} // namespace

Expr ExprContext::sum(llvm::StringRef Variable, Expr Count, Expr Body) {
  if (Count.range().High <= 0 || Body.isConstant(0))
    return constant(0);
  if (Count.isConstant(1)) {
    llvm::StringMap<Expr> First;
    First[Variable] = constant(0);
    return substitute(Body, First);
  }
  Expr Clamped = max({Count, constant(0)});
  llvm::SmallVector<Expr, 4> Independent, Parts;
  llvm::ArrayRef<Expr> Terms = Body;
  if (Body.kind() == ExprKind::Add)
    Terms = Body.operands();
  for (Expr Term : Terms) {
    if (Term.dependsOn(Variable))
      Parts.push_back(sumOfTerm(*this, Variable, Count, Clamped, Term));
    else
      Independent.push_back(Term);
  }
  Parts.push_back(mul({Clamped, add(Independent)}));
  return add(Parts);
}

namespace {

/// Each shared subterm once: a term may have exponentially many paths.
class PolynomialReader {
public:
  PolynomialReader(ExprContext &C, llvm::StringRef Parameter,
                   unsigned MaxDegree)
      : C(C), Parameter(Parameter), MaxDegree(MaxDegree) {}

  std::optional<Coefficients> read(Expr E) {
    if (!E.dependsOn(Parameter))
      return Coefficients{E};
    if (E.kind() == ExprKind::Parameter)
      return MaxDegree == 0 ? std::optional<Coefficients>()
                            : Coefficients{C.constant(0), C.constant(1)};
    if (auto Entry = Done.find(E.node()); Entry != Done.end())
      return Entry->second;
    std::optional<Coefficients> Result = compute(E);
    while (Result && Result->size() > 1 && Result->back().isConstant(0))
      Result->pop_back();
    return Done[E.node()] = std::move(Result);
  }

private:
  std::optional<Coefficients> compute(Expr E) {
    Coefficients Result;
    switch (E.kind()) {
    case ExprKind::Add:
      for (Expr Term : E.operands()) {
        auto P = read(Term);
        if (!P)
          return std::nullopt;
        for (size_t K = 0; K < P->size(); ++K)
          accumulate(C, Result, K, (*P)[K]);
      }
      return Result;
    case ExprKind::Mul:
      Result = {C.constant(1)};
      for (Expr Factor : E.operands()) {
        auto P = read(Factor);
        if (!P || P->size() + Result.size() - 2 > MaxDegree)
          return std::nullopt;
        Coefficients Product;
        for (size_t I = 0; I < P->size(); ++I)
          for (size_t J = 0; J < Result.size(); ++J)
            accumulate(C, Product, I + J, C.mul({(*P)[I], Result[J]}));
        Result = std::move(Product);
      }
      return Result;
    case ExprKind::Div: {
      Expr Divisor = E.operands()[1];
      auto P = read(E.operands()[0]);
      if (!P || Divisor.dependsOn(Parameter))
        return std::nullopt;
      for (size_t K = 0; K < P->size(); ++K)
        accumulate(C, Result, K, C.div((*P)[K], Divisor));
      return Result;
    }
    default:
      return std::nullopt;
    }
  }

  ExprContext &C;
  llvm::StringRef Parameter;
  unsigned MaxDegree;
  llvm::DenseMap<const ExprNode *, std::optional<Coefficients>> Done;
};

} // namespace

std::optional<std::vector<Expr>>
ExprContext::polynomial(Expr E, llvm::StringRef Parameter, unsigned MaxDegree) {
  return PolynomialReader(*this, Parameter, MaxDegree).read(E);
}

namespace {

/// Multiplies out the product of the sums in Factors.
Expr expandProduct(ExprContext &C, llvm::ArrayRef<Expr> Factors) {
  constexpr size_t MaxTerms = 1024; // beyond, a product stays a product
  llvm::SmallVector<Expr, 8> Terms = {C.constant(1)};
  for (Expr Factor : Factors) {
    llvm::ArrayRef<Expr> Addends = Factor;
    if (Factor.kind() == ExprKind::Add)
      Addends = Factor.operands();
    if (Terms.size() * Addends.size() > MaxTerms)
      return C.mul(Factors);
    llvm::SmallVector<Expr, 8> Next;
    for (Expr Term : Terms)
      for (Expr Addend : Addends)
        Next.push_back(C.mul({Term, Addend}));
    Terms = std::move(Next);
  }
  return C.add(Terms);
}

/// Each shared subterm once: a term may have exponentially many paths.
class Expander {
public:
  explicit Expander(ExprContext &C) : C(C) {}

  Expr expand(Expr E) {
    // Only sums of products are expanded; terms inside other operations stay.
    if (E.kind() != ExprKind::Mul && E.kind() != ExprKind::Add)
      return E;
    if (Expr Entry = Done.lookup(E.node()))
      return Entry;
    llvm::SmallVector<Expr, 8> Parts;
    for (Expr Operand : E.operands())
      Parts.push_back(expand(Operand));
    Expr Result =
        E.kind() == ExprKind::Add ? C.add(Parts) : expandProduct(C, Parts);
    Done[E.node()] = Result;
    return Result;
  }

private:
  ExprContext &C;
  llvm::DenseMap<const ExprNode *, Expr> Done;
};

} // namespace

Expr ExprContext::expand(Expr E) { return Expander(*this).expand(E); }

} // namespace gpuestimate
