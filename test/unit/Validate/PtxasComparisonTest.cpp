/// \file
/// Registers of ptxas beside estimated ones, against values computed by hand.
#include "gpu-estimate/Validate/PtxasComparison.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

CaseResult result(double Predicted, unsigned Registers, PtxasResult Ptxas) {
  CaseResult C;
  C.Dataset = "a";
  C.Kernel = "k";
  C.PredictedMs = Predicted;
  C.MeasuredMs = 1;
  C.Registers = Registers;
  C.Ptxas = Ptxas;
  C.Measured = {{"registers", 30}};
  return C;
}

Validation validation(std::vector<CaseResult> Cases) {
  Validation V;
  V.Datasets = {{"a", "", ""}, {"b", "", ""}};
  V.Models = {"latency-bandwidth"};
  V.Cases = std::move(Cases);
  return V;
}

TEST(PtxasComparison, HasBothErrorsOfTheSameCases) {
  Validation V = validation({result(2, 40, {1, 30, true, false}),
                             result(4, 32, {2, 33, true, false}),
                             result(1, 30, {0, 0, true, true})});
  V.Cases[1].Measured.clear();
  std::vector<PtxasRow> Rows = ptxasComparison(V);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Dataset, "a");
  EXPECT_EQ(Rows[0].Assembled, 3u);
  EXPECT_EQ(Rows[0].Refused, 1u);
  EXPECT_EQ(Rows[0].Estimated.Cases, 2u); // without the refused one
  EXPECT_DOUBLE_EQ(Rows[0].Estimated.MeanApe, 2);
  EXPECT_DOUBLE_EQ(Rows[0].WithPtxas.MeanApe, 0.5);
  EXPECT_EQ(Rows[0].Counted, 1u);
  EXPECT_EQ(Rows[0].NearEstimated, 0);
  EXPECT_EQ(Rows[0].NearWithPtxas, 1);
}

TEST(PtxasComparison, LeavesOutWhatWasNotAskedOrDoesNotCount) {
  Validation V = validation({result(2, 40, {1, 30, true, false}),
                             result(2, 40, {1, 30, true, false})});
  V.Cases[0].Noisy = "clock";
  V.Cases[1].Ptxas.reset();
  EXPECT_TRUE(ptxasComparison(V).empty());
}

} // namespace
