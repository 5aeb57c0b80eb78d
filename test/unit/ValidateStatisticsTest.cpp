/// \file
/// Statistics against values computed by hand.
#include "gpu-estimate/Validate/Statistics.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

CaseResult result(double Predicted, double Measured,
                  const std::string &Kernel = "k",
                  const std::string &Gpu = "g") {
  CaseResult C;
  C.Dataset = "d";
  C.Case = Kernel + std::to_string(Predicted);
  C.Kernel = Kernel;
  C.Gpu = Gpu;
  C.Model = "m";
  C.PredictedMs = Predicted;
  C.MeasuredMs = Measured;
  return C;
}

std::vector<const CaseResult *> pointers(const std::vector<CaseResult> &Cases) {
  std::vector<const CaseResult *> All;
  for (const CaseResult &C : Cases)
    All.push_back(&C);
  return All;
}

TEST(ValidateStatistics, QuantilesInterpolate) {
  std::vector<double> Values = {1, 2, 3, 4, 10};
  EXPECT_DOUBLE_EQ(quantile(Values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(Values, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile(Values, 0.9), 7.6); // 4 + 0.6 * 6
  EXPECT_DOUBLE_EQ(quantile(Values, 1), 10);
  EXPECT_DOUBLE_EQ(quantile({5.0}, 0.9), 5);
  EXPECT_DOUBLE_EQ(quantile({}, 0.5), 0);
}

TEST(ValidateStatistics, SpearmanByHand) {
  EXPECT_DOUBLE_EQ(*spearman({1, 2, 3}, {10, 100, 1000}), 1);
  EXPECT_DOUBLE_EQ(*spearman({1, 2, 3}, {3, 2, 1}), -1);
  // Ranks 1 2 3 4 5 and 2 1 4 3 5: 1 - 6 * 4 / (5 * 24).
  EXPECT_DOUBLE_EQ(*spearman({1, 2, 3, 4, 5}, {2, 1, 4, 3, 5}), 0.8);
}

TEST(ValidateStatistics, SpearmanWithTies) {
  // Ranks 1 2.5 2.5 4 and 1 3 2 4: 4.5 / sqrt(4.5 * 5).
  EXPECT_DOUBLE_EQ(*spearman({1, 2, 2, 4}, {1, 3, 2, 4}),
                   4.5 / std::sqrt(4.5 * 5));
  // Ties on both sides: ranks 1.5 1.5 3 and 1 2.5 2.5, 0.75 / 1.5.
  EXPECT_DOUBLE_EQ(*spearman({7, 7, 9}, {1, 4, 4}), 0.5);
}

TEST(ValidateStatistics, SpearmanOfTooLittleIsUnknown) {
  EXPECT_EQ(spearman({1, 2}, {1, 2}), std::nullopt);
  EXPECT_EQ(spearman({3, 3, 3}, {1, 2, 3}), std::nullopt);
  EXPECT_EQ(spearman({}, {}), std::nullopt);
}

TEST(ValidateStatistics, SummaryByHand) {
  std::vector<CaseResult> Cases = {result(110, 100), result(80, 100),
                                   result(100, 100), result(150, 100)};
  ErrorStatistics S = summarize(pointers(Cases));
  EXPECT_EQ(S.Cases, 4u);
  EXPECT_DOUBLE_EQ(S.MeanApe, 0.2);
  EXPECT_DOUBLE_EQ(S.MedianApe, 0.15);
  EXPECT_NEAR(S.P90Ape, 0.41, 1e-12); // 0.2 + 0.7 * 0.3
  EXPECT_DOUBLE_EQ(S.MaxApe, 0.5);
  EXPECT_DOUBLE_EQ(S.Bias, 0.1);
  EXPECT_EQ(S.Spearman, std::nullopt); // all measured the same
}

TEST(ValidateStatistics, NoisyCasesDoNotCount) {
  std::vector<CaseResult> Cases = {result(110, 100), result(900, 100)};
  Cases[1].Noisy = "the fan failed";
  ErrorStatistics S = summarize(pointers(Cases));
  EXPECT_EQ(S.Cases, 1u);
  EXPECT_NEAR(S.MaxApe, 0.1, 1e-12);
  Cases[0].Noisy = "too";
  EXPECT_EQ(summarize(pointers(Cases)).Cases, 0u);
  EXPECT_EQ(summarize({}).Cases, 0u);
}

TEST(ValidateStatistics, RankIsMeantWithinKernels) {
  // In each kernel the order is right, over both it is not.
  std::vector<CaseResult> Cases = {
      result(1, 10, "a"), result(2, 20, "a"), result(3, 30, "a"),
      result(4, 1, "b"),  result(5, 2, "b"),  result(6, 3, "b"),
      result(7, 9, "c")}; // a group of one says nothing
  EXPECT_DOUBLE_EQ(*summarize(pointers(Cases)).Spearman, 1);
  Cases[3].MeasuredMs = 3;
  Cases[5].MeasuredMs = 1;
  EXPECT_DOUBLE_EQ(*summarize(pointers(Cases)).Spearman, 0);
}

TEST(ValidateStatistics, PickLossIsThatOfTheConfigurationPicked) {
  std::vector<CaseResult> Cases = {result(1, 12), result(2, 10), result(3, 30)};
  EXPECT_NEAR(*summarize(pointers(Cases)).PickLoss, 0.2, 1e-12);
  Cases[1].PredictedMs = 1; // a tie: either, so 11 on average
  EXPECT_NEAR(*summarize(pointers(Cases)).PickLoss, 0.1, 1e-12);
}

TEST(ValidateStatistics, RowsForSplitsGpusAndKernels) {
  Validation V;
  V.Datasets = {{"d", "", "", false}};
  V.Models = {"m"};
  V.Cases = {result(1, 1, "a", "g"), result(2, 1, "b", "g"),
             result(4, 1, "a", "h")};
  V.Cases[1].Part = Split::Check;
  std::vector<StatisticsRow> All = statistics(V, GroupBy::Dataset);
  ASSERT_EQ(All.size(), 3u);
  EXPECT_EQ(All[0].Part, Split::Fit);
  EXPECT_EQ(All[0].Errors.Cases, 2u);
  EXPECT_EQ(All[1].Part, Split::Check);
  EXPECT_DOUBLE_EQ(All[1].Errors.MeanApe, 1);
  EXPECT_EQ(All[2].Part, std::nullopt);
  EXPECT_EQ(All[2].Errors.Cases, 3u);
  EXPECT_EQ(All[2].Errors.PickLoss, std::nullopt); // not a tuning table
  std::vector<StatisticsRow> Gpus = statistics(V, GroupBy::Gpu);
  ASSERT_EQ(Gpus.size(), 2u);
  EXPECT_EQ(Gpus[0].Gpu, "g");
  EXPECT_EQ(Gpus[0].Errors.Cases, 2u);
  EXPECT_EQ(statistics(V, GroupBy::GpuAndKernel).size(), 3u);
  std::vector<StatisticsRow> Kernels = statistics(V, GroupBy::Kernel);
  ASSERT_EQ(Kernels.size(), 2u);
  EXPECT_EQ(Kernels[0].Kernel, "a");
  EXPECT_EQ(Kernels[0].Gpu, "");
  EXPECT_EQ(Kernels[0].Errors.Cases, 2u);
}

TEST(ValidateStatistics, WorstFirst) {
  Validation V;
  V.Cases = {result(11, 10), result(5, 10), result(30, 10), result(90, 10)};
  V.Cases[3].Noisy = "yes";
  auto Worst = worstCases(V, "d", "m", 2);
  ASSERT_EQ(Worst.size(), 2u);
  EXPECT_EQ(Worst[0]->PredictedMs, 30);
  EXPECT_EQ(Worst[1]->PredictedMs, 5);
}

TEST(ValidateStatistics, EqualFailuresAreOneGroup) {
  CaseFailure A{"d", "1", "g", "cases.csv:2", "no kernel"}, B = A, C = A;
  B.Case = "2";
  C.Reason = "another";
  auto Groups = groupFailures({A, C, B});
  ASSERT_EQ(Groups.size(), 2u);
  EXPECT_EQ(Groups[0].First.Case, "1");
  EXPECT_EQ(Groups[0].Count, 2u);
}

} // namespace
