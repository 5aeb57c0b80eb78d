/// \file
/// Read ports of the register file: a long chain of multiply-adds, as measured
/// on A100, A40 and H100 (validation/streams).
#include "Evaluate/Warp/OperandReads.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// value = factor * value + summand, over and over.
struct Chain : OpKernel {
  Chain(OpClass Class) {
    block(-1);
    unsigned Factor = op(OpClass::Move), Summand = op(OpClass::Move);
    unsigned Start = op(OpClass::Move);
    int L = loop(-1, number(4096));
    block(L);
    unsigned Fma = Model.Operations.size();
    Own = op(Class, {{Factor, false},
                     {Start, false}, // the register of the next one
                     {Fma, true},
                     {Summand, false}});
  }
  unsigned Own = 0;
};

TEST(OperandReads, ThreeRegistersThroughTwoPorts) {
  EXPECT_EQ(operandReadCycles(Chain(OpClass::Fp32Fma).Model, plainGpu())[3], 2);
  EXPECT_EQ(operandReadCycles(Chain(OpClass::Fp64Fma).Model, plainGpu())[3], 3);
  EXPECT_EQ(operandReadCycles(Chain(OpClass::Fp32Add).Model, plainGpu())[3], 1);
  GpuModel Pascal = plainGpu();
  Pascal.ComputeCapability = "6.1"; // four banks: not limited
  EXPECT_EQ(operandReadCycles(Chain(OpClass::Fp32Fma).Model, Pascal)[3], 0);
}

TEST(OperandReads, AnOperandOfTheInstructionBeforeIsKept) {
  OpKernel K;
  K.block(-1);
  unsigned A = K.op(OpClass::Move), B = K.op(OpClass::Move),
           C = K.op(OpClass::Move), D = K.op(OpClass::Move);
  K.op(OpClass::Fp32Fma, {{A, false}, {B, false}, {C, false}});
  unsigned Kept = K.op(OpClass::Fp32Fma, {{A, false}, {C, false}, {D, false}});
  unsigned Waits =
      K.op(OpClass::Fp32Fma, {{A, false}, {Kept, false}, {B, false}});
  auto Cycles = operandReadCycles(K.Model, plainGpu());
  EXPECT_EQ(Cycles[Kept - 1], 2);
  EXPECT_EQ(Cycles[Kept], 1);
  EXPECT_EQ(Cycles[Waits], 2); // other warps come between
}

TEST(OperandReads, LimitFullWidthPipesOnly) {
  Chain K(OpClass::Fp32Fma);
  Launch L = launch({400, 1, 1}, {256, 1, 1});
  // 128 lanes: one instruction a cycle and scheduler, but two for its operands.
  GpuModel G = plainGpu();
  ModelUnderTest Wide(K.Model, G, L);
  EXPECT_GE(Wide.bound("register-read"), 2 * Wide.bound("fp32"));
  EXPECT_LT(Wide.cycles({Term::Registers}), 0.8 * Wide.cycles());
  G.Ops[unsigned(OpClass::Fp32Fma)].Throughput = 64;
  ModelUnderTest Half(K.Model, G, L);
  EXPECT_DOUBLE_EQ(Half.cycles({Term::Registers}), Half.cycles());
}

TEST(OperandReads, AWarpAloneKeepsItsOperands) {
  Chain K(OpClass::Fp32Fma);
  GpuModel G = plainGpu();
  for (auto [Threads, Added] : {std::pair{128u, 0.0}, {256u, 4096.0}}) {
    ModelUnderTest M(K.Model, G, launch({1, 1, 1}, {Threads, 1, 1}));
    EXPECT_NEAR(M.cycles() - M.cycles({Term::Registers}), Added, 2);
  }
}

} // namespace
