#include "Formula.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace gpuestimate {
namespace {

double rounded(double Value) { return std::round(Value * 1000) / 1000; }

/// A sum of many terms. Terms join a short sum one by one and a long one in
/// batches that double, because each addition sorts the sum.
class GrowingSum {
public:
  explicit GrowingSum(ExprContext &Ctx) : Ctx(Ctx), Sum(Ctx.constant(0)) {}

  void add(Expr Term) {
    if (Sum.kind() != ExprKind::Add || Sum.operands().size() <= Short) {
      Sum = Sum + Term;
      return;
    }
    Waiting.push_back(Term);
    if (Waiting.size() >= Sum.operands().size())
      total();
  }

  Expr total() {
    if (!Waiting.empty()) {
      Waiting.push_back(Sum);
      Sum = Ctx.add(Waiting);
      Waiting.clear();
    }
    return Sum;
  }

private:
  static constexpr size_t Short = 64;
  ExprContext &Ctx;
  Expr Sum;
  llvm::SmallVector<Expr> Waiting;
};

/// Nodes of a term as it is printed: a shared node counts once for each use.
class PrintedSize {
public:
  static constexpr size_t MaxNodes = 1 << 20; ///< larger terms count as this

  size_t of(Expr E) {
    auto [Entry, New] = Sizes.try_emplace(E.node(), 1);
    if (!New)
      return Entry->second;
    size_t Size = 1;
    for (Expr Operand : E.operands())
      Size = std::min(Size + of(Operand), MaxNodes);
    return Sizes[E.node()] = Size;
  }

private:
  llvm::DenseMap<const ExprNode *, size_t> Sizes;
};

class FormulaBuilder {
public:
  FormulaBuilder(const KernelModel &Kernel, const GpuModel &Gpu,
                 LatencyBandwidthModel &Model)
      : Kernel(Kernel), Gpu(Gpu), Ctx(*Kernel.Context), Model(Model) {
    // One cycle more of latency shows how often a warp waits for it.
    Base = Model.blockCycles(0, 0);
    Global = Model.blockCycles(1, 0);
    Shared = Model.blockCycles(0, 1);
    GlobalLatency = Model.globalLatency();
  }

  Formulas run() {
    Formulas F;
    F.Time = build([&](unsigned B) { return blockTime(B); });
    size_t Shown = Blocks;
    F.Delay = build([&](unsigned B) { return blockDelay(B); });
    F.Mem = build([&](unsigned B) { return blockBytes(B); });
    if (Shown < Kernel.Blocks.size())
      F.CutOff = " + ... (cut off after " + std::to_string(Shown) + " of " +
                 std::to_string(Kernel.Blocks.size()) + " blocks)";
    return F;
  }

private:
  /// Units of work to build one term of a sum.
  static constexpr uint64_t WorkOfTerm = 20;
  /// About 64 kB of text; a longer formula is not readable.
  static constexpr size_t MaxFormulaNodes = 10000;

  Expr build(llvm::function_ref<Expr(unsigned)> Cost) {
    NodesLeft = MaxFormulaNodes;
    Blocks = 0;
    return body(Kernel.Body, Cost);
  }

  /// Takes the nodes of Factors; false when none are left.
  bool hasRoom(llvm::ArrayRef<Expr> Factors) {
    size_t Needed = 1;
    for (Expr E : Factors)
      Needed += Size.of(E);
    // The formula ends with the first block that does not fit.
    NodesLeft = Needed > NodesLeft ? 0 : NodesLeft - Needed;
    return NodesLeft > 0 && spendWork(Needed);
  }

  Expr body(const std::vector<RegionNode> &Nodes,
            llvm::function_ref<Expr(unsigned)> Cost) {
    GrowingSum Sum(Ctx);
    for (const RegionNode &I : Nodes) {
      if (!spendWork(WorkOfTerm))
        return Ctx.constant(0);
      if (I.Kind == RegionNode::IsBlock) {
        const BasicBlock &B = Kernel.Blocks[I.Index];
        if (!hasRoom(B.Active))
          break;
        ++Blocks;
        Sum.add(B.Active * Cost(I.Index));
        continue;
      }
      const Loop &L = Kernel.Loops[I.Index];
      if (!hasRoom({L.Active, L.TripCount}))
        break;
      Expr Inner = body(L.Body, Cost);
      Expr Iterations = Inner.dependsOn(L.Counter)
                            ? Ctx.sum(L.Counter, L.TripCount, Inner)
                            : L.TripCount * Inner;
      Sum.add(L.Active * Iterations);
    }
    return Sum.total();
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
  PrintedSize Size;
  size_t NodesLeft = 0; ///< that the formula may still have
  size_t Blocks = 0;    ///< in the formula
};

} // namespace

Formulas buildFormulas(const KernelModel &Kernel, const GpuModel &Gpu,
                       LatencyBandwidthModel &Model) {
  return FormulaBuilder(Kernel, Gpu, Model).run();
}

} // namespace gpuestimate
