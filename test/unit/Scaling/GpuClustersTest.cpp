/// \file
/// The tables of one GPU, and the choice among its predictors of scaling.
#include "gpu-estimate/Scaling/GpuClusters.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

ClusterModel model(std::string Table, bool Corrects, double Error,
                   std::vector<double> MemoryClocks) {
  ClusterModel M;
  M.Name = Table + "/static/" + (Corrects ? "correction" : "clusters");
  M.Gpu = "gpu-a";
  M.Grid = {{8}, {500, 1000}, std::move(MemoryClocks)};
  M.Base = {0, 1, 0};
  M.Features = {"dram", CoreElasticity};
  M.Corrects = Corrects;
  M.LeftOut = {{"a", Error}, {"b", Error + 0.02}};
  M.AnalyticError = 0.05;
  return M;
}

GpuClusters twoTables() {
  return GpuClusters::of(
      {model("low", false, 0.03, {700}), model("low", true, 0.01, {700}),
       model("high", false, 0.05, {2000, 3000}),
       model("high", true, 0.05, {2000, 3000}), model("half", false, 0, {100})},
      "gpu-a", FeatureKind::Static);
}

TEST(GpuClusters, HaveTablesWithBothPredictors) {
  EXPECT_EQ(twoTables().tables().size(), 2u);
  EXPECT_TRUE(GpuClusters::of(
                  {model("low", false, 0, {700}), model("low", true, 0, {700})},
                  "gpu-b", FeatureKind::Static)
                  .empty());
  EXPECT_TRUE(GpuClusters::of(
                  {model("low", false, 0, {700}), model("low", true, 0, {700})},
                  "gpu-a", FeatureKind::Counter)
                  .empty());
}

TEST(GpuClusters, TakeTheTableThatIsNearest) {
  GpuClusters Clusters = twoTables();
  EXPECT_EQ(Clusters.tableFor({800, 2500}).base().Memory, 2000);
  EXPECT_EQ(Clusters.tableFor({800, 900}).base().Memory, 700);
  const ClusterTable &High = Clusters.tableFor({2000, 4000});
  EXPECT_EQ(High.nearest({2000, 4000}).Core, 1000);
  EXPECT_EQ(High.nearest({2000, 4000}).Memory, 3000);
  EXPECT_FALSE(High.contains({1002, 2500}));
  EXPECT_TRUE(High.contains({1000.4, 2500}));
}

TEST(GpuClusters, TakeATableOfOtherFeatures) {
  GpuClusters Clusters = twoTables();
  ClusterModel Counted[] = {model("high", false, 0.01, {2000, 3000}),
                            model("high", true, 0.01, {2000, 3000})};
  for (ClusterModel &M : Counted)
    M.Name.replace(M.Name.find("static"), 6, "counter");
  GpuClusters Others = GpuClusters::of(Counted, "gpu-a", FeatureKind::Counter);
  ASSERT_EQ(Others.tables().size(), 1u);
  Clusters.take(Others, {990, 3000}); // no base point
  EXPECT_EQ(Clusters.tableFor({800, 2500}).Kind, FeatureKind::Static);
  Clusters.take(Others, {995, 2010});
  EXPECT_EQ(Clusters.tableFor({800, 2500}).Kind, FeatureKind::Counter);
  EXPECT_EQ(Clusters.tableFor({800, 900}).Kind, FeatureKind::Static);
}

TEST(GpuClusters, ChooseTheLeastErrorOfKernelsLeftOut) {
  GpuClusters Clusters = twoTables();
  EXPECT_NEAR(Clusters.error(ScalingMethod::Analytic), 0.05, 1e-12);
  EXPECT_NEAR(Clusters.error(ScalingMethod::Clusters), 0.05, 1e-12);
  EXPECT_NEAR(Clusters.error(ScalingMethod::Correction), 0.04, 1e-12);
  EXPECT_EQ(Clusters.best(), ScalingMethod::Correction);
  EXPECT_EQ(GpuClusters().best(), ScalingMethod::Analytic);
  EXPECT_EQ(Clusters.describeErrors(),
            "errors of kernels left out of the training: analytic 5.0%, "
            "clusters 5.0%, correction 4.0%");
}

TEST(GpuClusters, SayWhichFeatureIsMissing) {
  ClusterModel M = model("low", false, 0, {700});
  auto Row = featureRow(M, {{"dram", 0.5}}, {0.25, 0});
  ASSERT_TRUE(bool(Row));
  EXPECT_EQ(*Row, std::vector<double>({0.5, 0.25}));
  auto Missing = featureRow(M, {{"l2", 0.5}}, {});
  ASSERT_FALSE(bool(Missing));
  EXPECT_EQ(llvm::toString(Missing.takeError()),
            "the clusters 'low/static/clusters' need the feature 'dram', which "
            "is not known of this launch");
}

// The file that comes with the program.
TEST(GpuClusters, AreShipped) {
  auto Clusters = GpuClusters::load("nvidia-gtx-980", FeatureKind::Static);
  ASSERT_TRUE(bool(Clusters));
  EXPECT_EQ(Clusters->tables().size(), 2u);
  EXPECT_LT(Clusters->error(Clusters->best()), 0.05);
}

} // namespace
