#include "gpu-estimate/Evaluate/Formula.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <utility>

namespace gpuestimate {
namespace {

double rounded(double Value) { return std::round(Value * 1000) / 1000; }

class FormulaBuilder {
public:
  FormulaBuilder(const KernelModel &Kernel, const GpuModel &Gpu,
                 LatencyBandwidthModel &Model)
      : Kernel(Kernel), Gpu(Gpu), Ctx(*Kernel.Context), Model(Model) {
    // One cycle more on a latency shows how often it is waited for.
    Base = Model.blockCycles(0, 0).BlockCycles;
    Global = Model.blockCycles(1, 0).BlockCycles;
    Shared = Model.blockCycles(0, 1).BlockCycles;
    GlobalLatency = Model.globalLatency();
  }

  Formulas run() {
    Formulas F;
    F.Time = body(Kernel.Body, [&](unsigned B) { return blockTime(B); });
    F.Delay = body(Kernel.Body, [&](unsigned B) { return blockDelay(B); });
    F.Mem = body(Kernel.Body, [&](unsigned B) { return blockBytes(B); });
    return F;
  }

private:
  /// Units of work to build one term of a sum.
  static constexpr uint64_t WorkOfTerm = 20;

  Expr body(const std::vector<Item> &Items,
            llvm::function_ref<Expr(unsigned)> Cost) {
    // Terms that can be joined are looked for in pairs, so a long body is
    // added part by part.
    constexpr size_t PartSize = 16;
    std::vector<Expr> Parts;
    Expr Sum = Ctx.constant(0);
    for (const Item &I : Items) {
      if (!spendWork(WorkOfTerm))
        return Ctx.constant(0);
      if (Parts.size() < size_t(&I - Items.data()) / PartSize)
        Parts.push_back(std::exchange(Sum, Ctx.constant(0)));
      if (I.Kind == Item::IsBlock) {
        Sum = Sum + Kernel.Blocks[I.Index].Active * Cost(I.Index);
        continue;
      }
      const Loop &L = Kernel.Loops[I.Index];
      Expr Inner = body(L.Body, Cost);
      Expr All = Inner.dependsOn(L.Counter)
                     ? Ctx.sum(L.Counter, L.TripCount, Inner)
                     : L.TripCount * Inner;
      Sum = Sum + L.Active * All;
    }
    if (Parts.empty())
      return Sum;
    Parts.push_back(Sum);
    return Ctx.add(Parts);
  }

  Expr blockTime(unsigned B) {
    double PerGlobal = rounded(Global[B] - Base[B]),
           PerShared = rounded(Shared[B] - Base[B]);
    double Constant = Base[B] - PerGlobal * GlobalLatency -
                      PerShared * Gpu.SharedLatency.value();
    return Ctx.constant(rounded(Constant)) +
           PerGlobal * Ctx.parameter("lat.global") +
           PerShared * Ctx.parameter("lat.shared");
  }

  Expr blockDelay(unsigned B) {
    double Sum = 0;
    for (unsigned I = Kernel.Blocks[B].FirstOp; I < Kernel.Blocks[B].EndOp; ++I)
      Sum += Model.costs().issue(Kernel.Operations[I]) *
             Kernel.Operations[I].Count;
    return Ctx.constant(rounded(Sum));
  }

  Expr blockBytes(unsigned B) {
    double Sum = 0;
    for (unsigned I = Kernel.Blocks[B].FirstOp; I < Kernel.Blocks[B].EndOp; ++I)
      if (int A = Kernel.Operations[I].Access; A >= 0)
        if (Kernel.Accesses[A].Space == MemorySpace::Global)
          Sum += Kernel.Accesses[A].BytesPerThread;
    return Ctx.constant(Sum);
  }

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  ExprContext &Ctx;
  LatencyBandwidthModel &Model;
  std::vector<double> Base, Global, Shared;
  double GlobalLatency = 0;
};

} // namespace

Formulas buildFormulas(const KernelModel &Kernel, const GpuModel &Gpu,
                       LatencyBandwidthModel &Model) {
  return FormulaBuilder(Kernel, Gpu, Model).run();
}

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
      auto [Of, FactorA] = factored(Term);
      for (Expr Other : terms(B)) {
        auto [Same, FactorB] = factored(Other);
        if (Of != Same || FactorA <= 0 || FactorB <= 0)
          continue;
        double Common = std::min(FactorA, FactorB);
        A = A - Common * Of;
        B = B - Common * Of;
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
        for (Expr Each : T.operands())
          Result.push_back(E - T + Each);
        break;
      }
    return Result;
  }

  /// A >= B for all latencies and delays; false also when that is not seen.
  bool dominates(Expr A, Expr B) {
    auto [RestA, RestB] = withoutCommon(A, B);
    if (std::vector<Expr> All = alternatives(RestB); !All.empty())
      return llvm::all_of(
          All, [&, From = RestA](Expr Each) { return dominates(From, Each); });
    if (std::vector<Expr> Any = alternatives(RestA); !Any.empty())
      return llvm::any_of(
          Any, [&, To = RestB](Expr Each) { return dominates(Each, To); });
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
      auto &Of = Factors[Base.name().drop_front(4)];
      (Base.name().starts_with("lat.") ? Of.first : Of.second) += Factor;
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
  const Block &B = Kernel.Blocks[L.Body.front().Index];
  auto Symbol = [&](const char *Prefix, OpClass C) {
    return Ctx.parameter((llvm::Twine(Prefix) + info(C).Name).str());
  };
  // Times of each operation's value in this and in the previous iteration.
  std::vector<Expr> Ready(Kernel.Operations.size()), Before;
  Expr Now = Ctx.constant(0);
  for (unsigned Iteration = 0; Iteration < 2; ++Iteration) {
    Before = Ready;
    for (unsigned I = B.FirstOp; I < B.EndOp; ++I) {
      const Operation &Op = Kernel.Operations[I];
      for (const Operand &O : Op.Operands)
        if (Expr Value = (O.Carried ? Before : Ready)[O.Producer])
          Now = Algebra.max(Now, Value);
      Ready[I] = Now + double(Op.Chain) * Symbol("lat.", Op.Class);
      Now = Now + double(Op.Count) * Symbol("del.", Op.Class);
    }
  }
  return Ctx.div(Now * L.TripCount, Ctx.constant(2));
}

} // namespace gpuestimate
