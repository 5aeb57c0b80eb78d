/// \file
/// Traffic by reuse distances within sets (`--cache-model set-associative`).
#include "helpers/TrafficKernels.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// One warp reads 8 rows, a sector of each, again and again.
TestKernel rowsAgain() {
  TestKernel K;
  int Pass = K.loop(-1, K.parameter("passes"));
  int Row = K.loop(Pass, K.number(8));
  K.access(K.block(Row), "a",
           K.counter(Row) * K.parameter("pitch") + K.tid() * 4);
  return K;
}

/// An L2 of 8 sets, each of 4 lines of 128 bytes; no L1.
GpuModel fewSets() {
  GpuModel G = testGpu();
  G.SmCount = 1;
  G.L1CachesGlobalLoads = false;
  G.L2.Size = Bytes(8 * 4 * 128);
  G.L2Ways = 4;
  return G;
}

EvaluateOptions inSets(CacheState State = CacheState::Cold) {
  EvaluateOptions O;
  O.Caches = State;
  O.Hits = CacheRule::SetAssociative;
  return O;
}

Launch oneWarp() { return launch({1, 1, 1}, {8, 1, 1}); }

} // namespace

TEST(CacheTrace, RowsOfOneSetPushEachOtherOut) {
  TestKernel K = rowsAgain();
  // 1024 bytes are 8 lines: all 8 rows are in one set, which holds 4.
  Traffic T = estimate(K, fewSets(), oneWarp(),
                       {{"passes", 100}, {"pitch", 1024}}, inSets());
  EXPECT_EQ(T.DramReadBytes, 100 * 8 * 32);
  // One line more, and each is in a set of its own.
  T = estimate(K, fewSets(), oneWarp(), {{"passes", 100}, {"pitch", 1152}},
               inSets());
  EXPECT_EQ(T.DramReadBytes, 8 * 32);
  // The closed form does not tell them apart.
  for (double Pitch : {1024, 1152})
    EXPECT_EQ(estimate(K, fewSets(), oneWarp(),
                       {{"passes", 100}, {"pitch", Pitch}}, Cold)
                  .DramReadBytes,
              8 * 32);
}

TEST(CacheTrace, HashedSetsSpreadThem) {
  GpuModel G = fewSets();
  G.L2HasHashedSets = true;
  Traffic T = estimate(rowsAgain(), G, oneWarp(),
                       {{"passes", 100}, {"pitch", 1024}}, inSets());
  EXPECT_LT(T.DramReadBytes, 0.5 * 100 * 8 * 32);
}

TEST(CacheTrace, L1HasItsOwnSets) {
  GpuModel G = fewSets();
  G.L1CachesGlobalLoads = true;
  G.L1.Size = Bytes(8 * 4 * 128);
  G.L1UnifiedWithShared = false;
  G.L1Sets = 8;
  Traffic T = estimate(rowsAgain(), G, oneWarp(),
                       {{"passes", 100}, {"pitch", 1024}}, inSets());
  EXPECT_EQ(T.L1Hit, 0);
  T = estimate(rowsAgain(), G, oneWarp(), {{"passes", 100}, {"pitch", 1152}},
               inSets());
  EXPECT_NEAR(T.L1Hit, 0.99, 1e-9);
}

TEST(CacheTrace, WhatIsLoadedAndStoredIsReadAndWritten) {
  TestKernel K;
  unsigned B = K.block(-1);
  K.access(B, "a", K.id() * 4);
  K.access(B, "a", K.id() * 4, AccessKind::Store);
  const double Bytes = 4.0 * 256 * 1024;
  Traffic T =
      estimate(K, fewSets(), launch({1024, 1, 1}, {256, 1, 1}), {}, inSets());
  EXPECT_NEAR(T.DramReadBytes, Bytes, 0.02 * Bytes);
  EXPECT_NEAR(T.DramWriteBytes, Bytes, 0.02 * Bytes);
}

TEST(CacheTrace, CostDoesNotGrowWithTripCounts) {
  TestKernel K = rowsAgain();
  Traffic T = estimate(K, fewSets(), oneWarp(),
                       {{"passes", 1e9}, {"pitch", 1152}}, inSets());
  ASSERT_EQ(T.Premises.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(T.Premises[0])
                  .contains("65536 requests of 1 of 1 blocks, whose warps have "
                            "more of them"))
      << T.Premises[0];
  // The second half of the trace finds all rows.
  EXPECT_EQ(T.DramReadBytes, 0);
}

TEST(CacheTrace, SaysWhichSetsAreNotKnown) {
  GpuModel G = testGpu();
  G.Id = "test";
  G.L2Partitions = 2;
  Traffic T = estimate(rowsAgain(), G, oneWarp(),
                       {{"passes", 10}, {"pitch", 1024}}, inSets());
  ASSERT_EQ(T.Premises.size(), 2u);
  EXPECT_EQ(T.Premises[0], "test has no l1.sets: L1 stays fully associative");
  EXPECT_EQ(T.Premises[1], "an L2 of 2 partitions stays fully associative");
  EXPECT_EQ(T.L1Hit, estimate(rowsAgain(), G, oneWarp(),
                              {{"passes", 10}, {"pitch", 1024}}, Cold)
                         .L1Hit);
}
