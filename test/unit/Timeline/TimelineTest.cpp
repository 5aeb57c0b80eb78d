// The virtual clock on small programs, by hand.
#include "gpu-estimate/Timeline/Timeline.h"

#include "gpu-estimate/Run/DeviceStreams.h"
#include "helpers/RunRecords.h"
#include <chrono>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace gpuestimate;

namespace {

class TimelineTest : public testing::Test {
protected:
  double add(const RunRecord &R) { return Clock.add(R).NowNs; }
  double launch(RunHandle Stream, double Ns, double Share = 1) {
    LaunchCost Cost{Ns, Share};
    return Clock.add(launchOn(Stream), &Cost).NowNs;
  }
  TimelineCosts Costs = testCosts();
  Timeline Clock{Costs};
};

} // namespace

TEST_F(TimelineTest, LaunchReturnsBeforeTheKernelEnds) {
  EXPECT_EQ(launch(0, 50000), 1000);
  EXPECT_EQ(add(waitForDevice()), 1000 + 700 + 50000 + 300);
  TimelineResult R = Clock.finish();
  ASSERT_EQ(R.Operations.size(), 1u);
  EXPECT_EQ(R.Operations[0].StartNs, 1700);
  EXPECT_EQ(R.Operations[0].EndNs, 51700);
  EXPECT_EQ(R.Totals.WallNs, 52000);
  EXPECT_EQ(R.Totals.KernelNs, 50000);
  EXPECT_EQ(R.Totals.CallNs, 1100);
  EXPECT_EQ(R.Totals.WaitNs, 52000 - 1100);
}

TEST_F(TimelineTest, HostTimeIsAddedToTheClock) {
  add(waitForDevice(5000));
  EXPECT_EQ(add(waitForDevice(7000)), 5000 + 100 + 2000 + 100);
}

TEST_F(TimelineTest, SmallLaunchesOfAStreamAreBoundByTheHost) {
  for (int I = 0; I < 10; ++I)
    launch(0, 900);
  EXPECT_EQ(add(waitForDevice()), 10 * 1000 + 700 + 900 + 300);
}

TEST_F(TimelineTest, LongKernelsOfAStreamHaveAGapInBetween) {
  for (int I = 0; I < 10; ++I)
    launch(0, 5000);
  EXPECT_EQ(add(waitForDevice()), 1000 + 700 + 10 * 5000 + 9 * 100 + 300);
}

TEST_F(TimelineTest, GraphOfSmallLaunchesIsBoundByTheGpu) {
  add(callOf(RunGraphLaunch{1, 0, true}));
  for (int I = 0; I < 10; ++I)
    launch(0, 900);
  add(callOf(RunGraphLaunch{1, 0, false}));
  EXPECT_EQ(add(waitForDevice()), 1500 + 700 + 10 * 900 + 300);
}

TEST_F(TimelineTest, KernelsOfTwoStreamsShareTheGpuWhileTheyFit) {
  launch(1, 50000, 0.5);
  launch(2, 50000, 0.5);
  launch(3, 50000, 0.5); // waits for the first one
  add(waitForDevice());
  TimelineResult R = Clock.finish();
  EXPECT_EQ(R.Operations[1].StartNs, 2700);
  EXPECT_EQ(R.Operations[2].StartNs, R.Operations[0].EndNs);
}

TEST_F(TimelineTest, TheDefaultStreamWaitsForBlockingStreamsOnly) {
  add(callOf(RunStream{2, true, false}));
  launch(1, 50000, 0.1);
  launch(2, 90000, 0.1); // non-blocking
  launch(0, 10000, 0.1);
  launch(1, 10000, 0.1); // waits for the default stream
  launch(2, 10000, 0.1); // only for its own
  TimelineResult R = Clock.finish();
  EXPECT_EQ(R.Operations[2].StartNs, R.Operations[0].EndNs + 100);
  EXPECT_EQ(R.Operations[3].StartNs, R.Operations[2].EndNs + 100);
  EXPECT_EQ(R.Operations[4].StartNs, R.Operations[1].EndNs + 100);
}

TEST_F(TimelineTest, DevicesHaveEnginesAndDefaultStreamsOfTheirOwn) {
  launch(0, 50000);
  launch(defaultStream(1), 70000);    // beside the first
  launch(defaultStream(1) + 3, 1000); // waits for its own device's stream
  EXPECT_EQ(add(callOf(RunWait{RunWait::Device, 0})), 1700 + 50000 + 300);
  add(callOf(RunWait{RunWait::Device, defaultStream(1)}));
  TimelineResult R = Clock.finish();
  EXPECT_EQ(R.Operations[1].StartNs, 2700);
  EXPECT_EQ(R.Operations[2].StartNs, 2700 + 70000 + 100);
  EXPECT_EQ(R.Totals.WallNs, R.Operations[2].EndNs + 300);
}

TEST_F(TimelineTest, EventsOrderStreamsAndMeasureTime) {
  add(callOf(RunEventRecord{7, 1}));
  launch(1, 50000, 0.1);
  add(callOf(RunEventRecord{8, 1}));
  add(callOf(RunStreamWait{2, 8}));
  launch(2, 10000, 0.1);
  // The events are not yet there.
  EXPECT_FALSE(Clock.add(callOf(RunElapsed{7, 8})).Ready);
  EXPECT_FALSE(Clock.add(callOf(RunQuery{RunWait::Event, 8})).Ready);
  add(callOf(RunWait{RunWait::Event, 8}));
  RunReply Elapsed = Clock.add(callOf(RunElapsed{7, 8}));
  EXPECT_TRUE(Elapsed.Ready);
  // The second call came 1000 ns after the first.
  EXPECT_DOUBLE_EQ(Elapsed.ElapsedMs, (1000 + 50000) / 1e6);
  EXPECT_TRUE(Clock.add(callOf(RunQuery{RunWait::Event, 8})).Ready);
  EXPECT_FALSE(Clock.add(callOf(RunQuery{RunWait::Stream, 2})).Ready);
  TimelineResult R = Clock.finish();
  EXPECT_EQ(R.Operations[4].StartNs, R.Operations[1].EndNs + 100);
}

TEST_F(TimelineTest, PinnedCopiesOverlapKernelsAndEachOther) {
  launch(1, 500000);
  add(copyOf(RunCopyKind::HostToDevice, 1000000, true, true, 2));
  add(copyOf(RunCopyKind::DeviceToHost, 1000000, true, true, 3));
  add(copyOf(RunCopyKind::HostToDevice, 1000000, true, true, 4));
  TimelineResult R = Clock.finish();
  EXPECT_EQ(R.Operations[1].StartNs, 1000 + 2000 + 700);
  EXPECT_EQ(R.Operations[1].EndNs - R.Operations[1].StartNs, 800 + 100000);
  EXPECT_EQ(R.Operations[2].StartNs, 1000 + 4000 + 700);
  EXPECT_EQ(R.Operations[3].StartNs, R.Operations[1].EndNs);
  EXPECT_EQ(R.Totals.WallNs, 1000 + 700 + 500000 + 300);
}

TEST_F(TimelineTest, PageableCopiesAreStagedAndKeepTheHost) {
  launch(1, 50000);
  // Waits for the kernel of its stream, then is copied twice.
  double After =
      add(copyOf(RunCopyKind::HostToDevice, 1000000, false, true, 1));
  EXPECT_EQ(After, 1700 + 50000 + 300 + 700 + 800 + 100000 + 200000 + 300);
  // A small one goes with the command.
  launch(1, 50000);
  double Before = After + 1000;
  EXPECT_EQ(add(copyOf(RunCopyKind::HostToDevice, 1000, false, false, 1)),
            Before + 2000 + 200);
}

TEST_F(TimelineTest, FreeWaitsForTheDeviceUnlessItIsOrderedByAStream) {
  launch(1, 50000);
  EXPECT_EQ(add(callOf(RunFree{64, true})), 1100);
  EXPECT_EQ(add(callOf(RunFree{64, false})), 1700 + 50000 + 300);
}

TEST_F(TimelineTest, TheEndOfTheProgramWaitsForTheGpu) {
  launch(1, 50000);
  EXPECT_EQ(add(callOf(RunExit(), 0, "")), 52000);
  EXPECT_EQ(Clock.finish().Totals.WallNs, 52000);
}

TEST_F(TimelineTest, TheCriticalPathNamesWhatTheWallTimeIs) {
  add(copyOf(RunCopyKind::HostToDevice, 1000000, true, false, 0, 4000));
  launch(0, 50000);
  add(copyOf(RunCopyKind::DeviceToHost, 1000, true, false, 0, 6000));
  TimelineResult R = Clock.finish();
  double Sum = 0;
  for (const CriticalPiece &P : R.CriticalPath)
    Sum += P.Ns;
  EXPECT_DOUBLE_EQ(Sum, R.Totals.WallNs);
  ASSERT_FALSE(R.CriticalPath.empty());
  EXPECT_EQ(R.CriticalPath[0].What, "copies to the GPU");
  EXPECT_EQ(R.CriticalPath[0].Ns, 100800);
  EXPECT_EQ(R.CriticalPath[1].What, "kernels");
}

TEST(LaunchCost, TheShareIsThatOfTheMostUsedResource) {
  GpuModel Gpu;
  Gpu.SmCount = 100;
  Gpu.CoreClock = Hertz(1e9);
  Prediction P;
  P.Time = Seconds(11e-6);
  P.Execution = Seconds(10e-6); // 10000 cycles
  P.Occ.Waves = 0.1;
  P.Used.Grid = {50, 1, 1};
  EXPECT_DOUBLE_EQ(launchCost(P, Gpu).Ns, 11000);
  EXPECT_DOUBLE_EQ(launchCost(P, Gpu).Share, 0.1);
  P.Bounds = {{"issue", Cycles(8000)}, {"latency", Cycles(10000)}};
  EXPECT_DOUBLE_EQ(launchCost(P, Gpu).Share, 0.4); // half of the SMs
  P.Bounds.push_back({"dram-bandwidth", Cycles(9000)});
  EXPECT_DOUBLE_EQ(launchCost(P, Gpu).Share, 0.9);
  P.Occ.Waves = 3;
  EXPECT_DOUBLE_EQ(launchCost(P, Gpu).Share, 1);
}

TEST_F(TimelineTest, PagesThatTheGpuTouchesMigrateBeforeTheKernel) {
  add(migrationOf(RunCopyKind::HostToDevice, 400000, RunMigration::Faults));
  launch(0, 50000);
  double Migrated = 700 + 40000 + 100000;
  EXPECT_EQ(add(waitForDevice()), Migrated + 50000 + 100 + 300);
  // The host, which reads them, waits for its faults.
  double Now =
      add(migrationOf(RunCopyKind::DeviceToHost, 4000, RunMigration::Faults));
  EXPECT_EQ(add(callOf(RunCall{})), Now + 100);
  TimelineResult R = Clock.finish();
  EXPECT_EQ(R.Operations[0].Migration, RunMigration::Faults);
  EXPECT_EQ(R.Operations[1].StartNs, R.Operations[0].EndNs + 100);
  EXPECT_EQ(R.Operations[2].Kind, OperationKind::CopyOut);
  EXPECT_EQ(R.Operations[2].EndNs - R.Operations[2].StartNs, 41000);
}

TEST_F(TimelineTest, PrefetchedPagesMoveAtTheRateOfTheLink) {
  add(migrationOf(RunCopyKind::HostToDevice, 400000, RunMigration::Prefetch));
  launch(0, 50000);
  add(waitForDevice());
  TimelineResult R = Clock.finish();
  EXPECT_EQ(R.Operations[0].EndNs - R.Operations[0].StartNs, 800 + 40000);
  EXPECT_GE(R.Operations[1].StartNs, R.Operations[0].EndNs);
}

TEST_F(TimelineTest, SaysWhatItLeavesOut) {
  for (int I = 0; I < 2; ++I) {
    add(callOf(RunAllocation{64, 64, RunMemory::Managed, ""}));
    add(callOf(RunLibraryCall{"cufftExecC2C", {}, "", "", "", 0}));
  }
  EXPECT_EQ(
      Clock.finish().Assumptions,
      (std::vector<std::string>{
          "pages of managed memory migrate whole buffer by buffer, when a "
          "launch has the buffer as an argument after the host has "
          "written to it; the host reads what kernels wrote when it "
          "frees the buffer",
          "cufftExecC2C takes no time on the GPU: there is no model of "
          "it"}));
}

TEST(Timeline, NamesTheAssumptionsThatItUses) {
  TimelineCosts Costs = testCosts();
  Costs.CopyCallNs.Assumption = "calls";
  Costs.StagingRate.Assumption = "staging";
  Costs.LinkRate.Assumption = "link";
  Costs.AllocateNs.Assumption = "allocation";
  auto Assumed = [&](RunCopyKind Kind, bool Pinned) {
    Timeline Clock(Costs);
    Clock.add(callOf(RunCopy{Kind, 1 << 20, Pinned, false, 0}));
    return Clock.finish().Assumptions;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Assumed(RunCopyKind::HostToDevice, true), Texts({"link", "calls"}));
  EXPECT_EQ(Assumed(RunCopyKind::DeviceToHost, false),
            Texts({"link", "staging", "calls"}));
  EXPECT_EQ(Assumed(RunCopyKind::DeviceToDevice, false), Texts({"calls"}));
}

TEST_F(TimelineTest, UnusableNumbersDoNoHarm) {
  launch(1, std::numeric_limits<double>::quiet_NaN(), -1);
  launch(1, -5, 1e300);
  launch(1, std::numeric_limits<double>::infinity());
  add(callOf(RunWait{RunWait::Event, 99}));
  add(callOf(RunGraphLaunch{1, 0, false}));
  add(callOf(RunQuery{RunWait::Stream, ~RunHandle(0)}));
  EXPECT_LT(Clock.finish().Totals.WallNs, 1e6);
}

TEST_F(TimelineTest, AnyOrderOfRecordsIsTaken) {
  // Graphs without an end, events never recorded, streams never made.
  for (unsigned Seed = 0; Seed < 200; ++Seed) {
    std::mt19937 Random(Seed);
    auto Pick = [&](unsigned Count) { return Random() % Count; };
    Timeline Any(testCosts());
    LaunchCost Cost{1000, 0.5};
    double LastNs = 0;
    for (unsigned I = 0; I < 100; ++I) {
      RunHandle A = Pick(4), B = Pick(4);
      decltype(RunRecord::What) All[] = {
          RunCall(),
          RunLaunch(),
          RunFree{1, Pick(2) != 0},
          RunCopy{static_cast<RunCopyKind>(Pick(5)), Pick(1000000),
                  Pick(2) != 0, Pick(2) != 0, A},
          RunMemset{1, 100, true, A},
          RunStream{A, Pick(2) != 0, Pick(2) != 0},
          RunEventRecord{A, B},
          RunStreamWait{A, B},
          RunHostFunction{A, 500},
          RunGraphLaunch{1, A, Pick(2) != 0},
          RunWait{static_cast<RunWait::KindType>(Pick(3)), A},
          RunElapsed{A, B},
          RunQuery{static_cast<RunWait::KindType>(Pick(3)), A}};
      RunReply Reply =
          Any.add(callOf(All[Pick(std::size(All))], I * 100.0), &Cost);
      EXPECT_GE(Reply.NowNs, LastNs);
      LastNs = Reply.NowNs;
    }
    TimelineResult R = Any.finish();
    double Sum = 0;
    for (const CriticalPiece &P : R.CriticalPath)
      Sum += P.Ns;
    EXPECT_NEAR(Sum, R.Totals.WallNs, 1e-3) << Seed;
    for (const TimelineOperation &O : R.Operations)
      EXPECT_TRUE(O.StartNs <= O.EndNs && O.EndNs <= R.Totals.WallNs) << Seed;
  }
}

TEST_F(TimelineTest, ARecordCostsConstantTime) {
  auto Measure = [](unsigned Count) {
    auto Begin = std::chrono::steady_clock::now();
    Timeline Clock(testCosts());
    LaunchCost Cost{3000, 0.3};
    for (unsigned I = 0; I < Count; ++I) {
      Clock.add(launchOn(I % 16), &Cost);
      if (I % 1000 == 999)
        Clock.add(waitForDevice());
    }
    Clock.finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         Begin)
        .count();
  };
  Measure(1000);
  // Linear would be 8; the bound leaves room for a busy machine.
  EXPECT_LT(Measure(160000), 64 * Measure(20000));
}
