/// \file
/// Traces of executed kernels have the counts of the emulation, which runs
/// warps in lock-step.
#include "helpers/EmulateTesting.h"
#include "helpers/ExecuteTesting.h"
#include "llvm/IR/InstIterator.h"

using namespace gpuestimate;

namespace {

/// Runs k(int *a, int *b, int n) on the same contents by both.
void compare(const std::string &Body, std::vector<int> A, int N,
             std::array<uint64_t, 3> Grid, std::array<uint64_t, 3> Block) {
  SCOPED_TRACE(Body);
  std::string Text = "__global__ void k(const int *a, int *b, int n) {"
                     " int t = blockIdx.x * blockDim.x + threadIdx.x; " +
                     Body + " }";
  std::vector<int> B(1024), EmulatedA = A, EmulatedB = B;
  EmulatedKernel Emulated(Text);
  Emulated.pass(EmulatedA).pass(EmulatedB).pass(uint64_t(N));
  Emulation E = Emulated.runAll(Grid, Block);

  ExecutedKernel Executed(Text);
  Executed.Request.Trace = true;
  Executed.pass(A).pass(B).pass(N);
  ExecutionResult R = Executed.runAll(Grid, Block);
  ASSERT_TRUE(R.Trace);
  const RunTrace &T = *R.Trace;
  EXPECT_EQ(B, EmulatedB);

  EXPECT_EQ(T.Runs, E.Runs);
  EXPECT_EQ(T.Lanes, E.Lanes);
  EXPECT_EQ(T.Entries, E.Entries);
  ASSERT_EQ(T.Warps.size(), E.Warps.size());
  std::vector<const llvm::Instruction *> Instructions;
  for (const llvm::Instruction &I :
       llvm::instructions(*Emulated.Request.Kernel))
    Instructions.push_back(&I);
  for (const RunTrace::Condition &C : T.Conditions) {
    ConditionCounts Other = E.Conditions.lookup(Instructions[C.Instruction]);
    EXPECT_EQ(C.Lanes, Other.Lanes);
    EXPECT_EQ(C.True, Other.True);
  }
  for (const RunTrace::Branch &Branch : T.Branches) {
    BranchCounts Other = E.Branches.lookup(Instructions[Branch.Instruction]);
    EXPECT_EQ(Branch.Warps, Other.Warps);
    EXPECT_EQ(Branch.Divergent, Other.Divergent);
    EXPECT_EQ(Branch.Lanes, Other.Lanes);
  }
  size_t Accesses = 0;
  for (const auto &Entry : E.Accesses)
    Accesses += Entry.second.Requests != 0;
  EXPECT_EQ(T.Accesses.size(), Accesses);
  for (const RunTrace::Access &Access : T.Accesses) {
    AccessCounts Other = E.Accesses.lookup(Instructions[Access.Instruction]);
    EXPECT_EQ(Access.Requests, Other.Requests);
    EXPECT_EQ(Access.Lanes, Other.Lanes);
    EXPECT_EQ(Access.Sectors, Other.Sectors);
  }
}

std::vector<int> mixed(size_t Count, int Limit) {
  std::vector<int> V(Count);
  unsigned X = 7;
  for (int &E : V)
    E = int((X = X * 1664525 + 1013904223) >> 16) % Limit;
  return V;
}

TEST(TraceAgainstEmulation, LoopsBranchesAndAccesses) {
  std::array<uint64_t, 3> Grid = {2, 1, 1}, Block = {80, 1, 1};
  compare("if (t < n) b[t] = a[t * 3];", mixed(600, 9), 100, Grid, Block);
  compare("int s = 0; for (int i = 0; i < a[t]; ++i) s += a[i * 5 + s % 7];"
          "b[t] = s;",
          mixed(600, 20), 0, Grid, Block);
  compare("int s = 0; for (int i = 0; i < n; ++i)"
          "  for (int j = 0; j < a[t + i]; ++j)"
          "    if (a[j] > a[t]) s += j * s + 1; else if (a[j] == 3) s ^= i;"
          "b[t] = s;",
          mixed(600, 9), 5, Grid, Block);
  compare("for (int i = t; i < n; i += 160) atomicAdd(&b[a[i]], i);",
          mixed(600, 50), 500, Grid, Block);
  compare("int x = a[t], s = 0; switch (x % 5) {"
          "case 0: s = a[x]; break; case 1: s = x * 7; break;"
          "case 3: s = a[x + 1] + 1; } b[t] = s;",
          mixed(600, 300), 0, Grid, Block);
}

TEST(TraceAgainstEmulation, BarriersAndSharedMemory) {
  compare("__shared__ int s[96]; int l = threadIdx.x; s[l] = a[t];"
          "__syncthreads();"
          "for (int d = 64; d; d /= 2) {"
          "  if (l < d && l + d < 96) s[l] += s[l + d]; __syncthreads(); }"
          "b[t] = s[0] + s[l * 7 % 96];",
          mixed(600, 9), 0, {2, 1, 1}, {96, 1, 1});
}

} // namespace
