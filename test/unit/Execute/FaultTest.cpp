/// \file
/// What kernels that go wrong are reported as.
#include "helpers/ExecuteTesting.h"
#include <chrono>

using namespace gpuestimate;

namespace {

TEST(ExecuteFaults, WriteBehindABufferNamesLineThreadAndBuffer) {
  ExecutedKernel K("__global__ void k(int *a, int n) {\n"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "  if (i < n)\n"
                   "    a[i] = i;\n"
                   "}");
  std::vector<int> A(1024);
  K.pass(A).pass(1025); // one thread goes wrong
  ExecutionResult R = K.run({20, 1, 1}, {64, 1, 1});
  EXPECT_FALSE(R.Completed);
  ASSERT_TRUE(R.Fault);
  EXPECT_NE(R.Fault->What.find("out-of-bounds write"), std::string::npos);
  EXPECT_EQ(R.Fault->Line, 4u);
  EXPECT_EQ(R.Fault->Block[0], 16u);
  EXPECT_EQ(R.Fault->Thread[0], 0u);
  EXPECT_EQ(R.Fault->Buffer.find("0 bytes behind the end of 4096 bytes"), 0u)
      << R.Fault->Buffer;
}

/// A GPU maps 2 MiB at least: with checks off, what lies behind the end of a
/// small buffer is accessible as it is there, and nothing farther away.
TEST(ExecuteFaults, GranulesOfMemoryWithoutChecks) {
  const char *Text = "__global__ void k(int *a, int n) {\n"
                     "  a[n + threadIdx.x] = a[n - 32 + threadIdx.x] + 1;\n"
                     "}";
  for (auto [First, Completes] :
       {std::pair(1024, true), {1 << 18, true}, {1 << 19, false}}) {
    ExecutedKernel K(Text, 1, {}, "cu", /*AllRaces=*/false,
                     /*OpensGranules=*/true);
    std::vector<int> A(1024);
    K.pass(A).pass(First);
    ExecutionResult R = K.run({1, 1, 1}, {32, 1, 1});
    EXPECT_EQ(R.Completed, Completes) << First;
  }
}

TEST(ExecuteFaults, FreedMemoryAndNullPointers) {
  const char *Text = "__global__ void k(const int *a, int *out) {\n"
                     "  *out = a[3];\n"
                     "}";
  std::vector<int> Out(1);
  {
    ExecutedKernel K(Text);
    void *Freed = K.Exec->memory().allocate(4096);
    ASSERT_TRUE(K.Exec->memory().release(Freed));
    EXPECT_FALSE(K.Exec->memory().release(Freed));
    K.pass(Freed).pass(Out);
    ExecutionResult R = K.run({1, 1, 1}, {1, 1, 1});
    ASSERT_TRUE(R.Fault);
    EXPECT_EQ(R.Fault->Line, 2u);
    EXPECT_NE(R.Fault->Buffer.find("which are freed"), std::string::npos);
  }
  ExecutedKernel K(Text);
  K.pass(static_cast<int *>(nullptr)).pass(Out);
  ExecutionResult R = K.run({1, 1, 1}, {1, 1, 1});
  ASSERT_TRUE(R.Fault);
  EXPECT_NE(R.Fault->What.find("read"), std::string::npos);
}

TEST(ExecuteFaults, EndlessLoopEndsWithTheBudgetAtItsLine) {
  ExecutedKernel K("__global__ void k(const int *a, unsigned *out) {\n"
                   "  unsigned x = 0;\n"
                   "  while (a[x % 2] == 0)\n"
                   "    x = x * 3 + 1;\n"
                   "  *out = x;\n"
                   "}");
  std::vector<int> A(2);
  std::vector<unsigned> Out(1);
  K.pass(A).pass(Out);
  K.Request.Seconds = 0.2;
  auto Begin = std::chrono::steady_clock::now();
  ExecutionResult R = K.run({1, 1, 1}, {32, 1, 1});
  EXPECT_LT(std::chrono::steady_clock::now() - Begin, std::chrono::seconds(20));
  EXPECT_TRUE(R.BudgetSpent);
  ASSERT_TRUE(R.Fault);
  EXPECT_GE(R.Fault->Line, 3u);
  EXPECT_LE(R.Fault->Line, 4u);
}

TEST(ExecuteFaults, WaitingForeverEndsWithTheBudget) {
  ExecutedKernel K("__global__ void k(volatile int *a) {\n"
                   "  while (*a == 0) ;\n"
                   "}");
  std::vector<int> A(1);
  K.pass(A);
  K.Request.Seconds = 0.2;
  ExecutionResult R = K.run({3, 1, 1}, {32, 1, 1});
  EXPECT_TRUE(R.BudgetSpent);
  EXPECT_FALSE(R.Completed);
}

TEST(ExecuteFaults, ThreadsAtDifferentBarriers) {
  ExecutedKernel K("__global__ void k(int *a) {\n"
                   "  if (threadIdx.x < 16)\n"
                   "    asm volatile(\"\");\n"
                   "  if (threadIdx.x < 40)\n"
                   "    __nvvm_barrier_sync(1);\n"
                   "  __syncthreads();\n"
                   "  a[threadIdx.x] = 1;\n"
                   "}");
  std::vector<int> A(64);
  K.pass(A);
  ExecutionResult R = K.run({1, 1, 1}, {64, 1, 1});
  ASSERT_TRUE(R.Fault);
  EXPECT_NE(R.Fault->What.find("barrier"), std::string::npos);
  EXPECT_GE(R.Fault->Line, 5u);
  EXPECT_LE(R.Fault->Line, 6u);
}

TEST(ExecuteFaults, FailedAssertion) {
  ExecutedKernel K("#include <assert.h>\n"
                   "__global__ void k(int n) {\n"
                   "  assert(threadIdx.x < n);\n"
                   "}");
  K.pass(7);
  ExecutionResult R = K.run({1, 1, 1}, {16, 1, 1});
  ASSERT_TRUE(R.Fault);
  EXPECT_EQ(R.Fault->Thread[0], 7u);
  EXPECT_NE(R.Fault->What.find("threadIdx.x < n"), std::string::npos);
  EXPECT_EQ(R.Fault->Line, 3u);
}

TEST(ExecuteFaults, UnknownFunctionsAreNamedOnlyWhereTheyRun) {
  ExecutedKernel K("extern \"C\" __device__ void mystery(int);\n"
                   "__global__ void k(int n) { if (n) mystery(n); }");
  K.pass(0);
  K.runAll({1, 1, 1}, {1, 1, 1});
  ExecutedKernel Again("extern \"C\" __device__ void mystery(int);\n"
                       "__global__ void k(int n) { if (n) mystery(n); }");
  Again.pass(1);
  ExecutionResult R = Again.run({1, 1, 1}, {1, 1, 1});
  EXPECT_NE(R.Unsupported.find("mystery"), std::string::npos);
}

TEST(ExecuteFaults, OverrunOfSharedMemory) {
  ExecutedKernel K("extern __shared__ int s[];\n"
                   "__global__ void k(int *a, int n) {\n"
                   "  s[n + threadIdx.x] = 1;\n"
                   "  __syncthreads();\n"
                   "  a[threadIdx.x] = s[n];\n"
                   "}");
  std::vector<int> A(64);
  K.Request.DynamicSharedBytes = 1024;
  K.pass(A).pass(256);
  ExecutionResult R = K.run({1, 1, 1}, {64, 1, 1});
  ASSERT_TRUE(R.Fault);
  EXPECT_NE(R.Fault->Buffer.find("shared memory"), std::string::npos);
  EXPECT_EQ(R.Fault->Line, 3u);
}

TEST(ExecuteFaults, MisalignedAccessOfATracedThread) {
  ExecutedKernel K("__global__ void k(const char *a, double *out) {\n"
                   "  out[0] =\n"
                   "      *(const double *)(a + threadIdx.x * 4);\n"
                   "}");
  std::vector<char> A(256);
  std::vector<double> Out(1);
  K.Request.Trace = true;
  K.pass(A).pass(Out);
  ExecutionResult R = K.run({1, 1, 1}, {32, 1, 1});
  ASSERT_TRUE(R.Fault);
  EXPECT_EQ(R.Fault->What.find("misaligned access of 8 bytes"), 0u)
      << R.Fault->What;
  EXPECT_EQ(R.Fault->Thread[0], 1u);
  EXPECT_EQ(R.Fault->Line, 3u);
}

// No instruction needs more than its own size.
TEST(ExecuteFaults, AlignmentOfATypeThatTheHardwareDoesNotNeed) {
  ExecutedKernel K("struct alignas(64) Line { float4 first; };\n"
                   "__global__ void k(const char *a, float *out) {\n"
                   "  out[threadIdx.x] =\n"
                   "      ((const Line *)(a + threadIdx.x * 16))->first.x;\n"
                   "}");
  std::vector<float> A(128, 2), Out(32);
  K.Request.Trace = true;
  K.pass(A).pass(Out);
  EXPECT_FALSE(K.run({1, 1, 1}, {32, 1, 1}).Fault);
  EXPECT_EQ(Out, std::vector<float>(32, 2));
}

} // namespace
