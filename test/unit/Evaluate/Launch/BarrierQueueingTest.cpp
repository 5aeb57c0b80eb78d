/// \file
/// Blocks that take turns: between one block alone and a saturated unit.
#include "Evaluate/Launch/BarrierQueueingModel.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace gpuestimate;

namespace {

TEST(BarrierQueueingModel, OneBlockIsDelayedByNobody) {
  EXPECT_DOUBLE_EQ(cycleTime(500, {{2000, 1}}), 2500);
  EXPECT_DOUBLE_EQ(cycleTime(500, {{2000, 1}, {300, 1}}), 2800);
  EXPECT_DOUBLE_EQ(cycleTime(0, {}), 0);
}

// p = 500 + r, r = 2000 (1 + r / p): p^2 - 4500 p + 1000000 = 0.
TEST(BarrierQueueingModel, TwoBlocksByHand) {
  EXPECT_NEAR(cycleTime(500, {{2000, 2}}), 4265.5644, 1e-3);
}

TEST(BarrierQueueingModel, BlocksThatNeverWaitUseTheUnitAllTheTime) {
  for (double Blocks : {1., 2., 7., 64.})
    EXPECT_NEAR(cycleTime(0, {{100, Blocks}}), 100 * Blocks, 1e-6);
}

TEST(BarrierQueueingModel, LiesBetweenPerfectTurnsAndOneAfterTheOther) {
  for (double Think : {0., 10., 1000., 50000.})
    for (double First : {0., 20., 3000.})
      for (double Second : {0., 500.})
        for (double Blocks : {1., 2., 5., 32.}) {
          double Period = cycleTime(Think, {{First, Blocks}, {Second, Blocks}});
          double Alone = Think + First + Second;
          EXPECT_GE(Period * (1 + 1e-9),
                    std::max(Alone, Blocks * std::max(First, Second)));
          EXPECT_LE(Period, Think + Blocks * (First + Second) + 1e-6);
        }
}

TEST(BarrierQueueingModel, MoreOfAnythingIsNeverFaster) {
  auto Period = [](double Think, double Demand, double Blocks) {
    return cycleTime(Think, {{Demand, Blocks}, {100, 8}});
  };
  for (double X : {1., 10., 100., 1000.}) {
    EXPECT_LE(Period(X, 50, 4), Period(2 * X, 50, 4));
    EXPECT_LE(Period(50, X, 4), Period(50, 2 * X, 4));
    EXPECT_LE(Period(50, X, 4), Period(50, X, 5));
  }
}

} // namespace
