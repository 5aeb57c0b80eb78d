/// \file
/// Samples of launches whose executed warps are known, against counts of every
/// lane.
#include "Evaluate/Access/LaneState.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "helpers/TestKernel.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

constexpr unsigned Blocks = 40, WarpsPerBlock = 4, Lanes = 32;

Unknown unknown(llvm::StringRef Name, Unknown::KindType Kind, double Value) {
  Unknown U;
  U.Kind = Kind;
  U.Name = Name.str();
  U.Default = Value;
  return U;
}

/// for (r < rows[thread]) if (flag(thread, r)) y[thread] = ...;
struct GuardedRows {
  TestKernel K;
  unsigned Always, Guarded;
  Launch L = launch({Blocks, 1, 1}, {WarpsPerBlock * Lanes, 1, 1});
  ExecutedLaunch Executed;
  // Counts of the launch.
  double Iterations = 0, Warps = 0, Threads = 0, Sectors = 0, BodyThreads = 0;

  template <typename RowsOf, typename FlagOf>
  GuardedRows(RowsOf Rows, FlagOf Flag) {
    int Loop = K.loop(-1, K.parameter("trips"));
    Always = K.block(Loop);
    Guarded = K.block(Loop, K.parameter("taken"));
    K.access(Guarded, "y", K.id() * 4, AccessKind::Store);
    Executed.Blocks = 2;
    Executed.Loops = Executed.Accesses = 1;
    double AllRows = 0, Taken = 0;
    for (unsigned W = 0; W < Blocks * WarpsPerBlock; ++W) {
      ExecutedWarp Warp;
      Warp.SampledBlock = W / WarpsPerBlock;
      unsigned Trips = 0;
      for (unsigned I = 0; I < Lanes; ++I)
        Trips = std::max<unsigned>(Trips, Rows(W * Lanes + I));
      unsigned Runs = 0;
      for (unsigned R = 0; R < Trips; ++R) {
        std::set<unsigned> Touched;
        unsigned Active = 0;
        for (unsigned I = 0; I < Lanes; ++I) {
          unsigned Thread = W * Lanes + I;
          if (R >= Rows(Thread))
            continue;
          ++AllRows;
          if (!Flag(Thread, R))
            continue;
          ++Active;
          Touched.insert(Thread * 4 / 32);
        }
        Runs += Active > 0;
        Taken += Active;
        Sectors += double(Touched.size());
      }
      Warp.BlockShare = {1, Trips > 0 ? double(Runs) / Trips : 0};
      Warp.LoopShare = {1};
      Warp.LoopTrips = {double(Trips)};
      Iterations += Trips;
      Warps += Runs;
      Executed.Warps.push_back(Warp);
    }
    Threads = Taken;
    BodyThreads = AllRows;
    Executed.BlockLanes = {AllRows / Iterations, Taken / Warps};
    Executed.Counts = {{Warps, Taken, Sectors}};
    K.Model.Unknowns.push_back(unknown("trips", Unknown::TripCount,
                                       Iterations / Executed.Warps.size()));
    K.Model.Unknowns.push_back(
        unknown("taken", Unknown::BranchProbability, Taken / AllRows));
  }

  LaunchSample sample(const ExecutedLaunch *Of) {
    Bindings All;
    for (const Unknown &U : K.Model.Unknowns)
      All[U.Name] = U.Default;
    const LaunchProgram Program(K.Model, testGpu(), L, All);
    LaneState State(Program);
    return sampleLaunch(State, testGpu(), L, 1, Of);
  }

  void check() {
    LaunchSample S = sample(&Executed);
    EXPECT_NEAR(S.LoopWarpIterations[0], Iterations, 1e-6 * Iterations);
    EXPECT_NEAR(S.BlockWarps[Always], Iterations, 1e-6 * Iterations);
    EXPECT_NEAR(S.BlockThreads[Always], BodyThreads, 1e-6 * BodyThreads);
    EXPECT_NEAR(S.BlockWarps[Guarded], Warps, 1e-6 * Warps);
    EXPECT_NEAR(S.BlockThreads[Guarded], Threads, 1e-6 * Threads);
    EXPECT_NEAR(S.Accesses[0].Requests, Warps, 1e-6 * Warps);
    EXPECT_NEAR(S.Accesses[0].Threads, Threads, 1e-6 * Threads);
    EXPECT_NEAR(S.Accesses[0].Sectors, Sectors, 1e-6 * Sectors);
    ASSERT_EQ(S.Paths.size(), Executed.Warps.size());
    ASSERT_EQ(S.Blocks.size(), Blocks);
    EXPECT_EQ(S.Blocks[7].Index[0], 7u);
    EXPECT_NEAR(S.Blocks[7].Weight, 1, 1e-9);
  }
};

// One warp in eight takes the branch with all lanes. If the lanes were
// independent, 1 - (7/8)^32 = 98.6% of the warps would take it.
TEST(ExecutedFlow, WholeWarpsTakeTheBranch) {
  GuardedRows Case(
      [](unsigned) { return 4u; },
      [](unsigned Thread, unsigned) { return Thread / Lanes % 8 == 3; });
  Case.check();
  EXPECT_NEAR(Case.sample(&Case.Executed).BlockWarps[Case.Guarded],
              4.0 * Blocks * WarpsPerBlock / 8, 1e-6);
  EXPECT_GT(Case.sample(nullptr).BlockWarps[Case.Guarded],
            0.98 * 4 * Blocks * WarpsPerBlock);
}

TEST(ExecutedFlow, IndependentLanesWithRowsOfDifferentLength) {
  std::mt19937_64 Random(3);
  std::vector<unsigned> Rows(Blocks * WarpsPerBlock * Lanes);
  for (unsigned &R : Rows)
    R = 1 + Random() % 9;
  std::vector<uint64_t> Flags(Rows.size());
  for (uint64_t &F : Flags)
    F = Random() & Random();
  GuardedRows Case(
      [&](unsigned Thread) { return Rows[Thread]; },
      [&](unsigned Thread, unsigned Row) { return Flags[Thread] >> Row & 1; });
  Case.check();
}

// Half of the warps were traced: the others are taken to be like them.
TEST(ExecutedFlow, AnEarlyEndOfTheTraceLeavesTheLaunchWhole) {
  GuardedRows Case(
      [](unsigned) { return 4u; },
      [](unsigned Thread, unsigned) { return Thread / Lanes % 2 == 0; });
  Case.Executed.Warps.resize(Case.Executed.Warps.size() / 2);
  LaunchSample S = Case.sample(&Case.Executed);
  EXPECT_NEAR(S.BlockWarps[Case.Guarded], Case.Warps, 1e-6);
  double Weight = 0;
  for (const WarpPath &P : S.Paths)
    Weight += P.Weight;
  EXPECT_NEAR(Weight, S.Warps, 1e-6);
}

// A kernel whose control flow is known keeps its sampled warps.
TEST(ExecutedFlow, KnownControlFlowStays) {
  TestKernel K;
  unsigned B = K.block(-1, K.context().less(K.tid(), K.number(16)));
  K.access(B, "x", K.id() * 4);
  ExecutedLaunch Executed;
  Executed.Blocks = Executed.Accesses = 1;
  ExecutedWarp Warp;
  Warp.BlockShare = {0.25};
  Executed.Warps = {Warp};
  Executed.BlockLanes = {32};
  Launch L = launch({Blocks, 1, 1}, {Lanes, 1, 1});
  const LaunchProgram Program(K.Model, testGpu(), L, {});
  LaneState State(Program);
  LaunchSample S = sampleLaunch(State, testGpu(), L, 1, &Executed);
  EXPECT_NEAR(S.BlockWarps[0], Blocks, 1e-9);
  EXPECT_NEAR(S.BlockThreads[0], 16 * Blocks, 1e-9);
}

} // namespace
