#include "ExecutedFlow.h"
#include "gpu-estimate/Evaluate/Sampling/RequestCostModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

namespace gpuestimate {

std::vector<WarpPath> executedPaths(const ExecutedLaunch &Executed,
                                    llvm::ArrayRef<double> WaitCycles) {
  std::vector<WarpPath> Paths;
  for (const ExecutedWarp &W : Executed.Warps)
    Paths.push_back({W.Weight,
                     W.SampledBlock,
                     W.BlockShare,
                     W.LoopShare,
                     W.LoopTrips,
                     WaitCycles.vec(),
                     {}});
  return Paths;
}

/// Calls OfBlock(block, executions) and OfLoop(loop, entries, iterations) with
/// what one warp that takes the path does.
template <typename BlockFunction, typename LoopFunction>
static void walk(const KernelModel &Kernel, const WarpPath &Path,
                 BlockFunction OfBlock, LoopFunction OfLoop) {
  auto Visit = [&](auto &Self, const std::vector<RegionNode> &Body,
                   double Times) -> void {
    for (const RegionNode &I : Body) {
      if (I.Kind == RegionNode::IsBlock) {
        OfBlock(I.Index, Times * Path.BlockShare[I.Index]);
        continue;
      }
      double Entries = Times * Path.LoopShare[I.Index],
             Iterations = Entries * Path.LoopTrips[I.Index];
      OfLoop(I.Index, Entries, Iterations);
      Self(Self, Kernel.Loops[I.Index].Body, Iterations);
    }
  };
  Visit(Visit, Kernel.Body, 1);
}

std::vector<double> executions(const KernelModel &Kernel,
                               const WarpPath &Path) {
  std::vector<double> Result(Kernel.Blocks.size());
  walk(
      Kernel, Path,
      [&](unsigned Block, double Times) { Result[Block] = Times; },
      [](unsigned, double, double) {});
  return Result;
}

ExecutedFlow::ExecutedFlow(const KernelModel &Kernel, const ExecutedLaunch *Of)
    : Kernel(Kernel), BlockDependsOnData(Kernel.Blocks.size()),
      LoopDependsOnData(Kernel.Loops.size()) {
  if (!Of || Of->Warps.empty() || !Of->isAbout(Kernel))
    return;
  auto DependsOnData = [&](const Expr &E) {
    return E && llvm::any_of(Kernel.Unknowns, [&](const Unknown &U) {
             return !U.Name.empty() && E.dependsOn(U.Name);
           });
  };
  bool Any = false;
  auto Visit = [&](auto &Self, const std::vector<RegionNode> &Body,
                   bool Outside) -> void {
    for (const RegionNode &I : Body) {
      if (I.Kind == RegionNode::IsBlock) {
        bool Depends = Outside || DependsOnData(Kernel.Blocks[I.Index].Active);
        BlockDependsOnData[I.Index] = Depends;
        Any |= Depends;
        continue;
      }
      const Loop &L = Kernel.Loops[I.Index];
      bool Depends =
          Outside || DependsOnData(L.Active) || DependsOnData(L.TripCount);
      LoopDependsOnData[I.Index] = Depends;
      Self(Self, L.Body, Depends);
    }
  };
  Visit(Visit, Kernel.Body, false);
  if (Any)
    Executed = Of;
}

std::optional<double> ExecutedFlow::lanes(unsigned Block) const {
  if (!Executed || !BlockDependsOnData[Block] ||
      Block >= Executed->BlockLanes.size() || Executed->BlockLanes[Block] <= 0)
    return std::nullopt;
  return Executed->BlockLanes[Block];
}

/// The thread blocks of the executed warps, by rising number, which becomes the
/// index of each in the paths.
static std::vector<SampledBlock> sampledBlocks(std::vector<WarpPath> &Paths,
                                               const Launch &L,
                                               double WarpsPerBlock) {
  std::map<unsigned, double> WarpsOf;
  for (const WarpPath &P : Paths)
    WarpsOf[P.SampledBlock] += P.Weight;
  std::vector<SampledBlock> Blocks;
  std::map<unsigned, unsigned> IndexOf;
  for (auto [Number, Warps] : WarpsOf) {
    IndexOf[Number] = Blocks.size();
    Blocks.push_back({{Number % L.Grid[0], Number / L.Grid[0] % L.Grid[1],
                       Number / (L.Grid[0] * L.Grid[1])},
                      Warps / WarpsPerBlock});
  }
  for (WarpPath &P : Paths)
    P.SampledBlock = IndexOf[P.SampledBlock];
  return Blocks;
}

void ExecutedFlow::applyTo(LaunchSample &Sample, const GpuModel &Gpu,
                           const Launch &L) const {
  std::vector<double> WaitCycles(Kernel.Waits.size());
  if (!Sample.Paths.empty())
    WaitCycles = Sample.Paths.front().WaitCycles;
  std::vector<WarpPath> Paths = executedPaths(*Executed, WaitCycles);
  // A trace that stopped early has fewer warps than the launch.
  double Traced = 0;
  for (const WarpPath &P : Paths)
    Traced += P.Weight;
  for (WarpPath &P : Paths)
    P.Weight *= Sample.Warps / Traced;

  std::vector<double> BlockWarps(Kernel.Blocks.size()),
      Entries(Kernel.Loops.size()), Iterations(Kernel.Loops.size());
  for (const WarpPath &P : Paths)
    walk(
        Kernel, P,
        [&](unsigned Block, double Times) {
          BlockWarps[Block] += P.Weight * Times;
        },
        [&](unsigned Loop, double LoopEntries, double LoopIterations) {
          Entries[Loop] += P.Weight * LoopEntries;
          Iterations[Loop] += P.Weight * LoopIterations;
        });
  for (unsigned I = 0; I < Kernel.Loops.size(); ++I)
    if (LoopDependsOnData[I]) {
      Sample.LoopWarpEntries[I] = Entries[I];
      Sample.LoopWarpIterations[I] = Iterations[I];
    }
  std::vector<double> Scale(Kernel.Blocks.size(), 1);
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B) {
    // Nothing is known of a request that the sample has not made.
    if (!BlockDependsOnData[B] || Sample.BlockWarps[B] <= 0)
      continue;
    Scale[B] = BlockWarps[B] / Sample.BlockWarps[B];
    Sample.BlockWarps[B] *= Scale[B];
    Sample.BlockThreads[B] *= Scale[B];
    if (std::optional<double> Lanes = lanes(B))
      Sample.BlockThreads[B] = Sample.BlockWarps[B] * *Lanes;
  }
  for (unsigned A = 0; A < Kernel.Accesses.size(); ++A) {
    AccessTotals &T = Sample.Accesses[A];
    double Times = Scale[Kernel.Accesses[A].Block];
    for (double *Total : {&T.Requests, &T.Threads, &T.Sectors, &T.Lines,
                          &T.FullSectors, &T.Wavefronts, &T.SameAddress})
      *Total *= Times;
    if (!BlockDependsOnData[Kernel.Accesses[A].Block])
      continue;
    const ExecutedCounts Counts =
        A < Executed->Counts.size() ? Executed->Counts[A] : ExecutedCounts();
    if (Counts.Requests > 0)
      T.Threads = T.Requests * Counts.Lanes / Counts.Requests;
    if (auto Sectors = executedSectors(Kernel.Accesses[A], Gpu, Counts))
      T.Sectors = T.Requests * *Sectors;
  }
  Sample.Blocks = sampledBlocks(
      Paths, L, double(llvm::divideCeil(L.threadsPerBlock(), Gpu.WarpSize)));
  Sample.Paths = std::move(Paths);
}

} // namespace gpuestimate
