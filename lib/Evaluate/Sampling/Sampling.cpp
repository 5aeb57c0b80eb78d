/// \file
/// Which warps are walked.
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "SamplingWalker.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

static LaunchSample emptySample(const KernelModel &Kernel) {
  LaunchSample Sample;
  Sample.BlockWarps.assign(Kernel.Blocks.size(), 0);
  Sample.BlockThreads.assign(Kernel.Blocks.size(), 0);
  Sample.LoopWarpEntries.assign(Kernel.Loops.size(), 0);
  Sample.LoopWarpIterations.assign(Kernel.Loops.size(), 0);
  Sample.Accesses.resize(Kernel.Accesses.size());
  return Sample;
}

static double requests(const LaunchSample &Sample) {
  double Sum = 0;
  for (const AccessTotals &A : Sample.Accesses)
    Sum += A.Requests;
  return Sum;
}

/// Blocks of each dimension up to the last one that makes a request: a grid
/// that is rounded up leaves some to go home at once. Bisection, with the first
/// block, that in the middle and the last one of the other dimensions.
static std::array<uint64_t, 3> workingGrid(BoundKernel &Bound,
                                           const GpuModel &Gpu, const Launch &L,
                                           std::array<bool, 3> Relevant,
                                           double &LaneEvaluations) {
  const WarpWalker::Seen Unseen;
  LaunchSample Trial = emptySample(Bound.kernel());
  WarpWalker W(Bound, Gpu, Trial, Unseen, nullptr);
  auto works = [&](const std::array<uint64_t, 3> &Block) {
    for (AccessTotals &A : Trial.Accesses)
      A.Requests = 0;
    for (unsigned Warp = 0;
         Warp < Bound.warpsPerBlock() && requests(Trial) == 0; ++Warp)
      W.walk({Block, Warp}, 1, 1);
    return requests(Trial) > 0;
  };
  std::array<uint64_t, 3> Out = L.Grid;
  for (unsigned D = 0; D < 3; ++D) {
    if (!Relevant[D] || L.Grid[D] < 2)
      continue;
    // Of a triangle the rows end in different columns: the longest counts.
    uint64_t Working = 0;
    for (unsigned Third = 0; Third < 3; ++Third) {
      std::array<uint64_t, 3> Block{};
      for (unsigned Other = 0; Other < 3; ++Other)
        Block[Other] = (L.Grid[Other] - 1) / 2 * Third;
      auto at = [&](uint64_t Index) {
        Block[D] = Index;
        return works(Block);
      };
      if (at(L.Grid[D] - 1)) {
        Working = L.Grid[D];
        break;
      }
      if (!at(0))
        continue;
      uint64_t Last = 0, Idle = L.Grid[D] - 1;
      while (Idle - Last > 1) {
        uint64_t Between = Last + (Idle - Last) / 2;
        (at(Between) ? Last : Idle) = Between;
      }
      Working = std::max(Working, Last + 1);
    }
    if (Working > 0)
      Out[D] = Working;
  }
  LaneEvaluations += Trial.LaneEvaluations;
  return Out;
}

LaunchSample sampleLaunch(const KernelModel &Kernel, const GpuModel &Gpu,
                          const Launch &L, const Bindings &All, double Effort) {
  if (L.threadsPerBlock() == 0 || L.blocks() == 0)
    return emptySample(Kernel);
  BoundKernel Bound(Kernel, Gpu, L, All);
  return sampleLaunch(Bound, Gpu, L, Effort);
}

LaunchSample sampleLaunch(BoundKernel &Bound, const GpuModel &Gpu,
                          const Launch &L, double Effort,
                          const ExecutedLaunch *Executed,
                          RequestShapes *Known) {
  RequestShapes Own(Gpu);
  RequestShapes &Shapes = Known ? *Known : Own;
  Shapes.trim();
  const KernelModel &Kernel = Bound.kernel();
  LaunchSample Sample = emptySample(Kernel);
  Bound.reset();
  std::array<bool, 3> Relevant;
  for (unsigned D = 0; D < 3; ++D)
    Relevant[D] = Bound.dependsOnBlock(D) || Bound.dependsOnDraws();
  std::array<uint64_t, 3> Working = L.Grid;
  bool Exact = isExact(L, Bound.warpsPerBlock(), Bound.costOfWarp(), Effort);
  if (!Exact && !Kernel.Accesses.empty())
    Working = workingGrid(Bound, Gpu, L, Relevant, Sample.LaneEvaluations);
  std::vector<SampledBlock> Blocks =
      sampleBlocks(L, Bound.warpsPerBlock(), Exact, Relevant, Working,
                   isCoupled(Kernel, L), Effort);
  // A block has at most 1024 threads: its warps are all looked at, because
  // guards such as `tid < s` in a reduction leave a few of them working;
  // unless many blocks are.
  uint64_t WarpsOfBlock = std::max<uint64_t>(
      2, uint64_t(Effort * SampledWarps / double(Blocks.size())));
  if (!isCoupled(Kernel, L) || Exact)
    WarpsOfBlock = Bound.warpsPerBlock();
  double Budget = Effort * MaxLaneEvaluations /
                  (double(Blocks.size()) *
                   std::min<uint64_t>(WarpsOfBlock, Bound.warpsPerBlock()));
  const WarpWalker::Seen Seen = seenRequests(Kernel, Gpu, Executed);
  WarpWalker W(Bound, Gpu, Sample, Seen, &Shapes);
  double Dealt = 0, WithWork = 0;
  std::array<uint64_t, 3> Met{};
  for (const SampledBlock &B : Blocks) {
    if (workExhausted())
      break;
    double Before = requests(Sample);
    for (const SamplePoint &Warp : sampleWarps(
             Bound.warpsPerBlock(), WarpsOfBlock, uint64_t(&B - Blocks.data())))
      W.walk({B.Index, unsigned(Warp.Index)}, B.Weight * Warp.Weight, Budget);
    Dealt += B.Weight;
    if (requests(Sample) <= Before)
      continue;
    WithWork += B.Weight;
    for (unsigned D = 0; D < 3; ++D)
      Met[D] = std::max(Met[D], B.Index[D] + 1);
  }
  Sample.WorkingGrid = Working;
  for (unsigned D = 0; D < 3; ++D)
    if (Exact && Relevant[D] && WithWork > 0)
      Sample.WorkingGrid[D] = Met[D];
  Sample.WorkingBlocks = WithWork > 0 ? WithWork / Dealt : 1;
  return Sample;
}

} // namespace gpuestimate
