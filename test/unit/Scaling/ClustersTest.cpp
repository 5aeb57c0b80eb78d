/// \file
/// The pipeline of Wu et al. on kernels of two known clusters, and the file of
/// clusters.
#include "Scaling/ClusterFile.h"
#include "llvm/Support/Error.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

/// Two counts, two core clocks, one memory clock. The first cluster is bound by
/// computation, the second by memory. The feature is above 0.5 for the second.
constexpr char Text[] = R"(# comment
schema gpu-estimate-scaling/1

model small
record kernels 2
gpu gpu-a
sm_counts 8 16
core_mhz 500 1000
memory_mhz 700
base 16 1000 700
features dram
use nearest
scales time
sm_scaling
centroid 0.5
centroid 1
mean 0.5
deviation 0.1
hidden 0 10
output 0 -9
output 0 9
clock_scaling 8
centroid 0.5
clock_scaling 16
centroid 0.5
centroid 1
mean 0.5
deviation 0.1
hidden 0 10
output 0 -9
output 0 9
end
)";

ClusterModel small() {
  auto Models = parseClusters("clusters.txt", Text);
  EXPECT_TRUE(bool(Models));
  return Models->front();
}

TEST(Clusters, PredictTheTimeOfTheirCluster) {
  ClusterModel M = small();
  GridPoint Lowest = {0, 0, 0};
  // Twice the time with half of the multiprocessors, and again with half of
  // the clock.
  EXPECT_NEAR(scalingFactor(M.values({0.1}), M.Base, Lowest), 4, 1e-12);
  EXPECT_NEAR(scalingFactor(M.values({0.1}), M.Base, {1, 0, 0}), 2, 1e-12);
  // No change with the multiprocessors; one cluster for all at 8.
  EXPECT_NEAR(scalingFactor(M.values({0.9}), M.Base, Lowest), 2, 1e-12);
  EXPECT_NEAR(scalingFactor(M.values({0.9}), M.Base, {1, 0, 0}), 1, 1e-12);
}

TEST(Clusters, BlendByProbability) {
  ClusterModel M = small();
  M.Blend = true;
  // Both are equally probable: the geometric mean of 2 and 1.
  EXPECT_NEAR(scalingFactor(M.values({0.5}), M.Base, {1, 0, 0}), std::sqrt(2.0),
              1e-12);
  EXPECT_NEAR(scalingFactor(M.values({0.1}), M.Base, {1, 0, 0}), 2, 1e-3);
}

TEST(Clusters, ProbabilitiesSumToOne) {
  Row P = small().Clocks[1].Network.probabilities({0.52});
  ASSERT_EQ(P.size(), 2u);
  EXPECT_NEAR(P[0] + P[1], 1, 1e-12);
  EXPECT_GT(P[1], P[0]);
}

std::string problemOf(std::string Changed) {
  auto Models = parseClusters("clusters.txt", Changed);
  return Models ? "" : llvm::toString(Models.takeError());
}

std::string replaced(std::string From, std::string To) {
  std::string Changed = Text;
  return Changed.replace(Changed.find(From), From.size(), To);
}

TEST(Clusters, SayWhatIsWrongWithAFile) {
  EXPECT_EQ(problemOf(Text), "");
  EXPECT_EQ(problemOf("model a\n"),
            "clusters.txt:1:1: expected 'schema gpu-estimate-scaling/1'");
  EXPECT_EQ(problemOf(replaced("sm_counts 8 16", "sm_counts 8 x")),
            "clusters.txt:7:1: expected numbers, got 'x'");
  EXPECT_EQ(problemOf(replaced("sm_counts 8 16", "sm_counts 16 8")),
            "clusters.txt:7:1: expected ascending values above 0");
  EXPECT_EQ(problemOf(replaced("base 16 1000", "base 16 900")),
            "clusters.txt:32:1: the base of 'small' is no point of its grid");
  EXPECT_EQ(problemOf(replaced("centroid 0.5", "centroid 0.5 0.5")),
            "clusters.txt:32:1: expected centroids of 1 values above 0 each");
  EXPECT_EQ(problemOf(replaced("hidden 0 10", "hidden 0")),
            "clusters.txt:32:1: expected a network from 1 features to 2 "
            "clusters");
  EXPECT_EQ(problemOf(replaced("use nearest", "use best")),
            "clusters.txt:12:1: 'use' has no value 'best'");
  EXPECT_EQ(problemOf(replaced("end\n", "")),
            "clusters.txt:31:1: expected 'end' of the model 'small'");
}

TEST(Clusters, ShippedFileLoads) {
  auto Models = loadClusters();
  ASSERT_TRUE(bool(Models)) << llvm::toString(Models.takeError());
  EXPECT_FALSE(Models->empty());
  for (const ClusterModel &M : *Models) {
    ScalingValues V = M.values(Row(M.Features.size(), 0.5));
    EXPECT_DOUBLE_EQ(scalingFactor(V, M.Base, M.Base), 1) << M.Name;
    EXPECT_FALSE(M.Record.empty()) << M.Name;
  }
}

} // namespace
