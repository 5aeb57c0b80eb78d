/// \file
/// Machine code of loops for a CPU, and its cycles by LLVM's scheduling data.
/// What is checked are facts of the cores: a fused multiply-add of Zen 3 and of
/// Skylake takes four cycles, and what a loop pass covers is a power of two.
#include "gpu-estimate/Targets/Cpu/HostCode.h"

#include "helpers/OffloadTesting.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace gpuestimate;
using gpuestimate::testing::HostCode;

namespace {

const HostTarget Zen3{"x86_64-unknown-linux-gnu", "znver3", ""};

llvm::Expected<MachineNest> compile(const HostCode &Code, const char *Mark,
                                    const HostTarget &Target = Zen3) {
  return compileNest(*Code.Module, Code.loop(Mark), Target);
}

TEST(HostCode, ASumInOrderTakesItsLatency) {
  HostCode Code("float f(int n, const float *a, const float *b) {\n"
                "  float s = 0;\n"
                "  /*i*/for (int i = 0; i < n; i++) s += a[i] * b[i];\n"
                "  return s;\n"
                "}\n");
  for (const char *Cpu : {"znver3", "skylake-avx512"}) {
    HostTarget Target = Zen3;
    Target.Cpu = Cpu;
    llvm::Expected<MachineNest> Nest = compile(Code, "i", Target);
    ASSERT_TRUE(bool(Nest)) << llvm::toString(Nest.takeError());
    double Best = 0; // of one source iteration, in the loop that covers most
    double Covers = 0;
    for (const MachineLoop &L : Nest->Loops)
      if (!L.Remainder && L.Covers > Covers) {
        Covers = L.Covers;
        Best = L.PerIteration.value() / L.Covers;
      }
    EXPECT_NEAR(Best, 4, 0.2) << Cpu;
  }
}

TEST(HostCode, IndependentIterationsAreVectorised) {
  HostCode Code("void f(int n, float *restrict a, const float *restrict b) {\n"
                "  /*i*/for (int i = 0; i < n; i++) a[i] += b[i];\n"
                "}\n");
  llvm::Expected<MachineNest> Nest = compile(Code, "i");
  ASSERT_TRUE(bool(Nest)) << llvm::toString(Nest.takeError());
  double PerElement = 1e9;
  bool Vector = false;
  for (const MachineLoop &L : Nest->Loops) {
    Vector |= L.Vector && L.Covers >= 8;
    if (L.Vector)
      PerElement = L.PerIteration.value() / L.Covers;
  }
  EXPECT_TRUE(Vector);
  EXPECT_LT(PerElement, 0.5); // 8 floats to a register
}

TEST(HostCode, ACallTakesTheCyclesOfLlvmMca) {
  HostCode Code("float g(float);\n"
                "void f(int n, float *a) {\n"
                "  /*i*/for (int i = 0; i < n; i++) a[i] = g(a[i]);\n"
                "}\n");
  llvm::Expected<MachineNest> Nest = compile(Code, "i");
  ASSERT_TRUE(bool(Nest)) << llvm::toString(Nest.takeError());
  EXPECT_GE(Nest->Loops[0].PerIteration.value(), 100);
  EXPECT_LT(Nest->Loops[0].PerIteration.value(), 120);
}

TEST(HostCode, MathematicsIsFasterThanAnyCall) {
  HostCode Code("double exp(double);\n"
                "void f(int n, double *a) {\n"
                "  /*i*/for (int i = 0; i < n; i++) a[i] = exp(a[i]);\n"
                "}\n");
  llvm::Expected<MachineNest> Nest = compile(Code, "i");
  ASSERT_TRUE(bool(Nest)) << llvm::toString(Nest.takeError());
  EXPECT_GT(Nest->Loops[0].PerIteration.value(), 10);
  EXPECT_LT(Nest->Loops[0].PerIteration.value(), 30);
}

TEST(HostCode, ALoopThatCopiesStaysOne) {
  HostCode Code("void f(int n, float *restrict a, const float *restrict b) {\n"
                "  /*i*/for (int i = 0; i < n; i++) a[i] = b[i];\n"
                "}\n");
  llvm::Expected<MachineNest> Nest = compile(Code, "i");
  ASSERT_TRUE(bool(Nest)) << llvm::toString(Nest.takeError());
  EXPECT_GT(Nest->Loops[0].PerIteration.value(), 0);
}

// A chain of 16 additions is 64 cycles long, but 16 products fill only a part
// of the reorder buffer: the next chains run beside it.
TEST(HostCode, ShortChainsOverlap) {
  HostCode Code("void f(int n, int m, double *restrict out,\n"
                "       const double *restrict in,\n"
                "       const double *restrict c) {\n"
                "  /*i*/for (int i = 0; i < n; i++) {\n"
                "    double s = 0;\n"
                "    for (int j = 0; j < m; j++) s += c[j] * in[i + j];\n"
                "    out[i] = s;\n"
                "  }\n"
                "}\n");
  llvm::Expected<MachineNest> Nest = compile(Code, "i");
  ASSERT_TRUE(bool(Nest)) << llvm::toString(Nest.takeError());
  const MachineLoop *Inner = nullptr;
  for (const MachineLoop &L : Nest->Loops)
    if (!L.WithParent.empty())
      Inner = &L;
  ASSERT_TRUE(Inner);
  double PerIteration = Inner->PerIteration.value();
  EXPECT_NEAR(PerIteration / Inner->Covers, 4, 0.2);
  std::vector<Cycles> Times = Inner->WithParent;
  ASSERT_GE(Times.size(), 3u);
  unsigned Sixteen = llvm::Log2_32(16 / unsigned(Inner->Covers));
  EXPECT_LT(Times[Sixteen].value(), 0.5 * 16 * 4);
  // Of long chains, the ends only.
  double Last = Times.back().value() - Times[Times.size() - 2].value();
  EXPECT_GT(Last, 0.5 * PerIteration * std::exp2(double(Times.size() - 2)));
}

TEST(HostCode, JumpsOnDataAreListed) {
  HostCode Code("double g(double);\n"
                "void f(int n, double *a, const double *b) {\n"
                "  /*i*/for (int i = 0; i < n; i++) {\n"
                "    if (b[i] > 0)\n"
                "      a[i] = g(b[i]);\n"
                "    if (i % 3)\n"
                "      a[i] += g(1);\n"
                "  }\n"
                "}\n");
  llvm::Expected<MachineNest> Nest = compile(Code, "i");
  ASSERT_TRUE(bool(Nest)) << llvm::toString(Nest.takeError());
  ASSERT_EQ(Nest->Loops[0].DataBranches.size(), 1u);
  EXPECT_EQ(Nest->Loops[0].DataBranches[0].Line, 4u);
  EXPECT_GT(Nest->Mispredicted.value(), 5);
}

TEST(HostCode, LoopsKnowTheirParents) {
  HostCode Code("void f(int n, float *a, int m) {\n"
                "  /*i*/for (int i = 0; i < n; i++)\n"
                "    for (int j = 0; j < m; j++)\n"
                "      a[i] = a[i] * a[i] + 1;\n"
                "}\n");
  llvm::Expected<MachineNest> Nest = compile(Code, "i");
  ASSERT_TRUE(bool(Nest)) << llvm::toString(Nest.takeError());
  EXPECT_EQ(Nest->Loops[0].Location.Line, 2u);
  EXPECT_EQ(Nest->Loops[0].Parent, -1);
  for (size_t I = 1; I < Nest->Loops.size(); ++I) {
    EXPECT_EQ(Nest->Loops[I].Location.Line, 3u);
    EXPECT_GE(Nest->Loops[I].Parent, 0);
  }
}

TEST(HostCode, OtherArchitectures) {
  HostCode Code("void f(int n, float *restrict a, const float *restrict b) {\n"
                "  /*i*/for (int i = 0; i < n; i++) a[i] += b[i];\n"
                "}\n");
  HostTarget Arm{"armv7a-unknown-linux-gnueabihf", "cortex-a15", "", 3,
                 "cortex-a57"};
  HostTarget Arm64{"aarch64-unknown-linux-gnu", "neoverse-n1", ""};
  for (const HostTarget &Target : {Arm, Arm64}) {
    llvm::Expected<MachineNest> Nest = compile(Code, "i", Target);
    ASSERT_TRUE(bool(Nest)) << llvm::toString(Nest.takeError());
    EXPECT_GT(Nest->Loops[0].PerIteration.value(), 0);
  }
}

TEST(HostCode, WhatCannotBeIsAnError) {
  HostCode Code("void f(int n, float *a) {\n"
                "  /*i*/for (int i = 0; i < n; i++) a[i] = 0;\n"
                "}\n");
  HostTarget None{"sparc-unknown-linux", "", ""};
  llvm::Expected<MachineNest> NoTarget = compile(Code, "i", None);
  EXPECT_FALSE(bool(NoTarget));
  llvm::consumeError(NoTarget.takeError());
  llvm::Expected<MachineNest> NoLoop =
      compileNest(*Code.Module, {"test.c", 99, 1}, Zen3);
  EXPECT_FALSE(bool(NoLoop));
  EXPECT_EQ(llvm::toString(NoLoop.takeError()),
            "no loop is left for the nest at test.c:99 after optimisation");
}

} // namespace
