/// \file
/// The time of sequences with loops, choices and graphs.
#include "Session/Pipeline/SequenceTotals.h"
#include "helpers/GpuModelTesting.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

class SequenceTotals : public ::testing::Test {
protected:
  /// A kernel that takes so many microseconds.
  void kernel(const char *Name, double Us) {
    Prediction &P = Estimates.emplace_back();
    P.Kernel = P.Name = Name;
    P.Gpu = Gpu.Id;
    P.Time = Seconds(Us * 1e-6);
    P.Used.Grid = P.Used.Block = {1, 1, 1};
  }
  size_t step(SequenceStep::RoleType Role, std::optional<size_t> Parent = {},
              const char *Part = "") {
    SequenceStep &Step = Sequence.Steps.emplace_back();
    Step.Role = Role;
    Step.Parent = Parent;
    Step.Part = Part;
    Step.Line = Sequence.Steps.size();
    return Sequence.Steps.size() - 1;
  }
  void launch(const char *Kernel, std::optional<size_t> Parent = {},
              const char *Part = "") {
    Sequence.Steps[step(SequenceStep::Launch, Parent, Part)].Kernel = Kernel;
  }
  size_t loop(std::optional<uint64_t> Iterations,
              std::optional<size_t> Parent = {}, const char *Part = "") {
    size_t Loop = step(SequenceStep::Loop, Parent, Part);
    Sequence.Steps[Loop].Iterations = Iterations;
    Sequence.Steps[Loop].Kind = "kWhile";
    return Loop;
  }
  SequenceTotal total() {
    std::vector<const Prediction *> Known;
    for (const Prediction &P : Estimates)
      Known.push_back(&P);
    std::vector<SequenceTotal> Totals = sequenceTotals(Sequence, Known, {Gpu});
    EXPECT_EQ(Totals.size(), 1u);
    return Totals.front();
  }
  static double us(Seconds Time) { return Time.value() * 1e6; }

  GpuModel Gpu = gpuestimate::testing::shipped("nvidia-h100-sxm");
  LaunchSequence Sequence;
  std::vector<Prediction> Estimates;
};

TEST_F(SequenceTotals, NestedLoopsMultiply) {
  kernel("outside", 10);
  kernel("inside", 20);
  kernel("condition", 100);
  size_t Outer = loop(3);
  launch("condition", Outer, "condition");
  launch("outside", Outer, "body");
  size_t Inner = loop(5, Outer, "body");
  launch("inside", Inner, "body");
  SequenceTotal T = total();
  EXPECT_EQ(T.Launches, 3 + 15);
  EXPECT_NEAR(us(T.KernelTime), 3 * 10 + 15 * 20, 1e-6);
  EXPECT_TRUE(T.NotPredicted.empty());
  // Each of the launches waits for the host as the first one does, but for
  // the way to the GPU and back.
  double Idle = us(T.IdleTime);
  EXPECT_GT(Idle, 0);
  EXPECT_LT(Idle, 18 * 5);
  Sequence.Steps[Outer].Iterations = 6;
  EXPECT_NEAR(us(total().KernelTime), 6 * 10 + 30 * 20, 1e-6);
}

/// A loop has the time of its iterations one after the other.
TEST_F(SequenceTotals, LoopIsItsIterationsInARow) {
  kernel("k", 7);
  for (unsigned N = 0; N < 4; ++N)
    launch("k");
  SequenceTotal Row = total();
  Sequence.Steps.clear();
  launch("k", loop(4), "body");
  EXPECT_NEAR(us(total().Time), us(Row.Time), 1e-6);
  EXPECT_NEAR(us(total().IdleTime), us(Row.IdleTime), 1e-6);
}

TEST_F(SequenceTotals, UnknownLoopIsOneIterationWithItsCondition) {
  kernel("k", 7);
  kernel("condition", 3);
  size_t Loop = loop(std::nullopt);
  launch("condition", Loop, "condition");
  launch("k", Loop, "body");
  SequenceTotal T = total();
  EXPECT_EQ(T.Launches, 2);
  ASSERT_EQ(T.NotPredicted.size(), 1u);
  EXPECT_EQ(T.NotPredicted[0].What, "kWhile");
  EXPECT_EQ(T.NotPredicted[0].Line, 1u);
}

TEST_F(SequenceTotals, LongestBranchCounts) {
  kernel("short", 1);
  kernel("long", 50);
  size_t Choice = step(SequenceStep::Choice);
  launch("short", Choice, "branch_0");
  launch("long", Choice, "branch_1");
  launch("short", Choice, "branch_2");
  launch("short", Choice, "branch_2");
  SequenceTotal T = total();
  EXPECT_EQ(T.Launches, 1);
  EXPECT_NEAR(us(T.KernelTime), 50, 1e-6);
}

TEST_F(SequenceTotals, GraphSparesTheGapsBetweenLaunches) {
  kernel("k", 3);
  for (unsigned N = 0; N < 10; ++N)
    launch("k");
  SequenceTotal Launches = total();
  Sequence.Steps.clear();
  size_t Graph = step(SequenceStep::Graph);
  for (unsigned N = 0; N < 10; ++N)
    launch("k", Graph);
  SequenceTotal Nodes = total();
  EXPECT_EQ(Nodes.Launches, 10);
  EXPECT_NEAR(us(Nodes.KernelTime), us(Launches.KernelTime), 1e-6);
  EXPECT_LT(Nodes.IdleTime, Launches.IdleTime);
}

TEST_F(SequenceTotals, OrderOfAsynchronousStepsIsAPremise) {
  kernel("k", 3);
  size_t Async = step(SequenceStep::Group);
  launch("k", Async);
  size_t Premises = total().Premises.size();
  Sequence.Steps[Async].Kind = "kAsyncStart";
  EXPECT_EQ(total().Premises.size(), Premises + 1);
}

TEST_F(SequenceTotals, CopiesOfKnownSizeTakeTime) {
  kernel("k", 3);
  launch("k");
  Sequence.Steps[step(SequenceStep::Copy)].Bytes = 1 << 30;
  step(SequenceStep::Copy);
  SequenceTotal T = total();
  // Read and written at some part of 3.35 TB/s.
  EXPECT_GT(us(T.CopyTime), 2.0 * (1 << 30) / 3.4e6);
  ASSERT_EQ(T.NotPredicted.size(), 1u);
  EXPECT_EQ(T.NotPredicted[0].Count, 1);
}

TEST_F(SequenceTotals, KernelsWithoutEstimateAreNamed) {
  kernel("k", 3);
  launch("k");
  launch("elsewhere", loop(7), "body");
  SequenceTotal T = total();
  ASSERT_EQ(T.NotPredicted.size(), 1u);
  EXPECT_EQ(T.NotPredicted[0].What, "elsewhere");
  EXPECT_EQ(T.NotPredicted[0].Count, 7);
}

} // namespace
