/// \file
/// The table of errors from cases, against values computed by hand.
#include "gpu-estimate/Validate/ErrorTraining.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

CaseResult result(const char *Dataset, const char *Kernel, double Error,
                  const char *Component, const char *Vendor = "NVIDIA") {
  CaseResult C;
  C.Dataset = Dataset;
  C.Kernel = Kernel;
  C.GpuVendor = Vendor;
  C.Model = DefaultModel.str();
  C.PredictedMs = 1;
  C.MeasuredMs = std::exp(Error);
  C.Breakdown = {{Component, 1}};
  return C;
}

Validation validation(std::vector<CaseResult> Cases) {
  Validation V;
  V.Datasets = {{"a", "", ""}, {"b", "", ""}};
  V.Models = {DefaultModel.str()};
  V.Cases = std::move(Cases);
  return V;
}

constexpr unsigned Memory = unsigned(ErrorPart::Memory),
                   Compute = unsigned(ErrorPart::Compute);

TEST(ErrorTraining, APartHasTheMedianOfItsCases) {
  std::vector<CaseResult> Cases;
  for (int I = 0; I < 10'000; ++I) {
    std::string Kernel = "k" + std::to_string(I);
    Cases.push_back(result("a", Kernel.c_str(), I % 2 ? 0.1 : -0.1, "dram"));
    Cases.push_back(result("a", Kernel.c_str(), I % 2 ? 0.4 : -0.4, "issue"));
  }
  ErrorTable T = trainErrors(validation(Cases), "");
  // The prior has the median of all cases, 0.1, and little weight.
  EXPECT_NEAR(T.Spread[Memory], 0.1, 1e-12);
  EXPECT_NEAR(T.Spread[Compute], 0.4, 0.02);
  // Half of the errors are +spread, half are -spread.
  for (auto [Low, High] : T.Quantiles) {
    EXPECT_NEAR(Low, -1, 0.05);
    EXPECT_NEAR(High, 1, 0.05);
  }
}

TEST(ErrorTraining, WithoutADatasetOnlyTheOthersCount) {
  Validation V =
      validation({result("a", "k", 0.1, "dram"), result("b", "k", 0.7, "dram"),
                  result("b", "l", 0.7, "dram")});
  EXPECT_NEAR(trainErrors(V, "b").Spread[Memory], 0.1, 1e-12);
  EXPECT_NEAR(trainErrors(V, "a").Spread[Memory], 0.7, 1e-12);
}

TEST(ErrorTraining, ProgramsOfOthersWeighAlike) {
  // A hundred cases of one program, and a hundred kernels of ours, which weigh
  // as ten, against twelve programs.
  std::vector<CaseResult> Cases(100, result("a", "p/often", 0.1, "dram"));
  for (int I = 0; I < 100; ++I) {
    std::string Ours = "k" + std::to_string(I);
    Cases.push_back(result("b", Ours.c_str(), 0.1, "dram"));
  }
  for (int I = 0; I < 12; ++I) {
    std::string Kernel = "q" + std::to_string(I) + "/once";
    Cases.push_back(result("a", Kernel.c_str(), 0.5, "dram"));
  }
  EXPECT_NEAR(trainErrors(validation(Cases), "").Spread[Memory], 0.5, 1e-12);
  Cases.pop_back();
  Cases.pop_back(); // ten against eleven
  EXPECT_NEAR(trainErrors(validation(Cases), "").Spread[Memory], 0.1, 1e-12);
}

TEST(ErrorTraining, WithoutAPartOfTheProgramsOnlyTheOthersCount) {
  std::vector<CaseResult> Cases = {result("a", "p/k", 0.1, "dram"),
                                   result("b", "p/l", 0.1, "dram"),
                                   result("a", "k", 0.7, "dram")};
  EXPECT_NEAR(
      trainErrors(validation(Cases), heldOutGroup("a", "p/k")).Spread[Memory],
      0.7, 1e-12);
}

TEST(ErrorTraining, LeavesOutAssumptionsNoiseAndOtherModels) {
  std::vector<CaseResult> Cases = {result("a", "k", 0.1, "dram")};
  Cases.resize(4, Cases.front());
  for (CaseResult &C : Cases)
    C.MeasuredMs = 5;
  Cases[0].Assumed = {"trip count"};
  Cases[1].Noisy = "drift";
  Cases[2].Model = "roofline";
  Cases[3].GpuVendor = ""; // a time of --against cpu
  Cases.push_back(result("a", "k", 0.1, "dram"));
  EXPECT_NEAR(trainErrors(validation(Cases), "").Spread[Memory], 0.1, 1e-12);
}

TEST(ErrorTraining, AmdHasAFactorOfItsOwn) {
  std::vector<CaseResult> Cases;
  for (int I = 0; I < 50; ++I) {
    std::string Kernel = "k" + std::to_string(I);
    double Sign = I % 2 ? 1 : -1;
    Cases.push_back(result("a", Kernel.c_str(), 0.1 * Sign, "dram"));
    if (I < 20)
      Cases.push_back(result("a", Kernel.c_str(), 0.3 * Sign, "dram", "AMD"));
  }
  ErrorTable T = trainErrors(validation(Cases), "");
  EXPECT_NEAR(T.Amd, 3, 1e-9);
  EXPECT_NEAR(
      modelError(T, errorShares({{"dram", 1}}), ErrorPart::Memory, true, 0.8)
          .Time.High,
      std::exp(0.3), 1e-9);
}

/// Three tenths of the launches that latency bounds are further off than those
/// that DRAM bounds.
TEST(ErrorTraining, ABoundHasTheQuantileOfItsCases) {
  std::vector<CaseResult> Cases;
  for (int I = 0; I < 10'000; ++I) {
    double Sign = I % 2 ? 1 : -1;
    std::string Kernel = "k" + std::to_string(I);
    for (const char *Bound : {"dram-bandwidth", "latency"}) {
      bool IsFar = I / 2 % 10 < 3;
      double Error = IsFar ? 0.2 : 0.1;
      if (Bound[0] == 'l' && IsFar)
        Error = 0.6;
      Cases.push_back(
          result(Bound, (Kernel + "/k").c_str(), Sign * Error, "dram"));
      Cases.back().Bottleneck = Bound;
    }
  }
  ErrorTable T = trainErrors(validation(Cases), "");
  EXPECT_NEAR(T.OfBound[unsigned(ErrorPart::Latency)] /
                  T.OfBound[unsigned(ErrorPart::Memory)],
              3, 1e-9);
}

/// Ranges that hold half of the errors are made wider until they hold 80 %.
TEST(ErrorTraining, AssumedCasesScaleTheirRanges) {
  std::vector<CaseResult> Cases;
  for (int I = 0; I < 1000; ++I) {
    std::string Kernel = "k" + std::to_string(I) + "/k";
    double Sign = I % 2 ? 1 : -1;
    Cases.push_back(result("a", Kernel.c_str(), 1e-3 * Sign, "dram"));
    Cases.push_back(
        result("a", Kernel.c_str(), Sign * 0.01 * double(I / 2 % 100), "dram"));
    Cases.back().Assumed = {"trip count"};
    Cases.back().Bottleneck = "dram-bandwidth";
    Cases.back().InputFactors = TimeFactors{std::exp(-0.5), std::exp(0.25)};
  }
  ErrorTable T = trainErrors(validation(Cases), "");
  double OfBound = T.AssumedOfBound[unsigned(ErrorPart::Memory)];
  EXPECT_NEAR(T.Assumed[1].first * OfBound * 0.5, 0.79, 0.02);
  EXPECT_NEAR(T.Assumed[1].second * OfBound * 0.25, 0.79, 0.02);
}

/// Configurations of a kernel all take three times as long as predicted, of
/// which a ratio knows nothing, and 0.1 in the logarithm more or less.
TEST(ErrorTraining, RatiosOfConfigurationsDoNotSeeWhatTheyShare) {
  std::vector<CaseResult> Cases;
  for (int I = 0; I < 40; ++I)
    Cases.push_back(
        result("a", "k", std::log(3) + (I % 2 ? 0.1 : -0.1), "dram"));
  // A ratio of 1.6 is beyond those that train.
  Cases.push_back(result("a", "k", 9, "dram"));
  Cases.back().PredictedMs *= 1.6;
  Cases.back().MeasuredMs *= 1.6;
  // In a dataset that is none of a tuner, cases are different problems.
  for (int I = 0; I < 40; ++I)
    Cases.push_back(result("b", "k", I % 2 ? 2 : -2, "dram"));
  Validation V = validation(Cases);
  V.Datasets[0].Tuning = true;
  ErrorTable T = trainErrors(V, "");
  // 20 * 20 of 40 * 39 / 2 pairs have another sign.
  double Spread = T.Spread[Memory];
  EXPECT_NEAR(T.RatioQuantiles[0], 0.2 / Spread, 1e-9);
  EXPECT_NEAR(T.RatioQuantiles[3], 0.2 / Spread, 1e-9);
  EXPECT_EQ(trainErrors(V, "a").RatioQuantiles[3], 0);
}

TEST(ErrorTraining, TheTextHasARowWithoutEachDataset) {
  std::string Text = errorTableText(validation(
      {result("a", "k", 0.1, "dram"), result("b", "k", 0.2, "dram")}));
  EXPECT_NE(Text.find("{\"\",\n"), std::string::npos);
  EXPECT_NE(Text.find("{\"a\",\n"), std::string::npos);
  EXPECT_NE(Text.find("{\"b\",\n"), std::string::npos);
}

} // namespace
