/// \file
/// Times that are transferred from one GPU to another, by hand.
#include "gpu-estimate/Validate/TransferStatistics.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

CaseResult result(const char *Gpu, const char *Kernel, double Predicted,
                  double Measured, const char *Dataset = "a") {
  CaseResult C;
  C.Dataset = Dataset;
  C.Kernel = Kernel;
  C.Gpu = Gpu;
  C.GpuVendor = "NVIDIA";
  C.Model = DefaultModel.str();
  C.Work = "grid 64";
  C.PredictedMs = Predicted;
  C.MeasuredMs = Measured;
  C.Breakdown = {{"dram", 1}};
  return C;
}

TEST(TransferStatistics, AnErrorThatBothTimesShareCancels) {
  Validation V;
  V.Cases = {result("x", "k", 2, 1), result("y", "k", 4, 2)};
  auto Rows = transferStatistics(V);
  ASSERT_EQ(Rows.size(), 2u); // x to y, and all
  EXPECT_EQ(Rows[0].From, "x");
  EXPECT_EQ(Rows[0].To, "y");
  EXPECT_EQ(Rows[0].Pairs, 1u);
  EXPECT_NEAR(Rows[0].Factor, 1, 1e-12);
  EXPECT_NEAR(Rows[0].FactorOfTimes, 2, 1e-12);
  EXPECT_EQ(Rows[0].Covered, 1);
}

TEST(TransferStatistics, WhatTheyDoNotShareStays) {
  Validation V;
  // 1 ms on x, predicted ratio 3, measured ratio 2.
  V.Cases = {result("x", "k", 1, 1), result("y", "k", 3, 2)};
  EXPECT_NEAR(transferStatistics(V)[0].Factor, 1.5, 1e-12);
  EXPECT_NEAR(transferStatistics(V)[0].MedianApe, 0.5, 1e-12);
}

TEST(TransferStatistics, ProgramsWeighAlike) {
  Validation V;
  for (int I = 0; I < 3; ++I)
    V.Cases.push_back(result(I ? "y" : "x", "k", I ? 2 : 1, 1));
  V.Cases.push_back(result("x", "l", 1, 1));
  V.Cases.push_back(result("y", "l", 1, 1));
  TransferRow Row = transferStatistics(V).back();
  EXPECT_EQ(Row.Pairs, 3u);
  EXPECT_EQ(Row.Programs, 2u);
  EXPECT_NEAR(Row.Factor, std::sqrt(2.0), 1e-12);
}

TEST(TransferStatistics, OnlyTheSameLaunchesOfOneProgramArePairs) {
  Validation V;
  V.Cases = {result("x", "k", 1, 1), result("y", "k", 1, 1, "b"),
             result("y", "l", 1, 1)};
  EXPECT_TRUE(transferPairs(V).empty());
  V.Cases[1].Kernel = V.Cases[0].Kernel = "bfs/k"; // a whole program
  EXPECT_EQ(transferPairs(V).size(), 1u);
  V.Cases[1].Work = "grid 32";
  EXPECT_TRUE(transferPairs(V).empty());
}

} // namespace
