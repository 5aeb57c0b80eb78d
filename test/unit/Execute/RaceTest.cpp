/// \file
/// Races on shared memory: which are found, and what is none.
#include "helpers/ExecuteTesting.h"

using namespace gpuestimate;

namespace {

enum Search { Everywhere, FirstBlocks, TracedBlocks };

/// The races of one block of 64 threads. Out has 64 numbers.
std::vector<RunFault> racesOf(const std::string &Body, Search In = Everywhere) {
  ExecutedKernel K("__global__ void k(int *out) {\n"
                   "  __shared__ int tile[64];\n"
                   "  int i = threadIdx.x;\n" +
                       Body +
                       "\n"
                       "}",
                   /*Threads=*/2, {}, "cu", In == Everywhere);
  std::vector<int> Out(64);
  K.pass(Out);
  K.Request.Trace = In == TracedBlocks;
  return K.runAll({1, 1, 1}, {64, 1, 1}).Races;
}

constexpr char ReadsNeighbour[] = "  out[i] = tile[(i + 33) % 64];\n";

TEST(Races, ReadOfAnotherWarpsWriteWithoutABarrier) {
  std::vector<RunFault> Races =
      racesOf(std::string("  tile[i] = i + 1;\n") + ReadsNeighbour);
  ASSERT_EQ(Races.size(), 1u);
  const RunFault &R = Races[0];
  EXPECT_EQ(R.Line + (R.What.find(":4 ") != std::string::npos ? 4u : 5u), 9u);
  EXPECT_NE(R.What.find("race on shared memory: "), std::string::npos);
  EXPECT_NE(R.What.find("without a barrier"), std::string::npos);
  EXPECT_NE(R.Buffer.find("4 bytes at offset "), std::string::npos);
  EXPECT_NE(R.Buffer.find("of 'tile'"), std::string::npos) << R.Buffer;
}

TEST(Races, BarrierOrders) {
  EXPECT_TRUE(racesOf(std::string("  tile[i] = i + 1;\n  __syncthreads();\n") +
                      ReadsNeighbour)
                  .empty());
}

TEST(Races, WriteAfterReadNeedsABarrier) {
  const std::string Begin = std::string("  tile[i] = i + 1;\n"
                                        "  __syncthreads();\n") +
                            ReadsNeighbour;
  std::vector<RunFault> Races = racesOf(Begin + "  tile[i] = -1;\n");
  ASSERT_EQ(Races.size(), 1u);
  EXPECT_NE(Races[0].What.find("write after the read"), std::string::npos)
      << Races[0].What;
  EXPECT_TRUE(racesOf(Begin + "  __syncthreads();\n  tile[i] = -1;\n").empty());
}

TEST(Races, TwoWritesRaceUnlessTheirValuesAreEqual) {
  std::vector<RunFault> Races = racesOf("  tile[0] = i;\n"
                                        "  __syncthreads();\n"
                                        "  out[i] = tile[0];\n");
  ASSERT_EQ(Races.size(), 1u);
  EXPECT_NE(Races[0].What.find("write after the write of thread (0,0,0)"),
            std::string::npos)
      << Races[0].What;
  EXPECT_TRUE(racesOf("  tile[0] = 7;\n"
                      "  __syncthreads();\n"
                      "  out[i] = tile[0];\n")
                  .empty());
}

TEST(Races, LanesOfAWarpNeedACollective) {
  const char *Write = "  tile[i] = i + 1;\n",
             *Read = "  out[i] = tile[i ^ 1];\n";
  EXPECT_EQ(racesOf(std::string(Write) + Read).size(), 1u);
  EXPECT_TRUE(racesOf(std::string(Write) + "  __syncwarp();\n" + Read).empty());
  // It does not order the warps of the block.
  EXPECT_EQ(
      racesOf(std::string(Write) + "  __syncwarp();\n" + ReadsNeighbour).size(),
      1u);
}

TEST(Races, AtomicsDoNotRaceWithEachOther) {
  const std::string Adds = "  if (i == 0) tile[0] = 0;\n"
                           "  __syncthreads();\n"
                           "  atomicAdd(&tile[0], i);\n";
  EXPECT_TRUE(
      racesOf(Adds + "  __syncthreads();\n  out[i] = tile[0];\n").empty());
  EXPECT_EQ(racesOf(Adds + "  out[i] = tile[0];\n").size(), 1u);
}

TEST(Races, NeighbouringBytesOfAWordAreApart) {
  EXPECT_TRUE(racesOf("  char *bytes = reinterpret_cast<char *>(tile);\n"
                      "  bytes[i] = char(i);\n"
                      "  out[i] = bytes[i];\n")
                  .empty());
}

TEST(Races, WarpsAreSearchedByDefaultAndLanesOnDemand) {
  const std::string Write = "  tile[i] = i + 1;\n",
                    Lane = "  out[i] = tile[i ^ 1];\n";
  for (Search In : {FirstBlocks, TracedBlocks}) {
    EXPECT_EQ(racesOf(Write + ReadsNeighbour, In).size(), 1u);
    EXPECT_TRUE(racesOf(Write + Lane, In).empty());
  }
}

TEST(Races, AllBlocksAreSearchedOnDemand) {
  const char *Text = "__global__ void k(int *out) {\n"
                     "  __shared__ int tile[64];\n"
                     "  tile[threadIdx.x] = blockIdx.x;\n"
                     "  if (blockIdx.x != 777)\n"
                     "    __syncthreads();\n"
                     "  out[threadIdx.x] = tile[63 - threadIdx.x];\n"
                     "}";
  for (bool All : {false, true}) {
    ExecutedKernel K(Text, /*Threads=*/2, {}, "cu", All);
    std::vector<int> Out(64);
    K.pass(Out);
    ExecutionResult R = K.runAll({1000, 1, 1}, {64, 1, 1});
    ASSERT_EQ(R.Races.size(), size_t(All));
    if (All)
      EXPECT_EQ(R.Races[0].Block[0], 777u);
  }
}

} // namespace
