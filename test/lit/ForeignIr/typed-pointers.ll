; Pointers with an element type, as LLVM wrote them until version 14. A file
; without debug information is its own source.
;
; RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 64 2>&1 | FileCheck %s
; CHECK: 'k' takes
; CHECK: kernel {{ *}}typed-pointers.ll:[[# @LINE + 10]]
; CHECK: typed-pointers.ll:[[# @LINE + 13]] {{ *}}global load x
; CHECK: typed-pointers.ll:[[# @LINE + 14]] {{ *}}shared store tile
; CHECK: typed-pointers.ll:[[# @LINE + 15]] {{ *}}shared load tile

target triple = "nvptx64-nvidia-cuda"
%struct.S = type { i8*, %struct.S*, float addrspace(1)* }
%"class.a b" = type { i32, void (i32)* }
@tile = internal addrspace(3) global [256 x float] undef, align 4
@other = internal global [256 x float] undef
define void @k(float* noalias nocapture readonly %x, [2 x float]* %y, %"class.a b"* %c, float addrspace(1)* %g, i32 %n) {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, float* %x, i32 %0
  %v = load float, float* %p, align 4
  %t = getelementptr inbounds [256 x float], [256 x float] addrspace(3)* @tile, i32 0, i32 %0
  store float %v, float addrspace(3)* %t, align 4
  call void @llvm.nvvm.barrier0()
  %h = load float, float* addrspacecast (float addrspace(3)* getelementptr inbounds ([256 x float], [256 x float] addrspace(3)* @tile, i32 0, i32 7) to float*), align 4
  %ff = getelementptr %"class.a b", %"class.a b"* %c, i32 0, i32 1
  %f = load void (i32)*, void (i32)** %ff
  %q = bitcast [2 x float]* %y to float*
  %g2 = addrspacecast float addrspace(1)* %g to float*
  store float %h, float* %q
  %g3 = call i8 addrspace(1)* @llvm.nvvm.ptr.gen.to.global.p1i8.p0i8(i8* bitcast ([256 x float]* @other to i8*))
  store i8 0, i8 addrspace(1)* %g3
  call void %f(i32 1)
  ret void
}
declare i8 addrspace(1)* @llvm.nvvm.ptr.gen.to.global.p1i8.p0i8(i8*)
@llvm.used = appending global [1 x i8*] [i8* bitcast (void (float*, [2 x float]*, %"class.a b"*, float addrspace(1)*, i32)* @k to i8*)], section "llvm.metadata"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
!nvvm.annotations = !{!0}
!0 = !{void (float*, [2 x float]*, %"class.a b"*, float addrspace(1)*, i32)* @k, !"kernel", i32 1}
