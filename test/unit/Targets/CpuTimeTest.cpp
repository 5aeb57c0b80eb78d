/// \file
/// The roofline of a CPU against hand calculations.
#include "gpu-estimate/Targets/Cpu/CpuTime.h"
#include "helpers/TestKernel.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// 1 GHz, 4 cores, lines of 64 bytes; L1 1 KiB, L2 64 KiB, no L3.
CpuModel plainCpu() {
  CpuModel C;
  C.Cores = 4;
  C.Clock = Hertz(1e9);
  C.Line = Bytes(64);
  C.CoreToCore = Seconds(1e-7);
  C.Caches[0] = {Bytes(1024), 1, BytesPerCycle(64)};
  C.Caches[1] = {Bytes(64 * 1024), 1, BytesPerCycle(16)};
  C.DramBandwidth = BytesPerSecond(8e9);
  C.CoreDramBandwidth = BytesPerSecond(2e9);
  return C;
}

/// for i < N: b[i] = a[i]
struct Copy : TestKernel {
  LoopNestNumbers Nest;
  explicit Copy(double N) {
    Expr Inside = context().less(id(), number(N));
    unsigned B = block(-1, Inside);
    access(B, "a", id() * 4);
    access(B, "b", id() * 4, AccessKind::Store);
    Launch L;
    L.Grid = {uint64_t(N + 255) / 256, 1, 1};
    L.Block = {256, 1, 1};
    Model.Nest = {"host", {{"i", {"f.c", 3, 5}}}};
    Nest = numberNest(Model, L, {});
  }
};

MachineLoop loop(unsigned Line, unsigned Column, double Cycles,
                 double Covers = 1, int Parent = -1) {
  MachineLoop L;
  L.Location = {"f.c", Line, Column};
  L.PerIteration = gpuestimate::Cycles(Cycles);
  L.Covers = Covers;
  L.Vector = Covers > 1;
  L.Parent = Parent;
  return L;
}

double cyclesOf(const LoopNestNumbers &Nest, const MachineNest &Code) {
  std::vector<std::string> Premises;
  return coreCycles(Nest, Code, Premises).value();
}

TEST(CoreCycles, AVectorLoopLeavesARemainder) {
  // 100 iterations, 8 at a time: 12 of the vector loop, 4 of the scalar one.
  MachineNest Code{{loop(3, 5, 2, 8), loop(3, 5, 3)}};
  EXPECT_DOUBLE_EQ(cyclesOf(Copy(100).Nest, Code), 12 * 2 + 4 * 3);
}

TEST(CoreCycles, LeftOversWithoutALoopTakeTheirShare) {
  MachineNest Code{{loop(3, 5, 2, 8)}};
  EXPECT_DOUBLE_EQ(cyclesOf(Copy(100).Nest, Code), 12 * 2 + 4 * 2 / 8.0);
}

TEST(CoreCycles, ALoopThatTheDeviceUnrolledIsCountedByItsCode) {
  MachineNest Code{{loop(3, 5, 10), loop(4, 7, 2, 1, 0)}};
  Code.Loops[1].ConstantTrips = 5;
  EXPECT_DOUBLE_EQ(cyclesOf(Copy(100).Nest, Code), 100 * 10 + 100 * 5 * 2);
}

TEST(CoreCycles, ThreadsOfSeveralIterationsAreOneLoop) {
  LoopNestNumbers Nest = Copy(100).Nest; // 100 threads, of 7 iterations each
  NestedLoop Stride = Nest.Loops[0];
  Stride.Spread = false;
  Stride.Entries = 100;
  Stride.Extent = 7;
  Stride.Parent = 0;
  Nest.Loops.push_back(Stride);
  MachineNest Code{{loop(3, 5, 1, 8), loop(3, 5, 1)}};
  EXPECT_DOUBLE_EQ(cyclesOf(Nest, Code), 87 + 4); // 700 iterations
}

TEST(CoreCycles, ALoopOfUnknownLengthIsSaid) {
  MachineNest Code{{loop(3, 5, 10), loop(4, 7, 2, 1, 0)}};
  std::vector<std::string> Premises;
  coreCycles(Copy(100).Nest, Code, Premises);
  ASSERT_EQ(Premises.size(), 1u);
  EXPECT_NE(Premises[0].find("f.c:4"), std::string::npos);
}

// 64 outer iterations of 10 inner ones: 20 cycles for eight of them and the
// outer loop, two more for each further one.
TEST(CoreCycles, ShortInnerLoopsOverlapTheNextOuterIteration) {
  MachineNest Code{{loop(3, 5, 4), loop(4, 7, 5, 1, 0)}};
  Code.Loops[1].ConstantTrips = 10;
  double Apart = cyclesOf(Copy(64).Nest, Code);
  EXPECT_DOUBLE_EQ(Apart, 64 * (4 + 10 * 5));
  for (double Cycles : {6, 8, 12, 20, 36})
    Code.Loops[1].WithParent.push_back(gpuestimate::Cycles(Cycles));
  EXPECT_DOUBLE_EQ(cyclesOf(Copy(64).Nest, Code), 64 * (20 + 2 * 2));
  Code.Loops[1].ConstantTrips = 26; // beyond what is known: five cycles each
  EXPECT_DOUBLE_EQ(cyclesOf(Copy(64).Nest, Code), 64 * (36 + 10 * 5));
}

TEST(CoreCycles, JumpsOnDataAreMispredicted) {
  LoopNestNumbers Nest = Copy(100).Nest;
  Nest.Chances.push_back({{"f.c", 4, 9}, 0.8});
  MachineNest Code{{loop(3, 5, 10)}, gpuestimate::Cycles(16)};
  EXPECT_DOUBLE_EQ(cyclesOf(Nest, Code), 1000);
  Code.Loops[0].DataBranches.push_back({"f.c", 4, 13});
  EXPECT_NEAR(cyclesOf(Nest, Code), 1000 + 100 * 0.2 * 16, 1e-9);
  Nest.Chances[0].Chance = 1; // known beforehand
  EXPECT_DOUBLE_EQ(cyclesOf(Nest, Code), 1000);
  Nest.Chances.clear(); // a select on the GPU: nothing is known, which is said
  std::vector<std::string> Premises;
  EXPECT_DOUBLE_EQ(coreCycles(Nest, Code, Premises).value(), 1000);
  ASSERT_EQ(Premises.size(), 1u);
  EXPECT_NE(Premises[0].find("f.c:4"), std::string::npos);
}

double limit(const CpuTime &T, llvm::StringRef Name) {
  for (const auto &[Limit, Time] : T.Limits)
    if (Limit == Name)
      return Time.value();
  return -1;
}

TEST(CpuTime, EachLevelHasItsBytes) {
  // a is read, b is read for ownership and written: 12 bytes an element.
  constexpr double N = 1 << 20;
  MachineNest Code{{loop(3, 5, 1)}};
  CpuTime T = timeOnCpu(Copy(N).Nest, Code, plainCpu(), 1, /*Warm=*/false);
  EXPECT_NEAR(limit(T, "cores"), N * 1e-9, 1e-12);
  EXPECT_NEAR(limit(T, "l2"), 12 * N / 16e9, 1e-9);
  EXPECT_NEAR(limit(T, "dram"), 12 * N / 2e9, 1e-9);
  EXPECT_EQ(T.Bottleneck, "dram");
  EXPECT_EQ(limit(T, "l3"), -1);
}

TEST(CpuTime, OneCoreAloneHasAClockOfItsOwn) {
  CpuModel Cpu = plainCpu();
  Cpu.SingleCoreClock = Hertz(2e9);
  MachineNest Code{{loop(3, 5, 1000)}};
  CpuTime One = timeOnCpu(Copy(256).Nest, Code, Cpu, 1, true);
  CpuTime All = timeOnCpu(Copy(256).Nest, Code, Cpu, 4, true);
  EXPECT_NEAR(limit(One, "cores"), 256e3 / 2e9, 1e-12);
  EXPECT_NEAR(limit(All, "cores"), 64e3 / 1e9, 1e-12);
}

TEST(CpuTime, CoresShareWorkAndDram) {
  constexpr double N = 1 << 20;
  MachineNest Code{{loop(3, 5, 1)}};
  CpuTime T = timeOnCpu(Copy(N).Nest, Code, plainCpu(), 4, /*Warm=*/false);
  EXPECT_EQ(T.Cores, 4u);
  EXPECT_NEAR(limit(T, "cores"), N / 4 * 1e-9, 1e-12);
  EXPECT_NEAR(limit(T, "l2"), 12 * N / 4 / 16e9, 1e-9);
  EXPECT_NEAR(limit(T, "dram"), 12 * N / 8e9, 1e-9); // of the socket
}

TEST(CpuTime, WhatFitsIsThereWhenWarm) {
  constexpr double N = 2048; // 16 KiB: beyond L1, within L2
  MachineNest Code{{loop(3, 5, 1)}};
  CpuTime Warm = timeOnCpu(Copy(N).Nest, Code, plainCpu(), 1, true);
  CpuTime Cold = timeOnCpu(Copy(N).Nest, Code, plainCpu(), 1, false);
  EXPECT_EQ(limit(Warm, "dram"), 0);
  EXPECT_NEAR(limit(Cold, "dram"), 12 * N / 2e9, 1e-10);
  EXPECT_GT(limit(Warm, "l2"), 0);
}

TEST(CpuTime, NoMoreCoresThanIterations) {
  MachineNest Code{{loop(3, 5, 1e6)}};
  EXPECT_EQ(timeOnCpu(Copy(3).Nest, Code, plainCpu(), 4, true).Cores, 3u);
}

TEST(CpuTime, ThreadsMustBeWorthTheirStart) {
  // Four cores: two levels, there and back, 0.1 us each.
  MachineNest Code{{loop(3, 5, 1)}};
  CpuTime Short = timeOnCpu(Copy(64).Nest, Code, plainCpu(), 4, true);
  EXPECT_EQ(Short.Cores, 1u);
  EXPECT_EQ(limit(Short, "threads"), -1);
  MachineNest Slow{{loop(3, 5, 1000)}};
  CpuTime Long = timeOnCpu(Copy(64).Nest, Slow, plainCpu(), 4, true);
  EXPECT_EQ(Long.Cores, 4u);
  EXPECT_NEAR(limit(Long, "threads"), 4e-7, 1e-12);
  EXPECT_NEAR(Long.Time.value(), 16e-6 + 4e-7, 1e-12);
}

TEST(Pcie, BandwidthOfASlot) {
  CpuModel C;
  C.PcieGeneration = 3;
  C.PcieLanes = 16;
  // 16 x 8 GT/s x 128/130 / 8 = 15.75 GB/s, of which 256 in 280 are payload
  EXPECT_NEAR(C.linkBandwidth().value(), 14.4e9, 0.01e9);
}

} // namespace
