/// \file
/// Resident blocks, against what NVIDIA's occupancy calculator gives for the
/// same limits, and every launch that a GPU refuses.
#include "Evaluate/Launch/FittingResources.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

struct Limits {
  unsigned Warps, Blocks, SharedKb, ReservedBytes, SharedUnit, SharedMaxKb;
};
// Technical specifications per compute capability, CUDA C++ Programming Guide.
constexpr Limits Cc35 = {64, 16, 48, 0, 256, 48};
constexpr Limits Cc61 = {64, 32, 96, 0, 256, 48};
constexpr Limits Cc70 = {64, 32, 96, 0, 256, 96};
constexpr Limits Cc75 = {32, 16, 64, 0, 256, 64};
constexpr Limits Cc80 = {64, 32, 164, 1024, 128, 163};
constexpr Limits Cc86 = {48, 16, 100, 1024, 128, 99};
constexpr Limits Cc90 = {64, 32, 228, 1024, 128, 227};

GpuModel gpuWith(const Limits &L) {
  GpuModel G = plainGpu();
  G.MaxWarpsPerSm = L.Warps;
  G.MaxBlocksPerSm = L.Blocks;
  G.SharedPerSm = Bytes(L.SharedKb * 1024);
  G.SharedPerBlockMax = Bytes(L.SharedMaxKb * 1024);
  G.SharedReservedPerBlock = Bytes(L.ReservedBytes);
  G.SharedAllocationUnit = Bytes(L.SharedUnit);
  return G;
}

struct Example {
  const char *Name;
  Limits On;
  unsigned Threads, Registers, Shared;
  unsigned Blocks;
  const char *LimitedBy;
};

constexpr Example Table[] = {
    {"cc35 few threads", Cc35, 64, 16, 0, 16, "blocks"},
    {"cc35 shared", Cc35, 128, 32, 12 * 1024, 4, "shared"},
    {"cc61 threads", Cc61, 256, 32, 0, 8, "threads"},
    {"cc61 registers", Cc61, 256, 64, 0, 4, "registers"},
    {"cc70 threads", Cc70, 1024, 32, 0, 2, "threads"},
    {"cc70 shared, rounded up to 256", Cc70, 128, 16, 12000, 8, "shared"},
    {"cc70 all of it", Cc70, 128, 16, 96 * 1024, 1, "shared"},
    {"cc75 threads", Cc75, 256, 32, 0, 4, "threads"},
    {"cc75 blocks", Cc75, 32, 32, 0, 16, "blocks"},
    {"cc80 threads", Cc80, 256, 32, 0, 8, "threads"},
    {"cc80 registers in whole groups of warps", Cc80, 256, 40, 0, 6,
     "registers"},
    {"cc80 registers per warp rounded up", Cc80, 128, 37, 0, 12, "registers"},
    // What cudaOccMaxActiveBlocksPerMultiprocessor says: warps of a block are
    // not rounded up to the number of schedulers.
    {"cc80 six warps", Cc80, 192, 32, 0, 10, "threads"},
    {"cc80 two warps, registers", Cc80, 64, 40, 0, 24, "registers"},
    {"cc80 three warps, registers", Cc80, 96, 80, 0, 8, "registers"},
    {"cc80 one warp, registers", Cc80, 32, 255, 0, 8, "registers"},
    {"cc80 eleven warps, registers", Cc80, 352, 60, 0, 2, "registers"},
    {"cc86 two warps", Cc86, 64, 40, 0, 16, "blocks"},
    {"cc80 one large block", Cc80, 1024, 33, 0, 1, "registers"},
    {"cc80 most registers", Cc80, 256, 255, 0, 1, "registers"},
    {"cc80 blocks", Cc80, 32, 16, 0, 32, "blocks"},
    {"cc80 shared with the reserved part", Cc80, 256, 32, 48 * 1024, 3,
     "shared"},
    {"cc80 all of it", Cc80, 256, 32, 163 * 1024, 1, "shared"},
    {"cc86 threads", Cc86, 256, 32, 0, 6, "threads"},
    {"cc86 block that does not divide", Cc86, 1024, 32, 0, 1, "threads"},
    {"cc86 shared", Cc86, 128, 32, 32 * 1024, 3, "shared"},
    {"cc90 shared", Cc90, 128, 32, 32 * 1024, 6, "shared"},
    {"partial warp", Cc80, 33, 16, 0, 32, "threads"},
};

Launch large(unsigned Threads) {
  return launch({1000000, 1, 1}, {Threads, 1, 1});
}

TEST(Occupancy, KnownValues) {
  for (const Example &K : Table) {
    SCOPED_TRACE(K.Name);
    Resources Res;
    Res.RegistersPerThread = K.Registers;
    Res.StaticSharedBytes = K.Shared;
    GpuModel G = gpuWith(K.On);
    llvm::Expected<Occupancy> O = computeOccupancy(G, Res, large(K.Threads));
    ASSERT_TRUE(bool(O)) << llvm::toString(O.takeError());
    unsigned Warps = (K.Threads + 31) / 32;
    EXPECT_EQ(O->BlocksPerSm, K.Blocks);
    EXPECT_EQ(O->WarpsPerSm, K.Blocks * Warps);
    EXPECT_EQ(O->LimitedBy, K.LimitedBy);
    EXPECT_DOUBLE_EQ(O->Fraction, double(K.Blocks * Warps) / K.On.Warps);
    EXPECT_DOUBLE_EQ(O->Waves, 1e6 / (4 * K.Blocks));
  }
}

TEST(Occupancy, LaunchBoundsFitTheRegistersOfTheGpu) {
  Resources Res;
  Res.RegistersPerThread = 70;
  GpuModel G = gpuWith(Cc35); // 65536 registers
  EXPECT_EQ(registersOn(G, Res), 70u);
  Res.MaxThreadsPerBlock = 1000; // 32 warps
  EXPECT_EQ(registersOn(G, Res), 64u);
  Res.MinBlocksPerSm = 2;
  EXPECT_EQ(registersOn(G, Res), 32u);
  Res.MinBlocksPerSm = 3; // 3072 threads: more than it holds, ignored
  EXPECT_EQ(registersOn(G, Res), 64u);
  G.RegistersPerSm = 32768; // Fermi
  G.MaxRegistersPerThread = 63;
  G.MaxWarpsPerSm = 48;
  Res.MinBlocksPerSm = 2; // 64 warps
  EXPECT_EQ(registersOn(G, Res), 32u);
  Res.MaxThreadsPerBlock = 700;        // 22 warps
  EXPECT_EQ(registersOn(G, Res), 16u); // 23 in units of 8
  Res.MaxThreadsPerBlock = 1000;
  Res.MinBlocksPerSm = 0;
  EXPECT_EQ(registersOn(G, Res), 32u);
  Occupancy O = llvm::cantFail(computeOccupancy(G, Res, large(1000)));
  EXPECT_EQ(O.BlocksPerSm, 1u);
  Res.MaxThreadsPerBlock = 0;
  EXPECT_EQ(registersOn(G, Res), 63u);
  Res.RegistersSource = "ptxas"; // knows what it made
  EXPECT_EQ(registersOn(G, Res), 70u);
}

/// clang compiles HIP code for blocks of the largest size unless it is told.
TEST(Occupancy, HipCodeWithoutLaunchBoundsFitsTheLargestBlock) {
  Resources Res;
  Res.RegistersPerThread = 200;
  GpuModel G = gpuWith(Cc70); // 65536 registers
  EXPECT_EQ(registersOn(G, Res), 200u);
  G.Vendor = "AMD";
  EXPECT_EQ(registersOn(G, Res), 64u);
  Res.MaxThreadsPerBlock = 256;
  EXPECT_EQ(registersOn(G, Res), 200u);
}

/// A compiler reorders instructions to fit as many threads as there can be.
TEST(Occupancy, EstimatesAreReorderedForAFullMachine) {
  Resources Res;
  Res.RegistersPerThread = 200;
  Res.RegistersAtLeast = 20;
  EXPECT_EQ(registersOn(gpuWith(Cc75), Res), 64u);
  EXPECT_EQ(registersOn(gpuWith(Cc86), Res), 40u);
  EXPECT_EQ(registersOn(gpuWith(Cc80), Res), 32u);
  // More is needed: as many as its number of warps leaves to each. ptxas 13
  // takes these for loops with 64 loads ahead of sums over them.
  Res.RegistersAtLeast = 50; // 9 warps of a scheduler
  EXPECT_EQ(registersOn(gpuWith(Cc86), Res), 56u);
  EXPECT_EQ(registersOn(gpuWith(Cc80), Res), 56u);
  Res.RegistersAtLeast = 97; // 4 warps
  EXPECT_EQ(registersOn(gpuWith(Cc80), Res), 128u);
  Res.RegistersAtLeast = 130; // 3 warps
  EXPECT_EQ(registersOn(gpuWith(Cc86), Res), 168u);
  Res.RegistersAtLeast = 0; // not known to be less
  EXPECT_EQ(registersOn(gpuWith(Cc86), Res), 200u);
  Res.RegistersPerThread = 30; // fits as it is
  Res.RegistersAtLeast = 20;
  EXPECT_EQ(registersOn(gpuWith(Cc86), Res), 30u);
  Res.RegistersSource = "ptxas";
  Res.RegistersPerThread = 200;
  EXPECT_EQ(registersOn(gpuWith(Cc86), Res), 200u);
}

/// A program that runs was compiled to fewer registers than that.
TEST(Occupancy, PtxasThatLetsNoBlockFitGivesWayToTheEstimate) {
  KernelModel Kernel;
  Kernel.Name = "k";
  Resources &Res = Kernel.Res;
  Res.RegistersSource = "ptxas";
  Res.RegistersPerThread = 255;
  Res.RegistersAtLeast = 50;
  Res.Spills = {16, 16, 16};
  GpuModel G = gpuWith(Cc86);
  Resources Used =
      fittingResources(G, Res, large(256)); // one block of them fits
  EXPECT_EQ(Used.RegistersSource, "ptxas");
  EXPECT_TRUE(Used.Spills);
  EXPECT_FALSE(registerAssumption(Kernel, G, large(256)));

  Used = fittingResources(G, Res, large(512));
  EXPECT_EQ(Used.RegistersSource, "estimate");
  EXPECT_FALSE(Used.Spills);
  EXPECT_EQ(registersOn(G, Used), 56u);
  Occupancy O = llvm::cantFail(computeOccupancy(G, Res, large(512)));
  EXPECT_EQ(O.BlocksPerSm, 2u);
  std::optional<Assumption> A = registerAssumption(Kernel, G, large(512));
  ASSERT_TRUE(A);
  EXPECT_EQ(A->What, "registers per thread of 'k'");
  EXPECT_EQ(A->Value, 56);

  Res.RegistersSource = "command-line"; // the user's own number
  EXPECT_EQ(fittingResources(G, Res, large(512)).RegistersSource,
            "command-line");
}

TEST(Occupancy, DynamicSharedMemoryCountsToo) {
  Resources Res;
  Res.RegistersPerThread = 32;
  Res.StaticSharedBytes = 16 * 1024;
  Launch L = large(256);
  L.DynamicSharedBytes = 32 * 1024;
  Occupancy O = llvm::cantFail(computeOccupancy(gpuWith(Cc80), Res, L));
  EXPECT_EQ(O.BlocksPerSm, 3u);
}

TEST(Occupancy, SmallGridLimits) {
  Resources Res;
  Res.RegistersPerThread = 32;
  Occupancy O = llvm::cantFail(
      computeOccupancy(gpuWith(Cc80), Res, launch({9, 1, 1}, {256, 1, 1})));
  EXPECT_EQ(O.BlocksPerSm, 3u); // 9 blocks on 4 multiprocessors
  EXPECT_EQ(O.LimitedBy, "grid");
  EXPECT_DOUBLE_EQ(O.Waves, 9.0 / (8 * 4));
  O = llvm::cantFail(
      computeOccupancy(gpuWith(Cc80), Res, launch({1, 1, 1}, {32, 1, 1})));
  EXPECT_EQ(O.BlocksPerSm, 1u);
  EXPECT_EQ(O.WarpsPerSm, 1u);
}

std::string refusal(const Launch &L, const Resources &Res = {}) {
  GpuModel G = gpuWith(Cc80);
  G.MaxGrid = {2147483647u, 65535u, 65535u};
  llvm::Expected<Occupancy> O = computeOccupancy(G, Res, L);
  return O ? "accepted" : llvm::toString(O.takeError());
}

TEST(Occupancy, RefusedLaunches) {
  EXPECT_EQ(refusal(launch({1, 1, 1}, {1024, 1, 1})), "accepted");
  EXPECT_EQ(refusal(launch({0, 1, 1}, {32, 1, 1})),
            "the launch is empty: grid dimension x is 0");
  EXPECT_EQ(refusal(launch({1, 1, 1}, {32, 0, 1})),
            "the launch is empty: block dimension y is 0");
  EXPECT_EQ(refusal(launch({1, 1, 1}, {1025, 1, 1})),
            "block dimension x is 1025, but plain allows at most 1024");
  EXPECT_EQ(refusal(launch({1, 1, 1}, {1, 1, 65})),
            "block dimension z is 65, but plain allows at most 64");
  EXPECT_EQ(refusal(launch({1, 65536, 1}, {32, 1, 1})),
            "grid dimension y is 65536, but plain allows at most 65535");
  EXPECT_EQ(refusal(launch({1, 1, 1}, {33, 32, 1})),
            "a block of 1056 threads is impossible: plain allows at most 1024");
  // Dimensions whose product would overflow are refused one by one.
  EXPECT_EQ(
      refusal(launch({1, 1, 1}, {uint64_t(1) << 32, uint64_t(1) << 32, 1})),
      "block dimension x is 4294967296, but plain allows at most 1024");
}

TEST(Occupancy, RefusedResources) {
  Launch L = launch({1, 1, 1}, {512, 1, 1});
  Resources Res;
  Res.MaxThreadsPerBlock = 256;
  EXPECT_EQ(refusal(L, Res),
            "a block of 512 threads contradicts __launch_bounds__(256)");
  Res.MaxThreadsPerBlock = 512;
  EXPECT_EQ(refusal(L, Res), "accepted");

  Res.StaticSharedBytes = 163 * 1024;
  EXPECT_EQ(refusal(L, Res), "accepted");
  L.DynamicSharedBytes = 1;
  EXPECT_EQ(refusal(L, Res), "a block needs 166913 bytes of shared memory, but "
                             "plain gives at most 166912");
  L.DynamicSharedBytes = 0;
  Res.RegistersPerThread = 255;
  Res.RegistersSource = "command-line";
  EXPECT_EQ(refusal(L, Res),
            "no block fits a multiprocessor of plain: 512 threads of 255 "
            "registers and 166912 bytes of shared memory exceed its registers");
}

} // namespace
