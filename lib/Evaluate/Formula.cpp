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

} // namespace gpuestimate
