#include "LoopFormula.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace gpuestimate::test {

namespace {

/// Sums and maxima of latencies `lat.X` and issue delays `del.X`, of which
/// lat.X >= del.X >= 0 is known: what is contained in another term disappears,
/// so that a formula reads like the paper's.
class PathAlgebra {
public:
  explicit PathAlgebra(ExprContext &Ctx) : Ctx(Ctx) {}

  Expr max(Expr A, Expr B) {
    if (dominates(A, B))
      return A;
    if (dominates(B, A))
      return B;
    auto [RestA, RestB] = withoutCommon(A, B);
    return A - RestA + Ctx.max({RestA, RestB});
  }

private:
  static std::vector<Expr> terms(Expr E) {
    if (E.kind() == ExprKind::Add)
      return E.operands().vec();
    return {E};
  }

  /// 3*x as {x, 3}.
  static std::pair<Expr, double> factored(Expr Term) {
    if (Term.kind() == ExprKind::Mul && Term.operands().size() == 2)
      if (auto Factor = Term.operands()[0].asConstant())
        return {Term.operands()[1], *Factor};
    return {Term, 1};
  }

  std::pair<Expr, Expr> withoutCommon(Expr A, Expr B) {
    for (Expr Term : terms(A)) {
      auto [Factor, FactorA] = factored(Term);
      for (Expr Other : terms(B)) {
        auto [Same, FactorB] = factored(Other);
        if (Factor != Same || FactorA <= 0 || FactorB <= 0)
          continue;
        double Common = std::min(FactorA, FactorB);
        A = A - Common * Factor;
        B = B - Common * Factor;
        break;
      }
    }
    return {A, B};
  }

  /// E with its first maximum replaced by each of its operands; empty when it
  /// has none.
  std::vector<Expr> alternatives(Expr E) {
    std::vector<Expr> Result;
    for (Expr T : terms(E))
      if (T.kind() == ExprKind::Max) {
        for (Expr Operand : T.operands())
          Result.push_back(E - T + Operand);
        break;
      }
    return Result;
  }

  /// A >= B for all latencies and delays; false also when that is not seen.
  bool dominates(Expr A, Expr B) {
    auto [RestA, RestB] = withoutCommon(A, B);
    if (std::vector<Expr> All = alternatives(RestB); !All.empty())
      return llvm::all_of(All, [&, From = RestA](Expr Operand) {
        return dominates(From, Operand);
      });
    if (std::vector<Expr> Any = alternatives(RestA); !Any.empty())
      return llvm::any_of(Any, [&, To = RestB](Expr Operand) {
        return dominates(Operand, To);
      });
    return isNonNegative(RestA - RestB);
  }

  /// Of a linear term: every lat.X at least outweighs its del.X.
  static bool isNonNegative(Expr E) {
    llvm::StringMap<std::pair<double, double>> Factors; ///< of lat.X, del.X
    for (Expr T : terms(E)) {
      auto [Base, Factor] = factored(T);
      if (auto Constant = Base.asConstant()) {
        if (Factor * *Constant < 0)
          return false;
        continue;
      }
      if (Base.kind() != ExprKind::Parameter)
        return false;
      auto &Entry = Factors[Base.name().drop_front(4)];
      (Base.name().starts_with("lat.") ? Entry.first : Entry.second) += Factor;
    }
    return llvm::all_of(Factors, [](const auto &Entry) {
      auto [Latency, Delay] = Entry.second;
      return Latency >= 0 && Latency + Delay >= 0;
    });
  }

  ExprContext &Ctx;
};

} // namespace

Expr loopTimeFormula(const KernelModel &Kernel, unsigned LoopIndex) {
  ExprContext &Ctx = *Kernel.Context;
  PathAlgebra Algebra(Ctx);
  const Loop &L = Kernel.Loops[LoopIndex];
  const BasicBlock &B = Kernel.Blocks[L.Body.front().Index];
  auto Symbol = [&](const char *Prefix, OpClass C) {
    return Ctx.parameter((llvm::Twine(Prefix) + info(C).Name).str());
  };
  // Times of each operation's value in this and in the previous iteration.
  std::vector<Expr> Ready(Kernel.Operations.size()), Before;
  Expr Cycle = Ctx.constant(0);
  for (unsigned Iteration = 0; Iteration < 2; ++Iteration) {
    Before = Ready;
    for (unsigned I = B.FirstOp; I < B.EndOp; ++I) {
      const Operation &Op = Kernel.Operations[I];
      for (const Operand &O : Op.Operands)
        if (Expr Value = (O.Carried ? Before : Ready)[O.Producer])
          Cycle = Algebra.max(Cycle, Value);
      Ready[I] = Cycle + double(Op.Chain) * Symbol("lat.", Op.Class);
      Cycle = Cycle + double(Op.Count) * Symbol("del.", Op.Class);
    }
  }
  return Ctx.div(Cycle * L.TripCount, Ctx.constant(2));
}

} // namespace gpuestimate::test
