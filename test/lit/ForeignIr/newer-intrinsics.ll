; Intrinsics of LLVM 20 to 22 are what PTX's instructions of the same meaning are:
; stores of matrices, an elected lane, copies of the engine. One without a meaning
; here is an assumption with its name, and the file is estimated.
;
; RUN: %analyze %s --gpu nvidia-h100-sxm --grid 256 --block 128 | FileCheck %s
; CHECK: 'matrices' takes
; CHECK: newer-intrinsics.ll:{{[0-9]+}} shared store tile 1.02 K 4 4
; CHECK: 'copies' takes
; CHECK: newer-intrinsics.ll:{{[0-9]+}} global async-copy map 256
; CHECK: newer-intrinsics.ll:{{[0-9]+}} global async-copy in 256
; CHECK: 'unheard' takes
; CHECK: the PTX instruction brandnew.sync.aligned at newer-intrinsics.ll:{{[0-9]+}} = 1: the operation table has no entry for it
;
; RUN: %gpu-estimate analyze %s --gpu nvidia-h100-sxm --grid 256 --block 128 \
; RUN:   --dump kernel-model | FileCheck %s --check-prefix=MODEL
; MODEL: kernel matrices
; MODEL: [shared store 16 B, tile + 16*threadIdx.x]
; MODEL: warp_reduce
; MODEL: kernel copies
; MODEL: if (threadIdx.x < 32)*({{.*}} mod 32 == 0)
; MODEL-NEXT: [global async copy 16384 B, map + 0, past L1]
; MODEL-NEXT: [global async copy 4096 B, in + 0, past L1]

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [16384 x i8] undef, align 128
@barrier = internal addrspace(3) global i64 undef, align 8

define ptx_kernel void @matrices(ptr addrspace(1) %out, i32 %a, float %f) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = shl i32 %t, 4
  %p = getelementptr i8, ptr addrspace(3) @tile, i32 %o
  %m = call i32 @llvm.nvvm.movmatrix.sync.aligned.m8n8.trans.b16(i32 %a)
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %p, i32 %m, i32 %m, i32 %t, i32 %t)
  %g = call float @llvm.nvvm.redux.sync.fmax.abs.NaN(float %f, i32 -1)
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %g, ptr addrspace(1) %q, align 4
  ret void
}

define ptx_kernel void @copies(ptr addrspace(1) %in, ptr %map) {
  %e = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %c = extractvalue { i32, i1 } %e, 1
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %t, 32
  %both = and i1 %c, %first
  br i1 %both, label %copy, label %done
copy:
  %d = addrspacecast ptr addrspace(3) @tile to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %d, ptr addrspace(3) @barrier, ptr %map, i32 0, i32 0, i16 0, i64 0, i1 false, i1 false, i32 0)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @tile, ptr addrspace(3) @barrier, ptr addrspace(1) %in, i32 4096, i64 0, i1 false)
  br label %done
done:
  ret void
}

define ptx_kernel void @unheard(ptr addrspace(1) %out, i32 %a) {
  %v = call i32 @llvm.nvvm.brandnew.sync.aligned(i32 %a, i32 3)
  store i32 %v, ptr addrspace(1) %out, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.movmatrix.sync.aligned.m8n8.trans.b16(i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3), i32, i32, i32, i32)
declare float @llvm.nvvm.redux.sync.fmax.abs.NaN(float, i32)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i16, i64, i1, i1, i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
declare i32 @llvm.nvvm.brandnew.sync.aligned(i32, i32)
