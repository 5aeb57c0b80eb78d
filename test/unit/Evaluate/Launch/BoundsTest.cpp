/// \file
/// The throughput bounds and launch times, each against a hand calculation on
/// the plain GPU (4 multiprocessors of 4 schedulers, 1 GHz).
#include "Evaluate/Launch/LaunchTime.h"
#include "helpers/EvaluateKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// 400 blocks of 256 threads: 100 blocks, 800 warps on each multiprocessor.
const Launch L = launch({400, 1, 1}, {256, 1, 1});
constexpr double Warps = 3200, WarpsPerSm = 800;

TEST(Bounds, IssueSlotsAndPipes) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 6; ++I)
    K.op(OpClass::Fp32Fma);
  K.op(OpClass::Fp64Fma);
  K.op(OpClass::Sfu);
  K.last().Count = 3;
  ModelUnderTest M(K.Model, plainGpu(), L);
  EXPECT_DOUBLE_EQ(M.bound("issue"), WarpsPerSm * 10 / 4);
  EXPECT_DOUBLE_EQ(M.bound("fp32"), WarpsPerSm * 6 * 32 / 128);
  EXPECT_DOUBLE_EQ(M.bound("fp64"), WarpsPerSm * 1 * 32 / 32);
  EXPECT_DOUBLE_EQ(M.bound("sfu"), WarpsPerSm * 3 * 32 / 64);
  EXPECT_DOUBLE_EQ(M.bound("int"), 0);
  EXPECT_DOUBLE_EQ(M.Work.Count.WarpInstructions, Warps * 10);
  EXPECT_DOUBLE_EQ(M.Work.Count.FlopFp32, Warps * 32 * 6 * 2);
}

TEST(Bounds, ASharedFp64UnitSwitchesBetweenClasses) {
  GpuModel G = plainGpu();
  G.Fp64Switch = Cycles(4);
  auto cyclesOf = [&](double Lanes, std::initializer_list<OpClass> Classes) {
    for (OpClass C : {OpClass::Fp64Add, OpClass::Fp64Mul, OpClass::Fp64Fma})
      G.Ops[unsigned(C)].Throughput = Lanes;
    OpKernel K;
    K.block(-1);
    for (OpClass C : Classes)
      K.op(C);
    return ModelUnderTest(K.Model, G, L).bound("fp64") / WarpsPerSm;
  };
  EXPECT_DOUBLE_EQ(cyclesOf(2, {OpClass::Fp64Fma, OpClass::Fp64Fma}), 2 * 16);
  EXPECT_DOUBLE_EQ(cyclesOf(2, {OpClass::Fp64Fma, OpClass::Fp64Add}),
                   2 * (16 + 4 * 0.5));
  // A quarter of the instructions before a multiply-add are additions.
  EXPECT_DOUBLE_EQ(cyclesOf(2, {OpClass::Fp64Fma, OpClass::Fp64Fma,
                                OpClass::Fp64Fma, OpClass::Fp64Add}),
                   3 * (16 + 4 * 0.25) + (16 + 4 * 0.75));
  // Each scheduler has lanes of its own.
  EXPECT_DOUBLE_EQ(cyclesOf(32, {OpClass::Fp64Fma, OpClass::Fp64Add}), 2 * 1);
}

TEST(Bounds, ThePipeIsThatOfTheGpu) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::IntAdd);
  K.op(OpClass::Fp32Add);
  GpuModel G = plainGpu(); // before Volta both share a pipe
  G.Ops[unsigned(OpClass::IntAdd)].On = Pipe::Fp32;
  ModelUnderTest M(K.Model, G, L);
  EXPECT_DOUBLE_EQ(M.bound("fp32"), WarpsPerSm * 2 * 32 / 128);
  EXPECT_DOUBLE_EQ(M.bound("int"), 0);
}

TEST(Bounds, IntegersConvertInTheirOwnPipeWhereThereIsOne) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::ConvertInt32);
  K.op(OpClass::Convert32);
  GpuModel G = plainGpu();
  double PerWarp = 32 / G.cost(OpClass::Convert32).Throughput;
  G.Ops[unsigned(OpClass::ConvertInt32)].Throughput = 0; // not stated
  ModelUnderTest Both(K.Model, G, L);
  EXPECT_DOUBLE_EQ(Both.bound("sfu"), WarpsPerSm * 2 * PerWarp);
  G.Ops[unsigned(OpClass::ConvertInt32)] = G.cost(OpClass::IntAdd);
  ModelUnderTest Apart(K.Model, G, L);
  EXPECT_DOUBLE_EQ(Apart.bound("sfu"), WarpsPerSm * PerWarp);
  EXPECT_GT(Apart.bound("int"), 0);
}

TEST(Bounds, TensorOperationsCountMultiplyAdds) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::TensorFp16);
  K.last().TensorMultiplyAdds = 4096;
  ModelUnderTest M(K.Model, plainGpu(), L);
  EXPECT_DOUBLE_EQ(M.bound("tensor"), WarpsPerSm * 4096 / 1024);
}

TEST(Bounds, LoopOverheadOncePerUnrolledRound) {
  OpKernel K;
  int Loop = K.loop(-1, K.number(40));
  K.Model.Loops[Loop].Unroll = 4;
  K.block(Loop);
  K.op(OpClass::Fp32Fma);
  K.op(OpClass::IntAdd);
  K.last().LoopOverhead = true;
  ModelUnderTest M(K.Model, plainGpu(), L);
  EXPECT_DOUBLE_EQ(M.Work.Count.WarpInstructions, Warps * 50);
}

TEST(Bounds, SharedMemoryPassesAndL1) {
  OpKernel K;
  K.block(-1);
  K.loadShared("s");
  K.load("a");
  std::vector<AccessFacts> Facts = {{0, 0, 4, 8}, {1, 0, 32, 8}};
  GpuModel G = plainGpu();
  ModelUnderTest M(K.Model, G, L, {}, Facts);
  EXPECT_DOUBLE_EQ(M.bound("shared-bandwidth"), WarpsPerSm * 8);
  // 8 passes of its own; one array with shared memory.
  EXPECT_DOUBLE_EQ(M.bound("l1-bandwidth"), WarpsPerSm * (8 + 8));
  // What lanes ask for is moved, 128 bytes in one cycle, not all 32 sectors.
  std::vector<AccessFacts> Sparse = {{0, 0, 4, 8}, {1, 0, 32, 1}};
  EXPECT_DOUBLE_EQ(
      ModelUnderTest(K.Model, G, L, {}, Sparse).bound("l1-bandwidth"),
      WarpsPerSm * (8 + 1));
  G.L1UnifiedWithShared = false;
  EXPECT_DOUBLE_EQ(
      ModelUnderTest(K.Model, G, L, {}, Facts).bound("l1-bandwidth"),
      WarpsPerSm * 8);
  // 64 bytes a cycle: each pass of 32 banks takes two.
  G.SharedBandwidth = BytesPerCycle(64);
  EXPECT_DOUBLE_EQ(
      ModelUnderTest(K.Model, G, L, {}, Facts).bound("shared-bandwidth"),
      WarpsPerSm * 16);
}

TEST(Bounds, APassThroughL1TakesAsLongAsItsArrayNeeds) {
  OpKernel K;
  K.block(-1);
  K.load("a");
  std::vector<AccessFacts> Facts = {{0, 0, 4, 3}}; // 128 bytes, 3 passes
  GpuModel G = plainGpu();
  auto L1 = [&] {
    return ModelUnderTest(K.Model, G, L, {}, Facts).bound("l1-bandwidth");
  };
  EXPECT_DOUBLE_EQ(L1(), WarpsPerSm * 3);
  // Half of the array's width: Turing. A conflict costs what it does to shared
  // memory.
  G.SharedBandwidth = BytesPerCycle(64);
  EXPECT_DOUBLE_EQ(L1(), WarpsPerSm * 6);
  // Full width behind 64 bytes a cycle into the registers: GA10x, where two
  // passes are free (gpu-strides on A40).
  G.SharedBandwidth = BytesPerCycle(128);
  G.L1Bandwidth = BytesPerCycle(64);
  EXPECT_DOUBLE_EQ(L1(), WarpsPerSm * 3);
  // A cache of its own: Maxwell and Pascal.
  G.L1UnifiedWithShared = false;
  EXPECT_DOUBLE_EQ(L1(), WarpsPerSm * 6);
}

// Headers of 8 and 16 bytes: 16 sectors of 32 bytes in 4 lines are 4 * 136
// bytes of loads, 16 sectors in 16 lines 16 * 48 bytes of stores. Bandwidths
// are those of whole lines.
TEST(Bounds, PacketsOfL2HaveHeaders) {
  OpKernel K;
  K.block(-1);
  K.load("a");
  K.store("b");
  GpuModel G = plainGpu();
  std::vector<AccessFacts> Facts(2);
  for (AccessFacts &Fact : Facts)
    Fact.SectorsPerRequest = 16;
  Facts[0].LinesPerRequest = 4;
  Facts[1].LinesPerRequest = 16;
  double Read = Warps * 512 / 128, Written = Warps * 512 / 96;
  EXPECT_DOUBLE_EQ(
      ModelUnderTest(K.Model, G, L, {}, Facts).bound("l2-bandwidth"),
      Read + Written);
  G.L2ReadPacketHeader = Bytes(8);
  G.L2WritePacketHeader = Bytes(16);
  EXPECT_DOUBLE_EQ(
      ModelUnderTest(K.Model, G, L, {}, Facts).bound("l2-bandwidth"),
      Read + Written * (48.0 / 32) / (144.0 / 128));
}

TEST(Bounds, L2AndDram) {
  OpKernel K;
  K.block(-1);
  K.load("a");
  K.store("b");
  std::vector<AccessFacts> Facts = {{0.5, 0.25}, {0, 0}};
  ModelUnderTest M(K.Model, plainGpu(), L, {}, Facts);
  double Read = Warps * 64, Written = Warps * 128; // bytes
  EXPECT_DOUBLE_EQ(M.bound("l2-bandwidth"), Read / 128 + Written / 96);
  double DramRead = Read * 0.75;
  double Share = Written / (Written + DramRead);
  EXPECT_DOUBLE_EQ(M.bound("dram-bandwidth"),
                   (Written + DramRead) /
                       (dramBandwidth(M.Gpu, Share).value() / 1e9));
}

TEST(Bounds, WorkInsideAndTrafficMeetAtTheKnee) {
  OpKernel K;
  K.block(-1);
  K.load("a");
  GpuModel G = plainGpu();
  G.MemoryKnee = 2;
  double Demand = ModelUnderTest(K.Model, G, L).bound("dram-bandwidth");
  K.op(OpClass::Fp32Fma);
  K.last().Count = std::round(Demand / (WarpsPerSm / 4));
  ModelUnderTest M(K.Model, G, L);
  double Inside = M.cycles({Term::Dram, Term::L2});
  ASSERT_NEAR(Inside, Demand, 0.2 * Demand);
  EXPECT_NEAR(M.cycles(), std::hypot(Inside, Demand), 0.02 * Demand);
}

// A warp whose lanes all skip a predicated block issues it, and the pipes take
// its instructions; they reach no memory.
TEST(Bounds, PredicatedInstructionsHoldTheirPipes) {
  auto boundOf = [&](llvm::StringRef Name, bool Predicated) {
    OpKernel K;
    K.block(-1);
    K.op(OpClass::Compare);
    K.block(-1, K.number(1.0 / 8));
    K.Model.Blocks.back().Predicated = Predicated;
    K.loadShared("tile");
    K.op(OpClass::Fp32Fma);
    return ModelUnderTest(K.Model, plainGpu(), L).bound(Name);
  };
  for (llvm::StringRef Name : {"load-store", "fp32"})
    EXPECT_DOUBLE_EQ(boundOf(Name, true), 8 * boundOf(Name, false))
        << Name.str();
  EXPECT_DOUBLE_EQ(boundOf("shared-bandwidth", true),
                   boundOf("shared-bandwidth", false));
}

TEST(Bounds, AtomicsOfOneAddress) {
  OpKernel K;
  K.block(-1);
  KernelArgument A;
  A.Name = "bin";
  K.Model.Arguments.push_back(A);
  Expr Spread = K.id() * 4, Bin = K.parameter("bin") * 4;
  const AccessFacts Apart, Together{0, 0, 1, 1, 32};
  for (auto [Address, Facts, Expected] :
       {std::tuple{Spread, Apart, Warps * 4 / 64}, // sectors over all slices
        {K.number(0), Together, Warps * 32 / 2},   // lane after lane in one
        {Bin, Together, Warps * 32 / 2}}) {        // known or not, it is one
    K.Model.Operations.clear();
    K.Model.Accesses.clear();
    K.Model.Blocks[0].EndOp = 0;
    K.memory(OpClass::AtomicGlobal, MemorySpace::Global, AccessKind::Atomic,
             "h", Address);
    GpuModel G = plainGpu();
    G.GlobalAtomicSameAddressRate = 2;
    EXPECT_DOUBLE_EQ(ModelUnderTest(K.Model, G, L, {{"bin", 3}}, {Facts})
                         .bound("global-atomics"),
                     Expected)
        << Address.str();
    // Of loaded data that is known, the rest of the buffer plays no part.
    K.Model.Accesses[0].DataDependent = true;
    EXPECT_DOUBLE_EQ(ModelUnderTest(K.Model, G, L, {{"bin", 3}}, {Facts})
                         .bound("global-atomics"),
                     Expected)
        << Address.str();
  }
}

/// Cycles of a launch of one block that adds reals to a word of shared memory
/// by compare-and-swap, after as many multiply-adds as its warps need for
/// 10,000 cycles.
double sumInSharedMemory(unsigned WarpsPerBlock, double LanesPerAddress,
                         TermSet Without = {}) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::Fp32Fma);
  K.last().Count = K.last().Chain = 2500;
  K.memory(OpClass::AtomicShared, MemorySpace::Shared, AccessKind::Atomic,
           "sum", K.number(0), {{0, false}});
  K.Model.Accesses[0].CasLoop = true;
  return ModelUnderTest(K.Model, plainGpu(),
                        launch({1, 1, 1}, {WarpsPerBlock * 32, 1, 1}), {},
                        {{0, 0, 1, 1, LanesPerAddress}})
      .cycles(Without);
}

TEST(Bounds, WarpsOfABlockWaitForEachOtherAtOneWord) {
  // A read of 20 and a swap of 40 cycles; one thread succeeds in each.
  const double Window = 60;
  double One = sumInSharedMemory(1, 32);
  for (unsigned Warps : {2, 4, 8, 16})
    EXPECT_NEAR(sumInSharedMemory(Warps, 32) - One, (Warps - 1) * 32 * Window,
                0.02 * Warps * 32 * Window)
        << Warps;
  // It comes after the arithmetic, whose time does not hide it.
  EXPECT_GT(One, 10000 + 31 * Window);
  // One lane of each warp.
  EXPECT_NEAR(sumInSharedMemory(8, 1) - sumInSharedMemory(1, 1), 7 * Window,
              0.2 * Window);
  EXPECT_LT(sumInSharedMemory(8, 32, {Term::Atomics}), One + Window);
}

TEST(Bounds, BlocksStartAtTheDispatchRate) {
  OpKernel K;
  K.block(-1);
  GpuModel G = plainGpu();
  G.BlockDispatchRate = 0.25;
  ModelUnderTest M(K.Model, G, L);
  EXPECT_DOUBLE_EQ(M.bound("dispatch"), 400 * 4);
  EXPECT_GE(M.cycles(), 1600);
  EXPECT_LT(M.cycles({Term::Dispatch}), 1600);
}

TEST(Bounds, TheBusiestMultiprocessorCounts) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::Fp32Fma);
  ModelUnderTest M(K.Model, plainGpu(), launch({5, 1, 1}, {256, 1, 1}));
  EXPECT_DOUBLE_EQ(M.bound("fp32"), 2 * 8 * 32 / 128.);
}

TEST(Bounds, TermsAreInTheTermTable) {
  for (const BoundInfo &B : boundTable()) {
    EXPECT_TRUE(TermSet::all().contains(B.SwitchedOffBy)) << B.name().str();
    EXPECT_EQ(&boundOf(B.Id), &B);
    EXPECT_FALSE(B.Formula.empty());
  }
}

TEST(DramBandwidth, MeasuredRatesAreMet) {
  GpuModel G = plainGpu();
  EXPECT_DOUBLE_EQ(dramBandwidth(G, 0).value(), 60e9);
  EXPECT_DOUBLE_EQ(dramBandwidth(G, 0.5).value(), 50e9);
  EXPECT_DOUBLE_EQ(dramBandwidth(G, 1).value(), 55e9);
  // Half way in time per byte.
  EXPECT_DOUBLE_EQ(dramBandwidth(G, 0.25).value(), 2 / (1 / 60e9 + 1 / 50e9));
  for (double Share = 0; Share <= 1; Share += 1. / 64) {
    EXPECT_GE(dramBandwidth(G, Share).value(), 50e9);
    EXPECT_LE(dramBandwidth(G, Share).value(), 60e9 * (1 + 1e-12));
  }
}

TEST(LaunchTime, IntervalWhenWarmLatencyWhenCold) {
  GpuModel G = plainGpu();
  EvaluateOptions Options;
  Options.Timing = LaunchTiming::BackToBack;
  EXPECT_EQ(launchOverhead(G, Options), G.LaunchInterval);
  Options.Timing = LaunchTiming::Single;
  EXPECT_EQ(launchOverhead(G, Options), G.LaunchLatency);
}

TEST(Bounds, RequestsInFlightLimitWhatLatencyDelivers) {
  OpKernel K;
  K.block(-1);
  K.load("a");
  GpuModel G = plainGpu();
  ModelUnderTest Free(K.Model, G, L);
  EXPECT_EQ(Free.bound("outstanding-requests"), 0);
  G.MaxBytesInFlightPerSm = Bytes(4096);
  ModelUnderTest M(K.Model, G, L);
  const Workload &W = M.Work;
  double Dram = W.DramReadBytes / W.L2ReadBytes;
  double Latency =
      (1 - Dram) * G.L2.Latency.value() + Dram * G.DramLatency.value();
  EXPECT_DOUBLE_EQ(M.bound("outstanding-requests"),
                   W.L2ReadBytes / 4 * Latency / 4096);
  EXPECT_GT(M.bound("outstanding-requests"), 0);
}

/// Time of one wave is that of its slowest warp, waves follow each other.
TEST(Waves, EachTakesTheLatencyOfAWarp) {
  OpKernel K;
  K.block(-1);
  unsigned Op = K.op(OpClass::Fp32Fma);
  for (int I = 1; I < 100; ++I)
    Op = K.op(OpClass::Fp32Fma, {{Op, false}});
  K.Model.Res.RegistersPerThread = 16;
  GpuModel G = plainGpu();
  G.BlockStart = Cycles(50);
  G.MaxBlocksPerSm = 4; // few enough to leave issue slots free
  double OneWave = 99 * 4 + 1;
  for (auto [Blocks, Waves] :
       {std::pair{1, 1}, {16, 1}, {17, 2}, {32, 2}, {36, 3}}) {
    ModelUnderTest M(K.Model, G, launch({uint64_t(Blocks), 1, 1}, {32, 1, 1}));
    EXPECT_NEAR(M.cycles(), Waves * OneWave + (Waves - 1) * 50, 1e-6) << Blocks;
    if (Waves > 1) {
      EXPECT_LT(M.cycles({Term::Tail}), M.cycles() + 1e-9);
    }
  }
  // Without the tail the last wave counts as much as it is filled.
  ModelUnderTest M(K.Model, G, launch({20, 1, 1}, {32, 1, 1}));
  EXPECT_NEAR(M.cycles({Term::Tail}), 1.25 * OneWave + 0.25 * 50, 1e-6);
}

TEST(Waves, LoadedLatenciesReachTheTimeOfTheClosedForm) {
  OpKernel K;
  int Loop = K.loop(-1, K.number(1000));
  K.block(Loop);
  unsigned V = K.load("a", {}, (K.id() + K.counter(Loop) * 100000) * 4);
  K.op(OpClass::Fp32Add, {{V, false}, {1, true}});
  K.Model.Res.RegistersPerThread = 16;
  GpuModel G = plainGpu();
  ModelUnderTest M(K.Model, G, launch({32, 1, 1}, {256, 1, 1}), {}, {{0, 0}});
  ASSERT_NEAR(M.cycles(), M.bound("dram-bandwidth"),
              0.05 * M.bound("dram-bandwidth"));
  MemoryLatencies Loaded = M.Model.loadedLatencies({}).FirstWave;
  EXPECT_GT(Loaded[MemoryLevel::Dram], G.DramLatency.value());
  WalkUnderTest W(K.Model, G, 8, {}, {{0, 0}});
  EXPECT_NEAR(W.run(W.Costs.conditions(Loaded)).Cycles, M.cycles(),
              2e-3 * M.cycles());
}

} // namespace
