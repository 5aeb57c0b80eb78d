/// \file
/// Sequences of thunks in the forms of several versions of XLA.
#include "gpu-estimate/ForeignIr/ThunkSequence.h"
#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace gpuestimate;

namespace {

using Sizes = std::array<uint64_t, 3>;

TEST(ThunkSequence, OldestForm) {
  ThunkSequence S = readThunkSequence(
      "kKernel\t, kernel = fusion, launch dimensions = blocks: {8, 2, 1}, "
      "threads/block: {128, 1, 1}\n"
      "kGemm  \t\n");
  ASSERT_EQ(S.Steps.size(), 2u);
  EXPECT_TRUE(S.Steps[0].isLaunch());
  EXPECT_EQ(S.Steps[0].Kernel, "fusion");
  EXPECT_EQ(S.Steps[0].Grid, (Sizes{8, 2, 1}));
  EXPECT_EQ(S.Steps[0].Block, (Sizes{128, 1, 1}));
  EXPECT_EQ(S.Steps[1].Role, SequenceStep::Other);
  EXPECT_EQ(S.Steps[1].Line, 2u);
}

TEST(ThunkSequence, FormsWithNumbersAndClusters) {
  ThunkSequence S = readThunkSequence(
      "001: kKernel      \t, kernel = a, profile_annotation = a.3, launch "
      "dimensions = blocks: {8, 1, 1}, threads/block: {32, 4, 1}, cluster_dim "
      "= nullopt\n"
      "002: kKernel      \tkernel=b_1, profile_annotation=b.1, launch "
      "dimensions=blocks: {16, 1, 1}, threads/block: {128, 1, 1}, "
      "cluster_dim=ClusterDim{2, 1, 1}\n"
      "003: kCustomKernel [prev=002 (1) | sink        ] cutlass_gemm grid: [4, "
      "4, 1] threads: [128, 1, 1]  "
      "shared_memory: 49152 bytes\n");
  ASSERT_EQ(S.Steps.size(), 3u);
  EXPECT_EQ(S.Steps[0].Kernel, "a");
  EXPECT_EQ(S.Steps[0].Block, (Sizes{32, 4, 1}));
  EXPECT_EQ(S.Steps[0].Cluster[0], 0u);
  EXPECT_EQ(S.Steps[1].Kernel, "b_1");
  EXPECT_EQ(S.Steps[1].Cluster[0], 2u);
  EXPECT_EQ(S.Steps[2].Kernel, "cutlass_gemm");
  EXPECT_EQ(S.Steps[2].Grid, (Sizes{4, 4, 1}));
  EXPECT_EQ(S.Steps[2].DynamicSharedBytes, 49152u);
}

TEST(ThunkSequence, LoopsBranchesAndGraphs) {
  ThunkSequence S =
      readThunkSequence("001: kWhile        \t\n"
                        "condition:\n"
                        "    002: kKernel\t, kernel = less\n"
                        "  body:\n"
                        "    003: kKernel\t, kernel = inside\n"
                        "    004: kWhile \t\n"
                        "condition:\n"
                        "        005: kKernel\t, kernel = less_too\n"
                        "      body:\n"
                        "        006: kCopy\t\n"
                        "\n"
                        "007: kConditional  \t  \n"
                        "  false_branch:\n"
                        "    008: kKernel\t, kernel = no\n"
                        "  true_branch:\n"
                        "    009: kKernel\t, kernel = yes\n"
                        "010: kCommandBuffer\t\n"
                        "  011: kKernel\t, kernel = node\n"
                        "012: kAsyncDone\tasync_id=3\n"
                        "013: kNewThing  \t\n"
                        "  014: kKernel\t, kernel = nested\n");
  ASSERT_EQ(S.Steps.size(), 14u);
  auto Expect = [&](size_t Step, size_t Parent, llvm::StringRef Part) {
    EXPECT_EQ(S.Steps[Step].Parent, Parent) << Step;
    EXPECT_EQ(S.Steps[Step].Part, Part) << Step;
  };
  Expect(1, 0, "condition");
  Expect(2, 0, "body");
  Expect(3, 0, "body");
  Expect(4, 3, "condition");
  Expect(5, 3, "body");
  Expect(7, 6, "false_branch");
  Expect(8, 6, "true_branch");
  Expect(10, 9, "");
  EXPECT_FALSE(S.Steps[6].Parent);
  EXPECT_EQ(S.Steps[0].Role, SequenceStep::Loop);
  EXPECT_EQ(S.Steps[6].Role, SequenceStep::Choice);
  EXPECT_EQ(S.Steps[9].Role, SequenceStep::Graph);
  EXPECT_EQ(S.Steps[11].Role, SequenceStep::Marker);
  EXPECT_EQ(S.Steps[12].Role, SequenceStep::Group);
  EXPECT_TRUE(S.Problems.empty());
}

TEST(ThunkSequence, SizesThatNoLaunchHas) {
  ThunkSequence S = readThunkSequence(
      "001: kKernel\t, kernel = a, launch dimensions = blocks: {0, 1, 1}, "
      "threads/block: {128, 1, 1}\n"
      "002: kKernel\t, kernel = b, launch dimensions = blocks: {-1, x, 1}, "
      "threads/block: {4096, 1, 1}\n"
      "003: kKernel\t, kernel = c, launch dimensions = blocks: {1, 1, 1}, "
      "threads/block: {99999999999999999999, 1, 1, 1, 1}\n");
  EXPECT_FALSE(S.Steps[0].Grid);
  EXPECT_TRUE(S.Steps[0].Block);
  EXPECT_FALSE(S.Steps[1].Grid);
  EXPECT_FALSE(S.Steps[1].Block);
  EXPECT_FALSE(S.Steps[2].Block);
  ASSERT_EQ(S.Problems.size(), 4u);
  EXPECT_EQ(S.Problems[0].Place.Line, 1u);
  EXPECT_EQ(S.Problems[3].Place.Line, 3u);
}

TEST(ThunkSequence, TextOfSomethingElse) {
  for (llvm::StringRef Text :
       {"", "HloModule jit_f\n\nENTRY main {\n}\n", "\0\xff\n001:\nkernel\n"}) {
    ThunkSequence S = readThunkSequence(Text);
    EXPECT_TRUE(S.Steps.empty());
    EXPECT_EQ(S.Problems.size(), 1u);
  }
  EXPECT_TRUE(readThunkSequence("No thunks.").Problems.empty());
}

TEST(ThunkSequence, FactsOfHlo) {
  std::vector<SequenceStep> Steps = readThunkSequence("001: kCopy\n"
                                                      "002: kWhile\n"
                                                      "body:\n"
                                                      "    003: kMemzero\n"
                                                      "004: kCopy\n"
                                                      "005: kCopy\n"
                                                      "006: kWhile\n")
                                        .Steps;
  std::string Metadata;
  for (const auto &[Name, Number] :
       std::vector<std::pair<std::string, unsigned>>{{"copy.1", 1},
                                                     {"while.7", 2},
                                                     {"fill", 3},
                                                     {"fusion", 4},
                                                     {"huge", 5},
                                                     {"while.8", 6}})
    Metadata += "thunk_metadata {\n  thunk_info {\n    profile_annotation: \"" +
                Name + "\"\n    thunk_id: " + std::to_string(Number) +
                "\n  }\n}\n";
  addHloFacts(
      Steps, Metadata,
      "HloModule jit_f\n"
      "  %copy.1 = f32[2048,512]{1,0} copy(%copy.10)\n"
      "  %copy.10 = f32[1]{0} copy(%x)\n"
      "  %while.7 = (s32[], f32[8]{0}) while(%tuple.11), backend_config="
      "{\"known_trip_count\":{\"n\":\"12\"}}\n"
      "  fill = s4[3] broadcast(%zero)\n"
      "  ROOT %fusion = (bf16[4]{0}, f32[]) fusion(%x)\n"
      "  %huge = f32[9999999999,9999999999]{0} copy(%x)\n"
      "  %while.8 = (s32[]) while(%tuple.12), condition=%c\n");
  EXPECT_EQ(Steps[0].Bytes, 2048u * 512 * 4);
  EXPECT_EQ(Steps[1].Iterations, 12u);
  EXPECT_EQ(Steps[2].Bytes, 2u); // three elements of four bits
  EXPECT_FALSE(Steps[3].Bytes);
  EXPECT_FALSE(Steps[4].Bytes);
  EXPECT_FALSE(Steps[5].Iterations);
  std::vector<SequenceStep> Before = Steps;
  addHloFacts(Steps, "thunk_id: 1\nprofile_annotation: \"", "%copy.1 = ");
  EXPECT_EQ(Steps[0].Bytes, Before[0].Bytes);
}

/// Neither depth nor length of what somebody else has written is an obstacle.
TEST(ThunkSequence, HostileText) {
  std::string Deep;
  for (unsigned I = 0; I < 5000; ++I)
    Deep += std::string(2 * I, ' ') + "001: kWhile\t\nbody:\n";
  EXPECT_EQ(readThunkSequence(Deep).Steps.size(), 5000u);
  std::string Long = "001: kKernel\t, kernel = ";
  Long += std::string(1 << 20, 'k') + "\n";
  for (unsigned I = 0; I < 200'000; ++I)
    Long += "kCopy\n";
  ThunkSequence S = readThunkSequence(Long);
  EXPECT_EQ(S.Steps.size(), 50'000u);
  EXPECT_EQ(S.Problems.size(), 1u);
}

TEST(ThunkSequence, RandomChanges) {
  const std::string Good =
      "001: kWhile\t\ncondition:\n    002: kKernel\t, kernel = a, launch "
      "dimensions = blocks: {8, 1, 1}, threads/block: {128, 1, 1}, cluster_dim "
      "= ClusterDim{2, 1, 1}\n  body:\n    003: kCustomKernel\tb grid: [1, 2, "
      "3] threads: [4, 5, 6] shared_memory: 7 bytes\n";
  std::mt19937 Random(1);
  for (unsigned Try = 0; Try < 20'000; ++Try) {
    std::string Text = Good;
    for (unsigned N = Random() % 8; N > 0; --N)
      Text[Random() % Text.size()] = static_cast<char>(Random());
    if (Random() % 4 == 0)
      Text.resize(Random() % Text.size());
    ThunkSequence S = readThunkSequence(Text);
    for (const SequenceStep &Step : S.Steps)
      EXPECT_TRUE(!Step.Parent || &S.Steps[*Step.Parent] < &Step);
  }
}

} // namespace
