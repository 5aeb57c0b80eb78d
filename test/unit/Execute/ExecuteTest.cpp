/// \file
/// Results of kernels that run on the host, against host loops.
#include "gpu-estimate/Execute/Texture.h"
#include "helpers/ExecuteTesting.h"
#include <cmath>
#include <numeric>

using namespace gpuestimate;

namespace {

std::vector<int> iota(size_t N) {
  std::vector<int> V(N);
  std::iota(V.begin(), V.end(), 0);
  return V;
}

TEST(Execute, AddsVectors) {
  ExecutedKernel K("__global__ void add(const float *a, float *b, int n) {"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;"
                   "  if (i < n) b[i] += 2 * a[i];"
                   "}");
  std::vector<float> A(1000), B(1000, 1);
  std::iota(A.begin(), A.end(), 0);
  K.pass(A).pass(B).pass(1000);
  K.runAll({8, 1, 1}, {128, 1, 1});
  for (unsigned I = 0; I < 1000; ++I)
    EXPECT_EQ(B[I], 1 + 2 * float(I));
}

TEST(Execute, KnowsTheThreadInThreeDimensions) {
  ExecutedKernel K(
      "__global__ void k(int *out) {"
      "  int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + "
      "blockIdx.x;"
      "  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + "
      "threadIdx.x;"
      "  out[b * blockDim.x * blockDim.y * blockDim.z + t] ="
      "    threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z +"
      "    1000 * blockIdx.x + 10000 * blockIdx.y + 100000 * blockIdx.z;"
      "}");
  std::vector<int> Out(2 * 3 * 2 * 4 * 3 * 2, -1);
  K.pass(Out);
  K.runAll({2, 3, 2}, {4, 3, 2});
  unsigned I = 0;
  for (int BZ = 0; BZ < 2; ++BZ)
    for (int BY = 0; BY < 3; ++BY)
      for (int BX = 0; BX < 2; ++BX)
        for (int Z = 0; Z < 2; ++Z)
          for (int Y = 0; Y < 3; ++Y)
            for (int X = 0; X < 4; ++X)
              EXPECT_EQ(Out[I++], X + 10 * Y + 100 * Z + 1000 * BX +
                                      10000 * BY + 100000 * BZ);
}

TEST(Execute, ReducesThroughSharedMemoryWithBarriers) {
  ExecutedKernel K("__global__ void sum(const int *in, int *out) {"
                   "  __shared__ int s[256];"
                   "  int t = threadIdx.x;"
                   "  s[t] = in[blockIdx.x * 256 + t];"
                   "  __syncthreads();"
                   "  for (int d = 128; d > 0; d /= 2) {"
                   "    if (t < d) s[t] += s[t + d];"
                   "    __syncthreads();"
                   "  }"
                   "  if (t == 0) out[blockIdx.x] = s[0];"
                   "}");
  std::vector<int> In = iota(256 * 7), Out(7);
  K.pass(In).pass(Out);
  K.runAll({7, 1, 1}, {256, 1, 1});
  for (int B = 0; B < 7; ++B)
    EXPECT_EQ(Out[B], std::accumulate(In.begin() + 256 * B,
                                      In.begin() + 256 * (B + 1), 0));
}

TEST(Execute, PlacesDynamicBehindStaticSharedMemory) {
  ExecutedKernel K("extern __shared__ int d[];"
                   "__global__ void k(int *out, int n) {"
                   "  __shared__ int s[32];"
                   "  int t = threadIdx.x;"
                   "  d[t] = 7 * t; s[t % 32] = -1;"
                   "  __syncthreads();"
                   "  out[t] = d[n - 1 - t] + s[0];"
                   "}");
  std::vector<int> Out(64);
  K.Request.DynamicSharedBytes = 64 * 4;
  K.pass(Out).pass(64);
  K.runAll({1, 1, 1}, {64, 1, 1});
  for (int T = 0; T < 64; ++T)
    EXPECT_EQ(Out[T], 7 * (63 - T) - 1);
}

TEST(Execute, ShufflesAndVotes) {
  ExecutedKernel K("__global__ void k(int *out) {"
                   "  int t = threadIdx.x, v = t * t;"
                   "  for (int d = 16; d > 0; d /= 2)"
                   "    v += __shfl_down_sync(0xffffffffu, v, d);"
                   "  unsigned odd = __ballot_sync(0xffffffffu, t & 1);"
                   "  int up = __shfl_up_sync(0xffffffffu, t, 1);"
                   "  int xor_ = __shfl_xor_sync(0xffffffffu, t, 3);"
                   "  int from = __shfl_sync(0xffffffffu, t, 5, 8);"
                   "  if (t % 32 == 0) out[64 * 4 + t / 32] = v;"
                   "  out[t] = odd; out[64 + t] = up; out[128 + t] = xor_;"
                   "  out[192 + t] = from;"
                   "}");
  std::vector<int> Out(64 * 4 + 2);
  K.pass(Out);
  K.runAll({1, 1, 1}, {64, 1, 1});
  for (int T = 0; T < 64; ++T) {
    EXPECT_EQ(unsigned(Out[T]), 0xaaaaaaaa);
    EXPECT_EQ(Out[64 + T], T % 32 ? T - 1 : T);
    EXPECT_EQ(Out[128 + T], T ^ 3);
    EXPECT_EQ(Out[192 + T], T / 8 * 8 + 5);
  }
  for (int W = 0; W < 2; ++W) {
    int Sum = 0;
    for (int T = 32 * W; T < 32 * W + 32; ++T)
      Sum += T * T;
    EXPECT_EQ(Out[256 + W], Sum);
  }
}

TEST(Execute, ReducesOverLanes) {
  ExecutedKernel K(
      "__global__ void k(int *out, unsigned *masks) {"
      "  int t = threadIdx.x, v = t * 7 % 40 - 20;"
      "  unsigned sum;"
      "  if (t % 2 == 0)"
      "    out[t] = __reduce_max_sync(0x55555555u, v);"
      "  else"
      "    out[t] = __reduce_min_sync(0xaaaaaaaau, v);"
      "  out[32 + t] = __reduce_add_sync(0xffffffffu, t);"
      "  asm(\"redux.sync.add.s32 %0, %1, 0xffffffff;\""
      "      : \"=r\"(sum) : \"r\"(t));"
      "  masks[t] = __reduce_or_sync(0xffffffffu, 1u << (t / 8)) + "
      "             1000 * sum;"
      "}",
      2, {"--cuda-gpu-arch=sm_80"});
  std::vector<int> Out(64);
  std::vector<unsigned> Masks(32);
  K.pass(Out).pass(Masks);
  K.runAll({1, 1, 1}, {32, 1, 1});
  int Largest = -100, Least = 100;
  for (int T = 0; T < 32; T += 2) {
    Largest = std::max(Largest, T * 7 % 40 - 20);
    Least = std::min(Least, (T + 1) * 7 % 40 - 20);
  }
  for (int T = 0; T < 32; ++T) {
    EXPECT_EQ(Out[T], T % 2 ? Least : Largest) << T;
    EXPECT_EQ(Out[32 + T], 496) << T;
    EXPECT_EQ(Masks[T], 15u + 1000 * 496) << T;
  }
}

TEST(Execute, LanesThatHaveEndedDoNotKeepOthersWaiting) {
  ExecutedKernel K("__global__ void k(int *out) {"
                   "  int t = threadIdx.x;"
                   "  if (t >= 20) return;"
                   "  __syncthreads();"
                   "  out[t] = __ballot_sync(0xfffffu, t < 3);"
                   "}");
  std::vector<int> Out(20);
  K.pass(Out);
  K.runAll({1, 1, 1}, {64, 1, 1});
  for (int T = 0; T < 20; ++T)
    EXPECT_EQ(Out[T], 7);
}

TEST(Execute, AtomicsOfAllBlocksAddUp) {
  ExecutedKernel K("__global__ void k(int *i, float *f, double *d, unsigned *m,"
                   "                  unsigned *w) {"
                   "  atomicAdd(i, 1); atomicAdd(f, 0.5f); atomicAdd(d, 2.0);"
                   "  atomicMax(m, blockIdx.x * blockDim.x + threadIdx.x);"
                   "  atomicInc(w, 6);"
                   "}",
                   2, {"--cuda-gpu-arch=sm_80"});
  std::vector<int> I(1);
  std::vector<float> F(1);
  std::vector<double> D(1);
  std::vector<unsigned> M(1), W(1);
  K.pass(I).pass(F).pass(D).pass(M).pass(W);
  K.runAll({50, 1, 1}, {100, 1, 1});
  EXPECT_EQ(I[0], 5000);
  EXPECT_EQ(F[0], 2500);
  EXPECT_EQ(D[0], 10000);
  EXPECT_EQ(M[0], 4999u);
  EXPECT_EQ(W[0], 5000u % 7);
}

TEST(Execute, BlocksWaitForEachOtherInGlobalMemory) {
  // Each block adds its number when the one before it has done so; the last
  // blocks to start wait for the first.
  ExecutedKernel K("__global__ void k(volatile int *turn, int *sum) {"
                   "  int b = gridDim.x - 1 - blockIdx.x;"
                   "  if (threadIdx.x == 0) {"
                   "    while (*turn != b) ;"
                   "    *sum = *sum * 3 + b;"
                   "    __threadfence();"
                   "    *turn = b + 1;"
                   "  }"
                   "}");
  std::vector<int> Turn(1), Sum(1);
  K.pass(Turn).pass(Sum);
  K.runAll({20, 1, 1}, {32, 1, 1});
  int Expected = 0;
  for (int B = 0; B < 20; ++B)
    Expected = int(unsigned(Expected) * 3 + B);
  EXPECT_EQ(Sum[0], Expected);
}

TEST(Execute, WarpsThatMeetWhileTheyWaitLetOtherBlocksStart) {
  // As colourings of graphs do: all lanes look again while one of them waits.
  ExecutedKernel K("__global__ void k(volatile int *turn) {"
                   "  int b = gridDim.x - 1 - blockIdx.x;"
                   "  bool again;"
                   "  do {"
                   "    again = false;"
                   "    if (threadIdx.x == 0) {"
                   "      if (*turn == b) *turn = b + 1;"
                   "      again = *turn <= b;"
                   "    }"
                   "  } while (__any_sync(0xffffffff, again));"
                   "}");
  std::vector<int> Turn(1);
  K.pass(Turn);
  K.runAll({200, 1, 1}, {32, 1, 1});
  EXPECT_EQ(Turn[0], 200);
}

TEST(Execute, LaneSpinsOnALockOfItsWarp) {
  ExecutedKernel K("__global__ void k(int *lock, int *count) {"
                   "  bool done = false;"
                   "  while (!done)"
                   "    if (atomicCAS(lock, 0, 1) == 0) {"
                   "      *count = *count + 1;"
                   "      __threadfence();"
                   "      atomicExch(lock, 0);"
                   "      done = true;"
                   "    }"
                   "}");
  std::vector<int> Lock(1), Count(1);
  K.pass(Lock).pass(Count);
  K.runAll({4, 1, 1}, {64, 1, 1});
  EXPECT_EQ(Count[0], 256);
}

TEST(Execute, PassesStructuresAndVariables) {
  ExecutedKernel K("struct P { int n; float f[3]; char c; };"
                   "__constant__ float table[4] = {1, 2, 3, 4};"
                   "__device__ int counter = 5;"
                   "__device__ int *where = &counter;"
                   "__global__ void k(P p, float *out) {"
                   "  int t = threadIdx.x;"
                   "  p.f[0] += t;"
                   "  if (t < p.n) out[t] = p.f[t % 3] + table[t] + p.c;"
                   "  if (t == 0) *where += 1;"
                   "}");
  struct P {
    int N;
    float F[3];
    char C;
  };
  std::vector<float> Out(4);
  K.pass(P{4, {10, 20, 30}, 3}).pass(Out);
  K.runAll({1, 1, 1}, {32, 1, 1});
  float Expected[] = {10 + 0 + 1 + 3, 20 + 2 + 3, 30 + 3 + 3, 10 + 3 + 4 + 3};
  for (int T = 0; T < 4; ++T)
    EXPECT_EQ(Out[T], Expected[T]);
  auto Counter = K.Exec->variable(K.Number, "counter");
  ASSERT_TRUE(bool(Counter)) << llvm::toString(Counter.takeError());
  EXPECT_EQ(*static_cast<int *>(*Counter), 6);
}

TEST(Execute, CallsThroughPointersAndRecursion) {
  ExecutedKernel K("__device__ int twice(int x) { return 2 * x; }"
                   "__device__ int square(int x) { return x * x; }"
                   "__device__ int fib(int n) {"
                   "  return n < 2 ? n : fib(n - 1) + fib(n - 2); }"
                   "__global__ void k(int *out) {"
                   "  int t = threadIdx.x;"
                   "  int (*f[2])(int) = {twice, square};"
                   "  out[t] = f[t % 2](t) + fib(t);"
                   "}");
  std::vector<int> Out(16);
  K.pass(Out);
  K.runAll({1, 1, 1}, {16, 1, 1});
  int A = 0, B = 1;
  for (int T = 0; T < 16; ++T) {
    EXPECT_EQ(Out[T], (T % 2 ? T * T : 2 * T) + A);
    std::tie(A, B) = std::pair(B, A + B);
  }
}

TEST(Execute, MathematicsIsThatOfTheHost) {
  ExecutedKernel K(
      "__global__ void k(const float *x, float *f, double *d) {"
      "  int t = threadIdx.x; float v = x[t]; double w = v;"
      "  f[8 * t] = sinf(v); f[8 * t + 1] = expf(v); f[8 * t + 2] = sqrtf(v);"
      "  f[8 * t + 3] = powf(v, 1.5f); f[8 * t + 4] = rsqrtf(v);"
      "  f[8 * t + 5] = __expf(v); f[8 * t + 6] = fmaf(v, v, v);"
      "  f[8 * t + 7] = __fadd_rz(v, 1e-9f);"
      "  d[4 * t] = cos(w); d[4 * t + 1] = log(w); d[4 * t + 2] = erf(w);"
      "  d[4 * t + 3] = normcdf(w);"
      "}");
  std::vector<float> X = {0.25f, 1, 2.5f, 7.75f}, F(32);
  std::vector<double> D(16);
  K.pass(X).pass(F).pass(D);
  K.runAll({1, 1, 1}, {4, 1, 1});
  for (int T = 0; T < 4; ++T) {
    float V = X[T];
    EXPECT_FLOAT_EQ(F[8 * T], std::sin(V));
    EXPECT_FLOAT_EQ(F[8 * T + 1], std::exp(V));
    EXPECT_EQ(F[8 * T + 2], std::sqrt(V));
    EXPECT_FLOAT_EQ(F[8 * T + 3], std::pow(V, 1.5f));
    EXPECT_FLOAT_EQ(F[8 * T + 4], 1 / std::sqrt(V));
    EXPECT_FLOAT_EQ(F[8 * T + 5], std::exp(V));
    EXPECT_EQ(F[8 * T + 6], std::fma(V, V, V));
    EXPECT_EQ(F[8 * T + 7], V);
    EXPECT_DOUBLE_EQ(D[4 * T], std::cos(double(V)));
    EXPECT_DOUBLE_EQ(D[4 * T + 1], std::log(double(V)));
    EXPECT_DOUBLE_EQ(D[4 * T + 2], std::erf(double(V)));
    EXPECT_DOUBLE_EQ(D[4 * T + 3], 0.5 * std::erfc(-double(V) * M_SQRT1_2));
  }
}

TEST(Execute, FunctionsWithSeveralResults) {
  ExecutedKernel K(
      "__global__ void k(const float *x, float *out, int *n) {"
      "  int t = threadIdx.x;"
      "  float s, c, whole; double ds, dc; int quotient;"
      "  sincosf(x[t], &s, &c); out[t] = s + 2 * c;"
      "  sincos((double)x[t], &ds, &dc); out[32 + t] = ds + 2 * dc;"
      "  out[64 + t] = modff(x[t], &whole); out[96 + t] = whole;"
      "  out[128 + t] = frexpf(x[t], &n[t]);"
      "  out[160 + t] = remquof(x[t], 2.5f, &quotient);"
      "  n[32 + t] = quotient;"
      "}");
  std::vector<float> X(32), Out(192);
  std::vector<int> N(64);
  for (int I = 0; I < 32; ++I)
    X[I] = float(I) * 0.7f - 8;
  K.pass(X).pass(Out).pass(N);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 32; ++I) {
    EXPECT_NEAR(Out[I], std::sin(X[I]) + 2 * std::cos(X[I]), 1e-5) << I;
    EXPECT_NEAR(Out[32 + I], std::sin(X[I]) + 2 * std::cos(X[I]), 1e-5) << I;
    float Whole;
    int Exponent, Quotient;
    EXPECT_EQ(Out[64 + I], std::modf(X[I], &Whole)) << I;
    EXPECT_EQ(Out[96 + I], Whole) << I;
    EXPECT_EQ(Out[128 + I], std::frexp(X[I], &Exponent)) << I;
    EXPECT_EQ(N[I], Exponent) << I;
    EXPECT_EQ(Out[160 + I], std::remquo(X[I], 2.5f, &Quotient)) << I;
    EXPECT_EQ(N[32 + I] & 7, Quotient & 7) << I;
  }
}

TEST(Execute, IntegerDivisionByZeroAndConversionsAreThoseOfTheGpu) {
  ExecutedKernel K("__global__ void k(int *o, const int *z, const float *f) {"
                   "  o[0] = 7 / z[1]; o[1] = z[2] / z[3];"
                   "  z[0] == 0 ? o[2] = 5 : o[3] = 5 / z[0];"
                   "  o[4] = (int)f[0]; o[5] = (int)f[1]; o[6] = 1 % z[0];"
                   "}");
  std::vector<int> O(8), Z = {0, 2, INT_MIN, -1};
  std::vector<float> F = {3e20f, NAN};
  K.pass(O).pass(Z).pass(F);
  K.runAll({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(O[0], 3);
  EXPECT_EQ(O[1], INT_MIN);
  EXPECT_EQ(O[2], 5);
  EXPECT_EQ(O[4], INT_MAX);
  EXPECT_EQ(O[5], 0);
}

TEST(Execute, ShiftsByTheWidthOrMoreAreThoseOfNvidia) {
  // The amount is clamped to the width.
  ExecutedKernel K(
      "__global__ void k(const int *a, unsigned *u, int *s,"
      "                  unsigned long long *l, unsigned short *h) {"
      "  int t = threadIdx.x;"
      "  u[t] = 0x80000001u << a[t]; u[80 + t] = ~0u >> a[t];"
      "  s[t] = -8 >> a[t];"
      "  l[t] = 3ull << a[t]; l[80 + t] = ~0ull >> a[t];"
      "  h[t] = (unsigned short)(a[78] << a[t]);"
      "}");
  std::vector<int> A = iota(80), S(80);
  std::vector<unsigned> U(160);
  std::vector<unsigned long long> L(160);
  std::vector<unsigned short> H(80);
  A[79] = -1; // as unsigned, more than any width
  K.pass(A).pass(U).pass(S).pass(L).pass(H);
  K.runAll({1, 1, 1}, {80, 1, 1});
  for (int T = 0; T < 80; ++T) {
    EXPECT_EQ(U[T], T < 32 ? 0x80000001u << T : 0) << T;
    EXPECT_EQ(U[80 + T], T < 32 ? ~0u >> T : 0) << T;
    EXPECT_EQ(S[T], T < 32 ? -8 >> T : -1) << T;
    EXPECT_EQ(L[T], T < 64 ? 3ull << T : 0) << T;
    EXPECT_EQ(L[80 + T], T < 64 ? ~0ull >> T : 0) << T;
    EXPECT_EQ(H[T], T < 16 ? uint16_t(78 << T) : 0) << T;
  }
}

TEST(Execute, ShiftsByTheWidthOrMoreAreThoseOfAmd) {
  // The amount is taken modulo the width.
  ExecutedKernel K("#include <hip/hip_runtime.h>\n"
                   "__global__ void k(const int *a, unsigned *u, int *s) {"
                   "  int t = threadIdx.x;"
                   "  u[t] = 5u << a[t]; s[t] = -8 >> a[t];"
                   "}",
                   2, {"--offload-arch=gfx90a"}, "hip");
  std::vector<int> A = iota(64), S(64);
  std::vector<unsigned> U(64);
  K.pass(A).pass(U).pass(S);
  K.runAll({1, 1, 1}, {64, 1, 1});
  for (int T = 0; T < 64; ++T) {
    EXPECT_EQ(U[T], 5u << T % 32) << T;
    EXPECT_EQ(S[T], -8 >> T % 32) << T;
  }
}

TEST(Execute, PrintsInTheOrderOfOneThread) {
  ExecutedKernel K("#include <stdio.h>\n"
                   "__global__ void k(int x) {"
                   "  printf(\"%d|%5.2f|%s|%llu|%c%%\\n\", x, 1.5, \"text\","
                   "         1ull << 40, 'z');"
                   "}");
  K.pass(-3);
  testing::internal::CaptureStdout();
  K.runAll({1, 1, 1}, {1, 1, 1});
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "-3| 1.50|text|1099511627776|z%\n");
}

TEST(Execute, GridBarrierSeesTheWritesOfAllBlocks) {
  ExecutedKernel K("#include <cooperative_groups.h>\n"
                   "__global__ void k(int *a, int *b) {"
                   "  auto grid = cooperative_groups::this_grid();"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;"
                   "  int n = gridDim.x * blockDim.x;"
                   "  a[i] = i;"
                   "  grid.sync();"
                   "  b[i] = a[n - 1 - i];"
                   "  grid.sync();"
                   "  a[i] = b[(i + 1) % n];"
                   "}");
  std::vector<int> A(320), B(320);
  K.pass(A).pass(B);
  K.Request.Cooperative = true;
  K.runAll({10, 1, 1}, {32, 1, 1});
  for (int I = 0; I < 320; ++I)
    EXPECT_EQ(A[I], 319 - (I + 1) % 320);
}

TEST(Execute, FetchesTexelsFilteredAndClamped) {
  ExecutedKernel K("__global__ void k(cudaTextureObject_t t, float *out) {"
                   "  out[0] = tex2D<float>(t, 1.5f, 0.5f);"
                   "  out[1] = tex2D<float>(t, 1.0f, 0.5f);"
                   "  out[2] = tex2D<float>(t, -5.0f, 1.0f);"
                   "  out[3] = tex2D<float>(t, 9.0f, 9.0f);"
                   "}");
  float Texels[2][4] = {{1, 2, 3, 4}, {11, 12, 13, 14}};
  TextureDescriptor T;
  T.Data = reinterpret_cast<char *>(Texels);
  T.Pitch = sizeof(Texels[0]);
  T.Width = 4;
  T.Height = 2;
  T.Linear = true;
  std::vector<float> Out(4);
  K.pass(&T).pass(Out);
  K.runAll({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(Out[0], 2);
  EXPECT_EQ(Out[1], 1.5f);
  EXPECT_EQ(Out[2], 6);
  EXPECT_EQ(Out[3], 14);
}

TEST(Execute, FindsTheNthSetBit) {
  ExecutedKernel K("__global__ void k(int *out) {"
                   "  int t = threadIdx.x;"
                   "  out[t] = __fns(0x00f000f1, t, 2);"
                   "  out[32 + t] = __fns(0x00f000f1, t, -1);"
                   "  out[64 + t] = __fns(0x00f000f1, t, 0);"
                   "}");
  std::vector<int> Out(96);
  K.pass(Out);
  K.runAll({1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(Out[0], 4);  // behind bit 0
  EXPECT_EQ(Out[7], 20); // behind bit 7
  EXPECT_EQ(Out[23], -1);
  EXPECT_EQ(Out[32 + 3], 0);
  EXPECT_EQ(Out[32 + 31], 23);
  EXPECT_EQ(Out[64 + 5], 5);
  EXPECT_EQ(Out[64 + 1], -1);
}

/// The value of a half by its bits, slowly.
double halfOf(unsigned Bits) {
  int Exponent = Bits >> 10 & 31, Mantissa = Bits & 1023;
  return (Bits & 0x8000 ? -1 : 1) *
         (Exponent ? std::ldexp(1024 + Mantissa, Exponent - 25)
                   : std::ldexp(Mantissa, -24));
}

TEST(Execute, RoundsHalvesAndBfloatsToTheNearest) {
  ExecutedKernel K("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
                   "__global__ void k(const double *x, unsigned short *h,"
                   "                  unsigned short *f, unsigned short *b) {"
                   "  int t = threadIdx.x;"
                   "  h[t] = __half_as_ushort(__double2half(x[t]));"
                   "  f[t] = __half_as_ushort(__float2half((float)x[t]));"
                   "  b[t] = __bfloat16_as_ushort(__float2bfloat16(x[t]));"
                   "}",
                   2, {"--cuda-gpu-arch=sm_80"});
  std::vector<double> X = {0,
                           1,
                           -2.5,
                           65504,
                           1.0 / 3,
                           6e-8,
                           3.1e-5,
                           1234.56789,
                           0.1,
                           -7e-6,
                           2049,
                           2051,
                           1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40)};
  std::vector<unsigned short> H(X.size()), F(X.size()), B(X.size());
  K.pass(X).pass(H).pass(F).pass(B);
  K.runAll({1, 1, 1}, {X.size(), 1, 1});
  for (size_t I = 0; I < X.size(); ++I) {
    auto distance = [&](unsigned Bits) {
      return std::fabs(halfOf(Bits) - X[I]);
    };
    EXPECT_LE(distance(H[I]), distance(H[I] + 1)) << X[I];
    if (H[I] & 0x7fff) {
      EXPECT_LE(distance(H[I]), distance(H[I] - 1)) << X[I];
    }
    float Bfloat = llvm::bit_cast<float>(uint32_t(B[I]) << 16);
    EXPECT_NEAR(Bfloat, X[I], std::fabs(X[I]) / 256);
  }
  // Ties go to the even neighbour; a double is rounded once.
  EXPECT_EQ(halfOf(H[10]), 2048);
  EXPECT_EQ(halfOf(H[11]), 2052);
  EXPECT_EQ(H[12], 0x3c01);
  EXPECT_EQ(F[12], 0x3c00);
}

TEST(Execute, LanesStayTogetherAtVolatileStoresToSharedMemory) {
  // The last steps of a reduction as they were written before __syncwarp().
  ExecutedKernel K("__global__ void k(const int *in, int *out) {"
                   "  __shared__ volatile int s[64];"
                   "  int t = threadIdx.x;"
                   "  s[t] = in[blockIdx.x * 64 + t];"
                   "  __syncthreads();"
                   "  if (t < 32) {"
                   "    s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8];"
                   "    s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];"
                   "  }"
                   "  if (t == 0) out[blockIdx.x] = s[0];"
                   "}");
  std::vector<int> In = iota(128), Out(2);
  K.pass(In).pass(Out);
  K.runAll({2, 1, 1}, {64, 1, 1});
  EXPECT_EQ(Out[0], 63 * 32);
  EXPECT_EQ(Out[1], 63 * 32 + 64 * 64);
}

TEST(Execute, LanesLoadBeforeTheFirstOfThemStores) {
  // Permutations of shared memory by one warp without a barrier: of numbers,
  // and of structures that LLVM copies as bytes.
  ExecutedKernel K("struct P { float x, y, z; };"
                   "__global__ void k(const int *to, int *out) {"
                   "  __shared__ int s[32];"
                   "  __shared__ P p[32];"
                   "  int t = threadIdx.x;"
                   "  s[t] = t; p[t].x = t; p[t].y = 2 * t; p[t].z = 3 * t;"
                   "  __syncthreads();"
                   "  s[to[t]] = s[t];"
                   "  p[to[t]] = p[t];"
                   "  __syncthreads();"
                   "  out[t] = s[t]; out[32 + t] = p[t].x + p[t].y + p[t].z;"
                   "}");
  std::vector<int> To(32), Out(64);
  for (int T = 0; T < 32; ++T)
    To[T] = (T * 5 + 3) % 32;
  K.pass(To).pass(Out);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (int T = 0; T < 32; ++T) {
    EXPECT_EQ(Out[To[T]], T);
    EXPECT_EQ(Out[32 + To[T]], 6 * T);
  }
}

TEST(Execute, LanesStoreBeforeTheFirstOfThemLoads) {
  // A transposition within a warp, in a kernel without barriers, as the DCT of
  // CUDA's samples does it; and a thread's own array, which needs nothing.
  ExecutedKernel K("__global__ void k(const int *in, int *out) {"
                   "  __shared__ int s[32 * 9], own[32 * 9];"
                   "  int t = threadIdx.x, m = t & 7;"
                   "  int *v = &s[t], *h = &s[m * 33 + t - m];"
                   "  for (int i = 0; i < 8; ++i) v[i * 33] = in[i * 32 + t];"
                   "  int sum = 0;"
                   "  for (int i = 0; i < 8; ++i) sum += (i + 1) * h[i];"
                   "  for (int i = 0; i < 8; ++i) own[t * 9 + i] = i * sum;"
                   "  for (int i = 0; i < 8; ++i)"
                   "    out[t] += own[t * 9 + (i + in[t]) % 8];"
                   "}");
  std::vector<int> In = iota(256), Out(32);
  K.pass(In).pass(Out);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (int T = 0; T < 32; ++T) {
    int Sum = 0;
    for (int I = 0; I < 8; ++I)
      Sum += (I + 1) * (T % 8 * 32 + T - T % 8 + I);
    EXPECT_EQ(Out[T], 28 * Sum);
  }
}

TEST(Execute, LanesStoreBeforeTheFirstOfThemLoadsBehindABarrier) {
  // A warp exchanges partial sums, then its lanes in pairs, without a barrier.
  ExecutedKernel K("__global__ void k(const int *in, int *out, int *pairs) {"
                   "  __shared__ int s[64];"
                   "  int t = threadIdx.x;"
                   "  s[t] = in[blockIdx.x * 64 + t];"
                   "  __syncthreads();"
                   "  if (t < 16) {"
                   "    int sum = 0;"
                   "    for (int i = t; i < 64; i += 16) sum += s[i];"
                   "    s[t] = sum;"
                   "  }"
                   "  if (t == 0) {"
                   "    int all = 0;"
                   "    for (int i = 0; i < 16; ++i) all += s[i];"
                   "    out[blockIdx.x] = all;"
                   "  }"
                   "  __syncthreads();"
                   "  s[t] = 3 * t;"
                   "  pairs[blockIdx.x * 64 + t] = s[t ^ 1];"
                   "}");
  std::vector<int> In = iota(128), Out(2), Pairs(128);
  K.pass(In).pass(Out).pass(Pairs);
  K.runAll({2, 1, 1}, {64, 1, 1});
  EXPECT_EQ(Out[0], 63 * 32);
  EXPECT_EQ(Out[1], 63 * 32 + 64 * 64);
  for (int I = 0; I < 128; ++I)
    EXPECT_EQ(Pairs[I], 3 * (I % 64 ^ 1)) << I;
}

TEST(Execute, LanesWithPlacesOfTheirOwnDoNotMeet) {
  // Each thread has its histogram in shared memory, whose bins depend on data.
  ExecutedKernel K("__global__ void k(const unsigned char *in, int *out) {"
                   "  __shared__ int s[8 * 64];"
                   "  int t = threadIdx.x;"
                   "  for (int b = 0; b < 8; ++b) s[b * 64 + t] = 0;"
                   "  for (int i = 0; i <= t; ++i) ++s[in[i] % 8 * 64 + t];"
                   "  __syncthreads();"
                   "  int sum = 0;"
                   "  if (t < 8) {"
                   "    for (int i = 0; i < 64; ++i) sum += s[t * 64 + i];"
                   "    out[t] = sum;"
                   "  }"
                   "}");
  std::vector<unsigned char> In(64);
  std::vector<int> Out(8), Expected(8);
  for (int I = 0; I < 64; ++I) {
    In[I] = uint8_t(I * I);
    Expected[I * I % 8] += 64 - I;
  }
  K.pass(In).pass(Out);
  K.runAll({1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(Out, Expected);
}

TEST(Execute, MultipliesMatricesByWarps) {
  ExecutedKernel K(
      "#include <mma.h>\n"
      "using namespace nvcuda;"
      "__global__ void k(const float *a, const float *b, float *c, int *d) {"
      "  __shared__ half ha[256], hb[256];"
      "  __shared__ signed char ia[256], ib[256];"
      "  for (int i = threadIdx.x; i < 256; i += 32) {"
      "    ha[i] = a[i]; hb[i] = b[i]; ia[i] = a[i]; ib[i] = b[i]; }"
      "  __syncthreads();"
      "  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;"
      "  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;"
      "  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;"
      "  wmma::fill_fragment(fc, 1.0f);"
      "  wmma::load_matrix_sync(fa, ha, 16);"
      "  wmma::load_matrix_sync(fb, hb, 16);"
      "  wmma::mma_sync(fc, fa, fb, fc);"
      "  wmma::store_matrix_sync(c, fc, 20, wmma::mem_row_major);"
      "  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char,"
      "                 wmma::row_major> ga;"
      "  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char,"
      "                 wmma::row_major> gb;"
      "  wmma::fragment<wmma::accumulator, 16, 16, 16, int> gc;"
      "  wmma::fill_fragment(gc, 5);"
      "  wmma::load_matrix_sync(ga, ia, 16);"
      "  wmma::load_matrix_sync(gb, ib, 16);"
      "  wmma::mma_sync(gc, ga, gb, gc);"
      "  wmma::store_matrix_sync(d, gc, 16, wmma::mem_row_major);"
      "}",
      2, {"--cuda-gpu-arch=sm_80"});
  std::vector<float> A(256), B(256), C(320);
  std::vector<int> D(256);
  for (int I = 0; I < 256; ++I) {
    A[I] = float(I * 7 % 11 - 5);
    B[I] = float(I * 5 % 13 - 6);
  }
  K.pass(A).pass(B).pass(C).pass(D);
  K.runAll({1, 1, 1}, {32, 1, 1});
  for (int R = 0; R < 16; ++R)
    for (int N = 0; N < 16; ++N) {
      float Columns = 1, Rows = 5;
      for (int I = 0; I < 16; ++I) {
        Columns += A[R * 16 + I] * B[N * 16 + I];
        Rows += A[R * 16 + I] * B[I * 16 + N];
      }
      EXPECT_EQ(C[R * 20 + N], Columns);
      EXPECT_EQ(D[R * 16 + N], int(Rows));
    }
}

TEST(Execute, RunsWavesOf64Lanes) {
  ExecutedKernel K(
      "#include <hip/hip_runtime.h>\n"
      "struct P { int n; int f; };"
      "__global__ void k(const int *a, int *b, P p, unsigned long long *m) {"
      "  __shared__ int s[128];"
      "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;"
      "  int own[4]; for (int j = 0; j < 4; ++j) own[(j + t) % 4] = a[i] * j;"
      "  s[t] = own[t % 4] + own[(t + 1) % 4];"
      "  __syncthreads();"
      "  int v = s[127 - t];"
      "  v += __shfl_down(v, 32);"
      "  if (t == 64) *m = __ballot(1);"
      "  if (i < p.n) b[i] = v * p.f;"
      "}",
      2, {"--offload-arch=gfx90a"}, "hip");
  struct P {
    int N, F;
  };
  std::vector<int> A = iota(256), B(256);
  std::vector<unsigned long long> M(1);
  K.pass(A).pass(B).pass(P{250, 3}).pass(M);
  K.runAll({2, 1, 1}, {128, 1, 1});
  for (int I = 0; I < 256; ++I) {
    int T = I % 128, Lane = T % 64;
    // own[t % 4] is 0, own[(t + 1) % 4] is a.
    auto value = [&](int Thread) { return I / 128 * 128 + 127 - Thread; };
    int V = value(T) + value(Lane + 32 < 64 ? T + 32 : T);
    EXPECT_EQ(B[I], I < 250 ? 3 * V : 0) << I;
  }
  EXPECT_EQ(M[0], 1u);
}

TEST(Execute, IntegersAndReals) {
  ExecutedKernel K(R"(
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

TEST(Execute, FunctionsOfTheDeviceLibraryThatAreOperations) {
  ExecutedKernel K(R"(
extern "C" __device__ int __nv_float2int_rn(float);
extern "C" __device__ int __nv_float2int_rd(float);
extern "C" __device__ unsigned __nv_float2uint_ru(float);
extern "C" __device__ unsigned long long __nv_float2ull_rz(float);
extern "C" __device__ float __nv_uint2float_rn(unsigned);
extern "C" __device__ double __nv_hiloint2double(int, int);
extern "C" __device__ int __nv_double2hiint(double);
extern "C" __device__ int __nv_double2loint(double);
extern "C" __device__ int __nv_isinff(float);
extern "C" __device__ int __nv_isnanf(float);
extern "C" __device__ int __nv_finitef(float);
extern "C" __device__ int __nv_signbitf(float);
extern "C" __device__ int __nv_float_as_int(float);
extern "C" __device__ unsigned __nv_byte_perm(unsigned, unsigned, unsigned);
extern "C" __device__ long long __nv_mul64hi(long long, long long);
extern "C" __device__ unsigned long long __nv_umul64hi(unsigned long long, unsigned long long);
extern "C" __device__ unsigned __nv_umulhi(unsigned, unsigned);
extern "C" __device__ int __nv_ffsll(long long);
extern "C" __device__ int __nv_clzll(long long);
extern "C" __device__ int __nv_mul24(int, int);
extern "C" __device__ unsigned __nv_sad(int, int, unsigned);
extern "C" __device__ double __nv_pow(double, double);
__global__ void k(const long long *a, const float *f, long long *out) {
  int i = threadIdx.x;
  long long x = a[i], y = a[63 - i];
  float r = f[i];
  long long *o = out + 24 * i;
  o[0] = __nv_float2int_rn(r);
  o[1] = __nv_float2int_rd(r);
  o[2] = __nv_float2uint_ru(r);
  o[3] = (long long)__nv_float2ull_rz(r);
  o[4] = __nv_float_as_int(__nv_uint2float_rn((unsigned)x));
  o[5] = __nv_double2hiint(__nv_hiloint2double((int)x, (int)y));
  o[6] = __nv_double2loint(__nv_hiloint2double((int)x, (int)y));
  o[7] = __nv_isinff(r);
  o[8] = __nv_isnanf(r);
  o[9] = __nv_finitef(r);
  o[10] = __nv_signbitf(r);
  o[11] = __nv_byte_perm((unsigned)x, (unsigned)y, (unsigned)(x >> 32));
  o[12] = __nv_mul64hi(x, y);
  o[13] = (long long)__nv_umul64hi((unsigned long long)x, (unsigned long long)y);
  o[14] = __nv_umulhi((unsigned)x, (unsigned)y);
  o[15] = __nv_ffsll(x);
  o[16] = __nv_clzll(x);
  o[17] = __nv_mul24((int)x, (int)y);
  o[18] = __nv_sad((int)x, (int)y, 7);
  double p = __nv_pow((double)(int)x, 2.0);
  o[19] = *(long long *)&p;
})");
  constexpr unsigned Kinds = 24;
  std::vector<long long> A, Out(64 * Kinds);
  std::vector<float> F;
  const float Special[] = {0.0f,  -0.0f, 0.5f,   1.5f,  2.5f,     -0.5f,
                           -1.5f, 3e9f,  -3e9f,  1e20f, -1e20f,   INFINITY,
                           NAN,   -NAN,  1e-40f, 7.99f, -INFINITY};
  for (unsigned I = 0; I < 64; ++I) {
    A.push_back(I < 2 ? -int64_t(I)
                      : int64_t(0x9e3779b97f4a7c15ull * (I + 3)) >> (I % 40));
    F.push_back(I < std::size(Special) ? Special[I]
                                       : float(int(I) - 40) * 12345.678f);
  }
  K.pass(A).pass(F).pass(Out).runAll({1, 1, 1}, {64, 1, 1});
  auto Clamped = [](double V, double Low, double High) {
    return std::isnan(V) ? 0 : std::clamp(V, Low, High);
  };
  for (unsigned I = 0; I < 64; ++I) {
    SCOPED_TRACE(I);
    long long X = A[I], Y = A[63 - I];
    float R = F[I];
    const long long *O = &Out[Kinds * I];
    EXPECT_EQ(O[0], int(Clamped(std::nearbyint(R), INT_MIN, INT_MAX)));
    EXPECT_EQ(O[1], int(Clamped(std::floor(R), INT_MIN, INT_MAX)));
    EXPECT_EQ(O[2], unsigned(Clamped(std::ceil(R), 0, UINT_MAX)));
    EXPECT_EQ(uint64_t(O[3]), R >= 0x1p64f ? UINT64_MAX
                              : R > 0      ? uint64_t(R)
                                           : 0);
    EXPECT_EQ(O[4], llvm::bit_cast<int>(float(unsigned(X))));
    EXPECT_EQ(O[5], int(X));
    EXPECT_EQ(O[6], int(Y));
    EXPECT_EQ(O[7], std::isinf(R));
    EXPECT_EQ(O[8], std::isnan(R));
    EXPECT_EQ(O[9], std::isfinite(R));
    EXPECT_EQ(O[10], std::signbit(R));
    uint32_t Bytes = 0;
    for (unsigned Byte = 0; Byte < 4; ++Byte) {
      uint64_t Both = uint64_t(uint32_t(Y)) << 32 | uint32_t(X);
      unsigned Number = uint32_t(X >> 32) >> (4 * Byte) & 7;
      Bytes |= uint32_t(Both >> (8 * Number) & 0xff) << (8 * Byte);
    }
    EXPECT_EQ(uint32_t(O[11]), Bytes);
    EXPECT_EQ(O[12],
              static_cast<long long>(static_cast<__int128>(X) * Y >> 64));
    EXPECT_EQ(
        uint64_t(O[13]),
        uint64_t(static_cast<unsigned __int128>(uint64_t(X)) * uint64_t(Y) >>
                 64));
    EXPECT_EQ(uint64_t(O[14]), uint64_t(uint32_t(X)) * uint32_t(Y) >> 32);
    EXPECT_EQ(O[15], X ? llvm::countr_zero(uint64_t(X)) + 1 : 0);
    EXPECT_EQ(O[16], llvm::countl_zero(uint64_t(X)));
    auto Lower24 = [](long long V) { return int32_t(uint32_t(V) << 8) >> 8; };
    EXPECT_EQ(int32_t(O[17]),
              int32_t(uint32_t(Lower24(X)) * uint32_t(Lower24(Y))));
    EXPECT_EQ(uint32_t(O[18]),
              7 + uint32_t(std::llabs(int64_t(int(X)) - int(Y))));
    EXPECT_EQ(llvm::bit_cast<double>(O[19]), double(int(X)) * double(int(X)));
  }
}

TEST(Execute, BlocksShareMemoryAndWaitForEachOther) {
  ExecutedKernel K(R"(
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
  std::vector<int> In = iota(512), Out(2);
  K.Request.DynamicSharedBytes = 1024;
  K.pass(In).pass(Out).pass(200).runAll({2, 1, 1}, {256, 1, 1});
  EXPECT_EQ(Out[0], 199 * 200 / 2 + 128);
  EXPECT_EQ(Out[1], 199 * 200 / 2 + 200 * 256 + 128);
}

TEST(Execute, LanesExchangeValues) {
  ExecutedKernel K(R"(
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

TEST(Execute, AtomicsPrivateArraysAndVariables) {
  ExecutedKernel K(R"(
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
  std::vector<int> In = iota(32), Out(32);
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

TEST(Execute, SmallRealsVectorsAndStructures) {
  ExecutedKernel K(R"(
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

} // namespace
