/// \file
/// Counts from sampled warps against the execution of every thread.
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "Evaluate/Access/BufferBytes.h"
#include "Evaluate/Sampling/SamplingPlan.h"
#include "WarpRunner.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "helpers/TestKernel.h"
#include "helpers/WorkOf.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Totals of a launch by running every warp.
LaunchSample enumerate(const TestKernel &K, const GpuModel &G, const Launch &L,
                       const Bindings &V) {
  LaunchSample S;
  S.Accesses.resize(K.Model.Accesses.size());
  WarpRunner Run(K.Model, L, V, G.WarpSize);
  Run.OnRequest = [&](const Request &R) {
    AccessTotals &T = S.Accesses[R.Access];
    const MemoryAccess &A = K.Model.Accesses[R.Access];
    T.Requests += 1;
    unsigned Active = std::count_if(R.Lanes.begin(), R.Lanes.end(),
                                    [](double X) { return !std::isnan(X); });
    T.Threads += Active;
    double Passes = 0;
    if (A.Space == MemorySpace::Shared) {
      Passes = bankPasses(R.Lanes, A.BytesPerThread, G.SharedBanks,
                          G.SharedBankWidth.value());
    } else {
      T.Sectors += sectorsPerRequest(R.Lanes, A.BytesPerThread, 32);
      Passes = globalPasses(R.Lanes, A.BytesPerThread, G);
    }
    T.Wavefronts += std::min(Passes, serialPasses(Active, A.BytesPerThread, G));
    if (A.Kind == AccessKind::Atomic)
      T.SameAddress += maxLanesPerAddress(R.Lanes);
  };
  for (uint64_t Z = 0; Z < L.Grid[2]; ++Z)
    for (uint64_t Y = 0; Y < L.Grid[1]; ++Y)
      for (uint64_t X = 0; X < L.Grid[0]; ++X)
        for (unsigned W = 0; W < Run.warpsPerBlock(); ++W, ++S.Warps)
          Run.run({X, Y, Z}, W);
  S.BlockWarps = Run.BlockWarps;
  S.BlockThreads = Run.BlockThreads;
  S.LoopWarpEntries = Run.LoopEntries;
  S.LoopWarpIterations = Run.LoopIterations;
  return S;
}

/// Every total of the sample within Tolerance (relative) of the enumeration.
void expectClose(const TestKernel &K, const Launch &L, const Bindings &V,
                 double Tolerance, const GpuModel &G = testGpu()) {
  LaunchSample Want = enumerate(K, G, L, V),
               Got = sampleLaunch(K.Model, G, L, V);
  auto near = [&](double A, double B, const char *What, size_t I) {
    EXPECT_NEAR(A, B, Tolerance * std::abs(B) + 1e-9) << What << " " << I;
  };
  EXPECT_EQ(Got.Warps, Want.Warps);
  for (size_t I = 0; I < Want.BlockWarps.size(); ++I) {
    near(Got.BlockWarps[I], Want.BlockWarps[I], "block warps", I);
    near(Got.BlockThreads[I], Want.BlockThreads[I], "block threads", I);
  }
  for (size_t I = 0; I < Want.LoopWarpIterations.size(); ++I) {
    near(Got.LoopWarpEntries[I], Want.LoopWarpEntries[I], "entries", I);
    near(Got.LoopWarpIterations[I], Want.LoopWarpIterations[I], "iterations",
         I);
  }
  for (size_t I = 0; I < Want.Accesses.size(); ++I) {
    near(Got.Accesses[I].Requests, Want.Accesses[I].Requests, "requests", I);
    near(Got.Accesses[I].Threads, Want.Accesses[I].Threads, "threads", I);
    near(Got.Accesses[I].Sectors, Want.Accesses[I].Sectors, "sectors", I);
    near(Got.Accesses[I].Wavefronts, Want.Accesses[I].Wavefronts, "wavefronts",
         I);
    near(Got.Accesses[I].SameAddress, Want.Accesses[I].SameAddress,
         "same address", I);
  }
}

TEST(SamplePoints, WeightsSumAndPointsAreDistinctAndOrdered) {
  for (uint64_t Count :
       {0ull, 1ull, 2ull, 7ull, 8ull, 9ull, 100ull, 1000003ull, 1ull << 40})
    for (uint64_t Max : {1u, 2u, 3u, 5u, 10u, 18u, 64u}) {
      std::vector<SamplePoint> P = samplePoints(Count, Max, 11);
      // As many of each residue, of which there are 8 at most.
      EXPECT_LE(P.size(), std::min(Count, Max));
      EXPECT_GT(P.size() + 8, std::min(Count, Max));
      double Sum = 0;
      for (size_t I = 0; I < P.size(); ++I) {
        Sum += P[I].Weight;
        EXPECT_LT(P[I].Index, Count);
        if (I) {
          EXPECT_GT(P[I].Index, P[I - 1].Index);
        }
      }
      EXPECT_EQ(Sum, double(Count));
      if (Max >= 3 && Count >= 3) {
        EXPECT_EQ(P.front().Index, 0u);
        EXPECT_EQ(P.back().Index, Count - 1);
      }
    }
}

TEST(SamplePoints, InteriorCoversResiduesEvenly) {
  std::array<int, 8> Seen{};
  std::vector<SamplePoint> P = samplePoints(100000, 18, 5);
  for (size_t I = 1; I + 1 < P.size(); ++I)
    ++Seen[P[I].Index % 8];
  for (int N : Seen)
    EXPECT_EQ(N, 2);
}

TEST(SamplePoints, InteriorStandsForItsResidue) {
  for (uint64_t Count : {100ull, 703ull, 100001ull}) {
    std::array<double, 8> Want{}, Got{};
    for (uint64_t I = 1; I + 1 < Count; ++I)
      ++Want[I % 8];
    std::vector<SamplePoint> P = samplePoints(Count, 29, 5);
    for (size_t I = 1; I + 1 < P.size(); ++I)
      Got[P[I].Index % 8] += P[I].Weight;
    EXPECT_EQ(Got, Want) << Count;
  }
}

TEST(SampleWarps, BlocksShowAllWarps) {
  std::array<int, 8> Seen{};
  for (uint64_t Block = 0; Block < 144; ++Block) {
    double Sum = 0;
    for (const SamplePoint &P : sampleWarps(8, 2, Block)) {
      ++Seen[P.Index];
      Sum += P.Weight;
    }
    EXPECT_EQ(Sum, 8);
  }
  for (int N : Seen)
    EXPECT_NEAR(N, 144 * 2 / 8, 1);
}

/// if (i < n) c[i] = a[i + 1]
TestKernel guarded(unsigned Bytes = 4) {
  TestKernel K;
  unsigned B = K.block(-1, K.context().less(K.id(), K.parameter("n")));
  K.access(B, "a", (K.id() + 1) * Bytes, AccessKind::Load, Bytes);
  K.access(B, "c", K.id() * Bytes, AccessKind::Store, Bytes);
  return K;
}

TEST(Sampling, GuardedStreamIsExactWhenItFits) {
  for (unsigned Block : {1u, 31u, 32u, 33u, 100u, 256u})
    for (unsigned N : {0u, 1u, 5u, 32u, 33u, 200u, 255u, 256u}) {
      uint64_t Grid = std::max(1u, (N + Block - 1) / Block);
      if (Grid * ((Block + 31) / 32) <= ExactWarps)
        expectClose(guarded(), launch({Grid, 1, 1}, {Block, 1, 1}), {{"n", N}},
                    0);
    }
}

/// table[i % m] jumps back in the middle of some warps, b[i / m] stays.
TEST(Sampling, RareWarpsAreExactWhenAllAreCheap) {
  TestKernel K;
  unsigned B = K.block(-1, K.context().less(K.id(), K.parameter("n")));
  K.access(B, "table", K.context().mod(K.id(), K.parameter("m")) * 4);
  K.access(B, "b", K.context().floorDiv(K.id(), K.parameter("m")) * 4);
  for (double M : {100., 999., 5000.})
    expectClose(K, launch({313, 1, 1}, {128, 1, 1}), {{"n", 40000}, {"m", M}},
                0);
}

/// A tile with its edges: both guards, and a condition on the thread.
TEST(Sampling, SeparableConditionsAreNotCoupled) {
  TestKernel K;
  ExprContext &C = K.context();
  Expr N = K.parameter("n");
  Expr Out = C.select(C.lessEqual(N, K.id('x')), C.constant(1),
                      C.lessEqual(N, K.id('y')));
  Expr Top = C.equal(K.tid('y'), C.constant(0)),
       Bottom = C.equal(K.tid('y'), C.constant(15));
  K.block(-1, 1 - Out);
  K.block(-1, (1 - Out) * Top + (1 - Out) * Bottom);
  K.loop(-1, K.parameter("m") * C.less(K.id('x'), N) * C.less(K.id('y'), N));
  Launch L = launch({60, 60, 1}, {16, 16, 1});
  EXPECT_FALSE(isCoupled(K.Model, L));
  K.block(-1, (1 - Out) * C.less(K.id('x'), K.id('y')));
  EXPECT_TRUE(isCoupled(K.Model, L));
  // In a grid of one row, nothing couples.
  EXPECT_FALSE(isCoupled(K.Model, launch({60, 1, 1}, {16, 16, 1})));
}

TEST(Sampling, GuardedStreamIsExactForAnySize) {
  // Only the last block differs, and it stands for itself.
  for (unsigned N : {1000u, 4097u, 100000u, 100001u, 100031u})
    expectClose(guarded(8), launch({(N + 255) / 256, 1, 1}, {256, 1, 1}),
                {{"n", N}}, 1e-12);
}

TEST(Sampling, OversizedGridIsClose) {
  // Half of the grid has nothing to do.
  expectClose(guarded(), launch({2000, 1, 1}, {128, 1, 1}), {{"n", 128 * 1000}},
              0.03);
}

TEST(Sampling, TwoDimensionalBlocksAndGuards) {
  TestKernel K;
  Expr In = K.context().less(K.id('x'), K.parameter("w")) *
            K.context().less(K.id('y'), K.parameter("h"));
  unsigned B = K.block(-1, In);
  K.access(B, "in", (K.id('y') * K.parameter("w") + K.id('x')) * 4);
  K.access(B, "out", (K.id('x') * K.parameter("h") + K.id('y')) * 4,
           AccessKind::Store);
  for (auto Block : {std::array<uint64_t, 3>{16, 16, 1},
                     {32, 8, 1},
                     {10, 7, 1},
                     {8, 4, 2}}) {
    uint64_t W = 100, H = 37;
    Launch Small = launch(
        {(W + Block[0] - 1) / Block[0], (H + Block[1] - 1) / Block[1], 1},
        Block);
    expectClose(K, Small, {{"w", W}, {"h", H}}, 0.08);
  }
  expectClose(K, launch({64, 64, 1}, {16, 16, 1}), {{"w", 1017}, {"h", 1011}},
              0.02);
}

/// for (i < trips) touch a[...] under a triangular inner loop
TEST(Sampling, TriangularLoops) {
  TestKernel K;
  int Outer = K.loop(-1, K.parameter("n"));
  int Inner = K.loop(Outer, K.counter(Outer));
  unsigned B = K.block(Inner);
  K.access(B, "a",
           (K.counter(Outer) * K.parameter("n") + K.counter(Inner) + K.tid()) *
               4);
  Launch L = launch({1, 1, 1}, {64, 1, 1});
  expectClose(K, L, {{"n", 30}}, 0); // 435 inner iterations: all looked at
  Bindings Large{{"n", 700}};
  GpuModel G = testGpu();
  L = launch({500, 1, 1}, {256, 1, 1});
  LaunchSample S = sampleLaunch(K.Model, G, L, Large);
  double Pairs = 700.0 * 699 / 2 * 4000;
  EXPECT_NEAR(S.LoopWarpIterations[Inner], Pairs, 0.1 * Pairs);
  // 128 bytes at every alignment to 4 bytes: 1 + 124 / 32 sectors on average.
  EXPECT_NEAR(S.Accesses[0].Sectors / S.Accesses[0].Requests, 4 + 7.0 / 8,
              0.15);
}

/// A warp's own sampled iterations do not make it faster or slower than others.
TEST(Sampling, WarpsWithCommonTripCountsAreEqual) {
  TestKernel K;
  int Outer =
      K.loop(-1, K.parameter("n"), K.context().less(K.tid(), K.number(96)));
  int Inner = K.loop(Outer, K.counter(Outer));
  unsigned Rare =
      K.block(Outer, K.context().equal(K.counter(Outer), K.number(9)));
  K.block(Inner);
  K.access(K.block(Inner), "a", (K.counter(Inner) + K.tid()) * 4);
  LaunchSample S =
      sampleLaunch(K.Model, testGpu(), launch({500, 1, 1}, {128, 1, 1}),
                   Bindings{{"n", 700}});
  ASSERT_FALSE(S.Paths.empty());
  for (const WarpPath &P : S.Paths) {
    if (P.LoopShare[Outer] == 0)
      continue;
    EXPECT_DOUBLE_EQ(P.LoopTrips[Inner],
                     S.LoopWarpIterations[Inner] / S.LoopWarpEntries[Inner]);
    EXPECT_DOUBLE_EQ(P.BlockShare[Rare],
                     S.BlockWarps[Rare] / S.LoopWarpIterations[Outer]);
  }
  // One path for the warps that work and one for the idle last one, by block.
  EXPECT_EQ(S.Paths.size(), 2 * S.Blocks.size());
}

/// Trip counts that a coordinate decides keep their differences.
TEST(Sampling, WarpsWithOwnTripCountsDiffer) {
  TestKernel K;
  int Outer = K.loop(-1, K.parameter("n"));
  int Inner = K.loop(Outer, K.counter(Outer) * K.tid());
  K.access(K.block(Inner), "a", K.counter(Inner) * 4);
  LaunchSample S =
      sampleLaunch(K.Model, testGpu(), launch({500, 1, 1}, {128, 1, 1}),
                   Bindings{{"n", 700}});
  EXPECT_EQ(S.Paths.size(), 4 * S.Blocks.size());
}

TEST(Sampling, LanesLeaveALoopAtDifferentTimes) {
  TestKernel K;
  int Loop = K.loop(-1, K.tid() + 1); // trip count by thread
  unsigned B = K.block(Loop);
  K.access(B, "a", (K.tid() * 4 + K.counter(Loop)) * 4);
  expectClose(K, launch({1, 1, 1}, {128, 1, 1}), {}, 0);
  expectClose(K, launch({700, 1, 1}, {128, 1, 1}), {}, 0.1);
}

TEST(Sampling, ReductionTreeLeavesWarpsIdle) {
  // for (s = 512; s > 0; s >>= 1) if (tid < s) shared[tid] += shared[tid + s]
  TestKernel K;
  int Loop = K.loop(-1, K.number(10));
  ExprContext &C = K.context();
  Expr S = C.floorDiv(K.number(512), C.shiftLeft(K.number(1), K.counter(Loop)));
  unsigned B = K.block(Loop, C.less(K.tid(), S));
  K.access(B, "s", (K.tid() + S) * 4, AccessKind::Load, 4, MemorySpace::Shared);
  expectClose(K, launch({3, 1, 1}, {1024, 1, 1}), {}, 0);
  expectClose(K, launch({300, 1, 1}, {1024, 1, 1}), {}, 1e-9);

  // 16, 8, 4, 2 and 1 warps add, then the first one five times more.
  LaunchSample Sample =
      sampleLaunch(K.Model, testGpu(), launch({300, 1, 1}, {1024, 1, 1}), {});
  bool Seen = false;
  for (const WarpPath &P : Sample.Paths) {
    if (P.BlockShare[B] == 0)
      EXPECT_EQ(P.Participation[B], 1);
    else
      EXPECT_NEAR(P.Participation[B] * P.BlockShare[B], 36.0 / (32 * 10), 1e-9);
    Seen |= P.BlockShare[B] == 1;
  }
  EXPECT_TRUE(Seen);
}

TEST(Sampling, BankConflictsOfAStridedShared) {
  TestKernel K;
  int Loop = K.loop(-1, K.parameter("t"));
  unsigned B = K.block(Loop);
  K.access(B, "s", (K.tid() * K.parameter("stride") + K.counter(Loop)) * 4,
           AccessKind::Load, 4, MemorySpace::Shared);
  for (unsigned Stride : {0u, 1u, 2u, 3u, 8u, 32u, 33u})
    expectClose(K, launch({2, 1, 1}, {96, 1, 1}),
                {{"t", 5}, {"stride", Stride}}, 0);
}

TEST(Sampling, GridStrideLoop) {
  TestKernel K;
  ExprContext &C = K.context();
  Expr Step = K.dim() * K.parameter("gridDim.x");
  int Loop = K.loop(
      -1, C.ceilDiv(C.max({K.parameter("n") - K.id(), K.number(0)}), Step));
  unsigned B = K.block(Loop);
  K.access(B, "a", (K.id() + K.counter(Loop) * Step) * 4);
  expectClose(K, launch({4, 1, 1}, {128, 1, 1}), {{"n", 10000}}, 0);
  expectClose(K, launch({300, 1, 1}, {128, 1, 1}), {{"n", 1000000}}, 0.02);
}

TEST(Sampling, SixtyFourLanes) {
  GpuModel G = testGpu();
  G.WarpSize = 64;
  expectClose(guarded(), launch({5, 1, 1}, {200, 1, 1}), {{"n", 900}}, 0, G);
}

TEST(Sampling, ProbabilitiesOfBranches) {
  TestKernel K;
  unsigned Varying = K.block(-1, K.parameter("p(b)"));
  unsigned Same = K.block(-1, K.parameter("p(b)"));
  K.Model.Blocks[Same].WarpUniform = true;
  K.access(Varying, "a", K.id() * 4);
  K.access(Same, "a", K.id() * 4);
  LaunchSample S = sampleLaunch(
      K.Model, testGpu(), launch({10, 1, 1}, {64, 1, 1}), {{"p(b)", 0.1}});
  double Any = 1 - std::pow(0.9, 32);
  EXPECT_NEAR(S.BlockWarps[Varying], 20 * Any, 1e-9);
  EXPECT_NEAR(S.BlockThreads[Varying], 64.0, 1e-9);
  EXPECT_NEAR(S.BlockWarps[Same], 2, 1e-9);
  EXPECT_NEAR(S.BlockThreads[Same], 64, 1e-9);
  // A sector holds eight lanes' words.
  EXPECT_NEAR(S.Accesses[0].Sectors, 20 * 4 * (1 - std::pow(0.9, 8)), 1e-9);
  EXPECT_NEAR(S.Accesses[1].Sectors, 2 * 4, 1e-9);
  EXPECT_NEAR(S.Paths[0].BlockShare[Varying], Any, 1e-12);
}

TEST(Sampling, AtomicsOnOneAddress) {
  TestKernel K;
  unsigned B = K.block(-1, K.context().less(K.id(), K.parameter("n")));
  K.access(B, "sum", K.number(0), AccessKind::Atomic);
  K.access(B, "bins", K.context().mod(K.tid(), K.number(8)) * 4,
           AccessKind::Atomic);
  expectClose(K, launch({4, 1, 1}, {128, 1, 1}), {{"n", 500}}, 0);
}

TEST(Sampling, LocalArraysAreInterleaved) {
  TestKernel K;
  unsigned B = K.block(-1);
  K.access(B, "t", K.number(12), AccessKind::Load, 4, MemorySpace::Local);
  K.access(B, "t", K.number(16), AccessKind::Load, 16, MemorySpace::Local);
  K.access(B, "t", K.tid() * 4, AccessKind::Load, 4, MemorySpace::Local);
  LaunchSample S =
      sampleLaunch(K.Model, testGpu(), launch({1, 1, 1}, {32, 1, 1}), {});
  EXPECT_EQ(S.Accesses[0].Sectors, 4);
  EXPECT_EQ(S.Accesses[1].Sectors, 16);
  EXPECT_EQ(S.Accesses[2].Sectors, 32); // every lane another index
}

/// Each thread walks along a row, with a guard for the rest of the grid.
static LaunchSample walkRows(double Threads, double Trips) {
  TestKernel K;
  int Loop =
      K.loop(-1, K.parameter("m"), K.context().less(K.id(), K.parameter("n")));
  K.access(K.block(Loop), "a",
           (K.id() * K.parameter("m") + K.counter(Loop)) * 4);
  return sampleLaunch(
      K.Model, testGpu(),
      launch({uint64_t(std::ceil(Threads / 256)), 1, 1}, {256, 1, 1}),
      {{"n", Threads}, {"m", Trips}});
}

TEST(Sampling, WorkIsFlatInTheGridAndInTheTripCount) {
  // The walk of all sampled warps, and the search for the last block with work.
  double MaxEvaluations = 2 * MaxLaneEvaluations;
  for (double Threads = 1e3; Threads <= 1e9; Threads *= 10)
    for (double Trips = 10; Trips <= 1e7; Trips *= 10)
      EXPECT_LE(walkRows(Threads, Trips).LaneEvaluations, MaxEvaluations)
          << Threads << " threads, " << Trips << " iterations";
  EXPECT_NEAR(walkRows(1e9, 1e7).LaneEvaluations,
              walkRows(1e6, 1e4).LaneEvaluations,
              0.2 * walkRows(1e6, 1e4).LaneEvaluations);
}

TEST(Sampling, BlocksWithoutWorkAreFound) {
  // 1000 blocks, of which 700 and a part of one have work.
  TestKernel K;
  K.access(K.block(-1, K.context().less(K.id(), K.parameter("n"))), "a",
           K.id() * 4);
  LaunchSample S =
      sampleLaunch(K.Model, testGpu(), launch({1000, 1, 1}, {256, 1, 1}),
                   {{"n", 700 * 256 + 32}});
  EXPECT_DOUBLE_EQ(S.ActiveBlockFraction, 0.701);
  EXPECT_EQ(S.ActiveGrid, (std::array<uint64_t, 3>{701, 1, 1}));
  EXPECT_DOUBLE_EQ(S.Accesses[0].Requests, 700 * 8 + 1);
  EXPECT_DOUBLE_EQ(S.Accesses[0].Sectors, 700 * 32 + 4);
}

TEST(Sampling, CostDoesNotGrowWithTheGridOrTheTripCount) {
  TestKernel K;
  int Loop = K.loop(-1, K.parameter("n"));
  unsigned B = K.block(Loop, K.context().less(K.id(), K.parameter("n")));
  K.access(B, "a", (K.id('y') * K.parameter("n") + K.counter(Loop)) * 4);
  K.access(B, "b", (K.counter(Loop) * K.parameter("n") + K.id()) * 4);
  auto work = [&](std::array<uint64_t, 3> Grid, double N) {
    return workOf([&] {
      LaunchSample S = sampleLaunch(K.Model, testGpu(),
                                    launch(Grid, {16, 16, 1}), {{"n", N}});
      EXPECT_EQ(S.Warps, double(Grid[0]) * Grid[1] * Grid[2] * 8);
    });
  };
  double Small = work({100, 100, 1}, 1600);
  EXPECT_GT(Small, 0);
  EXPECT_LT(work({1000000000, 1, 1}, 1e9), 3 * Small);
  EXPECT_LT(work({30000, 30000, 2}, 1e9), 3 * Small);
}

TEST(Sampling, EqualInputsGiveEqualResults) {
  TestKernel K = guarded();
  Launch L = launch({5000, 1, 1}, {96, 1, 1});
  LaunchSample A = sampleLaunch(K.Model, testGpu(), L, {{"n", 470001}});
  LaunchSample B = sampleLaunch(K.Model, testGpu(), L, {{"n", 470001}});
  EXPECT_EQ(A.Accesses[0].Sectors, B.Accesses[0].Sectors);
  EXPECT_EQ(A.Paths.size(), B.Paths.size());
}

} // namespace
