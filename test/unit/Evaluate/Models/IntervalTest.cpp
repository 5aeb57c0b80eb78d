/// \file
/// The interval model against the worked examples of GPUMech's slides, and
/// warp profiles against hand-made kernels.
#include "Evaluate/Models/Interval.h"
#include "Evaluate/Models/LoadEvents.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Three instructions, then a stall of 18 cycles.
WarpProfile slideProfile() {
  WarpProfile P;
  P.Intervals.push_back({1, 3, 18, 0, 0, 0});
  P.Stalls.Dependency = 18;
  return P;
}

/// Slides: 4 warps take turns; the first one's 3 instructions take 3 cycles
/// and 6 more, two waiting slots for each of 3 other warps that always have an
/// instruction.
TEST(Interval, RoundRobinExample) {
  WarpInterval I{1, 3, 18, 0, 0, 0};
  EXPECT_DOUBLE_EQ(nonHidingRoundRobin(I, 4, 1, 1), 6);
  // They have one as often as a warp issues: 3 of 21 cycles.
  EXPECT_DOUBLE_EQ(issueProbability(slideProfile(), 1), 3.0 / 21);
  IntervalMachine M;
  M.Warps = 4;
  M.Order = WarpOrder::RoundRobin;
  EXPECT_DOUBLE_EQ(intervalStack(slideProfile(), M).cycles(),
                   3 + 18 + 6 * 3.0 / 21);
}

/// Without any stall the warps just take turns: all instructions of all warps.
TEST(Interval, RoundRobinOfBusyWarps) {
  WarpProfile P;
  P.Intervals.push_back({1, 10, 0, 0, 0, 0});
  IntervalMachine M;
  M.Warps = 4;
  M.Order = WarpOrder::RoundRobin;
  EXPECT_DOUBLE_EQ(intervalStack(P, M).cycles(), 40);
}

/// The slide's interval hides 3 warps of 3 instructions, and not 9 warps.
TEST(Interval, GreedyHidesWhatFitsTheStall) {
  WarpProfile P = slideProfile();
  IntervalMachine M;
  M.Warps = 4;
  EXPECT_DOUBLE_EQ(intervalStack(P, M).cycles(), 21);
  // All of 15 others issue in the stall (probability 3/21 * 18 > 1).
  M.Warps = 16;
  EXPECT_DOUBLE_EQ(intervalStack(P, M).NonHiding, 15 * 3 - 18);
  EXPECT_DOUBLE_EQ(intervalStack(P, M).cycles(), 16 * 3);
}

/// Slides: 4 warps with 2 requests each and 4 entries: two warps do not wait,
/// two wait for one miss.
TEST(Interval, MissQueueExample) {
  EXPECT_DOUBLE_EQ(missQueue(8, 4), 0.5);
  EXPECT_DOUBLE_EQ(missQueue(4, 4), 0);
  EXPECT_DOUBLE_EQ(missQueue(3, 4), 0);
  // The mean of ceil(j / M) over all j, minus one.
  for (unsigned R : {5, 7, 12, 33, 100})
    for (unsigned M : {1, 4, 32}) {
      double Sum = 0;
      for (unsigned J = 1; J <= R; ++J)
        Sum += std::ceil(double(J) / M);
      EXPECT_NEAR(missQueue(R, M), Sum / R - 1, 1e-12) << R << " " << M;
    }
}

TEST(Interval, DramQueueIsMD1ThenTheBatch) {
  // 10 requests of 2 cycles in 100: rho 0.2.
  EXPECT_DOUBLE_EQ(dramQueue(10, 2, 100), 0.1 * 4 / (2 * 0.8));
  EXPECT_DOUBLE_EQ(dramQueue(100, 2, 100), 100);
  EXPECT_DOUBLE_EQ(dramQueue(0, 2, 100), 0);
  double Before = 0;
  for (double Requests = 1; Requests < 200; Requests += 0.5) {
    double Wait = dramQueue(Requests, 2, 100);
    EXPECT_GE(Wait, Before) << Requests; // also across rho = 1
    Before = Wait;
  }
}

TEST(Interval, StackIsTheSumOfItsParts) {
  WarpProfile P;
  P.Intervals.push_back({10, 5, 300, 4, 4, 1});
  P.Intervals.push_back({1, 2, 0, 0, 0, 0});
  P.Stalls.Dram = 3000;
  IntervalMachine M;
  M.Warps = 32;
  M.Schedulers = 4;
  M.Entries = 64;
  M.MissLatency = 400;
  M.TransactionCycles = 2;
  M.Multiprocessors = 4;
  IntervalStack S = intervalStack(P, M);
  EXPECT_DOUBLE_EQ(S.Issue, 52);
  EXPECT_DOUBLE_EQ(S.Stalls.sum(), P.stall());
  EXPECT_DOUBLE_EQ(S.MissQueue, 10 * 400 * 0.5); // 128 misses, 64 entries
  EXPECT_DOUBLE_EQ(S.DramQueue, 10 * (64 + 32) * 4 * 2 / 2.0);
  EXPECT_DOUBLE_EQ(S.cycles(), S.Issue + S.NonHiding + S.Stalls.sum() +
                                   S.MissQueue + S.DramQueue);
}

/// The chain by stepping all warps: each stalled one wakes up by chance, then
/// one that was ready issues and may stall.
double steppedUtilisation(unsigned Warps, double Stalls, double StallCycles) {
  std::mt19937 Random(11);
  std::uniform_real_distribution<double> Chance;
  unsigned Stalled = 0;
  double Busy = 0;
  constexpr unsigned Steps = 60000;
  for (unsigned S = 0; S < Steps; ++S) {
    unsigned Woken = 0;
    for (unsigned W = 0; W < Stalled; ++W)
      Woken += Chance(Random) < 1 / StallCycles;
    bool Issues = Stalled < Warps;
    Busy += Issues;
    Stalled -= Woken;
    Stalled += Issues && Chance(Random) < Stalls;
  }
  return Busy / Steps;
}

TEST(Interval, MarkovChainAgreesWithSteppingIt) {
  for (unsigned Warps : {1, 2, 4, 12})
    for (double Stalls : {0.05, 0.3, 1.0})
      for (double Cycles : {2.0, 20.0, 100.0})
        EXPECT_NEAR(markovUtilisation(Warps, Stalls, Cycles),
                    steppedUtilisation(Warps, Stalls, Cycles), 0.02)
            << Warps << " " << Stalls << " " << Cycles;
  // One warp: an instruction, then the stalls that it has on average.
  EXPECT_NEAR(markovUtilisation(1, 0.25, 40), 1 / (1 + 0.25 * 40), 1e-12);
  EXPECT_NEAR(markovUtilisation(64, 0.01, 4), 1, 1e-9);
  EXPECT_EQ(markovUtilisation(8, 0, 100), 1);
  for (double Cycles : {1.0, 1e6}) // no division by zero, no overflow
    EXPECT_TRUE(std::isfinite(markovUtilisation(64, 1, Cycles)));
}

TEST(Interval, RepresentativeIsNearTheCentreOfTheLargerCluster) {
  // 90 short warps around 100 instructions, 10 long ones.
  std::vector<ProfilePoint> Points = {
      {90, 0.5, 20}, {100, 0.5, 50}, {110, 0.5, 20}, {1000, 0.1, 10}};
  EXPECT_EQ(representativeOf(Points), 1u);
  Points.back().Weight = 1000;
  EXPECT_EQ(representativeOf(Points), 3u);
  EXPECT_EQ(representativeOf(ProfilePoint{1, 1, 1}), 0u);
}

/// A kernel with what profileWarp wants of it.
struct ProfileUnderTest {
  ProfileUnderTest(const OpKernel &K, const std::vector<AccessFacts> &Facts)
      : Kernel(K.Model), G(plainGpu()), L(launch({1, 1, 1}, {32, 1, 1})),
        Occ(llvm::cantFail(computeOccupancy(G, Kernel.Res, L))),
        Uniform(uniformLaunch(Kernel, G, L, {}, Facts)),
        Schedule(scheduleBlocks(Kernel)),
        Costs(Kernel, G, Uniform.Sample, Uniform.Flow, Schedule, 1,
              Occ.WarpsPerSm),
        Work(measureWorkload(Kernel, G, L, All, Uniform.Sample, Uniform.Flow,
                             Costs, Schedule)),
        In{Kernel,       G,        L,     All, Occ, Options, Uniform.Sample,
           Uniform.Flow, Schedule, Costs, Work} {}
  WarpProfile profile() {
    std::optional<RepresentativeWarp> Path = representativePath(In);
    EXPECT_EQ(Path->Path.LoopTrips, Uniform.Sample.Paths.front().LoopTrips);
    return profileWarp(In, *Path);
  }
  KernelModel Kernel;
  GpuModel G;
  Launch L;
  Bindings All;
  Occupancy Occ;
  UniformLaunch Uniform;
  std::vector<BlockSchedule> Schedule;
  OperationCosts Costs;
  Workload Work;
  EvaluateOptions Options;
  ModelInputs In;
};

/// A load from DRAM and an addition that waits for it, 100 times.
OpKernel chase() {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  int Loop = K.loop(-1, K.number(100));
  K.block(Loop);
  unsigned Load = K.load("a", {}, K.tid() * 4 + K.counter(Loop) * 128);
  K.op(OpClass::Fp32Add, {{Load, false}});
  return K;
}

TEST(Interval, ProfileOfALoopOfMisses) {
  ProfileUnderTest T(chase(), {{0, 0, 4, 1}});
  WarpProfile P = T.profile();
  EXPECT_NEAR(P.instructions(), 200, 1e-9);
  // Each iteration waits for DRAM: 500 cycles less the slot of the load.
  EXPECT_NEAR(P.count(), 101, 1e-9); // the last addition has no stall behind it
  EXPECT_NEAR(P.stall(), 100 * 499, 1);
  EXPECT_NEAR(P.Stalls.Dram, P.stall(), 1e-6);
  EXPECT_EQ(P.Stalls.Dependency, 0);
}

// Of executed warps, three of four with 10 iterations and one with 1000, one of
// the many stands for all; without them the closed form's path does.
TEST(Interval, ExecutedWarpsAreClustered) {
  ProfileUnderTest T(chase(), {{0, 0, 4, 1}});
  ExecutedLaunch Executed;
  Executed.Blocks = T.Kernel.Blocks.size();
  Executed.Loops = T.Kernel.Loops.size();
  Executed.Accesses = T.Kernel.Accesses.size();
  for (double Trips : {10.0, 10.0, 1000.0, 10.0})
    Executed.Warps.push_back({1, 0, {1}, {1}, {Trips}});
  T.Options.Executed = &Executed;
  EXPECT_NEAR(profileWarp(T.In, *representativePath(T.In)).instructions(), 20,
              1e-9);
  // The larger cluster is by the warps of the launch.
  Executed.Warps[2].Weight = 5;
  EXPECT_NEAR(profileWarp(T.In, *representativePath(T.In)).instructions(), 2000,
              1e-9);
  // Those of another kernel mean nothing.
  ++Executed.Loops;
  EXPECT_NEAR(profileWarp(T.In, *representativePath(T.In)).instructions(), 200,
              1e-9);
}

// The requests with the longest reuse distances miss; equal ones take turns.
TEST(LoadEvents, LongestDistancesMissFirst) {
  using enum LoadEvent;
  double First = INFINITY;
  std::vector<double> Rows = {First, 992, 992, 992, First, 992, 992, 992};
  EXPECT_EQ(eventsOf(Rows, {0.75, 0.25, 0}),
            (std::vector{L2, L1, L1, L1, L2, L1, L1, L1}));
  EXPECT_EQ(eventsOf(Rows, {0.75, 0.125, 0.125}),
            (std::vector{Dram, L1, L1, L1, L2, L1, L1, L1}));
  EXPECT_EQ(eventsOf(Rows, {0.25, 0.75, 0}),
            (std::vector{L2, L2, L2, L1, L2, L2, L2, L1}));
  EXPECT_EQ(eventsOf(std::vector<double>(4, First), {0.5, 0, 0.5}),
            (std::vector{Dram, L1, Dram, L1}));
  EXPECT_TRUE(eventsOf({}, {0.5, 0.5, 0}).empty());
}

// Loads of a block miss together as they did when they were executed, and the
// shares of the combinations are those of the executions.
TEST(LoadEvents, CombinationsAreThoseOfTheExecutions) {
  using enum LoadEvent;
  OpKernel K;
  int Loop = K.loop(-1, K.number(100));
  K.block(Loop);
  K.load("a", {}, K.tid() * 4 + K.counter(Loop) * 128);
  K.load("b", {}, K.tid() * 4 + K.counter(Loop) * 128);
  K.block(-1);
  K.load("c");
  ExecutedWarp Warp;
  Warp.ReuseBytes = {{INFINITY, 0, INFINITY, 0}, {INFINITY, 0, 0, 0}, {}};
  std::vector<LevelShares> Shares = {{0.5, 0.5, 0}, {0.75, 0, 0.25}, {}};
  std::vector<EventCombination> All = combineEvents(K.Model, &Warp, Shares);
  ASSERT_EQ(All.size(), 3u);
  EXPECT_DOUBLE_EQ(All[0].Weight, 0.5);
  EXPECT_EQ(All[0].Events, (std::vector{L1, L1, Mean}));
  EXPECT_DOUBLE_EQ(All[1].Weight, 0.25);
  EXPECT_EQ(All[1].Events, (std::vector{L2, L1, Mean}));
  EXPECT_EQ(All[2].Events, (std::vector{L2, Dram, Mean}));
  // A load of another block: its misses fall together with the longest waits.
  Warp.ReuseBytes[2] = {INFINITY, 0, 0, 0};
  Shares[2] = {0.75, 0, 0.25};
  All = combineEvents(K.Model, &Warp, Shares);
  ASSERT_EQ(All.size(), 3u);
  EXPECT_EQ(All[0].Events, (std::vector{L1, L1, L1}));
  EXPECT_EQ(All[2].Events, (std::vector{L2, Dram, Dram}));
  // Without an execution, means.
  All = combineEvents(K.Model, nullptr, Shares);
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Events, (std::vector{Mean, Mean, Mean}));
}

// A load that hits and misses in turns makes short and long intervals, and the
// misses are in the long ones. Their mean stays what it is without events.
TEST(Interval, LoadsOfAnExecutedWarpHitOrMissOneByOne) {
  ProfileUnderTest T(chase(), {{0.5, 0, 4, 1}});
  WarpProfile Means = T.profile();
  ExecutedLaunch Executed;
  Executed.Blocks = T.Kernel.Blocks.size();
  Executed.Loops = T.Kernel.Loops.size();
  Executed.Accesses = T.Kernel.Accesses.size();
  Executed.Warps.push_back({1, 0, {1}, {1}, {100}, {{INFINITY, 0}}});
  T.Options.Executed = &Executed;
  WarpProfile Events = T.profile();
  EXPECT_NEAR(Means.count(), 101, 1e-9);
  EXPECT_NEAR(Events.count(), 101, 1e-9);
  EXPECT_NEAR(Events.instructions(), Means.instructions(), 1e-9);
  EXPECT_NEAR(Events.stall(), Means.stall(), 1e-6);
  EXPECT_NEAR(Events.Stalls.Dram, 50 * 499, 50);
  EXPECT_NEAR(Events.Stalls.L1, 50 * 29, 50);
  double Short = 0, Long = 0, Misses = 0, AllMisses = 0;
  for (const WarpInterval &I : Events.Intervals) {
    Short += I.Stall > 20 && I.Stall < 40 ? I.Count : 0;
    Long += I.Stall > 450 ? I.Count : 0;
    Misses += I.Stall > 450 ? I.Count * I.Misses : 0;
    AllMisses += I.Count * I.Misses;
  }
  EXPECT_NEAR(Short, 50, 1);
  EXPECT_NEAR(Long, 50, 1);
  EXPECT_NEAR(Misses, AllMisses, AllMisses / 25);
  double MissesOfMeans = 0;
  for (const WarpInterval &I : Means.Intervals)
    MissesOfMeans += I.Count * I.Misses;
  EXPECT_NEAR(AllMisses, MissesOfMeans, 1e-6);
}

TEST(Interval, StallIsDividedAsTheLatencyIs) {
  ProfileUnderTest T(chase(), {{0.5, 0.5, 4, 1}});
  WarpProfile P = T.profile();
  // 0.5 * 30 + 0.25 * 200 + 0.25 * 500 = 190 cycles.
  EXPECT_NEAR(P.Stalls.L1 / P.stall(), 15.0 / 190, 1e-6);
  EXPECT_NEAR(P.Stalls.L2 / P.stall(), 50.0 / 190, 1e-6);
  EXPECT_NEAR(P.Stalls.Dram / P.stall(), 125.0 / 190, 1e-6);
  EXPECT_NEAR(P.Stalls.sum(), P.stall(), 1e-6);
}

TEST(Interval, ProfileKeepsEveryInstruction) {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  K.block(-1);
  unsigned A = K.load("a");
  int Outer = K.loop(-1, K.number(7));
  K.block(Outer);
  K.op(OpClass::IntAdd);
  int Inner = K.loop(Outer, K.number(33));
  K.block(Inner);
  unsigned F = K.op(OpClass::Fp32Fma, {{A, false}});
  K.Model.Operations[F].Operands.push_back({F, true});
  K.block(-1);
  K.store("c", {{F, false}});
  ProfileUnderTest T(K, {{0, 1, 4, 1}, {0, 1, 4, 1}});
  WarpProfile P = T.profile();
  EXPECT_NEAR(P.instructions(), 1 + 7 * (1 + 33) + 1, 1e-6);
  EXPECT_GT(P.Stalls.Dependency, 0); // the chain of multiply-adds
  EXPECT_GT(P.Stalls.L2, 0);         // the load in front of it
}

Prediction predict(const OpKernel &K, WarpOrder Order) {
  EvaluateOptions Options;
  Options.Model = "interval";
  Options.Order = Order;
  GpuModel G = plainGpu();
  G.MaxBytesInFlightPerSm = Bytes(32768);
  auto P =
      evaluate(K.Model, G, launch({1 << 12, 1, 1}, {256, 1, 1}), {}, Options);
  if (P)
    return *P;
  ADD_FAILURE() << llvm::toString(P.takeError());
  return {};
}

TEST(Interval, PredictsWithBothOrders) {
  for (WarpOrder Order : {WarpOrder::RoundRobin, WarpOrder::GreedyThenOldest}) {
    Prediction P = predict(chase(), Order);
    EXPECT_EQ(checkConsistency(P), "");
    std::map<std::string, double> V(P.Intermediates.begin(),
                                    P.Intermediates.end());
    // CPI times instructions is the time.
    EXPECT_NEAR(V.at("CPI") * P.Count.WarpInstructions / 4 / 1e9,
                P.Time.value(), 1e-9 * P.Time.value());
  }
}

/// Loads of lines that no other warp uses, each waited for.
OpKernel stream() {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  int Loop = K.loop(-1, K.number(16));
  K.block(Loop);
  unsigned Load = K.load("a", {}, (K.id() + K.counter(Loop) * 1048576) * 4);
  K.op(OpClass::Fp32Add, {{Load, false}});
  return K;
}

llvm::Expected<Prediction>
predicted(GpuModel G, llvm::ArrayRef<const char *> Without = {}) {
  EvaluateOptions Options;
  Options.Model = "interval";
  for (const char *Term : Without)
    Options.Without.insert(Term);
  return evaluate(stream().Model, G, launch({4096, 1, 1}, {256, 1, 1}), {},
                  Options);
}

TEST(Interval, NoMissWaitsWhereNobodyKnowsHowManyAreInFlight) {
  GpuModel G = plainGpu();
  G.MaxBytesInFlightPerSm = Bytes(4096);
  auto Known = predicted(G, {"dram-queue", "outstanding"});
  G.MaxBytesInFlightPerSm.reset();
  auto Unknown = predicted(G, {"dram-queue"});
  ASSERT_TRUE(Known && Unknown);
  EXPECT_NEAR(Unknown->Time.value(), Known->Time.value(), 1e-12);
  EXPECT_TRUE(llvm::any_of(Unknown->Premises, [](const std::string &Premise) {
    return llvm::StringRef(Premise).contains("memory.bytes_in_flight");
  }));
}

// Multithreading alone, with the queue of misses, and with that of DRAM: what
// the paper compares.
TEST(Interval, QueuesCanBeSwitchedOff) {
  GpuModel G = plainGpu();
  G.MaxBytesInFlightPerSm = Bytes(4096);
  auto All = predicted(G), Mshr = predicted(G, {"dram-queue"}),
       Threads = predicted(G, {"dram-queue", "outstanding"});
  ASSERT_TRUE(All && Mshr && Threads);
  EXPECT_LT(Threads->Time.value(), Mshr->Time.value());
  EXPECT_LT(Mshr->Time.value(), All->Time.value());
  llvm::Expected<Prediction> Other = predicted(G, {"tail"});
  ASSERT_FALSE(bool(Other));
  EXPECT_NE(llvm::toString(Other.takeError()).find("outstanding, dram-queue"),
            std::string::npos);
}

// The busiest pipe is a floor: fp64 of a 32nd of the rate.
TEST(Interval, PipesHoldBackWhatIssueSlotsDoNot) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 64; ++I)
    K.op(OpClass::Fp64Fma);
  GpuModel G = plainGpu();
  G.Ops[unsigned(OpClass::Fp64Fma)].Throughput = 1;
  EvaluateOptions Options;
  Options.Model = "interval";
  auto P = evaluate(K.Model, G, launch({4096, 1, 1}, {256, 1, 1}), {}, Options);
  ASSERT_TRUE(bool(P));
  double Blocks = 4096 / 4, Instructions = Blocks * 8 * 64;
  EXPECT_NEAR((P->Time * G.CoreClock).value(), Instructions * 32,
              Instructions * 0.32);
}

} // namespace
