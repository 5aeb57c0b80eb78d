/// \file
/// The model of Kleimenov & Popova 2021 as published: its formulas by hand, and
/// its loops against their closed form.
#include "Evaluate/Models/Kleimenov.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::test;
using enum KleimenovLevel;

namespace {

PerKleimenovLevel<double> values(double AtL1, double AtL2, double AtDram,
                                 double AtUncoalesced) {
  return {{AtL1, AtL2, AtDram, AtUncoalesced}};
}

KleimenovMachine machine() {
  return {values(30, 200, 400, 680), values(64, 128, 32, 4)};
}

TEST(Kleimenov, LatencyOfAMultiprocessorMixesTheLevels) {
  KleimenovMachine M = machine();
  // Half of the bytes hit L1, a quarter L2; a tenth is uncoalesced.
  EXPECT_DOUBLE_EQ(kleimenovLatency(M.Latency, values(0.5, 0.25, 0.25, 0.1)),
                   0.9 * (0.5 * 30 + 0.25 * 200 + 0.25 * 400) + 0.1 * 680);
  EXPECT_DOUBLE_EQ(M.departureDelay(), 10);
}

TEST(Kleimenov, ProcessingBlockTakesTheLargerOfLatencyAndDelays) {
  auto Time = [](double Latency) { return 100 + 2 * Latency; };
  KleimenovWave W{Time, 500, 0, 0, values(1, 0, 0, 0)};
  EXPECT_DOUBLE_EQ(kleimenovWave(machine(), W).Cycles, 500);
  W.DelayCycles = 50;
  EXPECT_DOUBLE_EQ(kleimenovWave(machine(), W).Cycles, 160);
}

TEST(Kleimenov, DramLatencyRisesUntilTheBytesFit) {
  auto Time = [](double Latency) { return 100 + 10 * Latency; };
  KleimenovWave W{Time, 0, 0, 32 * 20000., values(0, 0, 1, 0)};
  KleimenovResult R = kleimenovWave(machine(), W);
  EXPECT_NEAR(R.Cycles, 20000, 20000 * 1e-4);
  EXPECT_NEAR(R.Latency[Dram], 1990, 1);
  EXPECT_EQ(R.Latency[L1], 30);
  EXPECT_GT(R.Iterations[Dram], 0u);
  EXPECT_EQ(R.Iterations[L2], 0u);
  EXPECT_TRUE(R.Converged);
}

// A kernel that only stores waits for no latency: the paper's loop ends where
// the time does not move, below what the bandwidth needs.
TEST(Kleimenov, TimeThatDoesNotWaitStaysAsItIs) {
  KleimenovWave W{[](double) { return 100.; }, 0, 0, 32 * 20000.,
                  values(0, 0, 1, 0)};
  KleimenovResult R = kleimenovWave(machine(), W);
  EXPECT_DOUBLE_EQ(R.Cycles, 100);
  EXPECT_LE(R.Iterations[Dram], 2u);
}

// Where the time is linear in each latency, the loops end at the largest of the
// time without load and the demands of the levels.
TEST(Kleimenov, LoopsReachTheirClosedForm) {
  std::mt19937 Random(7);
  auto draw = [&](double From, double To) {
    return std::uniform_real_distribution(From, To)(Random);
  };
  for (int Round = 0; Round < 500; ++Round) {
    KleimenovMachine M{
        values(draw(20, 40), draw(100, 300), draw(300, 800), draw(800, 2000)),
        values(draw(16, 128), draw(100, 4000), draw(30, 2000), draw(4, 200))};
    double Fixed = draw(0, 1000), Loads = draw(1, 100);
    auto Time = [&](double Latency) { return Fixed + Loads * Latency; };
    double OnL1 = draw(0.05, 0.5), OnL2 = draw(0.05, 0.4);
    // Delays that are longer than all latencies would hide one that still
    // rises: the time does not move, and its loop ends.
    KleimenovWave W{Time, draw(0, Fixed), draw(0, 1e5), draw(0, 1e7),
                    values(OnL1, OnL2, 1 - OnL1 - OnL2, draw(0.05, 0.5))};
    double Expected =
        std::max(Time(kleimenovLatency(M.Latency, W.Share)), W.DelayCycles);
    for (KleimenovLevel Level : {L1, L2, Dram, Uncoalesced})
      Expected = std::max(Expected, (Level == L1 ? W.SmBytes : W.ChipBytes) *
                                        W.Share[Level] / M.Bandwidth[Level]);
    KleimenovResult R = kleimenovWave(M, W);
    for (unsigned Iterations : R.Iterations.Values)
      EXPECT_LE(Iterations, MaxKleimenovIterations);
    EXPECT_NEAR(R.Cycles, Expected, 1e-3 * Expected) << Round;
  }
}

TEST(Kleimenov, LaunchRegressionOfEachBlockSize) {
  GpuModel G = plainGpu();
  G.BlockDispatchRate = 0.5;
  G.BlockStart = Cycles(100);
  G.BlockStartPerWarp = Cycles(10);
  G.MaxBlocksPerSm = 16;
  G.MaxWarpsPerSm = 64;
  LaunchRegression Small = launchRegression(G, 1, Seconds(2e-6));
  // 4 multiprocessors hold 64 blocks for 110 cycles: 1.7 a block; the work
  // distributor takes 2.
  EXPECT_DOUBLE_EQ(Small.PerBlock.value(), 2e-9);
  EXPECT_DOUBLE_EQ(Small.Intercept.value(), 2e-6);
  // Of 32 warps two blocks fit each: 420 cycles of 8 blocks.
  EXPECT_DOUBLE_EQ(launchRegression(G, 32, Seconds(0)).PerBlock.value(),
                   52.5e-9);
}

} // namespace
