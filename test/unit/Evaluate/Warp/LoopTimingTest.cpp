/// \file
/// The bandwidth loops of Kleimenov & Popova 2021, figures 4 (L1) and 5 (L2),
/// on cases small enough to be computed by hand.
#include "Evaluate/Launch/BandwidthRefinement.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// The loops as they are printed take whole steps.
RefinementOptions printed(unsigned Iterations) {
  RefinementOptions O;
  O.Damping = 1;
  O.MaxIterations = Iterations;
  return O;
}

/// Figure 4, step by step. A multiprocessor whose longest warp takes
///   time_SM(lat) = 100 + 10 lat       (ten dependent loads, other work)
/// has L1 traffic that takes mem_l1_SM / band_L1 = 1000 cycles; latL1 = 30.
///   time = 100 + 10 * 30     = 400     l1mul = 1000 / 400     = 2.5
///   latL1 = 30 * 2.5         = 75
///   time = 100 + 10 * 75     = 850     l1mul = 1000 / 850     = 1.17647
///   latL1 = 75 * 1.17647     = 88.2353
///   time = 100 + 882.353     = 982.353 l1mul = 1000 / 982.353 = 1.01796
///   latL1 = 88.2353 * 1.01796 = 89.8204
///   time = 998.204                     l1mul = 1.0018
///   latL1 = 89.9820
/// and so on to the fixed point, where time is 1000 and latL1 = 90.
TEST(PaperLoops, Figure4StepByStep) {
  auto Time = [](double Latency) { return 100 + 10 * Latency; };
  const double ByHand[] = {30, 75, 88.2353, 89.8204, 89.9820};
  for (unsigned Steps = 0; Steps < 5; ++Steps) {
    RefinementResult R = refineLatency(Time, 30, 1000, printed(Steps));
    EXPECT_NEAR(R.Latency, ByHand[Steps], 1e-4) << Steps << " steps";
  }
  RefinementOptions Exact = printed(100);
  Exact.Tolerance = 1e-12;
  EXPECT_NEAR(refineLatency(Time, 30, 1000, Exact).Latency, 90, 1e-6);
  // Ours takes 0.9 of each step and ends within a thousandth of the time.
  EXPECT_NEAR(refineLatency(Time, 30, 1000).Latency, 90, 0.1);
}

/// Figure 5 follows figure 4: half of the loads hit L1, half L2, so that
///   lat_SM = 0.5 latL1 + 0.5 latL2,  time = 10 lat_SM
/// unloaded 10 * (15 + 100) = 1150. The L1 loop with 1400 cycles of traffic
/// raises latL1 alone:  5 latL1 + 1000 = 1400, latL1 = 80. The L2 loop with
/// 2400 cycles keeps it: 400 + 5 latL2 = 2400, latL2 = 400; the last time,
/// 2400, is the wave's.
TEST(PaperLoops, Figure5KeepsWhatFigure4Found) {
  double L1 = 30, L2 = 200;
  RefinementOptions O = printed(200);
  O.Tolerance = 1e-12;
  auto Time = [&] { return 10 * (0.5 * L1 + 0.5 * L2); };
  RefinementResult R = refineLatency(
      [&](double Latency) {
        L1 = Latency;
        return Time();
      },
      L1, 1400, O);
  L1 = R.Latency;
  EXPECT_NEAR(L1, 80, 1e-6);
  EXPECT_NEAR(R.Time, 1400, 1e-6);
  R = refineLatency(
      [&](double Latency) {
        L2 = Latency;
        return Time();
      },
      L2, 2400, O);
  EXPECT_NEAR(R.Latency, 400, 1e-6);
  EXPECT_NEAR(R.Time, 2400, 1e-6);
  EXPECT_NEAR(L1, 80, 1e-6);
  // "While the needed bandwidth exceeds the one there is": with 300 cycles of
  // traffic, as the loop is printed, latL2 would shrink.
  EXPECT_EQ(refineLatency([&](double) { return Time(); }, 200, 300, O).Latency,
            200);
}

/// A chain of 100 loads, each address from the load before it; 64 warps on each
/// of the four multiprocessors. 99 loads are waited for, the last one issues in
/// one cycle: a warp alone takes 99 latencies and a cycle.
OpKernel chain() {
  OpKernel K;
  int L = K.loop(-1, K.number(100));
  K.block(L);
  K.load("a", {{0, true}});
  return K;
}
Launch fullWave() { return launch({32, 1, 1}, {256, 1, 1}); }

/// Figure 4 in the model: every load hits L1, unloaded 99 * 30 + 1 cycles. All
/// 64 warps ask for 64 * 100 * 128 bytes, at 128 bytes a cycle 6400 cycles, so
/// that in the end a load takes (6400 - 1) / 99 = 64.64 of them.
TEST(PaperLoops, L1InTheModel) {
  OpKernel K = chain();
  ModelUnderTest M(K.Model, plainGpu(), fullWave(), {}, {{1, 0}});
  ASSERT_EQ(M.Occ.WarpsPerSm, 64u);
  EXPECT_EQ(M.bound("l1-bandwidth"), 6400);
  EXPECT_EQ(M.bound("latency"), 2971);
  EXPECT_NEAR(M.Model.loadedLatencies({}).FirstWave[MemoryLevel::L1], 64.64,
              0.07);
  EXPECT_NEAR(M.cycles(), 6400, 1);
  // Half of the warps need 3200 cycles, 32.31 for each load.
  ModelUnderTest Half(K.Model, plainGpu(), launch({16, 1, 1}, {256, 1, 1}), {},
                      {{1, 0}});
  EXPECT_NEAR(Half.Model.loadedLatencies({}).FirstWave[MemoryLevel::L1], 32.31,
              0.04);
}

/// Figure 5 in the model: every load hits L2, unloaded 99 * 200 + 1 cycles;
/// 4 * 64 * 100 * 128 bytes at 128 bytes a cycle take 25600. The paper ends
/// with 258.6 cycles a load; here the first data come after the idle latency of
/// 200, 25800 in all, and (25800 - 1) / 99 = 260.6.
TEST(PaperLoops, L2InTheModel) {
  OpKernel K = chain();
  ModelUnderTest M(K.Model, plainGpu(), fullWave(), {}, {{0, 1}});
  EXPECT_EQ(M.bound("l2-bandwidth"), 25600);
  EXPECT_EQ(M.bound("latency"), 19801);
  MemoryLatencies Loaded = M.Model.loadedLatencies({}).FirstWave;
  EXPECT_NEAR(Loaded[MemoryLevel::L2], 260.6, 0.3);
  EXPECT_EQ(Loaded[MemoryLevel::Dram], 500); // nobody asks it for anything
  EXPECT_NEAR(M.cycles(), 25800, 1);
}

} // namespace
