/// \file
/// Textures, block copies, atomics that are loops, barriers, asynchronous
/// copies; AMD's launch queries.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// Index of the N-th operation of a class.
unsigned indexOf(const KernelModel &M, OpClass Class, unsigned N = 0) {
  for (unsigned I = 0; I < M.Operations.size(); ++I)
    if (M.Operations[I].Class == Class && N-- == 0)
      return I;
  ADD_FAILURE() << "too few of " << info(Class).Name.str() << "\n" << dump(M);
  return 0;
}

bool waitsFor(const KernelModel &M, unsigned User, unsigned Producer,
              bool Carried = false) {
  for (const Operand &O : M.Operations[User].Operands)
    if (O.Producer == Producer && O.Carried == Carried)
      return true;
  return false;
}

TEST(LoweringMemory, ATextureFetchKnowsItsSizeAndLinearIndex) {
  KernelModel M = extract(R"(
declare <4 x float> @__gpu_estimate_tex1Dfetch_v4f32(i64, i32, i32)
declare <4 x float> @__gpu_estimate_tex2D_v4f32(i64, float, float, i32)
define ptx_kernel void @k(i64 %tex, ptr %out, float %x) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = call <4 x float> @__gpu_estimate_tex1Dfetch_v4f32(i64 %tex, i32 %tid, i32 16)
  %w = call <4 x float> @__gpu_estimate_tex2D_v4f32(i64 %tex, float %x, float %x, i32 4)
  store <4 x float> %v, ptr %out, align 16
  store volatile <4 x float> %w, ptr %out, align 16
  ret void
}
)");
  EXPECT_EQ(countOf(M, OpClass::Texture), 2u) << dump(M);
  const MemoryAccess &Linear = M.Accesses.at(0), &Plane = M.Accesses.at(1);
  EXPECT_EQ(Linear.Space, MemorySpace::Texture);
  EXPECT_EQ(Linear.BytesPerThread, 16u);
  EXPECT_EQ(Linear.Address.str(), "16*threadIdx.x");
  EXPECT_EQ(Linear.Base, "tex");
  EXPECT_EQ(Plane.BytesPerThread, 4u);
  EXPECT_FALSE(bool(Plane.Address)) << "the layout of a plane is not known";
}

TEST(LoweringMemory, ABlockCopyIsItsWidestPieces) {
  KernelModel M = extract(R"(
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptx_kernel void @k(ptr noalias %a, ptr noalias %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 16 %b, i64 40, i1 false)
  ret void
}
)",
                          Pipeline::Skip);
  EXPECT_EQ(countOf(M, OpClass::LoadGlobal), 5u) << dump(M);
  EXPECT_EQ(countOf(M, OpClass::StoreGlobal), 5u);
  EXPECT_TRUE(M.Unknowns.empty());
  // Each store waits for its own load.
  for (unsigned N = 0; N < 5; ++N)
    EXPECT_TRUE(waitsFor(M, indexOf(M, OpClass::StoreGlobal, N),
                         indexOf(M, OpClass::LoadGlobal, N)));
}

// clang knows of an array of float only that its elements are aligned, and of a
// float4 more. A copy by memcpy() is no assignment.
TEST(LoweringMemory, AnAssignmentHasOneAlignment) {
  KernelModel M = extract(R"(
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptx_kernel void @k(ptr noalias %a, ptr noalias %b, ptr noalias %c) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 16 %b, i64 16, i1 false), !tbaa.struct !0
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %c, ptr align 16 %b, i64 16, i1 false)
  ret void
}
!0 = !{i64 0, i64 16, !1}
!1 = !{!2, !2, i64 0}
!2 = !{!"char", !3, i64 0}
!3 = !{!"C++ TBAA"}
)",
                          Pipeline::Skip);
  EXPECT_EQ(countOf(M, OpClass::LoadGlobal), 1u + 4u) << dump(M);
  EXPECT_EQ(M.Accesses.at(0).BytesPerThread, 16u);
}

TEST(LoweringMemory, ACopyOfUnknownLengthIsListed) {
  KernelModel M = extract(R"(
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define ptx_kernel void @k(ptr %a, i64 %n) {
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %n, i1 false)
  ret void
}
)",
                          Pipeline::Skip);
  ASSERT_EQ(M.Unknowns.size(), 1u);
  EXPECT_EQ(M.Unknowns[0].Kind, Unknown::Call);
}

TEST(LoweringMemory, SharedMemoryAddsRealsInALoop) {
  KernelModel M = extract(R"(
@sum = internal addrspace(3) global float undef, align 4
define ptx_kernel void @k(float %x) {
  %o = atomicrmw fadd ptr addrspace(3) @sum, float %x monotonic
  ret void
}
)");
  EXPECT_EQ(countOf(M, OpClass::AtomicShared), 1u) << dump(M);
  EXPECT_EQ(countOf(M, OpClass::LoadShared), 1u);
  EXPECT_EQ(countOf(M, OpClass::Fp32Add), 1u);
  EXPECT_TRUE(M.Accesses.back().CasLoop);
  EXPECT_TRUE(waitsFor(M, indexOf(M, OpClass::AtomicShared),
                       indexOf(M, OpClass::Fp32Add)));
}

TEST(LoweringMemory, SharedMemoryHas32BitIntegerAtomicsOnly) {
  auto atomic = [](llvm::StringRef Operation, llvm::StringRef Cpu = "sm_86") {
    KernelModel M = extract((R"(
@sum = internal addrspace(3) global [64 x i64] undef, align 8
define ptx_kernel void @k(i32 %n) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [64 x i64], ptr addrspace(3) @sum, i32 0, i32 %tid
  %o = atomicrmw )" + Operation +
                             R"( monotonic
  ret void
}
attributes #0 = { "target-cpu"=")" +
                             Cpu + "\" }\n")
                                .str());
    return M.Accesses.back();
  };
  EXPECT_FALSE(atomic("add ptr addrspace(3) %p, i32 %n").CasLoop);
  EXPECT_TRUE(atomic("add ptr addrspace(3) %p, i64 1").CasLoop);
  EXPECT_TRUE(atomic("umax ptr addrspace(3) %p, i64 7").CasLoop);
  EXPECT_FALSE(atomic("xchg ptr addrspace(3) %p, i64 7").CasLoop);
  EXPECT_TRUE(atomic("add ptr addrspace(3) %p, i32 %n", "sm_35").CasLoop);
  // Lanes of one word are counted at once since Ampere.
  EXPECT_TRUE(atomic("add ptr addrspace(3) %p, i32 1").MergesLanes);
  EXPECT_FALSE(atomic("add ptr addrspace(3) %p, i32 1", "sm_75").MergesLanes);
  EXPECT_FALSE(atomic("add ptr addrspace(3) %p, i32 2").MergesLanes);
  EXPECT_FALSE(atomic("or ptr addrspace(3) %p, i32 1").MergesLanes);
}

TEST(LoweringMemory, CompilersCombineIntegersOnOneAddress) {
  auto combines = [](llvm::StringRef Instruction) {
    KernelModel M = extract((R"(
define ptx_kernel void @k(ptr %p, ptr %out, i32 %n, i64 %l) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tid64 = zext i32 %tid to i64
  %own = getelementptr inbounds i32, ptr %out, i64 %tid64
  )" + Instruction + R"(
  ret void
}
)")
                                .str());
    for (const MemoryAccess &A : M.Accesses)
      if (A.Kind == AccessKind::Atomic)
        return A.CombinesLanes;
    ADD_FAILURE() << "no atomic:\n" << dump(M);
    return false;
  };
  const std::string Use = "\n  store i32 %o, ptr %own";
  EXPECT_TRUE(combines("%o = atomicrmw add ptr %p, i32 1 monotonic"));
  EXPECT_TRUE(combines("%o = atomicrmw add ptr %p, i32 %tid monotonic"));
  EXPECT_TRUE(combines("%o = atomicrmw add ptr %p, i32 %tid monotonic" + Use));
  EXPECT_TRUE(combines("%o = atomicrmw umax ptr %p, i32 %tid monotonic"));
  EXPECT_TRUE(combines("%o = atomicrmw add ptr %p, i64 1 monotonic"));
  EXPECT_FALSE(combines("%o = atomicrmw add ptr %p, i64 %tid64 monotonic"));
  EXPECT_FALSE(
      combines("%o = atomicrmw umax ptr %p, i32 %tid monotonic" + Use));
  EXPECT_FALSE(combines("%o = atomicrmw xchg ptr %p, i32 %n monotonic"));
  EXPECT_FALSE(combines("%o = atomicrmw fadd ptr %p, float 1.0 monotonic"));
  EXPECT_FALSE(combines("%o = atomicrmw add ptr %own, i32 1 monotonic"));
}

TEST(LoweringMemory, ACompareAndSwapLoopRunsOnceAndSaysThatItRetries) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %p, float %x) {
  %first = load i32, ptr %p
  br label %loop
loop:
  %old = phi i32 [ %first, %0 ], [ %seen, %loop ]
  %f = bitcast i32 %old to float
  %sum = fadd float %f, %x
  %new = bitcast float %sum to i32
  %pair = cmpxchg ptr %p, i32 %old, i32 %new monotonic monotonic
  %seen = extractvalue { i32, i1 } %pair, 0
  %same = icmp eq i32 %seen, %old
  br i1 %same, label %done, label %loop
done:
  ret void
}
)");
  ASSERT_EQ(M.Loops.size(), 1u) << dump(M);
  EXPECT_TRUE(M.Loops[0].TripCount.isConstant(1)) << dump(M);
  EXPECT_TRUE(M.Accesses.back().CasLoop);
}

TEST(LoweringMemory, WhatABarrierOrdersWaitsForIt) {
  KernelModel M = extract(R"(
@tile = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @k(ptr noalias %a, ptr noalias %b) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds [64 x float], ptr addrspace(3) @tile, i32 0, i32 %tid
  %f = sitofp i32 %tid to float
  store float %f, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier0()
  %o = xor i32 %tid, 1
  %q = getelementptr inbounds [64 x float], ptr addrspace(3) @tile, i32 0, i32 %o
  %v = load float, ptr addrspace(3) %q
  %r = getelementptr inbounds float, ptr %b, i32 %tid
  store float %v, ptr %r
  ret void
}
)");
  EXPECT_TRUE(waitsFor(M, indexOf(M, OpClass::LoadShared),
                       indexOf(M, OpClass::Barrier)))
      << dump(M);
}

TEST(LoweringMemory, AWaitForCopiesWaitsForThem) {
  KernelModel M = extract(R"(
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.wait.all()
@tile = internal addrspace(3) global [64 x float] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %a) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds [64 x float], ptr addrspace(3) @tile, i32 0, i32 %tid
  %q = getelementptr inbounds float, ptr addrspace(1) %a, i32 %tid
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %p, ptr addrspace(1) %q)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier0()
  ret void
}
)");
  unsigned Copy = indexOf(M, OpClass::AsyncCopy);
  EXPECT_TRUE(waitsFor(M, indexOf(M, OpClass::Branch), Copy)) << dump(M);
  EXPECT_EQ(M.Accesses.at(*M.Operations[Copy].access()).Address.str(),
            "4*threadIdx.x");
  EXPECT_EQ(M.Accesses.at(*M.Operations[Copy].access()).Base, "a");
}

TEST(LoweringMemory, FirstReadsOfALoopMayWaitForItsLastWrites) {
  // A sum that lives in memory goes around the loop through its register.
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr noalias %a, ptr noalias readonly %b, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds float, ptr %b, i32 %i
  %v = load float, ptr %p
  %s = load float, ptr %a
  %t = fadd float %s, %v
  store float %t, ptr %a
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %body, label %exit
exit:
  ret void
}
)");
  unsigned Sum = indexOf(M, OpClass::Fp32Add);
  EXPECT_TRUE(waitsFor(M, Sum, Sum, /*Carried=*/true)) << dump(M);
}

TEST(LoweringMemory, AmdsLaunchQueriesAreTheSameParameters) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(R"(
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare i64 @__ockl_get_num_groups(i32)
define amdgpu_kernel void @k(ptr addrspace(1) %a) {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %bid = call i32 @llvm.amdgcn.workgroup.id.x()
  %d = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %sp = getelementptr inbounds i8, ptr addrspace(4) %d, i64 4
  %s = load i16, ptr addrspace(4) %sp, align 4, !invariant.load !0
  %size = zext i16 %s to i32
  %g = call i64 @__ockl_get_num_groups(i32 0)
  %groups = trunc i64 %g to i32
  %first = mul i32 %bid, %size
  %i = add i32 %first, %tid
  %j = mul i32 %i, %groups
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i32 %j
  store float 1.0, ptr addrspace(1) %p
  ret void
}
!0 = !{}
)",
                                     Problem, Context);
  ASSERT_TRUE(M) << Problem.getMessage().str();
  prepareForAnalysis(*M);
  auto Model = lowerKernel(*M->getFunction("k"), {});
  ASSERT_TRUE(bool(Model)) << toString(Model.takeError());
  ASSERT_EQ(Model->Accesses.size(), 1u) << dump(*Model);
  EXPECT_EQ(valueOf(Model->Accesses[0].Address, {{"threadIdx.x", 5},
                                                 {"blockIdx.x", 3},
                                                 {"blockDim.x", 64},
                                                 {"gridDim.x", 7}}),
            4.0 * (3 * 64 + 5) * 7);
}

TEST(LoweringMemory, ALoopThatWalksThroughSharedMemoryLoadsWideWords) {
  auto Walk = [](const char *Row) {
    return extract(std::string(R"(
@tile = addrspace(3) global [8192 x float] undef, align 4
define ptx_kernel void @k(ptr %a) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nuw nsw i32 %tid, )") +
                   Row + R"(
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi float [ 0.0, %entry ], [ %t, %body ]
  %at = add nuw nsw i32 %row, %i
  %p = getelementptr inbounds [8192 x float], ptr addrspace(3) @tile, i32 0, i32 %at
  %v = load float, ptr addrspace(3) %p
  %t = fadd float %s, %v
  %next = add nuw nsw i32 %i, 1
  %go = icmp ult i32 %next, 128
  br i1 %go, label %body, label %done
done:
  store float %t, ptr %a
  ret void
}
)");
  };
  auto BytesOfLoad = [](const KernelModel &M) {
    unsigned Bytes = 0;
    for (const MemoryAccess &A : M.Accesses)
      if (A.Kind == AccessKind::Load)
        Bytes = std::max(Bytes, A.BytesPerThread);
    return Bytes;
  };
  KernelModel Aligned = Walk("128"), Padded = Walk("129");
  ASSERT_EQ(Aligned.Loops.size(), 1u) << dump(Aligned);
  EXPECT_EQ(Aligned.Loops[0].TripCount.str(), "32");
  EXPECT_EQ(BytesOfLoad(Aligned), 16u) << dump(Aligned);
  // Rows that start at any word allow no wide load.
  EXPECT_EQ(BytesOfLoad(Padded), 4u) << dump(Padded);
}

} // namespace
