/// \file
/// What accesses share of what is found of them, against each one alone.
#include "Evaluate/Cache/AccessPattern.h"
#include "gpu-estimate/Evaluate/Sampling/RequestCostTables.h"
#include "helpers/TrafficKernels.h"
#include "gtest/gtest.h"
#include <optional>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

struct Added {
  double Offset;
  unsigned Bytes, Block;
  MemorySpace Space;
  bool Wraps; ///< the address is no sum of multiples
};

std::vector<Added> accesses() {
  std::vector<Added> Out;
  for (unsigned Block : {0, 1})
    for (unsigned Bytes : {4, 8})
      for (double Offset : {0, 4, 32, 36, 64, 4096, 4100}) {
        for (bool Wraps : {false, true})
          Out.push_back({Offset, Bytes, Block, MemorySpace::Global, Wraps});
        Out.push_back({Offset, Bytes, Block, MemorySpace::Local, false});
      }
  return Out;
}

std::vector<AccessPattern> patterns(llvm::ArrayRef<Added> Accesses) {
  TestKernel K;
  int Loop = K.loop(-1, K.parameter("m"));
  unsigned Blocks[] = {K.block(Loop),
                       K.block(Loop, K.context().less(K.tid(), K.number(44)))};
  for (const Added &A : Accesses) {
    Expr At = A.Space == MemorySpace::Local
                  ? K.counter(Loop) * 12
                  : (A.Wraps ? K.context().mod(K.id() * 7, K.number(300))
                             : K.id() * 3) *
                            4 +
                        K.counter(Loop) * 100;
    K.access(Blocks[A.Block], A.Space == MemorySpace::Local ? "t" : "a",
             At + K.number(A.Offset), AccessKind::Load, A.Bytes, A.Space);
    K.Model.Accesses.back().BaseBytes = 1 << 20;
  }
  GpuModel G = testGpu();
  Launch L = launch({40, 1, 1}, {64, 1, 1});
  Bindings Values{{"m", 50}};
  LaunchSample Sample = sampleLaunch(K.Model, G, L, Values);
  const LaunchProgram Program(K.Model, G, L, Values);
  LaneState State(Program);
  BlockAssignment R = assignBlocks(G, L, Sample, 4);
  RequestCostTables Shapes(G);
  return findAccessPatterns(State, G, L, Values, Sample, R, Shapes);
}

TEST(AccessPattern, ThoseOfAccessesThatAreAlikeAreAsOfEachAlone) {
  std::vector<Added> All = accesses();
  std::vector<AccessPattern> Together = patterns(All);
  unsigned Alike = 0;
  for (unsigned A = 0; A < All.size(); ++A) {
    const AccessPattern &P = Together[A];
    const AccessPattern Alone = patterns(All[A]).front();
    const Added &First = All[P.Representative];
    Alike += P.Representative != A;
    EXPECT_EQ(First.Block, All[A].Block);
    EXPECT_EQ(First.Bytes, All[A].Bytes);
    EXPECT_EQ(P.Start, Alone.Start) << A << " like " << P.Representative;
    EXPECT_EQ(P.SectorsPerBlock, Alone.SectorsPerBlock) << A;
    EXPECT_EQ(P.ThreadsPerBlock, Alone.ThreadsPerBlock) << A;
    EXPECT_EQ(P.Width, Alone.Width) << A;
    EXPECT_EQ(P.ThreadDims, Alone.ThreadDims) << A;
    EXPECT_EQ(P.LoopDims, Alone.LoopDims) << A;
    EXPECT_EQ(P.GridBlockMap, Alone.GridBlockMap) << A;
    EXPECT_EQ(P.SmBlockMap, Alone.SmBlockMap) << A;
  }
  EXPECT_GE(Alike, All.size() / 3);
}

} // namespace
