/// \file
/// Matrix instructions of warp groups and blocks, copies by the copy engine,
/// and the waits of pipelines.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// The N-th operation of a class.
const Operation *find(const KernelModel &M, OpClass Class, unsigned N = 0) {
  for (const Operation &Op : M.Operations)
    if (Op.Class == Class && N-- == 0)
      return &Op;
  ADD_FAILURE() << "too few of " << info(Class).Name.str() << "\n" << dump(M);
  return &M.Operations.front();
}

bool isCarriedToItsNext(const KernelModel &M, unsigned Entry) {
  for (const Operation &Op : M.Operations)
    for (const Operand &O : Op.Operands)
      if (O.Producer == Entry && O.Carried)
        return true;
  return false;
}

/// The first entry that awaits a copy, other than the one at the start.
int awaiting(const KernelModel &M, unsigned CopiesAhead) {
  for (unsigned I = 0; I < M.Operations.size(); ++I)
    if (M.Operations[I].arrival() &&
        M.Operations[I].arrival()->CopiesAhead == CopiesAhead)
      return static_cast<int>(I);
  return -1;
}

TEST(AsyncCopies, MultiplyAddsAreThoseOfOneMachineInstruction) {
  KernelModel M = extract(R"(
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32, i32, i32, i32, i32, i32, float, float, float, float)
declare { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.row.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float, float, float, float, float)
define ptx_kernel void @k(ptr %o, i32 %a, <2 x half> %h) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float 0.0, float 0.0, float 0.0, float 0.0)
  %e = call { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.row.f32.f32(<2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0)
  store volatile { float, float, float, float } %d, ptr %o
  store volatile { float, float, float, float, float, float, float, float } %e, ptr %o
  ret void
}
)");
  const Operation *One = find(M, OpClass::TensorFp16),
                  *Two = find(M, OpClass::TensorFp16, 1);
  EXPECT_EQ(One->Count, 1u) << dump(M);
  EXPECT_EQ(One->TensorMultiplyAdds, 16 * 8 * 16);
  EXPECT_EQ(Two->Count, 2u);
  EXPECT_EQ(Two->TensorMultiplyAdds, 16 * 8 * 16);
}

TEST(AsyncCopies, AWarpGroupSharesItsInstruction) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %o, i64 %a, i64 %b) {
  %d = call { float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16\0A{$0, $1, $2, $3},\0A $4, $5, 1, 1, 1, 0, 0;\0A", "=f,=f,=f,=f,l,l"(i64 %a, i64 %b)
  %e = call { float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {$0, $1, $2, $3}, {$4, $4, $4, $4}, $5, 1, 1, 1;", "=f,=f,=f,=f,r,l"(i32 7, i64 %b)
  store volatile { float, float, float, float } %d, ptr %o
  store volatile { float, float, float, float } %e, ptr %o
  ret void
}
)");
  const Operation *Half = find(M, OpClass::TensorFp16),
                  *Byte = find(M, OpClass::TensorInt8);
  EXPECT_EQ(Half->Count, 1u) << dump(M);
  EXPECT_EQ(Half->TensorMultiplyAdds, 64 * 8 * 16 / 4);
  EXPECT_EQ(Half->Scope, MatrixScope::Warpgroup);
  EXPECT_EQ(Byte->TensorMultiplyAdds, 64 * 8 * 32 / 4);
  // (64 + 8) * 16 halves, and 8 * 32 bytes, by 128 threads.
  unsigned Bytes[] = {16, 4, 4};
  for (unsigned N = 0; N < 3; ++N) {
    const Operation *Read = find(M, OpClass::LoadShared, N);
    EXPECT_EQ(M.Accesses.at(Read->access().value()).BytesPerThread, Bytes[N]);
    EXPECT_EQ(Read->Count, 0u);
  }
  EXPECT_TRUE(M.Unknowns.empty()) << M.Unknowns[0].What;
}

TEST(AsyncCopies, ABlockHasTheShapeOfItsDescriptor) {
  // M = 128 in bits 24 to 28, N = 256 in bits 17 to 22: 8 << 24 | 32 << 17
  KernelModel M = extract(R"(
define ptx_kernel void @k(i32 %d, i64 %a, i64 %b, i32 %shape) {
  call void asm sideeffect "{.reg .pred p; setp.ne.b32 p, $4, 0; tcgen05.mma.cta_group::1.kind::f16 [$0], $1, $2, $3, p;}", "r,l,l,r,r"(i32 %d, i64 %a, i64 %b, i32 138412032, i32 1)
  call void asm sideeffect "tcgen05.mma.cta_group::1.kind::f8f6f4 [$0], $1, $2, $3, 1;", "r,l,l,r"(i32 %d, i64 %a, i64 %b, i32 %shape)
  ret void
}
)");
  const Operation *Op = find(M, OpClass::TensorFp16);
  EXPECT_EQ(Op->TensorMultiplyAdds, 128 * 256 * 16) << dump(M);
  EXPECT_EQ(Op->Scope, MatrixScope::Multiprocessor);
  EXPECT_EQ(find(M, OpClass::TensorInt8)->TensorMultiplyAdds, 128 * 256 * 32);
  ASSERT_EQ(M.Unknowns.size(), 1u);
  EXPECT_NE(M.Unknowns[0].What.find("shape of tcgen05.mma"), std::string::npos);
}

TEST(AsyncCopies, MatricesOfAmdAreSingleInstructions) {
  KernelModel M = extract(R"(
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half>, <4 x half>, <16 x float>, i32, i32, i32)
declare <32 x float> @llvm.amdgcn.mfma.f32.32x32x1f32(float, float, <32 x float>, i32, i32, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %o, <4 x half> %a, float %x) {
  %d = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half> %a, <4 x half> %a, <16 x float> zeroinitializer, i32 0, i32 0, i32 0)
  %e = call <32 x float> @llvm.amdgcn.mfma.f32.32x32x1f32(float %x, float %x, <32 x float> zeroinitializer, i32 0, i32 0, i32 0)
  store volatile <16 x float> %d, ptr addrspace(1) %o
  store volatile <32 x float> %e, ptr addrspace(1) %o
  ret void
}
)");
  EXPECT_EQ(find(M, OpClass::TensorFp16)->TensorMultiplyAdds, 32 * 32 * 8)
      << dump(M);
  // Two blocks in one instruction.
  EXPECT_EQ(find(M, OpClass::TensorFp64)->TensorMultiplyAdds, 32 * 32 * 2);
  EXPECT_TRUE(M.Unknowns.empty()) << M.Unknowns[0].What;
}

/// A producer that fills four buffers for the other warps.
constexpr const char *Pipeline4 = R"(
@full = internal addrspace(3) global [4 x i64] undef, align 8
@empty = internal addrspace(3) global [4 x i64] undef, align 8
define ptx_kernel void @k(ptr %map, i32 %n, ptr %o) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %isProducer = icmp eq i32 %tid, 0
  br i1 %isProducer, label %produce, label %consume
produce:
  %i = phi i32 [ 0, %entry ], [ %i.next, %copy ]
  %s = and i32 %i, 3
  %e = getelementptr inbounds [4 x i64], ptr addrspace(3) @empty, i32 0, i32 %s
  %f = getelementptr inbounds [4 x i64], ptr addrspace(3) @full, i32 0, i32 %s
  br label %free
free:
  %ready = call i32 asm sideeffect "{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.u32 $0, 1, 0, p;}", "=r,r,r,~{memory}"(ptr addrspace(3) %e, i32 0)
  %isReady = icmp ne i32 %ready, 0
  br i1 %isReady, label %copy, label %free
copy:
  call void asm sideeffect "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}"(ptr addrspace(3) %f, i32 24576)
  %x = mul i32 %i, 64
  call void asm sideeffect "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,~{memory}"(i32 0, ptr %map, i32 %x, i32 0, ptr addrspace(3) %f)
  call void asm sideeffect "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2, $3}], [$4], $5;", "r,l,r,r,r,h,~{memory}"(i32 0, ptr %map, i32 %x, i32 0, ptr addrspace(3) %f, i16 3)
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %produce, label %exit
consume:
  %j = phi i32 [ 0, %entry ], [ %j.next, %multiply ]
  %t = and i32 %j, 3
  %g = getelementptr inbounds [4 x i64], ptr addrspace(3) @full, i32 0, i32 %t
  br label %test
test:
  %done = call i32 asm sideeffect "{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.u32 $0, 1, 0, p;}", "=r,r,r,~{memory}"(ptr addrspace(3) %g, i32 0)
  %isDone = icmp ne i32 %done, 0
  br i1 %isDone, label %multiply, label %test
multiply:
  call void asm sideeffect "wgmma.fence.sync.aligned;", ""()
  %j.next = add nsw i32 %j, 1
  %again = icmp slt i32 %j.next, %n
  br i1 %again, label %consume, label %exit
exit:
  ret void
}
)";

TEST(AsyncCopies, BarriersTellTheSizeOfTensorCopies) {
  KernelModel M = extract(Pipeline4);
  // The second copy is half of what two blocks get: 24576 = b + 2 b.
  for (unsigned N = 0; N < 2; ++N) {
    const MemoryAccess &A =
        M.Accesses.at(find(M, OpClass::AsyncCopy, N)->access().value());
    EXPECT_EQ(A.BytesPerThread, 8192u) << dump(M);
    EXPECT_EQ(A.Base, "map");
    EXPECT_TRUE(A.BypassL1);
    // Rows of 64 halves: 128 bytes of each of 64 rows for a step of 64.
    ASSERT_TRUE(bool(A.Address));
    EXPECT_EQ(evaluate(A.Address, {{M.Loops[0].Counter, 1}, {"n", 9}}),
              std::nullopt)
        << "other coordinates are free";
  }
}

TEST(AsyncCopies, ConsumersWaitForTheCopiesOfAnotherWarp) {
  KernelModel M = extract(Pipeline4);
  int Entry = awaiting(M, 3);
  ASSERT_GE(Entry, 0) << dump(M);
  EXPECT_TRUE(isCarriedToItsNext(M, Entry));
  EXPECT_EQ(M.Operations[Entry].Count, 0u);
  EXPECT_EQ(M.Accesses.at(M.Operations[Entry].arrival()->Access).Kind,
            AccessKind::AsyncCopy);
  unsigned Entries = 0;
  for (const Operation &Op : M.Operations)
    Entries += Op.arrival() != nullptr;
  EXPECT_EQ(Entries, 2u) << "the pipeline is filled once, and the producer's "
                            "wait for a buffer costs no latency\n"
                         << dump(M);
  // The loops that poll have one iteration, with no unknown.
  for (const Unknown &U : M.Unknowns)
    EXPECT_NE(U.Kind, Unknown::TripCount) << U.What;
}

TEST(AsyncCopies, GroupsInFlightSpreadTheLatency) {
  auto Loop = [](const char *Groups) {
    return std::string(R"(
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
@tile = internal addrspace(3) global [64 x float] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  call void @llvm.nvvm.cp.async.wait.group(i32 )") +
           Groups + R"()
  %q = getelementptr inbounds float, ptr addrspace(1) %a, i32 %i
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) @tile, ptr addrspace(1) %q)
  call void @llvm.nvvm.cp.async.commit.group()
  %next = add nsw i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %body, label %exit
exit:
  ret void
}
)";
  };
  // The copies follow the wait: of two groups in flight the one that is waited
  // for started three iterations before.
  KernelModel Three = extract(Loop("2"));
  int Entry = awaiting(Three, 3);
  ASSERT_GE(Entry, 0) << dump(Three);
  EXPECT_TRUE(isCarriedToItsNext(Three, Entry));
  KernelModel One = extract(Loop("0"));
  EXPECT_EQ(awaiting(One, 1), -1) << dump(One);
  unsigned Copy = find(One, OpClass::AsyncCopy) - One.Operations.data();
  EXPECT_TRUE(isCarriedToItsNext(One, Copy));
}

TEST(AsyncCopies, OneLaneIsElected) {
  KernelModel M = extract(R"(
define ptx_kernel void @k(ptr %o) {
  %chosen = call i32 asm sideeffect "{.reg .pred P; elect.sync _|P, 0xffffffff; selp.b32 $0, 1, 0, P;}", "=r"()
  %is = icmp ne i32 %chosen, 0
  br i1 %is, label %yes, label %no
yes:
  store volatile i32 1, ptr %o
  br label %no
no:
  ret void
}
)");
  EXPECT_TRUE(M.Unknowns.empty()) << M.Unknowns[0].What;
}

} // namespace
