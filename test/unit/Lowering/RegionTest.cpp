/// \file
/// The loop tree, guards, branch shares and divergence.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// The block that holds the store to line's buffer, found by access base.
const BasicBlock &blockStoringTo(const KernelModel &M,
                                 const std::string &Base) {
  for (const MemoryAccess &A : M.Accesses)
    if (A.Kind == AccessKind::Store && A.Base == Base)
      return M.Blocks[A.Block];
  ADD_FAILURE() << "no store to " << Base << "\n" << dump(M);
  static const BasicBlock None;
  return None;
}

TEST(LoweringRegion, AGuardCostsItsTrueShare) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %bid, %ntid
  %i = add i32 %base, %tid
  %out = icmp sge i32 %i, %n
  br i1 %out, label %done, label %work
work:
  %p = getelementptr inbounds float, ptr %a, i32 %i
  store float 1.0, ptr %p
  br label %done
done:
  ret void
}
)");
  EXPECT_EQ(blockStoringTo(M, "a").Active.str(),
            "blockDim.x*blockIdx.x + threadIdx.x < n");
  EXPECT_TRUE(M.Unknowns.empty());
}

const char *IfElse = R"(
define ptx_kernel void @k(ptr %a, ptr %b, ptr %c, ptr noalias %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  COND
  br i1 %cond, label %then, label %else WEIGHTS
then:
  store volatile i32 1, ptr %a
  br label %join
else:
  store volatile i64 2, ptr %b
  OTHER
join:
  store volatile i32 3, ptr %c
  ret void
}
)";

std::string ifElse(const std::string &Condition,
                   const std::string &Weights = "",
                   const std::string &Other = "br label %join",
                   const std::string &Tail = "") {
  std::string Text = IfElse;
  auto Replace = [&](const std::string &What, const std::string &By) {
    Text.replace(Text.find(What), What.size(), By);
  };
  Replace("COND", Condition);
  Replace("WEIGHTS", Weights);
  Replace("OTHER", Other);
  return Text + Tail;
}

const char *OnData = R"(
  %p = getelementptr inbounds i32, ptr %in, i32 %tid
  %v = load volatile i32, ptr %p
  %cond = icmp sgt i32 %v, 5)";

TEST(LoweringRegion, WhatFollowsAnIfElseRunsAlways) {
  KernelModel M = extract(ifElse("%cond = icmp slt i32 %tid, 16"));
  EXPECT_EQ(blockStoringTo(M, "a").Active.str(), "threadIdx.x < 16");
  EXPECT_EQ(blockStoringTo(M, "b").Active.str(), "16 <= threadIdx.x");
  EXPECT_EQ(blockStoringTo(M, "c").Active.str(), "1");
}

TEST(LoweringRegion, AConditionOnDataIsAProbability) {
  KernelModel M = extract(ifElse(OnData));
  ASSERT_EQ(M.Unknowns.size(), 1u);
  EXPECT_EQ(M.Unknowns[0].Kind, Unknown::BranchProbability);
  EXPECT_EQ(M.Unknowns[0].Default, 0.5);
  EXPECT_TRUE(M.Unknowns[0].LaneVarying);
  for (double P : {0.0, 0.25, 1.0}) {
    double Then =
        valueOf(blockStoringTo(M, "a").Active, {{M.Unknowns[0].Name, P}});
    double Else =
        valueOf(blockStoringTo(M, "b").Active, {{M.Unknowns[0].Name, P}});
    EXPECT_DOUBLE_EQ(Then, P);
    EXPECT_DOUBLE_EQ(Then + Else, 1);
  }
  EXPECT_FALSE(blockStoringTo(M, "a").WarpUniform);
  EXPECT_EQ(blockStoringTo(M, "c").Active.str(), "1");
}

TEST(LoweringRegion, TheFormOfAConditionOnDataSaysHowLikelyItIs) {
  auto Default = [](const char *Test) {
    KernelModel M = extract(ifElse(std::string(R"(
  %p = getelementptr inbounds i32, ptr %in, i32 %tid
  %v = load volatile i32, ptr %p
  %cond = icmp )") + Test));
    return valueOf(blockStoringTo(M, "a").Active,
                   {{M.Unknowns.at(0).Name, M.Unknowns.at(0).Default}});
  };
  EXPECT_DOUBLE_EQ(Default("eq i32 %v, 7"), 0.16);
  EXPECT_DOUBLE_EQ(Default("ne i32 %v, 7"), 0.84);
  EXPECT_DOUBLE_EQ(Default("slt i32 %v, 0"), 0.16);
  EXPECT_DOUBLE_EQ(Default("slt i32 %v, %tid"), 0.5);
}

TEST(LoweringRegion, TheKnownPartOfAMixedConditionStaysKnown) {
  KernelModel M = extract(ifElse(R"(
  %p = getelementptr inbounds i32, ptr %in, i32 %tid
  %v = load volatile i32, ptr %p
  %data = icmp sgt i32 %v, 5
  %known = icmp slt i32 %tid, 16
  %cond = and i1 %known, %data)"));
  ASSERT_EQ(M.Unknowns.size(), 1u) << dump(M);
  const BasicBlock &Then = blockStoringTo(M, "a");
  EXPECT_DOUBLE_EQ(
      valueOf(Then.Active, {{"threadIdx.x", 3}, {M.Unknowns[0].Name, 0.3}}),
      0.3);
  EXPECT_DOUBLE_EQ(
      valueOf(Then.Active, {{"threadIdx.x", 20}, {M.Unknowns[0].Name, 0.3}}),
      0);
}

TEST(LoweringRegion, ALoadFromAUniformAddressIsTheSameForTheWarp) {
  KernelModel M = extract(ifElse(R"(
  %v = load i32, ptr %in
  %cond = icmp sgt i32 %v, 5)"));
  ASSERT_EQ(M.Unknowns.size(), 1u);
  EXPECT_FALSE(M.Unknowns[0].LaneVarying);
  EXPECT_TRUE(blockStoringTo(M, "a").WarpUniform);
}

TEST(LoweringRegion, TheSourceMayExpectASide) {
  KernelModel M =
      extract(ifElse(OnData, ", !prof !0", "br label %join",
                     "!0 = !{!\"branch_weights\", i32 1, i32 2000}\n"));
  ASSERT_EQ(M.Unknowns.size(), 1u);
  EXPECT_NEAR(M.Unknowns[0].Default, 1.0 / 2001, 1e-9);
}

TEST(LoweringRegion, ASideThatTrapsIsNeverTaken) {
  KernelModel M =
      extract(ifElse(OnData, "", "call void @llvm.trap()\n  unreachable",
                     "declare void @llvm.trap()\n"));
  EXPECT_EQ(blockStoringTo(M, "a").Active.str(), "1");
  EXPECT_TRUE(M.Unknowns.empty()) << dump(M);
}

TEST(LoweringRegion, ASwitchOnACoordinateIsDecided) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, ptr %b, ptr %c) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %tid, label %other [ i32 0, label %zero
                                  i32 5, label %five ]
zero:
  store volatile i32 0, ptr %a
  br label %done
five:
  store volatile i32 5, ptr %b
  br label %done
other:
  store volatile i32 9, ptr %c
  br label %done
done:
  ret void
}
)",
                          Pipeline::Skip);
  for (long Tid : {0, 1, 5, 6}) {
    std::map<std::string, double> At{{"threadIdx.x", Tid}};
    EXPECT_EQ(valueOf(blockStoringTo(M, "a").Active, At), Tid == 0);
    EXPECT_EQ(valueOf(blockStoringTo(M, "b").Active, At), Tid == 5);
    EXPECT_EQ(valueOf(blockStoringTo(M, "c").Active, At), Tid != 0 && Tid != 5);
  }
}

TEST(LoweringRegion, AValueIsComputedWhereItIsUsed) {
  // The load is in front of the branch in the source only.
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, ptr noalias %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %in, i32 %tid
  %v = load float, ptr %p
  %w = fmul float %v, %v
  %few = icmp slt i32 %tid, %n
  br i1 %few, label %then, label %done
then:
  store volatile float %w, ptr %a
  br label %done
done:
  ret void
}
)");
  ASSERT_EQ(M.Accesses.size(), 2u) << dump(M);
  for (const MemoryAccess &A : M.Accesses)
    EXPECT_EQ(M.Blocks[A.Block].Active.str(), "threadIdx.x < n") << dump(M);
}

TEST(LoweringRegion, ALoopThatOneSideNeedsIsUnrolledAndRunsThere) {
  auto Sum = [](const char *Condition) {
    return extract(std::string(R"(
@c = internal addrspace(4) externally_initialized global [64 x float] zeroinitializer
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi float [ 0.0, %entry ], [ %t, %body ]
  %p = getelementptr [64 x float], ptr addrspace(4) @c, i32 0, i32 %i
  %v = load float, ptr addrspace(4) %p
  %t = fadd float %s, %v
  %next = add nuw nsw i32 %i, 1
  %go = icmp ult i32 %next, 64
  br i1 %go, label %body, label %after
after:
  %first = icmp eq i32 %tid, 0
  br i1 )") + Condition +
                   R"(, label %then, label %done
then:
  store float %t, ptr %a
  br label %done
done:
  ret void
}
)");
  };
  KernelModel Sunk = Sum("%first");
  EXPECT_TRUE(Sunk.Loops.empty()) << dump(Sunk);
  EXPECT_EQ(blockStoringTo(Sunk, "a").Active.str(), "threadIdx.x == 0");
  for (const BasicBlock &B : Sunk.Blocks)
    for (unsigned Op : B.operations())
      if (Sunk.Operations[Op].Class == OpClass::Fp32Add) {
        EXPECT_EQ(B.Active.str(), "threadIdx.x == 0");
      }
  // Where every thread needs the sum, the loop stays.
  EXPECT_EQ(Sum("true").Loops.size(), 1u);
}

TEST(LoweringRegion, BlocksOfALoopAreRelativeToItsBody) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %go = icmp slt i32 %i, %n
  br i1 %go, label %body, label %exit
body:
  %odd = and i32 %i, 1
  %is = icmp eq i32 %odd, 0
  br i1 %is, label %even, label %latch
even:
  store volatile i32 %i, ptr %a
  br label %latch
latch:
  store volatile i32 %i, ptr %b
  %next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}
)");
  ASSERT_EQ(M.Loops.size(), 1u);
  const BasicBlock &Even = blockStoringTo(M, "a"),
                   &Latch = blockStoringTo(M, "b");
  EXPECT_EQ(Latch.Active.str(), "1");
  for (long I : {0, 1, 2, 3})
    EXPECT_EQ(valueOf(Even.Active, {{M.Loops[0].Counter, I}}), I % 2 == 0);
}

TEST(LoweringRegion, ContinueSkipsTheRestOfTheBody) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  store volatile i32 %i, ptr %a
  %skip = icmp slt i32 %i, %tid
  br i1 %skip, label %latch, label %rest
rest:
  store volatile i32 %i, ptr %b
  br label %latch
latch:
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %head, label %exit
exit:
  ret void
}
)",
                          Pipeline::Skip);
  const BasicBlock &Rest = blockStoringTo(M, "b");
  for (long I : {0, 3, 4, 9})
    EXPECT_EQ(
        valueOf(Rest.Active, {{M.Loops[0].Counter, I}, {"threadIdx.x", 4}}),
        I >= 4);
  EXPECT_EQ(blockStoringTo(M, "a").Active.str(), "1");
}

TEST(LoweringRegion, JumpsIntoALoopAreSurvivedAndSaid) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %tid, 5
  br i1 %c, label %x, label %y
x:
  store volatile i32 1, ptr %a
  br label %y
y:
  %v = load volatile i32, ptr %a
  %again = icmp slt i32 %v, %n
  br i1 %again, label %x, label %done
done:
  ret void
}
)",
                          Pipeline::Skip);
  bool Said = false;
  for (const Unknown &U : M.Unknowns)
    Said = Said || U.What.find("cycle") != std::string::npos;
  EXPECT_TRUE(Said) << dump(M);
}

} // namespace
