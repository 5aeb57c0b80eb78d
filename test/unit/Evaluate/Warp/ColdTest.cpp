/// \file
/// The first warp of a launch with cold caches against hand calculation: 80
/// cycles for a line of 8 instructions, 400 for a translation of pages of 1
/// MiB.
#include "Evaluate/Launch/LaunchTime.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

constexpr double FetchOfOne = 80. / 8, Walk = 400;

GpuModel coldGpu() {
  GpuModel G = plainGpu();
  G.CodeLineFetch = Cycles(80);
  G.CodeLineInstructions = 8;
  G.TlbWalk = Cycles(Walk);
  G.TlbPage = Bytes(1 << 20);
  return G;
}

/// What the first warp takes longer than any other.
double extra(const OpKernel &K, const std::vector<AccessFacts> &Facts = {}) {
  EXPECT_EQ(checkConsistency(K.Model), "");
  WalkUnderTest W(K.Model, coldGpu(), 1, {}, Facts);
  WarpConditions Conditions =
      W.Costs.conditions(MemoryLatencies::unloaded(W.Gpu));
  double Later = W.run(Conditions).Cycles;
  Conditions.IsFirst = true;
  return W.run(Conditions).Cycles - Later;
}

TEST(Cold, EachLineOfCodeIsFetchedOnce) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 24; ++I)
    K.op(OpClass::Fp32Fma);
  EXPECT_DOUBLE_EQ(extra(K), 24 * FetchOfOne);
}

TEST(Cold, ALoopFetchesItsBodyInTheFirstRound) {
  for (int Trips : {1, 10, 1000}) {
    OpKernel K;
    K.block(K.loop(-1, K.number(Trips)));
    for (int I = 0; I < 24; ++I)
      K.op(OpClass::Fp32Fma);
    EXPECT_NEAR(extra(K), 24 * FetchOfOne, 1e-6) << Trips;
  }
}

TEST(Cold, EachCopyOfAnUnrolledBodyIsCodeOfItsOwn) {
  for (unsigned Unroll : {2u, 16u}) {
    OpKernel K;
    int Loop = K.loop(-1, K.number(1024));
    K.Model.Loops[Loop].Unroll = Unroll;
    K.block(Loop);
    for (int I = 0; I < 24; ++I)
      K.op(OpClass::Fp32Fma);
    EXPECT_NEAR(extra(K), Unroll * 24 * FetchOfOne, 1e-6) << Unroll;
  }
}

TEST(Cold, LoadsInFlightOverlapWithFetches) {
  OpKernel K;
  K.block(-1);
  unsigned Value = K.load("a");
  for (int I = 0; I < 20; ++I)
    K.op(OpClass::Fp32Fma);
  K.op(OpClass::Fp32Fma, {{Value, false}});
  // 21 instructions are fetched while DRAM and the walk answer.
  EXPECT_DOUBLE_EQ(extra(K), Walk + FetchOfOne);
}

TEST(Cold, OnlyDependentAccessesToNewPagesWaitOneAfterTheOther) {
  OpKernel Same, Own;
  for (OpKernel *K : {&Same, &Own}) {
    K->block(-1);
    unsigned First = K->load("a");
    unsigned Second = K->load(K == &Same ? "a" : "b", {{First, false}});
    K->op(OpClass::Fp32Fma, {{Second, false}});
  }
  EXPECT_DOUBLE_EQ(extra(Same), Walk + FetchOfOne);
  // Small objects share a page.
  EXPECT_DOUBLE_EQ(extra(Own), Walk + FetchOfOne);
}

TEST(Cold, IsPartOfASingleLaunchWithColdCachesOnly) {
  EvaluateOptions Options;
  GpuModel G = coldGpu();
  G.LaunchCold = Seconds(8e-6);
  auto IsOff = [&] { return switchedOff(Options).contains(Term::Cold); };
  for (LaunchTiming Timing :
       {LaunchTiming::BackToBack, LaunchTiming::Single, LaunchTiming::Graph})
    for (CacheState Caches : {CacheState::Warm, CacheState::Cold}) {
      Options.Timing = Timing;
      Options.Caches = Caches;
      bool IsCold =
          Timing == LaunchTiming::Single && Caches == CacheState::Cold;
      EXPECT_EQ(IsOff(), !IsCold);
      EXPECT_EQ(launchOverhead(G, Options) == *G.LaunchCold, IsCold);
    }
  Options.Timing = std::nullopt; // cold caches mean a single launch
  EXPECT_FALSE(IsOff());
  Options.Without.insert("cold");
  EXPECT_TRUE(IsOff());
  EXPECT_EQ(launchOverhead(G, Options), G.LaunchLatency);
}

TEST(Cold, AProfilerAddsItsTimeStamps) {
  GpuModel G = coldGpu();
  G.LaunchCold = std::nullopt;
  EvaluateOptions Options;
  auto Overhead = [&](LaunchTiming Timing, CacheState Caches) {
    Options.Timing = Timing;
    Options.Caches = Caches;
    return launchOverhead(G, Options);
  };
  EXPECT_EQ(Overhead(LaunchTiming::Single, CacheState::Warm), G.LaunchLatency);
  G.LaunchProfiled = Seconds(7e-6);
  EXPECT_EQ(Overhead(LaunchTiming::Single, CacheState::Warm), Seconds(7e-6));
  EXPECT_EQ(Overhead(LaunchTiming::Single, CacheState::Cold), Seconds(7e-6));
  EXPECT_EQ(Overhead(LaunchTiming::Graph, CacheState::Warm), G.LaunchLatency);
  EXPECT_EQ(Overhead(LaunchTiming::BackToBack, CacheState::Warm),
            G.LaunchInterval);
  G.LaunchCold = Seconds(8e-6);
  EXPECT_EQ(Overhead(LaunchTiming::Single, CacheState::Cold), Seconds(8e-6));
}

TEST(Cold, TheFirstWaveTakesLongerAndTheArgumentsAreFetched) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 24; ++I)
    K.op(OpClass::Fp32Fma);
  K.Model.Arguments.clear();
  GpuModel G = coldGpu();
  Launch L = launch({4, 1, 1}, {32, 1, 1});
  auto Extra = [&] {
    ModelUnderTest M(K.Model, G, L);
    return M.cycles() - M.cycles({Term::Cold});
  };
  EXPECT_NEAR(Extra(), 24 * FetchOfOne, 1e-6);
  K.Model.Arguments.emplace_back();
  EXPECT_NEAR(Extra(), 24 * FetchOfOne, 1e-6); // no empty launch is known
  G.LaunchCold = Seconds(8e-6);
  EXPECT_NEAR(Extra(), 24 * FetchOfOne + 200, 1e-6);
}

} // namespace
