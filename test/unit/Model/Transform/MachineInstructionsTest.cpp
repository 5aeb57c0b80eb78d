/// \file
/// Instructions of machine code in place of those of the IR.
#include "gpu-estimate/Model/Transform/MachineInstructions.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

constexpr unsigned Valu = static_cast<unsigned>(MachineUnit::VectorAlu),
                   Lds = static_cast<unsigned>(MachineUnit::Lds),
                   Vmem = static_cast<unsigned>(MachineUnit::VectorMemory);

SourceLocation line(unsigned Line) { return {"k.hip", Line, 3}; }

/// A loop at line 5 with 6 integer operations, 2 multiply-adds, 4 accesses to
/// shared memory and one to global memory; 4 integer operations before it.
struct LoopKernel : OpKernel {
  LoopKernel() {
    block(-1);
    for (unsigned I = 0; I < 4; ++I)
      op(OpClass::IntAdd);
    Inner = loop(-1, parameter("n"));
    Model.Loops[Inner].Location = line(5);
    block(Inner);
    for (unsigned I = 0; I < 6; ++I)
      op(I % 2 ? OpClass::Logic : OpClass::IntAdd);
    for (unsigned I = 0; I < 4; ++I)
      loadShared("tile");
    op(OpClass::Fp32Fma);
    op(OpClass::Fp32Fma);
    load("a");
    Model.Res.Code.emplace();
    Model.Res.Code->Loops.resize(2);
    Model.Res.Code->Loops[1].Location = line(5);
  }

  LoopCode &code() { return Model.Res.Code->Loops[1]; }
  InstructionMix &around() { return Model.Res.Code->Loops[0].Instructions; }

  /// Sum of the counts of a class in the block of the loop (1) or before (0).
  unsigned count(OpClass Class, unsigned Block = 1) const {
    unsigned Sum = 0;
    for (unsigned I : Model.Blocks[Block].operations())
      if (Model.Operations[I].Class == Class)
        Sum += Model.Operations[I].Count;
    return Sum;
  }

  int Inner;
};

TEST(MachineInstructions, TakeTheNumbersOfOneIteration) {
  LoopKernel K;
  K.around()[Valu] = 2;
  // Four iterations: 3 integer operations and 2 multiply-adds in each, the
  // shared memory in 128-bit loads.
  K.code().Copies = 4;
  K.code().Instructions[Valu] = 20;
  K.code().Instructions[Lds] = 4;
  K.code().Instructions[Vmem] = 4;
  takeMachineInstructions(K.Model);
  EXPECT_EQ(K.Model.Res.Code->WhyIr, "");
  EXPECT_EQ(K.count(OpClass::IntAdd, 0), 2u);
  EXPECT_EQ(K.count(OpClass::IntAdd) + K.count(OpClass::Logic), 3u);
  EXPECT_EQ(K.count(OpClass::Fp32Fma), 2u);
  EXPECT_EQ(K.count(OpClass::LoadShared), 1u);
  EXPECT_EQ(K.count(OpClass::LoadGlobal), 1u);
  EXPECT_EQ(K.Model.Loops[K.Inner].Unroll, 4u);
  EXPECT_EQ(checkConsistency(K.Model), "");
}

TEST(MachineInstructions, MayBeMoreThanTheIrHas) {
  LoopKernel K;
  K.code().Instructions[Valu] = 17;
  K.code().Instructions[Lds] = 9;
  takeMachineInstructions(K.Model);
  EXPECT_EQ(K.count(OpClass::IntAdd) + K.count(OpClass::Logic), 15u);
  // Accesses do not become more.
  EXPECT_EQ(K.count(OpClass::LoadShared), 4u);
  EXPECT_EQ(checkConsistency(K.Model), "");
}

TEST(MachineInstructions, OfTheLoopWithMostCopiesCount) {
  LoopKernel K;
  K.code().Copies = 8;
  K.code().Instructions[Valu] = 32;
  LoopCode Remainder = K.code();
  Remainder.Copies = 1;
  Remainder.Instructions[Valu] = 11;
  K.Model.Res.Code->Loops.push_back(Remainder);
  takeMachineInstructions(K.Model);
  EXPECT_EQ(K.count(OpClass::IntAdd) + K.count(OpClass::Logic), 2u);
}

TEST(MachineInstructions, OfAnUnrolledLoopCountInTheOneAround) {
  LoopKernel K;
  K.Model.Loops[K.Inner].TripCount = K.number(10);
  K.Model.Res.Code->Loops.resize(1);
  // 10 iterations with 2 multiply-adds and 3 others each, and 2 before.
  K.around()[Valu] = 20 + 32;
  takeMachineInstructions(K.Model);
  EXPECT_EQ(K.Model.Res.Code->WhyIr, "");
  EXPECT_EQ(K.count(OpClass::IntAdd, 0), 2u);
  EXPECT_EQ(K.count(OpClass::IntAdd) + K.count(OpClass::Logic), 3u);
}

TEST(MachineInstructions, StayThoseOfTheIrWhereLoopsDiffer) {
  LoopKernel Fewer;
  Fewer.Model.Res.Code->Loops.resize(1);
  Fewer.around()[Valu] = 1;
  takeMachineInstructions(Fewer.Model);
  EXPECT_EQ(Fewer.Model.Res.Code->WhyIr, "it has no loop at line 5");
  EXPECT_EQ(Fewer.count(OpClass::IntAdd, 0), 4u);

  LoopKernel Other;
  Other.code().Location = line(9);
  Other.code().Instructions[Valu] = 1;
  takeMachineInstructions(Other.Model);
  EXPECT_EQ(Other.Model.Res.Code->WhyIr,
            "it has a loop at line 9 that the model has unrolled");

  LoopKernel Unknown;
  Unknown.code().Location = {};
  Unknown.code().Instructions[Valu] = 1;
  takeMachineInstructions(Unknown.Model);
  EXPECT_EQ(Unknown.Model.Res.Code->WhyIr,
            "a loop of it has no place in the source");

  LoopKernel NotTold;
  NotTold.Model.Res.Code->Loops.clear();
  takeMachineInstructions(NotTold.Model);
  EXPECT_FALSE(NotTold.Model.Res.Code->WhyIr.empty());
  EXPECT_EQ(NotTold.count(OpClass::IntAdd, 0), 4u);
}

} // namespace
