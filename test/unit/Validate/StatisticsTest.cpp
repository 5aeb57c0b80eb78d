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

TEST(ValidateStatistics, FactorIsTheSameForTwiceAndHalf) {
  std::vector<CaseResult> Cases = {result(200, 100), result(50, 100)};
  ErrorStatistics S = summarize(pointers(Cases));
  EXPECT_DOUBLE_EQ(*S.Factor, 2);
  EXPECT_DOUBLE_EQ(S.MeanApe, 0.75);
  Cases.push_back(result(100, 100)); // exp((ln 2 + ln 2 + 0) / 3)
  EXPECT_DOUBLE_EQ(*summarize(pointers(Cases)).Factor, std::pow(4, 1.0 / 3));
  Cases.push_back(result(0, 100)); // infinitely far off
  EXPECT_EQ(summarize(pointers(Cases)).Factor, std::nullopt);
}

TEST(ValidateStatistics, Within25CountsBothSides) {
  std::vector<CaseResult> Cases = {result(125, 100), result(75, 100),
                                   result(126, 100), result(74, 100)};
  EXPECT_DOUBLE_EQ(summarize(pointers(Cases)).Within25, 0.5);
}

TEST(ValidateStatistics, KernelsCountOnceInTheMeanByKernel) {
  std::vector<CaseResult> Cases = {
      result(110, 100, "many"),      result(110, 100, "many", "h"),
      result(110, 100, "many", "i"), result(150, 100, "one"),
      result(900, 100, "noisy"),
  };
  Cases.back().Noisy = "yes";
  ErrorStatistics S = summarize(pointers(Cases));
  EXPECT_EQ(S.Kernels, 2u);
  EXPECT_NEAR(S.MeanApe, 0.2, 1e-12);
  EXPECT_NEAR(S.KernelMeanApe, 0.3, 1e-12); // of 0.1 and 0.5
}

TEST(ValidateStatistics, CombinedGroupsAreOneGroup) {
  std::vector<CaseResult> A = {result(110, 100, "a"), result(80, 100, "a"),
                               result(300, 100, "b")},
                          B = {result(60, 100, "c")}, All = A;
  All.push_back(B.front());
  ErrorStatistics One = summarize(pointers(All));
  ErrorStatistics Two =
      combine({summarize(pointers(A)), summarize(pointers(B)), {}});
  EXPECT_EQ(Two.Cases, 4u);
  EXPECT_EQ(Two.Kernels, 3u);
  EXPECT_NEAR(Two.MeanApe, One.MeanApe, 1e-12);
  EXPECT_NEAR(Two.Bias, One.Bias, 1e-12);
  EXPECT_NEAR(*Two.Factor, *One.Factor, 1e-12);
  EXPECT_NEAR(Two.Within25, One.Within25, 1e-12);
  EXPECT_NEAR(Two.KernelMeanApe, One.KernelMeanApe, 1e-12);
  EXPECT_EQ(combine({}).Cases, 0u);
}

/// A row for each bound that the first model names, for every model.
TEST(ValidateStatistics, BoundsAreThoseOfTheFirstModel) {
  Validation V;
  V.Datasets = {{"d", "", "", false}};
  V.Models = {"m", "n"};
  V.Cases = {result(2, 1), result(2, 1), result(3, 1), result(4, 1),
             result(9, 1)};
  for (unsigned I = 0; I < 5; ++I) {
    // Cases 0 and 1 by both models, case 2 by the second one alone.
    V.Cases[I].Case = std::to_string(I / 2);
    V.Cases[I].Model = I % 2 || I == 4 ? "n" : "m";
    V.Cases[I].Bottleneck = I % 2 || I == 4 ? "dram" : I ? "fp32" : "launch";
  }
  std::vector<StatisticsRow> Rows = statistics(V, GroupBy::Bound);
  ASSERT_EQ(Rows.size(), 6u);
  EXPECT_EQ(Rows[0].Bound, "launch");
  EXPECT_EQ(Rows[1].Bound, "launch");
  EXPECT_EQ(Rows[1].Model, "n");
  EXPECT_DOUBLE_EQ(Rows[1].Errors.MeanApe, 1);
  EXPECT_EQ(Rows[3].Bound, "fp32");
  EXPECT_DOUBLE_EQ(Rows[3].Errors.MeanApe, 3);
  EXPECT_EQ(Rows[4].Errors.Cases, 0u);
  EXPECT_EQ(Rows[5].Bound, "dram");
  EXPECT_DOUBLE_EQ(Rows[5].Errors.MeanApe, 8);
}

TEST(ValidateStatistics, RecordsStandBesideWhatWasPredicted) {
  Validation V;
  V.Datasets = {{"d", "", "", false}};
  V.Models = {"m"};
  V.Cases = {result(2, 1)};
  StatisticsRow Whole, OfGpu, OfBound, OtherModel;
  Whole.Dataset = OfGpu.Dataset = OfBound.Dataset = OtherModel.Dataset = "e";
  Whole.Model = OfGpu.Model = OfBound.Model = "m";
  OtherModel.Model = "n";
  OfGpu.Gpu = "g";
  OfBound.Bound = "launch";
  V.Recorded = {
      {"e", "2026-11-23", "abc", 0, {Whole, OtherModel, OfGpu, OfBound}}};
  auto Names = [&](GroupBy By) {
    std::string Text;
    for (const StatisticsRow &Row : statisticsWithRecords(V, By))
      Text += Row.Dataset + ":" + Row.Gpu + Row.Bound + " ";
    return Text;
  };
  EXPECT_EQ(Names(GroupBy::Dataset), "d: e: "); // the splits are left out
  EXPECT_EQ(Names(GroupBy::Gpu), "d:g e:g ");
  EXPECT_EQ(Names(GroupBy::Bound), "d: e:launch ");
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

TEST(ValidateStatistics, RowsForInputsAndDecades) {
  Validation V;
  V.Models = {"m"};
  V.Datasets = {{"d", "", ""}};
  auto Add = [&](double MeasuredMs, double PredictedMs, bool Assumed) {
    CaseResult &C = V.Cases.emplace_back();
    C.Dataset = "d";
    C.Case = C.Kernel = "c" + std::to_string(V.Cases.size());
    C.Model = "m";
    C.MeasuredMs = MeasuredMs;
    C.PredictedMs = PredictedMs;
    if (Assumed)
      C.Assumed = {"trip count of the loop at a.cu:3"};
  };
  Add(0.5, 1, true);
  Add(0.2, 0.2, false);
  Add(0.002, 0.001, false);
  Add(0.01, 0.01, false); // a decade begins with its round number
  auto Names = [&](GroupBy By) {
    std::string Text;
    for (const StatisticsRow &Row : statistics(V, By))
      Text += Row.Inputs + "," + Row.Decade + "," +
              std::to_string(Row.Errors.Cases) + ";";
    return Text;
  };
  EXPECT_EQ(Names(GroupBy::Inputs), "known,,3;assumed,,1;");
  EXPECT_EQ(Names(GroupBy::Decade),
            ",below 10 us,1;,10 us to 100 us,1;,100 us to 1 ms,2;");
  EXPECT_EQ(Names(GroupBy::InputsAndDecade),
            "known,below 10 us,1;known,10 us to 100 us,1;"
            "known,100 us to 1 ms,1;assumed,100 us to 1 ms,1;");
}

TEST(ValidateStatistics, GroupsOfHalfADecadeOfWarps) {
  Validation V;
  V.Datasets = {{"d", "", ""}};
  V.Models = {"m", "n"};
  for (auto [Predicted, Warps, Model] : {std::tuple(110.0, 100.0, "m"),
                                         {80.0, 300.0, "m"},
                                         {200.0, 400.0, "m"},
                                         {50.0, 100.0, "n"},
                                         {70.0, 0.0, "n"}}) {
    CaseResult C = result(Predicted, 100);
    C.Warps = Warps;
    C.Model = Model;
    V.Cases.push_back(C);
  }
  std::vector<WarpsRow> Rows = statisticsByWarps(V);
  ASSERT_EQ(Rows.size(), 3u);
  // 100 to 316 warps, then 316 to 1000; a launch of no known size is left out.
  EXPECT_EQ(Rows[0].Model, "m");
  EXPECT_DOUBLE_EQ(Rows[0].Warps, std::pow(10, 2.25));
  EXPECT_EQ(Rows[0].Errors.Cases, 2u);
  EXPECT_DOUBLE_EQ(Rows[0].Errors.MeanApe, 0.15);
  EXPECT_DOUBLE_EQ(Rows[1].Warps, std::pow(10, 2.75));
  EXPECT_DOUBLE_EQ(*Rows[1].Errors.Factor, 2);
  EXPECT_EQ(Rows[2].Model, "n");
  EXPECT_EQ(Rows[2].Errors.Cases, 1u);
}

TEST(ValidateStatistics, TheMostUtilisedCounterTellsTheBound) {
  auto Case = [](double Dram, double Fp32, const std::string &Bound) {
    CaseResult C = result(1, 1);
    C.Utilisation = {{"dram_bytes", Dram}, {"flop_fp32", Fp32}};
    C.Bottleneck = Bound;
    return C;
  };
  Validation V;
  V.Models = {"m"};
  V.Cases = {Case(0.9, 0.7, "dram-bandwidth"), Case(0.9, 0.7, "fp32"),
             Case(0.7, 0.1, "latency"),        Case(0.7, 0.1, "latency"),
             Case(0.5, 0.59, "latency"),       Case(0.1, 0.8, "issue"),
             Case(0.9, 0.1, "l2-bandwidth")};
  V.Cases.back().Noisy = "shown only";
  std::vector<LabelRow> Rows = labelStatistics(V);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Counter, "dram_bytes");
  EXPECT_EQ(Rows[0].Cases, 4u);
  EXPECT_EQ(Rows[0].Same, 1u);
  ASSERT_EQ(Rows[0].Others.size(), 2u);
  EXPECT_EQ(Rows[0].Others[0].first, "latency");
  EXPECT_EQ(Rows[0].Others[0].second, 2u);
  EXPECT_EQ(Rows[0].Others[1].first, "fp32");
  EXPECT_EQ(Rows[1].Counter, "flop_fp32");
  EXPECT_EQ(Rows[1].Cases, 1u);
  EXPECT_EQ(Rows[1].Same, 1u);
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
