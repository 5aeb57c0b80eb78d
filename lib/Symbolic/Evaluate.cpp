/// \file
/// The reference evaluator: a walk over the term, each subterm once per scope
/// of bound variables.
#include "ExprImpl.h"
#include "Semantics.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/DenseMap.h"

namespace gpuestimate {

namespace {

/// The values of free parameters and, innermost first, of bound variables.
struct Scope {
  const Bindings &Free;
  const Scope *Outer = nullptr;
  llvm::StringRef Variable = {};
  double Value = 0;

  double lookup(llvm::StringRef Name) const {
    for (const Scope *S = this; S->Outer; S = S->Outer)
      if (S->Variable == Name)
        return S->Value;
    auto Entry = Free.find(Name);
    return Entry == Free.end() ? NotANumber : Entry->second;
  }
};

class Evaluator {
public:
  explicit Evaluator(const Scope &S) : S(S) {}

  double value(Expr E) {
    if (E.operands().empty()) // nothing to remember
      return compute(E);
    if (auto Entry = Done.find(E.node()); Entry != Done.end())
      return Entry->second;
    double Result = compute(E);
    Done[E.node()] = Result;
    return Result;
  }

  /// Computes the value of a term that is not cached.
  double compute(Expr E) {
    llvm::ArrayRef<Expr> X = E.operands();
    switch (E.kind()) {
    case ExprKind::Constant:
      return E.constant();
    case ExprKind::Parameter:
      return S.lookup(E.name());
    case ExprKind::Select: {
      double Condition = value(X[0]);
      if (Condition != Condition)
        return NotANumber;
      return value(Condition != 0 ? X[1] : X[2]);
    }
    case ExprKind::FloorLog2:
      return semantics::floorLog2(value(X[0]));
    case ExprKind::SquareRoot:
      return semantics::squareRoot(value(X[0]));
    case ExprKind::Sum:
      return sum(E.name(), value(X[0]), X[1]);
    default:
      break;
    }
    double Result = value(X[0]);
    for (Expr Operand : X.drop_front()) // n-ary kinds from left to right
      Result =
          foldBinary(E.kind(), Result, value(Operand)).value_or(NotANumber);
    return Result;
  }

private:
  double sum(llvm::StringRef Variable, double Count, Expr Body) {
    namespace sampling = semantics::sampling;
    if (Count != Count)
      return NotANumber;
    double Total = 0;
    for (unsigned K = 0, Size = sampling::size(Count); K < Size; ++K) {
      if (!spendWork()) // sums within sums
        return NotANumber;
      Scope Inner{S.Free, &S, Variable, sampling::point(Count, K)};
      Total += sampling::weight(Count, K) * Evaluator(Inner).compute(Body);
    }
    return Total;
  }

  const Scope &S;
  llvm::DenseMap<const ExprNode *, double> Done;
};

} // namespace

std::optional<double> evaluate(Expr E, const Bindings &Values) {
  Scope Free{Values};
  double Result = Evaluator(Free).compute(E);
  if (Result != Result)
    return std::nullopt;
  return Result;
}

} // namespace gpuestimate
