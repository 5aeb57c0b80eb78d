#include "gpu-estimate/Evaluate/Launch/BlockPhases.h"
#include "gpu-estimate/Evaluate/Launch/LaunchCycles.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>
#include <queue>
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// A launch of which each sampled block stands for blocks with so much work.
struct PhasedLaunch {
  LaunchSample Sample;
  std::vector<double> Operations; ///< [path], one for each sampled block
  Launch L;

  void add(std::array<uint64_t, 3> Index, double Blocks, double Work) {
    WarpPath &P = Sample.Paths.emplace_back();
    P.SampledBlock = Sample.Blocks.size();
    P.Weight = Blocks;
    Sample.Blocks.push_back({Index, Blocks});
    Operations.push_back(Work);
  }
  std::vector<BlockPhase> phases(double BlocksAtOnce) const {
    return blockPhases(Sample, L, BlocksAtOnce, Operations);
  }
};

TEST(BlockPhases, BlocksThatAreAlikeAreOnePhase) {
  PhasedLaunch P;
  P.L.Grid = {1000, 1, 1};
  P.add({0, 0, 0}, 1, 90);
  P.add({500, 0, 0}, 998, 100);
  P.add({999, 0, 0}, 1, 20);
  std::vector<BlockPhase> Phases = P.phases(64);
  ASSERT_EQ(Phases.size(), 1u);
  EXPECT_EQ(Phases[0].Extent.BlockShare, 1);
  EXPECT_EQ(Phases[0].Extent.WorkShare, 1);
}

TEST(BlockPhases, SurplusBlocksAreAPhaseOfTheirOwn) {
  PhasedLaunch P;
  P.L.Grid = {1000, 1, 1};
  P.add({999, 0, 0}, 880, 1);
  P.add({60, 0, 0}, 120, 500);
  std::vector<BlockPhase> Phases = P.phases(64);
  ASSERT_EQ(Phases.size(), 2u);
  EXPECT_DOUBLE_EQ(Phases[0].Extent.BlockShare, 0.12);
  EXPECT_DOUBLE_EQ(Phases[1].Extent.WorkShare, 880.0 / (880 + 120 * 500));
  // A chip that holds more blocks than work runs both kinds together.
  EXPECT_EQ(P.phases(200).size(), 1u);
}

/// The rows of a grid follow each other: what fits the chip is one phase
/// whatever the number of rows.
TEST(BlockPhases, RowsShorterThanAWaveAreNotTakenApart) {
  PhasedLaunch P;
  P.L.Grid = {10, 1000, 1};
  P.add({2, 0, 0}, 5000, 100);
  P.add({9, 0, 0}, 5000, 1);
  EXPECT_EQ(P.phases(64).size(), 1u);
  std::swap(P.L.Grid[0], P.L.Grid[1]);
  EXPECT_EQ(P.phases(64).size(), 2u);
}

/// The hardware: each place takes the next block in launch order.
double greedySchedule(const std::vector<std::pair<uint64_t, double>> &Runs,
                      unsigned Places) {
  std::priority_queue<double, std::vector<double>, std::greater<>> Free;
  for (unsigned I = 0; I < Places; ++I)
    Free.push(0);
  double End = 0;
  for (const auto &[Blocks, Time] : Runs)
    for (uint64_t I = 0; I < Blocks; ++I) {
      double Done = Free.top() + Time;
      Free.pop();
      Free.push(Done);
      End = std::max(End, Done);
    }
  return End;
}

/// Of a launch without any demand on throughput only the times of the blocks
/// count, so the model must end when a scheduler would, but for what a phase
/// leaves open at its end: less than one block of the slowest kind.
TEST(BlockPhases, ALaunchEndsWhenAGreedySchedulerWouldEndIt) {
  GpuModel Gpu = plainGpu();
  Gpu.BlockStart = Cycles(0);
  Gpu.BlockStartPerWarp = Cycles(0);
  Gpu.BlockDispatchRate = 1e9;
  Occupancy Occ;
  Occ.BlocksPerSm = 4;
  unsigned Places = Occ.BlocksPerSm * Gpu.SmCount;
  std::mt19937 Random(7);
  for (unsigned Trial = 0; Trial < 200; ++Trial) {
    PhasedLaunch P;
    std::vector<std::pair<uint64_t, double>> Runs;
    uint64_t Blocks = 0;
    unsigned Kinds = 1 + Random() % 6;
    for (unsigned K = 0; K < Kinds; ++K) {
      Runs.push_back({1 + Random() % 400, 1 + double(Random() % 1000)});
      P.add({Blocks, 0, 0}, double(Runs.back().first), Runs.back().second);
      Blocks += Runs.back().first;
    }
    P.L.Grid = {Blocks, 1, 1};
    P.L.Block = {32, 1, 1};
    std::vector<BlockPhase> Phases = P.phases(Places);
    std::vector<PhaseExtent> Extents;
    for (const BlockPhase &Phase : Phases)
      Extents.push_back(Phase.Extent);
    Workload None;
    LaunchCycles Model(Gpu, P.L, Occ, None, Extents, {});
    double Cycles = Model.total(idleLatencies(Gpu, {}), [&](const Wave &W) {
      double Sum = 0, Weight = 0, Slowest = 0;
      const BlockPhase &Phase = Phases[W.Phase];
      for (size_t I = 0; I < Phase.SampledBlocks.size(); ++I) {
        unsigned B = Phase.SampledBlocks[I];
        bool IsBefore = I + 1 < Phase.UntilEnd.size() &&
                        Phase.UntilEnd[I + 1] >= Model.lastWaveBlocks();
        if (W.Which == WaitsFor::LastWave && IsBefore)
          continue;
        Sum += P.Operations[B] * P.Sample.Blocks[B].Weight;
        Weight += P.Sample.Blocks[B].Weight;
        Slowest = std::max(Slowest, P.Operations[B]);
      }
      return W.Which == WaitsFor::Mean ? Sum / Weight : Slowest;
    });
    double Slowest = 0;
    for (const auto &[Count, Time] : Runs)
      Slowest = std::max(Slowest, Time);
    EXPECT_NEAR(Cycles, greedySchedule(Runs, Places), 1.01 * Slowest)
        << "trial " << Trial;
  }
}

} // namespace
