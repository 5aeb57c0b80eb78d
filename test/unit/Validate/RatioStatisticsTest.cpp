/// \file
/// Errors of ratios to a base point, against values computed by hand.
#include "gpu-estimate/Validate/RatioStatistics.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

CaseResult result(std::string Kernel, double Core, double Predicted,
                  double Measured) {
  CaseResult C;
  C.Dataset = "a";
  C.Model = "latency-bandwidth";
  C.Kernel = Kernel;
  C.Gpu = "gpu-a";
  C.Case = Kernel + std::to_string(int(Core));
  C.Base = Core == 1000 ? "" : Kernel + "1000";
  C.Overrides = {"core_clock=" + std::to_string(int(Core)) + "MHz"};
  C.Configuration = {16, Core, 0};
  C.PredictedMs = Predicted;
  C.MeasuredMs = Measured;
  return C;
}

Validation validation(std::vector<CaseResult> Cases) {
  Validation V;
  V.Datasets = {{"a", "", ""}};
  V.Models = {"latency-bandwidth"};
  V.Cases = std::move(Cases);
  return V;
}

TEST(RatioStatistics, DoNotSeeAConstantFactor) {
  // Predicted 10 times too long at both points.
  std::vector<RatioRow> Rows = ratioStatistics(
      validation({result("k", 1000, 10, 1), result("k", 500, 20, 2)}), false);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Base, "core_clock=1000MHz");
  EXPECT_EQ(Rows[0].Cases, 1u); // without the base point
  EXPECT_DOUBLE_EQ(Rows[0].MeanApe, 0);
  EXPECT_DOUBLE_EQ(Rows[0].InverseClock, 0);
  EXPECT_FALSE(Rows[0].MeanOfOthers);
}

TEST(RatioStatistics, CompareWithOtherKernels) {
  // Measured ratios 2 and 1; predicted 2.2 and 1.2.
  Validation V =
      validation({result("k", 1000, 1, 1), result("k", 500, 2.2, 2),
                  result("l", 1000, 1, 3), result("l", 500, 1.2, 3)});
  std::vector<RatioRow> Rows = ratioStatistics(V, false);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Kernels, 2u);
  EXPECT_NEAR(Rows[0].MeanApe, (0.1 + 0.2) / 2, 1e-12);
  EXPECT_NEAR(Rows[0].Bias, (0.1 + 0.2) / 2, 1e-12);
  EXPECT_NEAR(Rows[0].MaxApe, 0.2, 1e-12);
  EXPECT_NEAR(Rows[0].InverseClock, (0 + 1.0) / 2, 1e-12);
  ASSERT_TRUE(Rows[0].MeanOfOthers);
  EXPECT_NEAR(*Rows[0].MeanOfOthers, (0.5 + 1.0) / 2, 1e-12);
  Rows = ratioStatistics(V, true);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[1].Kernel, "l");
  EXPECT_NEAR(Rows[1].MeanApe, 0.2, 1e-12);
}

TEST(RatioStatistics, CompareRatiosOfPower) {
  // Measured half the watts of the base point, predicted 0.6 of them.
  Validation V = validation({result("k", 1000, 1, 1), result("k", 500, 2, 2)});
  EXPECT_FALSE(ratioStatistics(V, false)[0].Power);
  V.Cases[0].Predicted = {{"power_w", 200}};
  V.Cases[0].Measured = {{"power_w", 100}};
  V.Cases[1].Predicted = {{"power_w", 120}};
  V.Cases[1].Measured = {{"power_w", 50}};
  ASSERT_TRUE(ratioStatistics(V, false)[0].Power);
  EXPECT_NEAR(*ratioStatistics(V, false)[0].Power, 0.2, 1e-12);
}

TEST(RatioStatistics, HaveTheErrorsOfClusters) {
  Validation V = validation({result("k", 1000, 1, 1), result("k", 500, 2, 2)});
  EXPECT_FALSE(ratioStatistics(V, false)[0].Clusters);
  V.Scaling = {{"a", "gpu-a", "k", "core_clock=1000MHz", 1, 0.1, 0.2},
               {"a", "gpu-a", "l", "core_clock=1000MHz", 3, 0.3, 0.4},
               {"a", "gpu-b", "k", "core_clock=1000MHz", 3, 1, 1}};
  EXPECT_NEAR(*ratioStatistics(V, false)[0].Clusters, (0.1 + 3 * 0.3) / 4,
              1e-12);
  EXPECT_NEAR(*ratioStatistics(V, true)[0].Correction, 0.2, 1e-12);
}

TEST(RatioStatistics, LeaveOutWhatDoesNotCount) {
  Validation V = validation({result("k", 1000, 1, 1), result("k", 500, 2.2, 2),
                             result("l", 500, 1, 1)}); // no base point
  V.Cases[1].Noisy = "clock";
  EXPECT_TRUE(ratioStatistics(V, false).empty());
}

} // namespace
