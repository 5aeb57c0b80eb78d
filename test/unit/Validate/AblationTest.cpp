/// \file
/// What each term is worth, against values computed by hand.
#include "gpu-estimate/Validate/Ablation.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

CaseResult result(const char *Dataset, double Predicted, double WithoutTail,
                  double Measured) {
  CaseResult C;
  C.Dataset = Dataset;
  C.Kernel = "k";
  C.PredictedMs = Predicted;
  C.MeasuredMs = Measured;
  C.Without = {{"tail", WithoutTail}, {"dram", Predicted}};
  return C;
}

Validation validation(std::vector<CaseResult> Cases) {
  Validation V;
  V.Datasets = {{"a", "", ""}, {"b", "", ""}};
  V.Models = {"latency-bandwidth"};
  V.Cases = std::move(Cases);
  return V;
}

TEST(Ablation, ComparesTheErrorsOfEachDataset) {
  std::vector<AblationRow> Rows =
      ablation(validation({result("a", 1, 0.5, 1), result("a", 1, 0.995, 1),
                           result("b", 2, 1, 8), result("b", 2, 1, 8)}));
  // A term that changes nothing has no row.
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Dataset, "b");
  EXPECT_EQ(Rows[0].Changed, 2u);
  EXPECT_DOUBLE_EQ(*Rows[0].With.Factor, 4);
  EXPECT_DOUBLE_EQ(*Rows[0].Without.Factor, 8);
  EXPECT_DOUBLE_EQ(Rows[0].gain(), std::log(2));
  EXPECT_EQ(Rows[1].Dataset, "a");
  EXPECT_EQ(Rows[1].Term, "tail");
  EXPECT_EQ(Rows[1].Changed, 1u); // the other one by 0.5%
  EXPECT_EQ(Rows[1].With.Cases, 2u);
  EXPECT_DOUBLE_EQ(Rows[1].Without.MeanApe, (0.5 + 0.005) / 2);
}

TEST(Ablation, NoisyCasesDoNotCount) {
  Validation V = validation({result("a", 1, 0.5, 1)});
  V.Cases[0].Noisy = "clock";
  EXPECT_TRUE(ablation(V).empty());
}

TEST(Ablation, IsEmptyWhereNoCaseWasPredictedWithoutTerms) {
  Validation V = validation({result("a", 1, 0.5, 1)});
  V.Cases[0].Without.clear();
  EXPECT_TRUE(ablation(V).empty());
}

} // namespace
