/// \file
/// What Triton's NAME.json tells of a launch, in the forms of its versions.
#include "gpu-estimate/ForeignIr/TritonMetadata.h"
#include <gtest/gtest.h>
#include <string>

using namespace gpuestimate;

namespace {

TritonMetadata read(const std::string &Text) {
  std::optional<TritonMetadata> Read = readTritonMetadata(Text);
  EXPECT_TRUE(Read.has_value()) << Text;
  return Read.value_or(TritonMetadata());
}

TEST(TritonMetadata, LaunchAndTarget) {
  TritonMetadata M = read(
      R"({"name": "add", "num_warps": 8, "num_ctas": 1, "shared": 49152,
          "target": {"backend": "cuda", "arch": 90, "warp_size": 32},
          "cluster_dims": [1, 1, 1], "global_scratch_size": 0})");
  EXPECT_EQ(M.Kernel, "add");
  EXPECT_EQ(M.ThreadsPerBlock, 256u);
  EXPECT_EQ(M.DynamicSharedBytes, 49152u);
  EXPECT_EQ(M.Cluster[0], 0u);
  EXPECT_EQ(M.Target, "sm_90");
  EXPECT_EQ(M.Problem, "");
}

TEST(TritonMetadata, WarpsOfAmdHave64Threads) {
  TritonMetadata M = read(
      R"({"num_warps": 4, "shared": 0, "warp_size": 32,
          "target": {"backend": "hip", "arch": "gfx942:xnack-",
                     "warp_size": 64}})");
  EXPECT_EQ(M.ThreadsPerBlock, 256u);
  EXPECT_EQ(M.Target, "gfx942");
  EXPECT_EQ(
      read(R"({"num_warps": 4, "target": ["hip", "gfx90a"]})").ThreadsPerBlock,
      256u);
}

TEST(TritonMetadata, FormsOfOlderVersions) {
  TritonMetadata M =
      read(R"({"num_warps": 4, "target": ["cuda", 80], "constants": {}})");
  EXPECT_EQ(M.ThreadsPerBlock, 128u);
  EXPECT_FALSE(M.DynamicSharedBytes);
  EXPECT_EQ(M.Target, "sm_80");
}

TEST(TritonMetadata, Clusters) {
  using Sizes = std::array<unsigned, 3>;
  EXPECT_EQ(read(R"({"num_warps": 4, "num_ctas": 2})").Cluster,
            (Sizes{2, 1, 1}));
  EXPECT_EQ(
      read(R"({"num_warps": 4, "num_ctas": 4, "cluster_dims": [2, 2, 1]})")
          .Cluster,
      (Sizes{2, 2, 1}));
}

TEST(TritonMetadata, JsonOfSomethingElse) {
  EXPECT_FALSE(readTritonMetadata("{}"));
  EXPECT_FALSE(readTritonMetadata(R"({"shared": true, "name": "package"})"));
}

TEST(TritonMetadata, ImpossibleValuesAreNotStated) {
  TritonMetadata M = read(
      R"({"num_warps": 1e9, "shared": -1, "num_ctas": "2",
          "cluster_dims": [1, 0, 1], "target": 7})");
  EXPECT_FALSE(M.ThreadsPerBlock);
  EXPECT_FALSE(M.DynamicSharedBytes);
  EXPECT_EQ(M.Cluster[0], 0u);
  for (const char *Part :
       {"'num_warps' is 1000000000, expected a number from 1 to 32",
        "'shared' is -1, expected", "'num_ctas' is \"2\"",
        "'cluster_dims' is [1,0,1]", "give --block and --dynamic-smem"})
    EXPECT_NE(M.Problem.find(Part), std::string::npos) << M.Problem;
}

TEST(TritonMetadata, BrokenText) {
  for (const std::string &Text :
       {std::string("{"), std::string("[1]"), std::string("\xff{}"),
        std::string(100'000, '['), std::string()})
    EXPECT_NE(read(Text).Problem, "") << Text.substr(0, 9);
  // What is shown of a value is short.
  EXPECT_LT(read("{\"num_warps\": \"" + std::string(100'000, 'x') + "\"}")
                .Problem.size(),
            300u);
}

} // namespace
