/// \file
/// Emulated kernels compute what the same code computes here, and are counted
/// as they ran.
#include "Emulate/Resolve/ReuseRecorder.h"
#include "helpers/EmulateTesting.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <cmath>
#include <numeric>

using namespace gpuestimate;

namespace {

std::vector<int> numbers(int N) {
  std::vector<int> V(N);
  std::iota(V.begin(), V.end(), 0);
  return V;
}

TEST(Emulate, IntegersAndReals) {
  EmulatedKernel K(R"(
__global__ void k(const int *a, const int *b, long long *out, float *real) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = a[i], y = b[i];
  out[i] = (long long)(x / y) * 1000 + x % y + (x >> 2) + ((unsigned)x >> 28) +
           __popc(x) + __clz(y) + min(x, y) + (long long)__mulhi(x << 16, y << 16);
  real[i] = sqrtf(fabsf((float)x)) / y + (float)(int)(x * 0.7f) + expf(-y);
})");
  std::vector<int> A, B;
  for (int I = 0; I < 64; ++I) {
    A.push_back((I - 30) * 1001);
    B.push_back(I % 2 ? I + 3 : -I - 2);
  }
  std::vector<long long> Out(64);
  std::vector<float> Real(64);
  K.pass(A).pass(B).pass(Out).pass(Real).runAll({2, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 64; ++I) {
    int X = A[I], Y = B[I];
    long long High = (static_cast<long long>(int(unsigned(X) << 16)) *
                      int(unsigned(Y) << 16)) >>
                     32;
    EXPECT_EQ(Out[I], static_cast<long long>(X / Y) * 1000 + X % Y + (X >> 2) +
                          (unsigned(X) >> 28) + llvm::popcount(unsigned(X)) +
                          llvm::countl_zero(unsigned(Y)) + std::min(X, Y) +
                          High)
        << I;
    EXPECT_FLOAT_EQ(Real[I], std::sqrt(std::fabs(float(X))) / Y +
                                 float(int(X * 0.7f)) + std::exp(float(-Y)))
        << I;
  }
}

TEST(Emulate, LanesMeetBehindABranch) {
  EmulatedKernel K(R"(
__global__ void k(int *a) {
  int i = threadIdx.x, v = 0;
  if (i % 4 == 0)
    for (int j = 0; j < i; ++j)
      v += a[j + 64];
  else
    v = a[i + 96] * 3;
  a[i] = v + (int)__ballot_sync(0xffffffffu, 1);
})");
  std::vector<int> A(128, 2);
  Emulation E = K.pass(A).runAll({1, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 32; ++I)
    EXPECT_EQ(A[I], (I % 4 ? 6 : 2 * I) - 1) << I;
  // All lanes take part in the last store: one request of four sectors.
  double Stores = 0;
  for (const auto &[At, Count] : E.Accesses)
    if (llvm::isa<llvm::StoreInst>(At)) {
      Stores += Count.Requests;
      EXPECT_EQ(Count.Lanes, 32);
      EXPECT_EQ(Count.Sectors, 4);
    }
  EXPECT_EQ(Stores, 1);
}

TEST(Emulate, TheLongestLaneCountsForTheWarp) {
  EmulatedKernel K(R"(
__global__ void k(const int *n, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
#pragma unroll 1
  for (int j = 0; j < n[i]; ++j)
    s += out[j * 7 + i];
  out[i] = s;
})");
  std::vector<int> N(64), Out(4096, 1);
  for (int I = 0; I < 64; ++I)
    N[I] = I < 32 ? I + 1 : 5;
  Emulation E = K.pass(N).pass(Out).runAll({2, 1, 1}, {32, 1, 1});
  ASSERT_EQ(E.Loops.size(), 1u);
  unsigned Header = llvm::find(E.Blocks, E.Loops[0]) - E.Blocks.begin();
  ASSERT_EQ(E.Warps.size(), 2u);
  EXPECT_EQ(E.Warps[0].Runs[Header], 32u);
  EXPECT_EQ(E.Warps[1].Runs[Header], 5u);
  EXPECT_EQ(E.Runs[Header], 37);
  EXPECT_EQ(E.Lanes[Header], 32 * 33 / 2 + 5 * 32);
}

TEST(Emulate, BlocksShareMemoryAndWaitForEachOther) {
  EmulatedKernel K(R"(
__global__ void k(const int *in, int *out, int n) {
  __shared__ int tile[256];
  extern __shared__ int more[];
  int t = threadIdx.x;
  tile[t] = t < n ? in[blockIdx.x * blockDim.x + t] : 0;
  more[t] = 1;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s)
      tile[t] += tile[t + s] * more[t + s];
    __syncthreads();
  }
  int odd = __syncthreads_count(t & 1);
  if (t == 0)
    out[blockIdx.x] = tile[0] + odd;
})");
  std::vector<int> In = numbers(512), Out(2);
  K.Request.L.DynamicSharedBytes = 1024;
  Emulation E = K.pass(In).pass(Out).pass(200).runAll({2, 1, 1}, {256, 1, 1});
  EXPECT_EQ(Out[0], 199 * 200 / 2 + 128);
  EXPECT_EQ(Out[1], 199 * 200 / 2 + 200 * 256 + 128);
  EXPECT_EQ(E.Warps.size(), 16u);
}

TEST(Emulate, LanesExchangeValues) {
  EmulatedKernel K(R"(
__global__ void k(int *out) {
  int i = threadIdx.x;
  int sum = i;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
  int above = __shfl_down_sync(0xffffffffu, i, 3);
  int below = __shfl_up_sync(0xffffffffu, i, 1, 8);
  int third = __shfl_sync(0xffffffffu, i * 10, 3, 16);
  out[i] = sum + 1000 * above + 100000 * below + 10000000 * third;
  out[32 + i] = __any_sync(0xffffffffu, i == 7) + 2 * __all_sync(0xffffffffu, i < 31) +
                4 * __popc(__match_any_sync(0xffffffffu, i / 5));
})");
  std::vector<int> Out(64);
  K.pass(Out).runAll({1, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 32; ++I) {
    int Above = I + 3 < 32 ? I + 3 : I, Below = I % 8 ? I - 1 : I;
    EXPECT_EQ(Out[I], 496 + 1000 * Above + 100000 * Below +
                          10000000 * 10 * (I / 16 * 16 + 3))
        << I;
    EXPECT_EQ(Out[32 + I], 1 + 4 * (I < 30 ? 5 : 2)) << I;
  }
}

TEST(Emulate, AtomicsPrivateArraysAndVariables) {
  EmulatedKernel K(R"(
__constant__ int weights[4] = {1, 10, 100, 1000};
__device__ int total;
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void k(const int *in, unsigned *bins, int *out) {
  int i = threadIdx.x, own[8];
  for (int j = 0; j < 8; ++j)
    own[j] = in[i] + j;
  atomicAdd(&bins[in[i] % 4], 1u);
  atomicMax(&total, i);
  atomicInc(&bins[4], 5u);
  unsigned before = atomicCAS(&bins[5], 0u, 7u);
  out[i] = own[in[i] % 8] + weights[i % 4] + fib(i % 9) + (before == 0 ? 50000 : 0);
})");
  std::vector<int> In = numbers(32), Out(32);
  std::vector<unsigned> Bins(6);
  K.pass(In).pass(Bins).pass(Out).runAll({1, 1, 1}, {32, 1, 1});
  const int Fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21},
            Weights[] = {1, 10, 100, 1000};
  for (int I = 0; I < 32; ++I)
    EXPECT_EQ(Out[I],
              I + I % 8 + Weights[I % 4] + Fib[I % 9] + (I == 0 ? 50000 : 0))
        << I;
  EXPECT_EQ(Bins, (std::vector<unsigned>{8, 8, 8, 8, 32 % 6, 7}));
}

TEST(Emulate, SmallRealsVectorsAndStructures) {
  EmulatedKernel K(R"(
#include <cuda_fp16.h>
struct Point { float x, y; double w; };
__global__ void k(const float4 *in, Point *out, float *halves) {
  int i = threadIdx.x;
  float4 v = in[i];
  Point p = {v.x + v.y, v.z * v.w, (double)v.x / 3};
  out[i] = p;
  __half h = __float2half(v.w / 3);
  halves[i] = __half2float(h + h);
})");
  std::vector<float> In(128), Halves(32);
  std::iota(In.begin(), In.end(), 1);
  struct Point {
    float X, Y;
    double W;
  };
  std::vector<Point> Out(32);
  K.pass(In).pass(Out).pass(Halves).runAll({1, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 32; ++I) {
    const float *V = &In[4 * I];
    EXPECT_EQ(Out[I].X, V[0] + V[1]);
    EXPECT_EQ(Out[I].Y, V[2] * V[3]);
    EXPECT_EQ(Out[I].W, double(V[0]) / 3);
    EXPECT_NEAR(Halves[I], 2 * V[3] / 3, 2 * V[3] / 3 * 0x1p-11);
  }
}

TEST(Emulate, SaysWhyItStopped) {
  const char *Text = R"(
__global__ void k(int *a, int n) {
  int i = threadIdx.x;
  while (a[i] != n)
    a[i] += i & 1;
  a[2 * i + n] = 1;
})";
  std::vector<int> A(64);
  for (int I = 0; I < 64; ++I)
    A[I] = 3;
  {
    EmulatedKernel K(Text);
    llvm::Expected<Emulation> E = K.pass(A).pass(3).run({1, 1, 1}, {32, 1, 1});
    ASSERT_FALSE(bool(E));
    llvm::handleAllErrors(E.takeError(), [](const EmulationUnsupported &Error) {
      EXPECT_EQ(Error.Stop.Reason, "byte 260 of buffer 0 is beyond its end");
      ASSERT_TRUE(Error.Stop.At && Error.Stop.At->getDebugLoc());
      EXPECT_EQ(Error.Stop.At->getDebugLoc().getLine(), 6u);
    });
  }
  EmulatedKernel K(Text);
  K.Request.MaxSteps = 10000;
  llvm::Expected<Emulation> E = K.pass(A).pass(4).run({1, 1, 1}, {32, 1, 1});
  ASSERT_FALSE(bool(E));
  EXPECT_EQ(llvm::toString(E.takeError()),
            "the limit of 10000 warp instructions is reached");
}

TEST(Emulate, RefusesWhatItDoesNotKnowOnlyWhereItRuns) {
  const char *Text = R"(
__global__ void k(int *a, int n) {
  if (n > 3)
    asm volatile("membar.gl;");
  a[threadIdx.x] = n;
})";
  std::vector<int> A(32);
  EmulatedKernel(Text).pass(A).pass(3).runAll({1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(A[31], 3);
  EmulatedKernel K(Text);
  llvm::Expected<Emulation> E = K.pass(A).pass(4).run({1, 1, 1}, {32, 1, 1});
  ASSERT_FALSE(bool(E));
  EXPECT_EQ(llvm::toString(E.takeError()), "inline assembly is not emulated");
}

// The first and the last warp, and the middle of each part between them; what
// they stand for is the launch.
TEST(Emulate, ChoosesASpreadOfWarps) {
  EmulatedKernel K(R"(
__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; })");
  K.Request.Warps = 18;
  std::vector<int> A(1000 * 64);
  Emulation E = K.pass(A).runAll({1000, 1, 1}, {64, 1, 1});
  ASSERT_EQ(E.Warps.size(), 18u);
  double Sum = 0;
  for (const EmulatedWarp &W : E.Warps)
    Sum += W.Weight;
  EXPECT_EQ(Sum, 2000);
  EXPECT_EQ(E.Warps[0].Block[0], 0u);
  EXPECT_EQ(E.Warps[1].Block[0], 999u);
  EXPECT_EQ(E.Warps[1].Warp, 1u);
  // A part begins at 1 and has 124 or 125 warps; the second that runs is from
  // the middle of the launch.
  EXPECT_EQ(E.Warps[2].Block[0], 31u);
  EXPECT_EQ(E.Warps[3].Block[0], 531u);
  EXPECT_EQ(std::accumulate(A.begin(), A.end(), 0), 18 * 32);
}

TEST(Emulate, CountsBranchesAndConditions) {
  EmulatedKernel K(R"(
__global__ void k(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  if (v > 0.5f)
    y[i] = __expf(v) * y[i + 1000];
})");
  std::vector<float> X(64), Y(2000);
  for (int I = 0; I < 64; ++I)
    X[I] = I < 32 ? 1 : I % 4 == 0;
  Emulation E = K.pass(X).pass(Y).runAll({2, 1, 1}, {32, 1, 1});
  ASSERT_EQ(E.Branches.size(), 1u);
  const BranchCounts &B = E.Branches.begin()->second;
  EXPECT_EQ(B.Warps, 2);
  EXPECT_EQ(B.Divergent, 1);
  EXPECT_EQ(B.Lanes, (std::vector<double>{40, 24}));
  ASSERT_EQ(E.Conditions.size(), 1u);
  EXPECT_EQ(E.Conditions.begin()->second.Lanes, 64);
  EXPECT_EQ(E.Conditions.begin()->second.True, 40);
}

// Each lane reads a row of two sectors; the other 31 sectors of the request are
// loaded between two uses of one.
TEST(ReuseRecorder, DistancesAreBytesOfOtherSectors) {
  std::vector<float> In(32 * 16), Out(32);
  EmulatedKernel K(R"(
__global__ void rows(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[threadIdx.x * n + k];
  out[threadIdx.x] = sum;
})");
  ReuseRecorder Reuses;
  const llvm::Instruction *Load = nullptr;
  K.Request.OnRequest = [&](const EmulatedRequest &R) {
    if (llvm::isa<llvm::LoadInst>(R.At))
      Load = R.At;
    Reuses.add(R);
  };
  Emulation E = K.pass(In).pass(Out).pass(16).runAll({1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(E.Warps.size(), 1u);
  const ReuseRecorder::ReusesOfWarp *OfWarp = Reuses.find(E.Warps[0]);
  ASSERT_TRUE(OfWarp && Load);
  std::vector<double> Wanted(16, 31 * 32);
  Wanted[0] = Wanted[8] = INFINITY;
  EXPECT_EQ(OfWarp->lookup(Load), Wanted);
}

} // namespace
