/// \file
/// How often measured times lie in intervals, against values computed by hand.
#include "gpu-estimate/Validate/IntervalStatistics.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

/// Predicted 1 ms; the interval of the default level is 0.5 to 2 ms.
CaseResult result(double MeasuredMs, bool Assumes) {
  CaseResult C;
  C.Dataset = "a";
  C.Kernel = "k";
  C.Model = DefaultModel.str();
  C.PredictedMs = 1;
  C.MeasuredMs = MeasuredMs;
  if (Assumes)
    C.Assumed = {"trip count"};
  C.IntervalsMs = {{{0.8, 1.25}, {0.5, 2}, {0.25, 4}, {0.125, 8}}};
  return C;
}

Validation validation(std::vector<CaseResult> Cases) {
  Validation V;
  V.Datasets = {{"a", "", ""}};
  V.Models = {DefaultModel.str()};
  V.Cases = std::move(Cases);
  return V;
}

TEST(IntervalStatistics, CountsWhatLiesInside) {
  Validation V = validation({result(1, false), result(0.6, false),
                             result(0.4, false), result(5, true)});
  V.Cases.push_back(result(100, false));
  V.Cases.back().IntervalsMs.reset(); // has none
  V.Cases.push_back(result(100, false));
  V.Cases.back().Noisy = "drift";
  std::vector<IntervalRow> Rows = intervalStatistics(V, GroupBy::Dataset);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Cases, 4u);
  EXPECT_DOUBLE_EQ(Rows[0].Covered[0], 0.25);
  EXPECT_DOUBLE_EQ(Rows[0].Covered[1], 0.5);
  EXPECT_DOUBLE_EQ(Rows[0].Covered[2], 0.75);
  EXPECT_DOUBLE_EQ(Rows[0].Covered[3], 1);
  EXPECT_DOUBLE_EQ(Rows[0].Shorter, 0.25);
  EXPECT_DOUBLE_EQ(Rows[0].Longer, 0.25);
  EXPECT_DOUBLE_EQ(Rows[0].MedianRatio, 4);
  EXPECT_DOUBLE_EQ(Rows[0].MeanRatio, 4);
}

TEST(IntervalStatistics, HasRowsByInputsAndTime) {
  Validation V = validation(
      {result(1, false), result(1, true), result(0.02, true), result(1, true)});
  std::vector<IntervalRow> Rows = intervalStatistics(V, GroupBy::Inputs);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Inputs, "known");
  EXPECT_EQ(Rows[1].Cases, 3u);
  Rows = intervalStatistics(V, GroupBy::InputsAndDecade);
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows[1].Decade, "10 us to 100 us");
  EXPECT_EQ(Rows[1].Covered[1], 0);
}

TEST(IntervalStatistics, ASharpIntervalIsNarrowWhereTheErrorIsSmall) {
  // Half of the predictions are exact and nearly know it.
  std::vector<CaseResult> Cases;
  for (int I = 0; I < 100; ++I) {
    CaseResult C = result(std::exp((I - 49.5) / 100), false);
    C.IntervalsMs->fill({std::exp(-0.5), std::exp(0.5)});
    Cases.push_back(C);
    C.MeasuredMs = 1;
    C.IntervalsMs->fill({std::exp(-0.05), std::exp(0.05)});
    Cases.push_back(C);
  }
  // The constant one has a width of 0.99.
  EXPECT_NEAR(sharpness(validation(Cases)), 0.99 * (1 / 1.0 + 1 / 0.1) / 2,
              0.05);
}

} // namespace
