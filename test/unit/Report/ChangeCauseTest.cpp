/// \file
/// What a changed prediction means, and what it comes from in one word.
#include "gpu-estimate/Report/Records/Snapshot.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

SnapshotRow row(double Milliseconds) {
  SnapshotRow R;
  R.Kernel = "f";
  R.Milliseconds = Milliseconds;
  R.Launch = "64 of 256";
  R.Bottleneck = "dram-bandwidth";
  R.Registers = 32;
  R.Occupancy = 1;
  R.L2Bytes = R.DramBytes = 1e6;
  R.Loads = 1000;
  R.Stores = 100;
  R.Sectors = 8800;
  R.Instructions = 5000;
  R.SharedBytes = 4096;
  R.SharedWavefronts = 500;
  R.Terms = {{"dram", Milliseconds}};
  R.RatioError = 1.1;
  return R;
}

/// The cause where After has grown in one term and as Edit says.
template <class Edit> std::string cause(const char *Term, Edit Change) {
  SnapshotRow Before = row(1), After = row(2);
  After.Terms = {{"dram", 1}, {Term, 1}};
  if (llvm::StringRef(Term) == "dram")
    After.Terms = {{"dram", 2}};
  Change(After);
  return causeOf({ChangeKind::Worse, &Before, &After, nullptr, {}});
}

TEST(ChangeCause, IsTheQuantityBehindTheTermThatGrew) {
  EXPECT_EQ(cause("dram", [](SnapshotRow &R) { R.DramBytes *= 2; }),
            "dram-traffic");
  EXPECT_EQ(cause("l2", [](SnapshotRow &R) { R.L2Bytes *= 2; }), "l2-traffic");
  EXPECT_EQ(cause("l2",
                  [](SnapshotRow &R) {
                    R.L2Bytes *= 2;
                    R.Stores *= 9;
                  }),
            "stores");
  EXPECT_EQ(cause("l1", [](SnapshotRow &R) { R.Loads *= 2; }), "loads");
  EXPECT_EQ(cause("l1", [](SnapshotRow &R) { R.Sectors *= 4; }), "coalescing");
  EXPECT_EQ(cause("shared", [](SnapshotRow &R) { R.SharedWavefronts *= 32; }),
            "shared-accesses");
  EXPECT_EQ(cause("issue", [](SnapshotRow &R) { R.Instructions *= 2; }),
            "instructions");
}

TEST(ChangeCause, IsWhatLimitsTheOccupancyWhereNoQuantityGrew) {
  EXPECT_EQ(cause("dram",
                  [](SnapshotRow &R) {
                    R.Occupancy = 0.5;
                    R.SharedBytes *= 2;
                  }),
            "shared-memory");
  EXPECT_EQ(cause("wait",
                  [](SnapshotRow &R) {
                    R.Occupancy = 0.5;
                    R.Registers = 64;
                  }),
            "registers");
  EXPECT_EQ(cause("wait", [](SnapshotRow &R) { R.Occupancy = 0.5; }),
            "occupancy");
  EXPECT_EQ(cause("dram", [](SnapshotRow &R) { R.LocalInstructions = 10; }),
            "local-memory");
  EXPECT_EQ(cause("dram", [](SnapshotRow &R) { R.Launch = "32 of 256"; }),
            "launch");
  EXPECT_EQ(cause("barrier", [](SnapshotRow &) {}), "barrier");
}

TEST(ChangeCause, OfAGoldenFileIsAmongItsFields) {
  SnapshotRow Before = row(1), After = row(2);
  Before.Terms.clear();
  Before.Loads = Before.Instructions = Before.SharedBytes = 0;
  After.L2Bytes *= 3;
  SnapshotChange C = {ChangeKind::Worse, &Before, &After, nullptr, {}};
  EXPECT_EQ(causeOf(C), "l2-traffic");
  SnapshotRow Earlier = row(1);
  After.Loads *= 3;
  After.Terms = {{"l2", 2}};
  C.Earlier = &Earlier;
  EXPECT_EQ(causeOf(C), "loads");
}

TEST(ChangeVerdict, IsBenignWhereTheIntervalHoldsOne) {
  SnapshotRow Before = row(1), Slower = row(1.2), Near = row(1.08),
              Faster = row(0.8);
  auto Of = [&](ChangeKind Kind, const SnapshotRow &After) {
    return verdict({Kind, &Before, &After, nullptr, {}});
  };
  EXPECT_EQ(Of(ChangeKind::Worse, Slower), ChangeVerdict::Slower);
  EXPECT_EQ(Of(ChangeKind::Worse, Near), ChangeVerdict::Benign);
  EXPECT_EQ(Of(ChangeKind::Improved, Faster), ChangeVerdict::Faster);
  EXPECT_EQ(Of(ChangeKind::Moved, Before), ChangeVerdict::Benign);
  // Without an interval, the tolerance has decided.
  Near.RatioError.reset();
  Before.RatioError.reset();
  EXPECT_EQ(Of(ChangeKind::Worse, Near), ChangeVerdict::Slower);
  EXPECT_EQ(verdict({ChangeKind::New, nullptr, &Near, nullptr, {}}),
            ChangeVerdict::New);
}

} // namespace
