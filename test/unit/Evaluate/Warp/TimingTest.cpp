/// \file
/// The timing walk against hand calculation and against a walk that runs
/// every iteration. On the plain GPU an fp32 or integer operation issues in
/// one cycle and answers after 4, shared memory after 20, L1 after 30.
#include "helpers/EvaluateBruteForce.h"
#include "helpers/EvaluateRandom.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

double cycles(const OpKernel &K, unsigned Warps = 1,
              const std::vector<AccessFacts> &Facts = {}) {
  EXPECT_EQ(checkConsistency(K.Model), "");
  return WalkUnderTest(K.Model, plainGpu(), Warps, {}, Facts).cycles();
}

TEST(Timing, IndependentOperationsIssueOnePerCycle) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 10; ++I)
    K.op(OpClass::Fp32Fma);
  EXPECT_DOUBLE_EQ(cycles(K), 10);
}

TEST(Timing, ChainWaitsForEachResult) {
  OpKernel K;
  K.block(-1);
  unsigned Op = K.op(OpClass::Fp32Fma);
  for (int I = 1; I < 10; ++I)
    Op = K.op(OpClass::Fp32Fma, {{Op, false}});
  // The last one issues at 9 * 4 and leaves after its issue slot.
  EXPECT_DOUBLE_EQ(cycles(K), 9 * 4 + 1);
}

TEST(Timing, SlowPipeHoldsBackItsOwnOperations) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 5; ++I)
    K.op(OpClass::Fp64Fma); // 32 lanes a cycle for 4 schedulers: 4 cycles each
  EXPECT_DOUBLE_EQ(cycles(K), 4 * 4 + 1);
  for (int I = 0; I < 8; ++I)
    K.op(OpClass::Fp32Fma); // these fill the gaps
  EXPECT_LE(cycles(K), 4 * 4 + 1 + 8);
}

TEST(Timing, MultiplicationsOfXmadGpusAreThreeInstructions) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::IntMul);
  K.op(OpClass::IntAdd);
  GpuModel Gpu = plainGpu();
  auto Instructions = [&](std::string Capability) {
    Gpu.ComputeCapability = std::move(Capability);
    return ModelUnderTest(K.Model, Gpu, Launch{}).Work.Count.WarpInstructions;
  };
  EXPECT_EQ(Instructions("5.2"), 2 * Instructions("7.0"));
  EXPECT_EQ(Instructions("6.1"), 2 * Instructions("7.0"));
  EXPECT_EQ(Instructions("3.5"), Instructions("7.0"));
}

TEST(Timing, SeveralInstructionsInOneEntry) {
  OpKernel K;
  K.block(-1);
  unsigned Division = K.op(OpClass::Fp32Fma);
  K.last().Count = 8;
  K.last().Chain = 5;
  K.op(OpClass::Fp32Add, {{Division, false}});
  // 3 instructions beside the chain, then 5 latencies, then one issue.
  EXPECT_DOUBLE_EQ(cycles(K), 3 + 5 * 4 + 1);
}

TEST(Timing, LoadsOverlap) {
  for (int Loads : {1, 2, 8}) {
    OpKernel K;
    K.block(-1);
    std::vector<Operand> All;
    for (int I = 0; I < Loads; ++I)
      All.push_back({K.load("a"), false});
    K.op(OpClass::Fp32Add, All);
    std::vector<AccessFacts> Hits(Loads, {1, 0});
    EXPECT_DOUBLE_EQ(cycles(K, 1, Hits), (Loads - 1) + 30 + 1) << Loads;
  }
}

TEST(Timing, DependentLoadsDoNotOverlap) {
  OpKernel K;
  K.block(-1);
  unsigned Index = K.load("index");
  unsigned Value = K.load("a", {{Index, false}});
  K.op(OpClass::Fp32Add, {{Value, false}});
  EXPECT_DOUBLE_EQ(cycles(K, 1, {{1, 0}, {0, 1}}), 30 + 200 + 1);
  EXPECT_DOUBLE_EQ(cycles(K, 1, {{0.5, 0}, {0, 0}}),
                   0.5 * 30 + 0.5 * 500 + 500 + 1);
}

TEST(Timing, FurtherPassesDelayTheAnswer) {
  OpKernel K;
  K.block(-1);
  unsigned V = K.loadShared("s");
  K.op(OpClass::Fp32Add, {{V, false}});
  EXPECT_DOUBLE_EQ(cycles(K, 1, {{0, 0, 4, 1}}), 20 + 1);
  EXPECT_DOUBLE_EQ(cycles(K, 1, {{0, 0, 4, 32}}), 20 + 31 + 1);
}

/// acc = acc * x, Trips times
OpKernel accumulate(double Trips, unsigned Unroll = 1) {
  OpKernel K;
  int L = K.loop(-1, K.number(Trips));
  K.Model.Loops[L].Unroll = Unroll;
  K.block(L);
  K.op(OpClass::Fp32Fma, {{0, true}});
  return K;
}

TEST(Timing, LoopCarriedChain) {
  for (double Trips : {1., 2., 3., 10., 1000., 1e9})
    EXPECT_DOUBLE_EQ(cycles(accumulate(Trips)), (Trips - 1) * 4 + 1) << Trips;
}

TEST(Timing, UnrollingDoesNotBreakACarriedChain) {
  for (unsigned Unroll : {2u, 4u, 8u, 100u})
    for (double Trips : {1., 2., 7., 16., 1001.})
      EXPECT_DOUBLE_EQ(cycles(accumulate(Trips, Unroll)), (Trips - 1) * 4 + 1)
          << Unroll << " " << Trips;
}

TEST(Timing, FractionOfAnIterationLiesBetween) {
  for (unsigned Unroll : {1u, 4u}) {
    double Before = 0;
    for (double Trips = 0.25; Trips < 20; Trips += 0.25) {
      double T = cycles(accumulate(Trips, Unroll));
      EXPECT_GE(T, Before) << Unroll << " " << Trips;
      Before = T;
    }
  }
  EXPECT_DOUBLE_EQ(cycles(accumulate(2.5)),
                   (cycles(accumulate(2)) + cycles(accumulate(3))) / 2);
}

/// Sum of loads: the loads of the copies are in flight together.
TEST(Timing, UnrollingOverlapsLoads) {
  auto Make = [](unsigned Unroll) {
    OpKernel K;
    int L = K.loop(-1, K.number(800));
    K.Model.Loops[L].Unroll = Unroll;
    K.block(L);
    unsigned V = K.load("a", {}, (K.tid() + K.counter(L) * 32) * 4);
    K.op(OpClass::Fp32Add, {{V, false}, {1, true}});
    return cycles(K, 1, {{1, 0}});
  };
  // Alone: 30 cycles and the addition's issue. Eight: 7 more loads, and after
  // the first answer an addition every 4 cycles.
  EXPECT_NEAR(Make(1), 800 * 31, 31);
  EXPECT_NEAR(Make(8), 100 * (30 + 7 * 4 + 1), 100);
}

TEST(Timing, ValueLoadedForTheNextIterationIsReady) {
  // x = next; next = a[i + 1]; the loop waits for a load only once a round.
  OpKernel K;
  int L = K.loop(-1, K.number(100));
  K.block(L);
  for (int I = 0; I < 40; ++I)
    K.op(OpClass::IntAdd, {{40, true}});
  K.load("a", {}, (K.tid() + K.counter(L) * 32) * 4);
  // 41 issue slots, of which 40 after the load was issued: its 30 are hidden.
  EXPECT_NEAR(cycles(K, 1, {{1, 0}}), 100 * 41, 41);
}

TEST(Timing, SwappedValuesHaveATwoIterationCycle) {
  // a' = f(b), b' = g(a) with f fast and g slow: f + g cycles for two.
  OpKernel K;
  int L = K.loop(-1, K.number(1000));
  K.block(L);
  K.op(OpClass::Fp32Add, {{1, true}});
  K.op(OpClass::Fp32Fma, {{0, true}});
  K.last().Count = K.last().Chain = 25;
  GpuModel G = plainGpu();
  G.IssueRate = 100; // issue slots do not matter
  WalkUnderTest W(K.Model, G);
  EXPECT_NEAR(W.cycles(), 1000 / 2 * (4 + 100), 110);
}

TEST(Timing, HalfOfTheWarpsSkipABlock) {
  OpKernel Always, Half;
  for (OpKernel *K : {&Always, &Half}) {
    K->block(-1, K->number(K == &Half ? 0.5 : 1));
    for (int I = 0; I < 10; ++I)
      K->op(OpClass::Fp32Fma);
  }
  EXPECT_DOUBLE_EQ(cycles(Half), cycles(Always) / 2);
}

TEST(Timing, AFalsePredicateWaitsForNoResult) {
  auto Make = [](double Share) {
    OpKernel K;
    K.block(-1);
    K.op(OpClass::Compare);
    K.block(-1, K.number(Share));
    K.Model.Blocks.back().Predicated = true;
    unsigned Loaded = K.load("a", {{0, false}});
    K.op(OpClass::Fp32Add, {{Loaded, false}});
    return cycles(K, 1, {{1, 0}});
  };
  // The comparison, 4 cycles; the load, 30, or its slot; the addition.
  EXPECT_DOUBLE_EQ(Make(1), 4 + 30 + 1);
  EXPECT_DOUBLE_EQ(Make(0), 4 + 1 + 1);
  EXPECT_DOUBLE_EQ(Make(0.5), 4 + 15 + 1);
}

TEST(Timing, AWaitHoldsNoPipeAndEndsWhenTheClockHasAdvanced) {
  OpKernel K;
  K.block(-1);
  unsigned Start = K.op(OpClass::SpecialRegister);
  unsigned Wait = K.op(OpClass::SpecialRegister, {{Start, false}});
  K.last().Count = 0;
  K.last().Effect = PerformedWait{0};
  K.Model.Waits.push_back(
      {gpuestimate::Wait::CoreCycles, K.Model.Context->constant(1000), 0});
  for (int I = 0; I < 100; ++I) // work in between is part of the wait
    K.op(OpClass::Fp32Fma);
  K.block(-1);
  unsigned End = K.op(OpClass::SpecialRegister, {{Wait, false}});
  K.op(OpClass::Branch, {{End, false}});
  EXPECT_EQ(checkConsistency(K.Model), "");
  WalkUnderTest W(K.Model, plainGpu(), 1);
  EXPECT_NEAR(W.run().Cycles, 1000, 50);
  EXPECT_LT(W.cycles({Term::Wait}), 200);
}

TEST(Timing, BarrierWaitsForTheOtherWarps) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 10; ++I)
    K.op(OpClass::Fp32Fma);
  K.op(OpClass::Barrier);
  K.op(OpClass::Fp32Fma);
  // One warp: 10 cycles, then the barrier's 10, then one more.
  EXPECT_DOUBLE_EQ(cycles(K, 1), 10 + 10 + 1);
  // 16 warps: 4 on each scheduler issue 40; a barrier of 16 is 15 * 2 longer.
  // The last of these 4 warps ends 4 cycles after it.
  WalkUnderTest W(K.Model, plainGpu(), 16);
  WarpTime T = W.run();
  EXPECT_DOUBLE_EQ(T.Cycles, 40 + 10 + 30 + 4);
  EXPECT_DOUBLE_EQ(T.BarrierCycles, 30 + 40);
  EXPECT_DOUBLE_EQ(W.cycles({Term::Barrier}), 11);
}

// What a block does behind its last barrier, it does with all of its warps.
TEST(Timing, ABlockEndsWithItsLastWarp) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::Barrier);
  for (int I = 0; I < 4; ++I)
    K.op(OpClass::Fp64Fma);
  GpuModel G = plainGpu();
  G.Ops[unsigned(OpClass::Fp64Fma)].Throughput = 2; // for four schedulers
  WalkUnderTest W(K.Model, G, 32);
  EXPECT_DOUBLE_EQ(W.cycles(), G.BarrierLatency.value() +
                                   31 * G.BarrierPerWarp.value() + 32 * 4 * 16);
  // A kernel without barriers: other blocks take the place of warps that ended.
  OpKernel Free;
  Free.block(-1);
  for (int I = 0; I < 4; ++I)
    Free.op(OpClass::Fp64Fma);
  EXPECT_LE(WalkUnderTest(Free.Model, G, 32).cycles(), 4 * 16 * 4);
}

TEST(Timing, ABarrierWaitsForThoseWarpsThatWork) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 10; ++I)
    K.op(OpClass::Fp32Fma);
  for (int I = 0; I < 4; ++I)
    K.store(std::string(1, 'a' + I));
  K.op(OpClass::Barrier);
  WalkUnderTest W(K.Model, plainGpu(), 16);
  auto segment = [&](double Participation) {
    W.Uniform.Sample.Paths.front().Participation = {Participation};
    return W.cycles() - (10 + 15 * 2); // the barrier itself
  };
  // 16 warps: the load/store unit has 64 cycles of work, more than the 56 issue
  // slots of a scheduler's four warps.
  EXPECT_DOUBLE_EQ(segment(1), 64);
  // Eight warps: two on each scheduler.
  EXPECT_DOUBLE_EQ(segment(0.5), 32);
  // One warp for all: its own 14 slots.
  EXPECT_DOUBLE_EQ(segment(1.0 / 16), 14);
}

TEST(Timing, LoadStoreUnitIsSharedByAllWarpsOfASegment) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 4; ++I)
    K.store(std::string(1, 'a' + I));
  K.op(OpClass::Barrier);
  // 16 warps * 4 stores * one cycle each, whatever scheduler they come from.
  EXPECT_DOUBLE_EQ(cycles(K, 16), 64 + 10 + 30);
}

TEST(Timing, ASegmentLastsAsLongAsItsPassesThroughSharedMemory) {
  OpKernel K;
  K.block(-1);
  K.loadShared("s");
  K.loadShared("t");
  K.load("a");
  K.op(OpClass::Barrier);
  std::vector<AccessFacts> Facts = {{0, 0, 4, 8}, {0, 0, 4, 4}, {1, 0, 4, 2}};
  GpuModel G = plainGpu();
  ASSERT_TRUE(G.L1UnifiedWithShared);
  auto cyclesOn = [&](unsigned Warps, TermSet Without = {}) {
    WalkUnderTest W(K.Model, G, Warps, {}, Facts);
    return W.cycles(Without) - G.BarrierLatency.value() -
           G.BarrierPerWarp.value() * (Warps - 1);
  };
  // 14 passes of a cycle for each of 16 warps, in one array.
  EXPECT_DOUBLE_EQ(cyclesOn(16), 16 * 14);
  EXPECT_DOUBLE_EQ(cyclesOn(16, {Term::L1}), 16 * 12);
  EXPECT_DOUBLE_EQ(cyclesOn(16, {Term::Shared}), 16 * 3); // load/store unit
  G.SharedBandwidth = BytesPerCycle(64); // two cycles a pass, of L1 as well
  EXPECT_DOUBLE_EQ(cyclesOn(16), 16 * 28);
  G.L1UnifiedWithShared = false; // side by side
  EXPECT_DOUBLE_EQ(cyclesOn(16), 16 * 24);
}

TEST(Timing, AFewLanesServeTheWholeMultiprocessor) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 4; ++I)
    K.op(OpClass::Fp64Fma);
  K.op(OpClass::Barrier);
  GpuModel G = plainGpu();
  G.Ops[unsigned(OpClass::Fp64Fma)].Throughput = 2; // for four schedulers
  // A warp alone has both lanes to itself: 16 cycles for each operation.
  double Alone = WalkUnderTest(K.Model, G, 1).cycles();
  EXPECT_DOUBLE_EQ(Alone - G.BarrierLatency.value(), 4 * 16);
  EXPECT_DOUBLE_EQ(WalkUnderTest(K.Model, G, 8).cycles() -
                       WalkUnderTest(K.Model, G, 4).cycles(),
                   4 * 4 * 16 + 4 * G.BarrierPerWarp.value());
}

TEST(Timing, BarriersInALoopCountEachTime) {
  OpKernel K;
  int L = K.loop(-1, K.number(50));
  K.block(L);
  for (int I = 0; I < 6; ++I)
    K.op(OpClass::Fp32Fma);
  K.op(OpClass::Barrier);
  WalkUnderTest W(K.Model, plainGpu(), 8);
  WarpTime T = W.run();
  EXPECT_DOUBLE_EQ(T.Cycles, 50 * (12 + 10 + 14));
  EXPECT_DOUBLE_EQ(T.BarrierCycles, 50 * (6 + 10 + 14));
}

TEST(Timing, StallsAreThoseOfTheWholeRun) {
  OpKernel K;
  int L = K.loop(-1, K.number(1000));
  K.block(L);
  unsigned V = K.load("a", {}, (K.tid() + K.counter(L) * 32) * 4);
  K.op(OpClass::Fp32Add, {{V, false}});
  WalkUnderTest W(K.Model, plainGpu(), 1, {}, {{1, 0}});
  EXPECT_DOUBLE_EQ(W.cycles(), 1000 * 31);
  EXPECT_DOUBLE_EQ(W.Timer.stalls()[1], 1000 * 29);
}

TEST(Timing, ExtrapolationEqualsRunningEveryIteration) {
  unsigned Checked = 0;
  for (unsigned Seed = 0; Seed < 600; ++Seed) {
    Random R(Seed);
    RandomKernelOptions O;
    O.WholeNumbers = true;
    O.Predicates = Seed % 2;
    OpKernel K = randomKernel(R, O);
    ASSERT_EQ(checkConsistency(K.Model), "") << "seed " << Seed;
    unsigned Warps = R.between(1, 16);
    WalkUnderTest W(K.Model, randomGpu(R), Warps,
                    {{"n", double(R.between(0, 100))}},
                    randomFacts(R, K.Model));
    double Every = BruteForceWalk(K.Model, W.Costs, W.Schedule, Warps)
                       .run(W.Uniform.Sample.Paths.front());
    EXPECT_NEAR(W.cycles(), Every, 1e-6 * Every) << "seed " << Seed;
    Checked += Every > 0;
  }
  EXPECT_GT(Checked, 500u);
}

} // namespace
