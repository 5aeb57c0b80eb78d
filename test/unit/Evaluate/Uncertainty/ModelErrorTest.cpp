/// \file
/// The error of the model, and the effects of assumptions, as one interval.
#include "gpu-estimate/Evaluate/Uncertainty/ModelError.h"
#include "gpu-estimate/Evaluate/Access/InputRange.h"
#include "gpu-estimate/Evaluate/Uncertainty/CombineEffects.h"
#include "gpu-estimate/Model/Result/Term.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace gpuestimate;

namespace {

TEST(ModelError, EveryComponentIsAPart) {
  for (const TermInfo &T : timeComponents()) {
    ErrorShares Shares = errorShares({{T.Name.str(), 0.25}});
    EXPECT_DOUBLE_EQ(std::accumulate(Shares.begin(), Shares.end(), 0.0), 1)
        << T.Name.str();
  }
  ErrorShares Shares =
      errorShares({{"dram", 0.5}, {"l3", 0.2}, {"issue", 0.3}});
  EXPECT_DOUBLE_EQ(Shares[unsigned(ErrorPart::Memory)], 0.7);
  EXPECT_DOUBLE_EQ(Shares[unsigned(ErrorPart::Compute)], 0.3);
}

TEST(ModelError, EveryBottleneckIsAPart) {
  EXPECT_EQ(boundPart("dram-bandwidth"), ErrorPart::Memory);
  EXPECT_EQ(boundPart("host-link"), ErrorPart::Memory);
  EXPECT_EQ(boundPart("outstanding-requests"), ErrorPart::L1);
  EXPECT_EQ(boundPart("int"), ErrorPart::Compute);
  EXPECT_EQ(boundPart("global-atomics"), ErrorPart::Atomics);
  EXPECT_EQ(boundPart("tail"), ErrorPart::Dispatch);
  EXPECT_EQ(boundPart("launch"), ErrorPart::Launch);
  EXPECT_EQ(boundPart("latency"), ErrorPart::Latency);
}

TEST(ModelError, TheSpreadIsTheMeanOfTheParts) {
  ErrorTable Table{};
  Table.OfBound.fill(1);
  Table.OfBound[unsigned(ErrorPart::Latency)] = 2;
  Table.Spread[unsigned(ErrorPart::Memory)] = 0.1;
  Table.Spread[unsigned(ErrorPart::Atomics)] = 0.5;
  Table.Amd = 2;
  for (auto &Quantiles : Table.Quantiles)
    Quantiles = {-1, 3};
  Table.RatioQuantiles.fill(2);
  ErrorShares Shares = errorShares({{"dram", 0.75}, {"atomics", 0.25}});
  EXPECT_DOUBLE_EQ(errorSpread(Table, Shares, false), 0.2);
  EXPECT_DOUBLE_EQ(errorSpread(Table, Shares, true), 0.4);
  TimeError E = modelError(Table, Shares, ErrorPart::Memory, false, 0.8);
  EXPECT_DOUBLE_EQ(E.Time.Low, std::exp(-0.2));
  EXPECT_DOUBLE_EQ(E.Time.High, std::exp(0.6));
  EXPECT_DOUBLE_EQ(E.Ratio, std::exp(0.4));
  EXPECT_DOUBLE_EQ(ratioError(std::exp(0.4), std::exp(0.2)), std::exp(0.3));
  // Another bound moves both ends, and no ratio.
  E = modelError(Table, Shares, ErrorPart::Latency, false, 0.8);
  EXPECT_DOUBLE_EQ(E.Time.Low, std::exp(-0.4));
  EXPECT_DOUBLE_EQ(E.Time.High, std::exp(1.2));
  EXPECT_DOUBLE_EQ(E.Ratio, std::exp(0.4));
}

/// What holds for every row of the table that is checked in.
TEST(ModelError, IntervalsHoldThePredictionAndGrowWithTheLevel) {
  ASSERT_EQ(errorTable().Without, "");
  ASSERT_EQ(errorTable("rajaperf").Without, "rajaperf");
  ASSERT_EQ(errorTable("programs 0").Without, "programs 0");
  EXPECT_EQ(errorTable("no dataset").Without, "");
  for (llvm::StringRef Group : {"", "programs 3", "streams"}) {
    const ErrorTable &Table = errorTable(Group);
    for (double Spread : Table.Spread)
      EXPECT_GT(Spread, 0);
    for (double Factor : Table.OfBound)
      EXPECT_GT(Factor, 0);
    for (double Factor : Table.AssumedOfBound)
      EXPECT_GT(Factor, 0);
    EXPECT_GE(Table.Amd, 1);
    ErrorShares Shares = errorShares({{"dram", 1}});
    TimeError Before;
    for (double Level : intervalLevels()) {
      TimeError E = modelError(Table, Shares, ErrorPart::Memory, false, Level);
      EXPECT_LE(E.Time.Low, Before.Time.Low);
      EXPECT_GE(E.Time.High, Before.Time.High);
      EXPECT_GT(E.Ratio, Before.Ratio);
      Before = E;
    }
    EXPECT_LT(Before.Time.Low, 1);
    EXPECT_GT(Before.Time.High, 1);
  }
}

/// A table that leaves the ranges of assumptions as they are, but for launches
/// that latency bounds.
ErrorTable plainTable() {
  ErrorTable Table{};
  Table.Assumed.fill({1, 1.5});
  Table.AssumedOfBound.fill(1);
  Table.AssumedOfBound[unsigned(ErrorPart::Latency)] = 2;
  return Table;
}

TEST(CombineEffects, WhereSomethingIsAssumedBothPartsAreWider) {
  const ErrorTable Table = plainTable();
  Prediction P;
  P.Bottleneck = "latency";
  P.Error = TimeError{{std::exp(-0.1), std::exp(0.2)}};
  P.Interval = TimeInterval{0.8, {}, {}};
  combineEffects(P, Table);
  EXPECT_NEAR(P.Interval->Model.High, std::exp(0.2), 1e-12);
  P.Assumptions.resize(1);
  P.Assumptions[0].Variation = 0;
  P.Assumptions[0].Effect = {std::exp(-0.3), std::exp(0.4)};
  for (unsigned Times = 0; Times < 2; ++Times) { // once, however often
    combineEffects(P, Table);
    EXPECT_NEAR(P.Interval->Model.Low, std::exp(-0.1 * 2), 1e-12);
    EXPECT_NEAR(P.Interval->Model.High, std::exp(0.2 * 1.5 * 2), 1e-12);
    EXPECT_NEAR(P.Interval->Inputs.Low, std::exp(-0.3 * 2), 1e-12);
    EXPECT_NEAR(P.Interval->Inputs.High, std::exp(0.4 * 1.5 * 2), 1e-12);
  }
}

TEST(CombineEffects, IndependentEffectsAddInSquares) {
  ErrorTable Table = plainTable();
  Table.Assumed.fill({1, 1});
  Prediction P;
  P.Bottleneck = "dram-bandwidth";
  P.Interval = TimeInterval{0.8, {}, {}};
  P.Assumptions.resize(4);
  auto Set = [&](unsigned I, const char *What, int Variation,
                 TimeFactors Effect) {
    P.Assumptions[I].What = What;
    P.Assumptions[I].Variation = Variation;
    P.Assumptions[I].Effect = Effect;
  };
  Set(0, "not varied", -1, {0.1, 9});
  Set(1, "small", 0, {std::exp(-0.3), 1});
  // One variation of two assumptions counts once.
  Set(2, "large", 1, {1, std::exp(0.4)});
  Set(3, "large, too", 1, {1, std::exp(0.4)});
  combineEffects(P, Table);
  EXPECT_NEAR(P.Interval->Inputs.Low, std::exp(-0.3), 1e-12);
  EXPECT_NEAR(P.Interval->Inputs.High, std::exp(0.4), 1e-12);
  EXPECT_EQ(P.Assumptions[0].What, "small"); // 0.09 of 0.25
  EXPECT_NEAR(P.Assumptions[0].Share, 0.36, 1e-12);
  EXPECT_NEAR(P.Assumptions[1].Share, 0.32, 1e-12);
  EXPECT_NEAR(P.Assumptions[2].Share, 0.32, 1e-12);
  EXPECT_EQ(P.Assumptions[3].Share, 0);

  P.Interval->Model = {std::exp(-0.4), std::exp(0.3)};
  EXPECT_NEAR(P.Interval->total().Low, std::exp(-0.5), 1e-12);
  EXPECT_NEAR(P.Interval->total().High, std::exp(0.5), 1e-12);
  EXPECT_NEAR(P.Interval->ratio(), std::exp(1.0), 1e-12);
}

TEST(CombineEffects, AnotherLevelIsThatOfANormalDistribution) {
  TimeFactors F = {std::exp(-1.2816), std::exp(1.2816)}; // 80 %
  EXPECT_NEAR(std::log(atLevel(F, 0.95).High), 1.9600, 2e-3);
  EXPECT_NEAR(std::log(atLevel(F, 0.5).Low), -0.6745, 2e-3);
}

TEST(InputRange, HoldsTheValue) {
  Unknown U;
  for (double Value : {0.0, 0.16, 0.5, 1.0, 16.0, 1000.0})
    for (auto Kind : {Unknown::TripCount, Unknown::BranchProbability,
                      Unknown::LoadedValue, Unknown::Call})
      for (bool IsBound : {false, true}) {
        if (Kind == Unknown::BranchProbability && Value > 1)
          continue;
        U.Kind = Kind;
        U.FromData = false;
        ValueRange R = rangeOf(U, Value, IsBound);
        EXPECT_LE(R.Low, Value);
        EXPECT_GE(R.High, Value);
        if (IsBound && Kind == Unknown::TripCount) {
          EXPECT_EQ(R.High, Value);
        }
        U.FromData = true;
        R = rangeOf(U, Value, IsBound);
        EXPECT_EQ(R.Low, Value);
        EXPECT_EQ(R.High, Value);
      }
  EXPECT_LT(rangeOfSize(1024).Low, 1024);
  EXPECT_GT(rangeOfSize(1024).High, 1024);
}

TEST(ModelError, AProgramIsLeftOutOnAllGpusTogether) {
  EXPECT_EQ(programOf("hecbench-h200", "bfs/traverse"), "bfs");
  EXPECT_EQ(programOf("rajaperf", "daxpy"), "rajaperf:daxpy");
  EXPECT_EQ(heldOutGroup("rajaperf", "daxpy"), "rajaperf");
  EXPECT_EQ(heldOutGroup("hecbench-h200", "bfs/traverse"),
            heldOutGroup("hecbench-rtx3080", "bfs/visit"));
  EXPECT_EQ(heldOutGroup("x", "bfs/traverse").rfind("programs ", 0), 0u);
}

} // namespace
