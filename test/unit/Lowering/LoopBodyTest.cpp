/// \file
/// Dependences around a loop, its bookkeeping, unrolling.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// The loop of figure 3 of Kleimenov & Popova 2021.
TEST(LoweringLoopBody, TheLoopOfThePaper) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %out, double %res, double %p) {
entry:
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %v13, %body ]
  %temp = phi double [ %res, %entry ], [ %v11, %body ]
  %v6 = icmp slt i32 %j, 15
  br i1 %v6, label %body, label %exit
body:
  %v8 = fmul double %temp, 1.3
  %v9 = fadd double %v8, 8.0
  %v11 = fadd double %v9, %p
  %v13 = add i32 %j, 1
  br label %head
exit:
  %last = phi double [ %temp, %head ]
  store double %last, ptr %out
  ret void
}
)",
                          Pipeline::Skip);
  ASSERT_EQ(M.Loops.size(), 1u);
  EXPECT_EQ(M.Loops[0].TripCount.str(), "15");
  std::map<OpClass, std::vector<unsigned>> At;
  for (const RegionNode &I : M.Loops[0].Body)
    for (unsigned Op : M.Blocks[I.Index].operations())
      At[M.Operations[Op].Class].push_back(Op);
  ASSERT_EQ(At[OpClass::Fp64Mul].size(), 1u) << dump(M);
  ASSERT_EQ(At[OpClass::Fp64Add].size(), 2u);
  ASSERT_EQ(At[OpClass::IntAdd].size(), 1u);
  ASSERT_EQ(At[OpClass::Compare].size(), 1u);
  ASSERT_EQ(At[OpClass::Branch].size(), 1u);
  auto Waits = [&](unsigned Op) {
    std::vector<std::pair<unsigned, bool>> Out;
    for (const Operand &O : M.Operations[Op].Operands)
      Out.push_back({O.Producer, O.Carried});
    return Out;
  };
  unsigned Mul = At[OpClass::Fp64Mul][0], First = At[OpClass::Fp64Add][0],
           Second = At[OpClass::Fp64Add][1];
  unsigned Add = At[OpClass::IntAdd][0], Compare = At[OpClass::Compare][0];
  using List = std::vector<std::pair<unsigned, bool>>;
  EXPECT_EQ(Waits(Mul), List({{Second, true}}));
  EXPECT_EQ(Waits(First), List({{Mul, false}}));
  EXPECT_EQ(Waits(Second), List({{First, false}}));
  EXPECT_EQ(Waits(Add), List({{Add, true}}));
  EXPECT_EQ(Waits(Compare), List({{Add, true}}));
  EXPECT_EQ(Waits(At[OpClass::Branch][0]), List({{Compare, false}}));
}

TEST(LoweringLoopBody, LoopBookkeepingIsMarked) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr noalias %a, ptr noalias readonly %b, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %s, %body ]
  %go = icmp slt i32 %i, %n
  br i1 %go, label %body, label %exit
body:
  %p = getelementptr inbounds float, ptr %b, i32 %i
  %v = load float, ptr %p
  %s = fadd float %sum, %v
  %next = add nsw i32 %i, 1
  br label %head
exit:
  store float %sum, ptr %a
  ret void
}
)");
  unsigned Overhead = 0, Work = 0;
  for (const RegionNode &I : M.Loops.at(0).Body)
    for (unsigned Op : M.Blocks[I.Index].operations())
      (M.Operations[Op].LoopOverhead ? Overhead : Work) +=
          M.Operations[Op].Count;
  // Pointer step (two), counter, compare, branch; load and sum.
  EXPECT_EQ(Overhead, 5u) << dump(M);
  EXPECT_EQ(Work, 2u);
  EXPECT_EQ(M.Loops[0].Unroll, 16u);
}

// nvcc 13 walks a pointer where the sum of the counter does not wrap, and
// multiplies in each iteration (mul.wide) where it may, as in grid-stride
// loops.
TEST(LoweringLoopBody, AnIndexThatMayWrapIsMultipliedInEachIteration) {
  auto Multiplications = [](const std::string &Flags) {
    KernelModel M = extract(R"(
define ptx_kernel void @k(ptr noalias %a, i32 %first, i32 %step, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  %x = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %x
  store float 0.0, ptr %p
  %next = add )" + Flags + R"( i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}
)",
                            Pipeline::Skip);
    unsigned Inside = 0;
    for (const RegionNode &I : M.Loops.at(0).Body)
      for (unsigned Op : M.Blocks[I.Index].operations())
        // A pointer that walks waits for its own last step.
        Inside += M.Operations[Op].Class == OpClass::IntMul &&
                  llvm::none_of(M.Operations[Op].Operands,
                                [&](Operand O) { return O.Producer == Op; });
    return Inside;
  };
  EXPECT_EQ(Multiplications("nsw"), 0u);
  EXPECT_EQ(Multiplications(""), 1u);
}

TEST(LoweringLoopBody, APragmaSaysHowFarToUnroll) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  store volatile i32 %i, ptr %a
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %body, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 8}
)");
  EXPECT_EQ(M.Loops.at(0).Unroll, 8u);
}

TEST(LoweringLoopBody, ABoundOnTheTripCountIsNoTripCount) {
  // for (j = threadIdx.x; j < 126; j += 112): once or twice. Clang lays out two
  // iterations on demand, nvcc does not.
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !2
  %some = icmp ult i32 %tid, 126
  br i1 %some, label %body, label %exit
body:
  %j = phi i32 [ %tid, %entry ], [ %next, %body ]
  store volatile i32 %j, ptr %a
  %next = add nuw nsw i32 %j, 112
  %go = icmp ult i32 %next, 126
  br i1 %go, label %body, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.enable"}
!2 = !{i32 0, i32 1024}
)");
  ASSERT_EQ(M.Loops.size(), 1u) << dump(M);
  // As a loop without a pragma.
  EXPECT_GT(M.Loops[0].Unroll, 1u);
}

} // namespace
