/// \file
/// Choice of the sampled blocks and warps, and the total over them.
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "ExecutedFlow.h"
#include "WarpSampler.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <utility>

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

/// Blocks in each dimension up to the last block that makes a request; in a
/// grid that is rounded up, the blocks behind it exit at once. Bisects each
/// dimension with the first, middle and last coordinate of the other
/// dimensions.
static std::array<uint64_t, 3> activeGrid(LaneState &State, const GpuModel &Gpu,
                                          const Launch &L,
                                          std::array<bool, 3> Relevant,
                                          double &LaneEvaluations) {
  const LaunchProgram &Program = State.program();
  const WarpSampler::ExecutedCosts NoExecution;
  const ExecutedFlow NoFlow(Program.kernel(), nullptr);
  LaunchSample Trial = emptySample(Program.kernel());
  WarpSampler W(State, Gpu, Trial, NoExecution, NoFlow, nullptr);
  auto makesRequests = [&](const std::array<uint64_t, 3> &Block) {
    for (AccessTotals &A : Trial.Accesses)
      A.Requests = 0;
    for (unsigned Warp = 0;
         Warp < Program.warpsPerBlock() && requests(Trial) == 0; ++Warp)
      W.sample({Block, Warp}, 0, 1, 1);
    return requests(Trial) > 0;
  };
  std::array<uint64_t, 3> Out = L.Grid;
  for (unsigned D = 0; D < 3; ++D) {
    if (!Relevant[D] || L.Grid[D] < 2)
      continue;
    // The rows of a triangle end in different columns; the longest row counts.
    uint64_t Active = 0;
    for (unsigned Third = 0; Third < 3; ++Third) {
      std::array<uint64_t, 3> Block{};
      for (unsigned Dimension = 0; Dimension < 3; ++Dimension)
        Block[Dimension] = (L.Grid[Dimension] - 1) / 2 * Third;
      auto at = [&](uint64_t Index) {
        Block[D] = Index;
        return makesRequests(Block);
      };
      if (at(L.Grid[D] - 1)) {
        Active = L.Grid[D];
        break;
      }
      if (!at(0))
        continue;
      uint64_t Last = 0, Idle = L.Grid[D] - 1;
      while (Idle - Last > 1) {
        uint64_t Middle = Last + (Idle - Last) / 2;
        (at(Middle) ? Last : Idle) = Middle;
      }
      Active = std::max(Active, Last + 1);
    }
    if (Active > 0)
      Out[D] = Active;
  }
  LaneEvaluations += Trial.LaneEvaluations;
  return Out;
}

/// Gives the path the launch's mean of each share and trip count that is the
/// same function of the iteration in every warp. The iterations of a loop are
/// sampled with a seed for each warp, which makes the launch's total accurate
/// but shows equal warps as unequal. Example: in `for (i < n) for (j < i)` all
/// warps make (n - 1) / 2 inner iterations on average; from eight sampled
/// values of i, one warp seems to make a tenth more.
static void useCommonControlFlow(const LaunchProgram &Program,
                                 const LaunchSample &Sample, WarpPath &Path) {
  const KernelModel &Kernel = Program.kernel();
  auto visit = [&](auto &Self, const std::vector<RegionNode> &Body, int Owner,
                   bool Varies) -> void {
    for (const RegionNode &Member : Body) {
      unsigned I = Member.Index;
      if (Member.Kind == RegionNode::IsBlock) {
        if (Varies && Program.uniformity().hasCommonExecutions(I))
          Path.BlockShare[I] =
              Sample.BlockWarps[I] / Sample.LoopWarpIterations[Owner];
        continue;
      }
      if (Varies && Program.uniformity().hasCommonEntries(I)) {
        Path.LoopShare[I] =
            Sample.LoopWarpEntries[I] / Sample.LoopWarpIterations[Owner];
        if (Program.uniformity().hasCommonIterations(I) &&
            Sample.LoopWarpEntries[I] > 0)
          Path.LoopTrips[I] =
              Sample.LoopWarpIterations[I] / Sample.LoopWarpEntries[I];
      }
      // What a warp does not reach keeps shares of zero.
      if (Path.LoopShare[I] > 0 && Path.LoopTrips[I] > 0)
        Self(Self, Kernel.Loops[I].Body, I,
             Varies || Program.uniformity().varies(I));
    }
  };
  visit(visit, Kernel.Body, -1, false);
}

static void fillParticipation(const KernelModel &Kernel, LaunchSample &Sample) {
  std::vector<std::vector<double>> OfPath, OfBlock(Sample.Blocks.size());
  std::vector<double> Warps(Sample.Blocks.size());
  for (const WarpPath &Path : Sample.Paths) {
    OfPath.push_back(executions(Kernel, Path));
    Warps[Path.SampledBlock] += Path.Weight;
    std::vector<double> &Sum = OfBlock[Path.SampledBlock];
    Sum.resize(Kernel.Blocks.size());
    for (auto [Total, Own] : llvm::zip_equal(Sum, OfPath.back()))
      Total += Own * Path.Weight;
  }
  for (auto [Path, Own] : llvm::zip_equal(Sample.Paths, OfPath)) {
    Path.Participation.assign(Kernel.Blocks.size(), 1);
    for (unsigned B = 0; B < Kernel.Blocks.size(); ++B)
      if (double IfAll = Own[B] * Warps[Path.SampledBlock]; IfAll > 0)
        Path.Participation[B] = OfBlock[Path.SampledBlock][B] / IfAll;
  }
}

LaunchSample sampleLaunch(const KernelModel &Kernel, const GpuModel &Gpu,
                          const Launch &L, const Bindings &All, double Effort) {
  if (L.threadsPerBlock() == 0 || L.blocks() == 0)
    return emptySample(Kernel);
  const LaunchProgram Program(Kernel, Gpu, L, All);
  LaneState State(Program);
  return sampleLaunch(State, Gpu, L, Effort);
}

LaunchSample sampleLaunch(LaneState &State, const GpuModel &Gpu,
                          const Launch &L, double Effort,
                          const ExecutedLaunch *Executed,
                          RequestCostTables *CostTables) {
  RequestCostTables Own(Gpu);
  RequestCostTables &Tables = CostTables ? *CostTables : Own;
  Tables.trim();
  const LaunchProgram &Program = State.program();
  const KernelModel &Kernel = Program.kernel();
  LaunchSample Sample = emptySample(Kernel);
  State.reset();
  std::array<bool, 3> Relevant;
  for (unsigned D = 0; D < 3; ++D)
    Relevant[D] = Program.uniformity().dependsOnBlock(D) ||
                  Program.uniformity().dependsOnIndexValues();
  std::array<uint64_t, 3> ActiveGrid = L.Grid;
  bool Exact =
      isExact(L, Program.warpsPerBlock(), Program.costOfWarp(), Effort);
  if (!Exact && !Kernel.Accesses.empty())
    ActiveGrid = activeGrid(State, Gpu, L, Relevant, Sample.LaneEvaluations);
  Sample.Blocks = sampleBlocks(L, Program.warpsPerBlock(), Exact, Relevant,
                               ActiveGrid, isCoupled(Kernel, L), Effort);
  llvm::ArrayRef<SampledBlock> Blocks = Sample.Blocks;
  // All warps of a block are sampled (at most 32), because guards such as
  // `tid < s` in a reduction leave few of them active; unless many blocks are
  // sampled.
  uint64_t WarpsOfBlock = std::max<uint64_t>(
      2, uint64_t(Effort * SampledWarps / double(Blocks.size())));
  if (!isCoupled(Kernel, L) || Exact)
    WarpsOfBlock = Program.warpsPerBlock();
  double Budget = Effort * MaxLaneEvaluations /
                  (double(Blocks.size()) *
                   std::min<uint64_t>(WarpsOfBlock, Program.warpsPerBlock()));
  const WarpSampler::ExecutedCosts Executions =
      executedRequests(Kernel, Gpu, Executed);
  const ExecutedFlow Flow(Kernel, Executed);
  WarpSampler W(State, Gpu, Sample, Executions, Flow, &Tables);
  double RepresentedBlocks = 0, ActiveBlocks = 0;
  std::array<uint64_t, 3> LastActive{};
  for (const SampledBlock &B : Blocks) {
    if (workExhausted())
      break;
    double Before = requests(Sample);
    for (const SamplePoint &Warp :
         sampleWarps(Program.warpsPerBlock(), WarpsOfBlock,
                     uint64_t(&B - Blocks.begin())))
      W.sample({B.Index, unsigned(Warp.Index)}, unsigned(&B - Blocks.begin()),
               B.Weight *Warp.Weight, Budget);
    RepresentedBlocks += B.Weight;
    if (requests(Sample) <= Before)
      continue;
    ActiveBlocks += B.Weight;
    for (unsigned D = 0; D < 3; ++D)
      LastActive[D] = std::max(LastActive[D], B.Index[D] + 1);
  }
  Sample.ActiveGrid = ActiveGrid;
  for (unsigned D = 0; D < 3; ++D)
    if (Exact && Relevant[D] && ActiveBlocks > 0)
      Sample.ActiveGrid[D] = LastActive[D];
  Sample.ActiveBlockFraction =
      ActiveBlocks > 0 ? ActiveBlocks / RepresentedBlocks : 1;
  if (Flow)
    Flow.applyTo(Sample, Gpu, L);
  else
    for (WarpPath &Path : std::exchange(Sample.Paths, {})) {
      useCommonControlFlow(Program, Sample, Path);
      appendPath(Sample.Paths, Path);
    }
  fillParticipation(Kernel, Sample);
  return Sample;
}

} // namespace gpuestimate
