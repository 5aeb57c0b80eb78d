/// \file
/// Kernels that execute several threads at a time give what threads give that
/// execute one by one.
#include "gpu-estimate/Execute/Executor.h"
#include "helpers/FrontendTesting.h"
#include "llvm/Bitcode/BitcodeWriter.h"

using namespace gpuestimate;

namespace {

/// Runs `k(const int *in, int *out, int n)` and keeps the bytes of `out`.
class ComparedKernel {
public:
  explicit ComparedKernel(llvm::StringRef Text) : Unit(parseText(Text)) {
    llvm::raw_svector_ostream OS(Bitcode);
    llvm::WriteBitcodeToFile(*Unit.Module, OS);
    for (unsigned I = 0; I < In.size(); ++I)
      In[I] = int(I * 2654435761u >> 7) % 1000;
  }

  std::vector<int> run(ExecuteOptions::VectorUse Use,
                       std::array<uint64_t, 3> Grid,
                       std::array<uint64_t, 3> Block, int N) {
    ExecuteOptions Options;
    Options.Threads = 1;
    Options.Checks = Checks;
    Options.MaxCheckedAccesses = MaxCheckedAccesses;
    Options.Vectors = Use;
    llvm::ExitOnError Check;
    std::unique_ptr<Executor> E = Check(Executor::create(Options));
    uint64_t Module = Check(E->load({Bitcode.data(), Bitcode.size()}));
    size_t Bytes = In.size() * sizeof(int);
    void *From = E->memory().allocate(Bytes), *To = E->memory().allocate(Bytes);
    std::memcpy(From, In.data(), Bytes);
    const void *Arguments[] = {&From, &To, &N};
    ExecutionRequest Request;
    Request.Grid = Grid;
    Request.Block = Block;
    Request.Arguments = Arguments;
    Request.Trace = Trace;
    Last = Check(E->launch(Module, Unit.Kernels.front().Mangled, Request));
    EXPECT_TRUE(Last.Completed)
        << Last.Unsupported << (Last.Fault ? Last.Fault->What : "");
    std::vector<int> Out(In.size());
    std::memcpy(Out.data(), To, Bytes);
    return Out;
  }

  /// AtOnce: threads that execute together; 1 if the kernel has no such form.
  void compare(unsigned AtOnce, std::array<uint64_t, 3> Grid,
               std::array<uint64_t, 3> Block, int N) {
    std::vector<int> One =
        run(ExecuteOptions::VectorUse::Never, Grid, Block, N);
    EXPECT_EQ(Last.ThreadsAtOnce, 1u);
    std::vector<int> Many =
        run(ExecuteOptions::VectorUse::Always, Grid, Block, N);
    EXPECT_EQ(Last.ThreadsAtOnce, AtOnce);
    EXPECT_EQ(One, Many);
  }

  bool Checks = false, Trace = false;
  uint64_t MaxCheckedAccesses = UINT64_MAX;
  std::vector<int> In = std::vector<int>(1 << 14);
  ExecutionResult Last;

private:
  TranslationUnit Unit;
  llvm::SmallVector<char, 0> Bitcode;
};

#define KERNEL(BODY)                                                           \
  "__global__ void k(const int *in, int *out, int n) {"                        \
  "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;" BODY "}"

TEST(ExecuteVectors, DivergentLoopsWithSeveralExits) {
  ComparedKernel K(
      KERNEL("int sum = 0;"
             "for (int j = 0; j < in[i] % 50; ++j) {"
             "  if (in[(i + j) % n] % 7 == 0) continue;"
             "  if (in[(i * j) % n] % 31 == 0) { sum += 1000; break; }"
             "  for (int m = j; m > 0; m /= 2) { if (m == 5 && i % 3) return;"
             "    sum += in[m]; }"
             "}"
             "out[i] = sum;"));
  K.compare(16, {9, 1, 1}, {100, 1, 1}, 900);
}

TEST(ExecuteVectors, UniformBranchesWithinDivergentOnes) {
  ComparedKernel K(KERNEL(
      "int x = in[i];"
      "if (x % 2) {"
      "  for (int j = 0; j < n; ++j) { if (n > 5) x += j * t; else x ^= j;"
      "    if (x % 11 == 0) x /= 3; }"
      "} else if (n == 8) x = -x; else x = 7 * x;"
      "out[i] = x;"));
  K.compare(16, {3, 1, 1}, {64, 1, 1}, 8);
  K.compare(16, {3, 1, 1}, {64, 1, 1}, 3);
}

TEST(ExecuteVectors, LoopsThatReadWhatOthersWriteWithoutWaiting) {
  // A volatile scan in a loop that is counted.
  ComparedKernel Scan(
      KERNEL("__shared__ volatile int s[128]; int sum = 0;"
             "for (int round = 0; round < n; ++round) {"
             "  s[t] = in[i + round]; __syncwarp();"
             "  for (int d = 1; d < 32; d *= 2) {"
             "    int v = (t & 31) >= d ? s[t - d] : 0; __syncwarp();"
             "    s[t] += v; __syncwarp(); }"
             "  sum += s[t]; }"
             "out[i] = sum;"));
  Scan.compare(32, {3, 1, 1}, {128, 1, 1}, 5);
  // A sum by compare-and-swap, and a table with open addressing.
  ComparedKernel Swap(KERNEL(
      "int *total = out + n; int old = *total, assumed;"
      "do { assumed = old; old = atomicCAS(total, assumed, assumed + in[i]); }"
      "while (old != assumed);"));
  Swap.compare(16, {3, 1, 1}, {64, 1, 1}, 8000);
  ComparedKernel Insert(
      KERNEL("int key = i / 2 + 1, h = key * 7 % n;"
             "for (;;) { int old = atomicCAS(out + h, 0, key);"
             "  if (old == 0 || old == key) break; h = (h + 1) % n; }"));
  Insert.compare(16, {1, 1, 1}, {64, 1, 1}, 4096);
  // Numbers from a common counter.
  ComparedKernel Queue(KERNEL(
      "for (int j; (j = atomicAdd(out, 1)) < n;) out[1 + j] = in[j] * 3;"));
  Queue.compare(16, {2, 1, 1}, {64, 1, 1}, 1000);
}

TEST(ExecuteVectors, LoopsThatWaitStayThreadByThread) {
  // A lock; a flag; a counter that is read by adding nothing.
  ComparedKernel Lock(
      KERNEL("for (bool done = false; !done;)"
             "  if (atomicCAS(out, 0, 1) == 0) { out[1] += in[i];"
             "    __threadfence(); atomicExch(out, 0); done = true; }"));
  Lock.compare(1, {1, 1, 1}, {64, 1, 1}, 0);
  ComparedKernel Flag(KERNEL(
      "volatile int *flag = out; if (t == 37) { out[2] = 5; __threadfence();"
      " *flag = 1; } while (*flag == 0); out[8 + i] = out[2];"));
  Flag.compare(1, {1, 1, 1}, {64, 1, 1}, 0);
  ComparedKernel Count(KERNEL(
      "atomicAdd(out, 1); while (atomicAdd(out, 0) < n); out[8 + i] = 1;"));
  Count.compare(1, {1, 1, 1}, {64, 1, 1}, 64);
}

/// A kernel whose second warp reads what the first one writes, `n` times.
static const char RacingLoop[] = KERNEL("__shared__ int s[64]; int sum = 0;"
                                        "for (int j = 0; j < n; ++j) {"
                                        "  s[t] = in[i] + j;\n"
                                        "  if (j == n - 1) sum += s[63 - t];\n"
                                        "  __syncthreads(); }"
                                        "out[i] = sum;");

TEST(ExecuteVectors, FindTheRacesThatThreadsFind) {
  ComparedKernel K(RacingLoop);
  K.Checks = true;
  std::vector<RunFault> One, Many;
  K.run(ExecuteOptions::VectorUse::Never, {2, 1, 1}, {64, 1, 1}, 9);
  One = K.Last.Races;
  K.run(ExecuteOptions::VectorUse::Always, {2, 1, 1}, {64, 1, 1}, 9);
  Many = K.Last.Races;
  EXPECT_EQ(K.Last.RecordedAtOnce, 32u);
  ASSERT_EQ(One.size(), 1u);
  ASSERT_EQ(Many.size(), 1u);
  EXPECT_EQ(Many[0].Line, One[0].Line);
  EXPECT_EQ(Many[0].Thread, One[0].Thread);
  EXPECT_EQ(Many[0].What, One[0].What);
  EXPECT_EQ(Many[0].Buffer, One[0].Buffer);
  EXPECT_FALSE(K.Last.CheckedAccesses);
}

TEST(ExecuteVectors, SearchForRacesEndsAfterANumberOfAccesses) {
  // 64 threads write nine times, and read once behind that.
  for (auto Use :
       {ExecuteOptions::VectorUse::Never, ExecuteOptions::VectorUse::Always}) {
    ComparedKernel K(RacingLoop);
    K.Checks = true;
    K.MaxCheckedAccesses = 9 * 64;
    K.run(Use, {2, 1, 1}, {64, 1, 1}, 9);
    EXPECT_TRUE(K.Last.Races.size() <= 1);
    EXPECT_EQ(K.Last.CheckedAccesses, 9u * 64);
    K.MaxCheckedAccesses = 8 * 64;
    K.run(Use, {2, 1, 1}, {64, 1, 1}, 9);
    EXPECT_TRUE(K.Last.Races.empty());
    EXPECT_EQ(K.Last.CheckedAccesses, 8u * 64);
  }
}

TEST(ExecuteVectors, AreTracedAsThreadsAre) {
  ComparedKernel K(KERNEL(
      "__shared__ int s[128]; float own[4] = {1, 2, 3, 4}; int sum = 0;"
      "for (int j = 0; j < n; ++j) {"
      "  s[t] = in[(i + j) % 512];"
      "  sum += __shfl_down_sync(-1, s[t], 1, 32);"
      "  __syncthreads();"
      "  for (int m = 0; m < in[i] % 5; ++m) own[(m + j) % 4] /= (float)s[t] - "
      "7;"
      "  if (s[127 - t] % 2 && i % 5) { sum += s[(t * 5) % 128]; }"
      "  __syncthreads(); }"
      "out[i] = sum + (int)own[in[i] % 4];"));
  K.Trace = true;
  K.run(ExecuteOptions::VectorUse::Never, {3, 1, 1}, {128, 1, 1}, 6);
  RunTrace One = std::move(*K.Last.Trace);
  K.run(ExecuteOptions::VectorUse::Always, {3, 1, 1}, {128, 1, 1}, 6);
  const RunTrace &Many = *K.Last.Trace;
  EXPECT_EQ(K.Last.RecordedAtOnce, 32u);
  EXPECT_EQ(Many.Runs, One.Runs);
  EXPECT_EQ(Many.Lanes, One.Lanes);
  EXPECT_EQ(Many.Entries, One.Entries);
  ASSERT_EQ(Many.Conditions.size(), One.Conditions.size());
  for (size_t I = 0; I < One.Conditions.size(); ++I) {
    EXPECT_EQ(Many.Conditions[I].Instruction, One.Conditions[I].Instruction);
    EXPECT_EQ(Many.Conditions[I].Lanes, One.Conditions[I].Lanes);
    EXPECT_EQ(Many.Conditions[I].True, One.Conditions[I].True);
  }
  ASSERT_EQ(Many.Branches.size(), One.Branches.size());
  for (size_t I = 0; I < One.Branches.size(); ++I) {
    EXPECT_EQ(Many.Branches[I].Lanes, One.Branches[I].Lanes);
    EXPECT_EQ(Many.Branches[I].Divergent, One.Branches[I].Divergent);
  }
  ASSERT_EQ(Many.Accesses.size(), One.Accesses.size());
  for (size_t I = 0; I < One.Accesses.size(); ++I) {
    EXPECT_EQ(Many.Accesses[I].Requests, One.Accesses[I].Requests);
    EXPECT_EQ(Many.Accesses[I].Lanes, One.Accesses[I].Lanes);
    EXPECT_EQ(Many.Accesses[I].Sectors, One.Accesses[I].Sectors);
  }
}

TEST(ExecuteVectors, Switches) {
  ComparedKernel K(KERNEL("int x = in[i];"
                          "switch (x % 5) { case 0: x += 3; break;"
                          "case 1: x *= x; case 2: x -= t; break;"
                          "case 4: return; default: x = n / (x + 1); }"
                          "out[i] = x;"));
  K.compare(16, {3, 1, 1}, {96, 1, 1}, 4711);
}

TEST(ExecuteVectors, TypesOfAllSizes) {
  ComparedKernel K(KERNEL(
      "double d = in[i] * 0.37; float f = sinf(in[i]) + (float)d;"
      "long long l = (long long)in[i] * in[n - i] * 1000003;"
      "short s = (short)l; signed char c = (signed char)(l >> 9);"
      "unsigned long long u = __umul64hi(l, l + t) / (unsigned)(s | 1);"
      "out[4 * i] = (int)(d * f); out[4 * i + 1] = s * c;"
      "out[4 * i + 2] = (int)u; out[4 * i + 3] = __popcll(l) + __clz(s);"));
  K.compare(16, {4, 1, 1}, {128, 1, 1}, 5000);
}

/// Inline PTX has a pair of halves in a 32-bit register.
TEST(ExecuteVectors, PairsOfHalvesInRegisters) {
  ComparedKernel K(
      KERNEL("unsigned sum = 0, x;"
             "for (int j = i; j < n; j += blockDim.x * gridDim.x) {"
             "  x = (unsigned)in[j] * 3u | 0x3c000000u;"
             "  asm(\"{fma.rn.f16x2 %0,%1,%1,%2;}\" : \"=r\"(sum)"
             "      : \"r\"(x), \"r\"(sum)); }"
             "out[i] = sum;"));
  K.compare(16, {3, 1, 1}, {64, 1, 1}, 2000);
}

TEST(ExecuteVectors, ArraysOfAThread) {
  ComparedKernel K(KERNEL("int a[17];"
                          "for (int j = 0; j < 17; ++j) a[j] = in[i + j];"
                          "for (int j = 0; j < n; ++j) a[in[i + j] % 17] += j;"
                          "int sum = 0;"
                          "for (int j = 0; j < 17; ++j) sum = 3 * sum + a[j];"
                          "out[i] = sum;"));
  K.compare(16, {4, 1, 1}, {50, 1, 1}, 23);
}

TEST(ExecuteVectors, IndicesThatPassZero) {
  // The first lane of a warp has -1, which no thread accesses.
  ComparedKernel K(KERNEL("unsigned p = (unsigned)t - 1u;"
                          "if (p < (unsigned)n) out[p + i] = in[p];"
                          "if (t >= 1 && t < n) out[4096 + i] = in[t - 1];"));
  K.compare(16, {3, 1, 1}, {64, 1, 1}, 50);
}

TEST(ExecuteVectors, SignedNumbersThatWrapRoundBetweenLanes) {
  ComparedKernel K(KERNEL("int h = (int)((unsigned)t * 2654435761u + n);"
                          "long long x = h, y = (int)((unsigned)n + t);"
                          "out[2 * i] = (int)(x * 1001 >> 20);"
                          "out[2 * i + 1] = (int)(y * 1001 >> 20);"));
  K.compare(16, {2, 1, 1}, {64, 1, 1}, 0x7ffffff9);
}

TEST(ExecuteVectors, AtomicsAndStoresToOnePlace) {
  ComparedKernel K(KERNEL("int before = atomicAdd(&out[in[i] % 8], t);"
                          "if (before % 2) atomicMax(&out[9], before);"
                          "if (t % 3 == 1) out[10] = i;"
                          "out[100 + i] = before;"));
  K.compare(16, {3, 1, 1}, {64, 1, 1}, 0);
}

TEST(ExecuteVectors, BarriersBehindAnEarlyReturn) {
  ComparedKernel K(
      KERNEL("__shared__ int s[128];"
             "if (i >= n) return;"
             "s[t] = in[i];"
             "__syncthreads();"
             "for (int d = 1; d < 128; d *= 2) {"
             "  int x = t >= d ? s[t - d] : 0;"
             "  __syncthreads(); s[t] += x; __syncthreads(); }"
             "out[i] = s[t] + 5 * __syncthreads_count(s[t] % 2);"));
  K.compare(16, {5, 1, 1}, {128, 1, 1}, 597);
}

TEST(ExecuteVectors, ShufflesVotesAndMatches) {
  ComparedKernel K(
      KERNEL("int x = in[i], r = 0;"
             "r += __shfl_xor_sync(~0u, x, 5); r ^= __shfl_up_sync(~0u, x, 3);"
             "r += 3 * __shfl_down_sync(~0u, x, 7, 16);"
             "r ^= __shfl_sync(~0u, x, x, 8) << 1;"
             "unsigned odd = __ballot_sync(~0u, x % 2);"
             "if (x % 2) { r += __shfl_sync(odd, x, __ffs(odd) - 1);"
             "  r += __reduce_add_sync(odd, x); r += __popc(__activemask()); }"
             "r += __all_sync(~0u, x > 3) + 2 * __any_sync(~0u, x == 17);"
             "r ^= __match_any_sync(~0u, x % 4);"
             "out[i] = r;"));
  K.compare(32, {4, 1, 1}, {96, 1, 1}, 0);
  K.compare(32, {2, 1, 1}, {16, 6, 1}, 0);
}

TEST(ExecuteVectors, ThreadsOfARowThatIsShorterThanAVector) {
  ComparedKernel K("__global__ void k(const int *in, int *out, int n) {"
                   "  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;"
                   "  int i = ((blockIdx.x * blockDim.z + z) * blockDim.y + y)"
                   "          * blockDim.x + x;"
                   "  out[i] = in[i + n * y] * (x + 10 * y + 100 * z);"
                   "}");
  K.compare(16, {5, 1, 1}, {5, 7, 3}, 4);
  K.compare(16, {5, 1, 1}, {32, 4, 2}, 4);
}

TEST(ExecuteVectors, RefusesWhatWouldWaitForAnotherThread) {
  ComparedKernel Lock(KERNEL("for (bool done = false; !done;)"
                             "  if (atomicCAS(&out[0], 0, 1) == 0) {"
                             "    out[1] += i; __threadfence();"
                             "    atomicExch(&out[0], 0); done = true; }"));
  Lock.compare(1, {3, 1, 1}, {64, 1, 1}, 0);
  ComparedKernel Sides(KERNEL("__shared__ int s[64]; s[t] = in[i];"
                              "if (t < 32) { __syncthreads(); out[i] = s[t]; }"
                              "else { s[t] += n; __syncthreads();"
                              "  out[i] = s[t ^ 1]; }"));
  Sides.compare(1, {3, 1, 1}, {64, 1, 1}, 0);
}

TEST(ExecuteVectors, FewThreadsThatTakeLong) {
  ComparedKernel K(KERNEL("__shared__ int s[64]; s[t] = in[i];"
                          "for (int j = 0; j < n; ++j) {"
                          "  __syncthreads(); int x = s[(t + 1) % 64];"
                          "  __syncthreads(); s[t] += x * j; }"
                          "out[i] = s[t];"));
  constexpr auto WhereUseful = ExecuteOptions::VectorUse::WhereUseful;
  // A launch of a few microseconds, and one that would take seconds.
  std::vector<int> Short = K.run(WhereUseful, {30, 1, 1}, {64, 1, 1}, 3);
  EXPECT_EQ(K.Last.ThreadsAtOnce, 1u);
  EXPECT_EQ(Short,
            K.run(ExecuteOptions::VectorUse::Never, {30, 1, 1}, {64, 1, 1}, 3));
  std::vector<int> Long = K.run(WhereUseful, {30, 1, 1}, {64, 1, 1}, 20000);
  EXPECT_EQ(K.Last.ThreadsAtOnce, 16u);
  EXPECT_EQ(Long, K.run(ExecuteOptions::VectorUse::Always, {30, 1, 1},
                        {64, 1, 1}, 20000));
}

TEST(ExecuteVectors, NamesTheThreadOfAFault) {
  ExecuteOptions Options;
  Options.Vectors = ExecuteOptions::VectorUse::Always;
  llvm::ExitOnError Check;
  std::unique_ptr<Executor> E = Check(Executor::create(Options));
  TranslationUnit Unit =
      parseText(KERNEL("if (i == 77)\n out[1 << 18] = in[i];"));
  llvm::SmallVector<char, 0> Bitcode;
  llvm::raw_svector_ostream OS(Bitcode);
  llvm::WriteBitcodeToFile(*Unit.Module, OS);
  uint64_t Module = Check(E->load({Bitcode.data(), Bitcode.size()}));
  void *Memory = E->memory().allocate(1024);
  int N = 0;
  const void *Arguments[] = {&Memory, &Memory, &N};
  ExecutionRequest Request;
  Request.Grid = {3, 1, 1};
  Request.Block = {64, 1, 1};
  Request.Arguments = Arguments;
  ExecutionResult R =
      Check(E->launch(Module, Unit.Kernels.front().Mangled, Request));
  EXPECT_EQ(R.ThreadsAtOnce, 16u);
  ASSERT_TRUE(R.Fault);
  EXPECT_EQ(R.Fault->Block[0], 1u);
  EXPECT_EQ(R.Fault->Thread[0], 13u);
  EXPECT_EQ(R.Fault->Line, 2u);
}

} // namespace
