/// \file
/// Reuse distances, against counts by brute force.
#include "Execute/Record/ReuseTrace.h"
#include "helpers/ExecuteTesting.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <random>
#include <set>

using namespace gpuestimate;

namespace {

/// The distance of the last of some uses of sectors: the most other lines
/// between two uses of its line since the use of the sector before.
uint32_t countDistance(llvm::ArrayRef<uint64_t> Uses) {
  uint64_t Sector = Uses.back();
  std::set<uint64_t> Others;
  size_t Largest = 0;
  for (uint64_t Use : llvm::reverse(Uses.drop_back())) {
    if (Use / 4 != Sector / 4) {
      Others.insert(Use / 4);
      continue;
    }
    Largest = std::max(Largest, Others.size());
    if (Use == Sector)
      return Largest;
    Others.clear();
  }
  return LineStack::Never;
}

TEST(LineStack, FirstUsesAndReusesOfSectors) {
  LineStack Stack(16);
  llvm::SmallVector<uint32_t> D;
  llvm::SmallVector<bool> New;
  Stack.use({0, 1, 4}, D, New); // two sectors of line 0, one of line 1
  EXPECT_EQ(D, (llvm::SmallVector<uint32_t>(3, LineStack::Never)));
  EXPECT_EQ(New, (llvm::SmallVector<bool>{true, false, true}));
  Stack.use({8, 12}, D, New); // lines 2 and 3
  Stack.use({0, 2}, D, New);  // lines 1, 2 and 3 are between; 2 is new
  EXPECT_EQ(D, (llvm::SmallVector<uint32_t>{3, LineStack::Never}));
  EXPECT_EQ(New, (llvm::SmallVector<bool>{false, false}));
  Stack.use({1}, D, New); // the line was at distance 3 since
  EXPECT_EQ(D.front(), 3u);
  Stack.use({1}, D, New);
  EXPECT_EQ(D.front(), 0u);
  EXPECT_TRUE(Stack.hasRoom(9));
  EXPECT_FALSE(Stack.hasRoom(10));
}

TEST(LineStack, AgreesWithBruteForce) {
  std::mt19937 Random(7);
  LineStack Stack(400);
  std::vector<uint64_t> Uses;
  llvm::SmallVector<uint32_t> D;
  llvm::SmallVector<bool> New;
  for (unsigned R = 0; R < 300; ++R) {
    Uses.push_back(Random() % 80); // of 20 lines
    Stack.use(Uses.back(), D, New);
    EXPECT_EQ(D.front(), countDistance(Uses));
  }
}

const RunTrace::Access *loadOf(const RunTrace &T, unsigned N) {
  for (const RunTrace::Access &A : T.Accesses)
    if (A.AmongLoads.Footprint > 0 && N-- == 0)
      return &A;
  return nullptr;
}

TEST(ReuseTrace, DistancesAreOtherLinesOfTheBlock) {
  // A lane has a line of each array, and uses two of its sectors in turns.
  ExecutedKernel K("__global__ void k(const int *a, const int *b, int *out,"
                   "                  int n) {"
                   "  int t = threadIdx.x, s = 0;"
                   "  for (int i = 0; i < n; ++i)"
                   "    s = s * a[t * 32 + (i & 1) * 8]"
                   "        + b[t * 32 + (i & 1) * 8];"
                   "  out[t] = s;"
                   "}");
  std::vector<int> A(32 * 32), B(32 * 32), Out(32);
  K.pass(A).pass(B).pass(Out).pass(6);
  K.Request.Trace = true;
  ExecutionResult R = K.runAll({1, 1, 1}, {32, 1, 1});
  ASSERT_TRUE(R.Trace);
  for (unsigned Load : {0, 1}) {
    const RunTrace::Access *Of = loadOf(*R.Trace, Load);
    ASSERT_TRUE(Of);
    // 2 sectors for each lane, 4 uses of them again. The lines of the other
    // array and of the other lanes are between.
    EXPECT_EQ(Of->AmongLoads.FirstUses, 2 * 32);
    EXPECT_EQ(Of->AmongLoads.Bytes, std::vector<double>{63 * 128});
    EXPECT_EQ(Of->AmongLoads.Sectors, std::vector<double>{4 * 32});
    EXPECT_EQ(Of->AmongLoads.Union, 2 * 32);
    EXPECT_EQ(Of->AmongLoads.UnionLines, 32);
    EXPECT_EQ(Of->AmongAll.Sectors, Of->AmongLoads.Sectors);
  }
  ASSERT_EQ(R.Trace->Warps.size(), 1u);
  ASSERT_EQ(R.Trace->Warps[0].Reuses.size(), 2u);
  EXPECT_EQ(R.Trace->Warps[0].Reuses[0].Bytes,
            (std::vector<int64_t>{-1, -1, 8064, 8064, 8064, 8064}));
}

TEST(ReuseTrace, BlocksThatShareATable) {
  // Each warp has 8 sectors of its own, and all have 4 in common.
  ExecutedKernel K("__global__ void k(const int *own, const int *all,"
                   "                  int *out) {"
                   "  int t = blockIdx.x * 32 + threadIdx.x;"
                   "  out[t] = own[t * 2] + all[threadIdx.x];"
                   "}");
  std::vector<int> Own(16 * 32 * 2), All(32), Out(16 * 32);
  K.pass(Own).pass(All).pass(Out);
  K.Request.Trace = true;
  ExecutionResult R = K.runAll({16, 1, 1}, {32, 1, 1});
  ASSERT_TRUE(R.Trace);
  std::map<double, double> UnionByFootprint;
  for (unsigned Load : {0, 1}) {
    const RunTrace::Access *Of = loadOf(*R.Trace, Load);
    ASSERT_TRUE(Of);
    UnionByFootprint[Of->AmongLoads.Footprint] = Of->AmongLoads.Union;
  }
  EXPECT_EQ(UnionByFootprint,
            (std::map<double, double>{{16 * 4, 4}, {16 * 8, 16 * 8}}));
}

} // namespace
