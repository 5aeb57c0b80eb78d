/// \file
/// Counts of traced warps, against counts by hand.
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"
#include "gpu-estimate/Resolve/TracedLaunch.h"
#include "helpers/ExecuteTesting.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <numeric>

using namespace gpuestimate;

namespace {

/// Traces the kernel and finds its instructions by their numbers.
class Traced {
public:
  Traced(ExecutedKernel &K, std::array<uint64_t, 3> Grid,
         std::array<uint64_t, 3> Block) {
    K.Request.Trace = true;
    ExecutionResult R = K.runAll(Grid, Block);
    if (R.Trace)
      Trace = std::move(*R.Trace);
    prepareForAnalysis(*K.Unit.Module);
    Function = K.Unit.Module->getFunction(K.Kernel);
  }
  /// The access of this kind, by its number among them.
  template <typename Instruction> const RunTrace::Access *access(unsigned N) {
    unsigned Number = 0;
    for (const llvm::Instruction &I : llvm::instructions(*Function)) {
      if (llvm::isa<Instruction>(I) && N-- == 0)
        for (const RunTrace::Access &A : Trace.Accesses)
          if (A.Instruction == Number)
            return &A;
      ++Number;
    }
    return nullptr;
  }

  RunTrace Trace;
  const llvm::Function *Function = nullptr;
};

double sum(const std::vector<double> &V) {
  return std::accumulate(V.begin(), V.end(), 0.0);
}

TEST(ExecuteTrace, OfOtherCodeIsRefused) {
  ExecutedKernel K("__global__ void k(int *out, int n) {"
                   "  for (int i = 0; i < n; ++i) out[i] += i; }");
  std::vector<int> Out(8);
  K.pass(Out).pass(8);
  Traced T(K, {1, 1, 1}, {1, 1, 1});
  ASSERT_FALSE(T.Trace.Branches.empty());
  EXPECT_TRUE(bool(readTrace(T.Trace, *T.Function)));
  T.Trace.Branches[0].Instruction -= 1; // no branch
  auto Other = readTrace(T.Trace, *T.Function);
  ASSERT_FALSE(bool(Other));
  EXPECT_NE(llvm::toString(Other.takeError()).find("is about other code"),
            std::string::npos);
}

TEST(ExecuteTrace, CountsDivergentTripsAsTheLongestOfAWarp) {
  // Lane t runs max(t % 32, 1) iterations.
  ExecutedKernel K("__global__ void k(const int *n, float *out) {"
                   "  int t = blockIdx.x * blockDim.x + threadIdx.x;"
                   "  float x = 1;"
                   "  int i = 0;"
                   "  do { x = x * 1.5f + out[t]; } while (++i < n[t]);"
                   "  out[t] = x;"
                   "}");
  std::vector<int> N(128);
  for (int T = 0; T < 128; ++T)
    N[T] = T % 32;
  std::vector<float> Out(128);
  K.pass(N).pass(Out);
  Traced T(K, {2, 1, 1}, {64, 1, 1});
  ASSERT_EQ(T.Trace.Warps.size(), 4u);
  ASSERT_EQ(T.Trace.Loops.size(), 1u);
  EXPECT_EQ(T.Trace.Entries[0], 4);
  unsigned Header = T.Trace.Loops[0];
  for (const RunTrace::Warp &W : T.Trace.Warps) {
    EXPECT_EQ(W.Runs[Header], 31u);
    EXPECT_EQ(W.Entries[0], 1u);
    EXPECT_EQ(W.Weight, 1);
  }
  // 1 + 1 + 2 + ... + 31 lane iterations of each warp.
  EXPECT_EQ(T.Trace.Lanes[Header], 4 * (1 + 31 * 32 / 2));
  bool Found = false;
  for (const RunTrace::Branch &B : T.Trace.Branches)
    if (B.Warps == 4 * 31) {
      Found = true;
      // All but the last iteration lose a lane or two.
      EXPECT_EQ(B.Divergent, 4 * 30);
      EXPECT_EQ(sum(B.Lanes), 4 * (1 + 31 * 32 / 2));
    }
  EXPECT_TRUE(Found);
}

TEST(ExecuteTrace, CountsDivisionsOfSpecialOperandsByWarps) {
  // Warp 1 divides zero by something in one lane, warp 2 a number that is too
  // small, warp 3 has a quotient that is, warp 4 an infinite one. A constant
  // dividend is not tested.
  ExecutedKernel K("__global__ void k(const double *x, const double *y,"
                   "                  double *out, double *inverse) {"
                   "  int t = threadIdx.x;"
                   "  out[t] = x[t] / y[t];"
                   "  inverse[t] = 1 / y[t];"
                   "}");
  std::vector<double> X(160, 1), Y(160, 3), Out(160), Inverse(160);
  X[32 + 5] = 0;
  X[64] = X[65] = 1e-300;
  X[96] = 1e-200;
  Y[96] = 1e200;
  Y[128 + 31] = 0;
  K.pass(X).pass(Y).pass(Out).pass(Inverse);
  Traced T(K, {1, 1, 1}, {160, 1, 1});
  ASSERT_EQ(T.Trace.Conditions.size(), 1u);
  EXPECT_EQ(T.Trace.Conditions[0].Lanes, 5);
  EXPECT_EQ(T.Trace.Conditions[0].True, 4);
}

TEST(ExecuteTrace, CountsDivisionsInLoopsByExecutions) {
  // In two of four iterations one lane of each warp divides zero, unless the
  // branch leaves it out; counted by brute force.
  ExecutedKernel K("__global__ void k(const float *x, float *out, int n) {"
                   "  int t = threadIdx.x; float sum = 0;"
                   "  for (int k = 0; k < n; ++k)"
                   "    if ((t + k) % 3 != 0) sum += x[k * 64 + t] / (t + 1);"
                   "  out[t] = sum;"
                   "}");
  constexpr int N = 40;
  std::vector<float> X(64 * N, 1), Out(64);
  double Executions = 0, Special = 0;
  for (int Iteration = 0; Iteration < N; ++Iteration)
    for (int Warp = 0; Warp < 2; ++Warp) {
      bool Takes = false, Any = false;
      for (int T = 32 * Warp; T < 32 * (Warp + 1); ++T) {
        float &Dividend = X[Iteration * 64 + T];
        if (T % 32 == Iteration && Iteration % 4 < 2)
          Dividend = 0;
        bool IsActive = (T + Iteration) % 3 != 0;
        Any |= IsActive;
        Takes |= IsActive && Dividend == 0;
      }
      Executions += Any;
      Special += Takes;
    }
  K.pass(X).pass(Out).pass(N);
  Traced T(K, {1, 1, 1}, {64, 1, 1});
  bool Found = false;
  for (const RunTrace::Condition &C : T.Trace.Conditions)
    Found |= C.Lanes == Executions && C.True == Special;
  EXPECT_TRUE(Found) << Special << " of " << Executions;
}

TEST(ExecuteTrace, CountsWhatIsTooMuchToKeep) {
  // 400 to 425 thousand iterations, more than the trace keeps; every
  // fourth takes the branch.
  ExecutedKernel K("__global__ void k(const int *n, float *out) {"
                   "  int t = threadIdx.x;"
                   "  float x = 1;"
                   "  for (int i = 0; i < n[t]; ++i)"
                   "    if (i % 4 == 3) out[32 + t] += x; else x += out[t];"
                   "  out[t] = x;"
                   "}");
  std::vector<int> N(32);
  for (int T = 0; T < 32; ++T)
    N[T] = 400000 + 800 * T;
  double Sum = std::accumulate(N.begin(), N.end(), 0.0);
  std::vector<float> Out(64);
  K.pass(N).pass(Out);
  Traced T(K, {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(T.Trace.Stop, "");
  ASSERT_EQ(T.Trace.Warps.size(), 1u);
  ASSERT_EQ(T.Trace.Loops.size(), 1u);
  EXPECT_EQ(T.Trace.Entries[0], 1);
  unsigned Header = T.Trace.Loops[0];
  EXPECT_NEAR(T.Trace.Lanes[Header], Sum, 100);
  EXPECT_NEAR(T.Trace.Runs[Header], Sum / 32, 1e-3 * Sum / 32);
  bool Found = false;
  for (const RunTrace::Branch &B : T.Trace.Branches)
    if (double Least = *std::min_element(B.Lanes.begin(), B.Lanes.end());
        Least > Sum / 8) {
      Found = true;
      EXPECT_NEAR(Least, Sum / 4, 100);
      EXPECT_NEAR(sum(B.Lanes), Sum, 100);
    }
  EXPECT_TRUE(Found);
  bool FoundStore = false;
  for (const RunTrace::Access &A : T.Trace.Accesses)
    FoundStore |= std::abs(A.Lanes - Sum / 4) < 100;
  EXPECT_TRUE(FoundStore);
}

TEST(ExecuteTrace, CountsSectorsOfStridedAccesses) {
  ExecutedKernel K("__global__ void k(const int *in, int *out) {"
                   "  int t = threadIdx.x;"
                   "  out[t] = in[t * 8];"
                   "}");
  std::vector<int> In(32 * 8), Out(32);
  K.pass(In).pass(Out);
  Traced T(K, {1, 1, 1}, {32, 1, 1});
  const RunTrace::Access *Load = T.access<llvm::LoadInst>(0);
  ASSERT_TRUE(Load);
  EXPECT_EQ(Load->Requests, 1);
  EXPECT_EQ(Load->Lanes, 32);
  EXPECT_EQ(Load->Sectors, 32);
  ASSERT_EQ(Load->Samples.size(), 1u);
  EXPECT_EQ(Load->Samples[0][5], 5 * 32);
  const RunTrace::Access *Store = T.access<llvm::StoreInst>(0);
  ASSERT_TRUE(Store);
  EXPECT_EQ(Store->Sectors, 4);
}

TEST(ExecuteTrace, CountsConditionsAndNestedLoops) {
  ExecutedKernel K("__global__ void k(const int *in, int *out, int n, int m) {"
                   "  int t = threadIdx.x, s = 0;"
                   "  for (int i = 0; i < n; ++i)"
                   "    for (int j = 0; j < m; ++j)"
                   "      if (in[i * m + j] > t) s += in[i + j] * s + 1;"
                   "  out[t] = s;"
                   "}");
  std::vector<int> In(15, 16), Out(64);
  K.pass(In).pass(Out).pass(3).pass(5);
  Traced T(K, {1, 1, 1}, {64, 1, 1});
  ASSERT_EQ(T.Trace.Loops.size(), 2u);
  EXPECT_EQ(T.Trace.Entries[0], 2);
  EXPECT_EQ(T.Trace.Entries[1], 2 * 3);
  EXPECT_EQ(T.Trace.Runs[T.Trace.Loops[1]], 2 * 15);
  // 16 of 64 lanes see a larger element.
  bool Found = false;
  for (const RunTrace::Condition &C : T.Trace.Conditions)
    if (C.Lanes == 64 * 15 && (C.True == 16 * 15 || C.True == 48 * 15))
      Found = true;
  EXPECT_TRUE(Found);
}

TEST(ExecuteTrace, WeighsSampledWarpsOfALargeLaunch) {
  ExecutedKernel K("__global__ void k(int *out, int n) {"
                   "  int t = blockIdx.x * blockDim.x + threadIdx.x;"
                   "  if (t < n) out[t] = t;"
                   "}");
  std::vector<int> Out(100000);
  K.pass(Out).pass(100000);
  Traced T(K, {1000, 1, 1}, {128, 1, 1});
  EXPECT_EQ(T.Trace.Warps.size(), 64u);
  EXPECT_EQ(T.Trace.Runs[0], 4000);
  EXPECT_EQ(Out[99999], 99999);
  const RunTrace::Access *Store = T.access<llvm::StoreInst>(0);
  ASSERT_TRUE(Store);
  // 3125 warps store; a stratum of 64 warps is in or out.
  EXPECT_NEAR(Store->Requests, 3125, 65);
}

TEST(ExecuteTrace, TracesWholeBlocksWithBarriers) {
  ExecutedKernel K("__global__ void k(const int *in, int *out) {"
                   "  __shared__ int s[128];"
                   "  int t = threadIdx.x;"
                   "  s[t] = in[blockIdx.x * 128 + t];"
                   "  __syncthreads();"
                   "  for (int d = 64; d > 0; d /= 2) {"
                   "    if (t < d) s[t] += s[t + d];"
                   "    __syncthreads();"
                   "  }"
                   "  if (t == 0) out[blockIdx.x] = s[0];"
                   "}");
  std::vector<int> In(128 * 100, 1), Out(100);
  K.pass(In).pass(Out);
  Traced T(K, {100, 1, 1}, {128, 1, 1});
  EXPECT_EQ(T.Trace.Warps.size(), 64u);
  EXPECT_EQ(T.Trace.WantedWarps, 64u);
  double Weight = 0;
  for (const RunTrace::Warp &W : T.Trace.Warps)
    Weight += W.Weight;
  EXPECT_EQ(Weight, 400);
  EXPECT_EQ(Out[57], 128);
}

TEST(ExecuteTrace, RunsOnlySampledBlocksIfAsked) {
  ExecutedKernel K("__global__ void k(int *out) {"
                   "  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;"
                   "}");
  std::vector<int> Out(32 * 1000);
  K.Request.SampledOnly = true;
  K.pass(Out);
  Traced T(K, {1000, 1, 1}, {32, 1, 1});
  EXPECT_EQ(std::accumulate(Out.begin(), Out.end(), 0), 64 * 32);
  EXPECT_EQ(T.Trace.Runs[0], 1000);
}

TEST(ExecuteTrace, LanesMeetBehindABranch) {
  ExecutedKernel K("__global__ void k(int *a) {"
                   "  int i = threadIdx.x, v = 0;"
                   "  if (i % 4 == 0)"
                   "    for (int j = 0; j < i; ++j) v += a[j + 64];"
                   "  else v = a[i + 96] * 3;"
                   "  a[i] = v + (int)__ballot_sync(0xffffffffu, 1);"
                   "}");
  std::vector<int> A(128, 2);
  K.pass(A);
  Traced T(K, {1, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 32; ++I)
    EXPECT_EQ(A[I], (I % 4 ? 6 : 2 * I) - 1) << I;
  const RunTrace::Access *Store = T.access<llvm::StoreInst>(0);
  ASSERT_TRUE(Store);
  EXPECT_EQ(Store->Requests, 1);
  EXPECT_EQ(Store->Lanes, 32);
  EXPECT_EQ(Store->Sectors, 4);
}

TEST(ExecuteTrace, CountsBranches) {
  ExecutedKernel K("__global__ void k(const float *x, float *y) {"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;"
                   "  float v = x[i];"
                   "  if (v > 0.5f) y[i] = __expf(v) * y[i + 1000];"
                   "}");
  std::vector<float> X(64), Y(2000);
  for (int I = 0; I < 64; ++I)
    X[I] = I < 32 ? 1 : I % 4 == 0;
  K.pass(X).pass(Y);
  Traced T(K, {2, 1, 1}, {32, 1, 1});
  ASSERT_EQ(T.Trace.Branches.size(), 1u);
  const RunTrace::Branch &B = T.Trace.Branches[0];
  EXPECT_EQ(B.Warps, 2);
  EXPECT_EQ(B.Divergent, 1);
  EXPECT_EQ(B.Lanes, (std::vector<double>{40, 24}));
}

TEST(ExecuteTrace, KeepsTheBlocksBeforeAStop) {
  ExecutedKernel K("__global__ void k(const int *n, int *out) {"
                   "  out[threadIdx.x + n[blockIdx.x]] = 1;"
                   "}");
  std::vector<int> N = {0, 1, 2, 256, 4}, Out(64);
  K.Request.Trace = K.Request.SampledOnly = true;
  K.pass(N).pass(Out);
  ExecutionResult R = K.run({5, 1, 1}, {32, 1, 1});
  EXPECT_FALSE(R.Completed);
  ASSERT_TRUE(R.Fault && R.Trace);
  EXPECT_EQ(R.Fault->Block[0], 3u);
  // In the order 0, 4, 2, 1, 3 of the reversed bits of their numbers.
  EXPECT_EQ(R.Trace->Warps.size(), 4u);
  EXPECT_NE(R.Trace->Stop, "");
}

TEST(ExecuteTrace, SampleEndsBehindAnAllocation) {
  ExecutedKernel K("__device__ int table[5] = {1, 2, 3, 4, 5};\n"
                   "__global__ void k(int *out, int n) {\n"
                   "  out[0] = table[n];\n"
                   "}");
  std::vector<int> Out(1);
  K.pass(Out).pass(5);
  // The GPU does not see it, nor does a run.
  K.runAll({1, 1, 1}, {1, 1, 1});
  K.Request.Trace = K.Request.SampledOnly = true;
  ExecutionResult R = K.run({1, 1, 1}, {1, 1, 1});
  ASSERT_TRUE(R.Fault);
  EXPECT_EQ(R.Fault->What, "out-of-bounds access");
  EXPECT_EQ(R.Fault->Buffer, "0 bytes behind the end of 20 bytes of 'table'");
  EXPECT_EQ(R.Fault->Line, 3u);
}

} // namespace
