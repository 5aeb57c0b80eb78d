; Words, flags, debug information and intrinsics of LLVM 20 to 22 are read; the
; launch and the sizes of buffers come from the IR.
;
; RUN: %analyze %s --gpu nvidia-a100-40gb-pcie 2>&1 | FileCheck %s
; CHECK: newer-llvm.ll: warning: its target is sm_120, but the code is estimated for sm_80
; CHECK: 'add_fusion' takes {{.*}} (grid 8192, block 128 from annotation)
; CHECK: kernel {{ *}}kernel.py:3
; CHECK: arguments {{ *}}arg1 = 1048576, x = 1048576
; CHECK: global loads {{ *}}32.8 K requests
; CHECK: barriers {{ *}}32.8 K by warps
; CHECK: kernel.py:5 {{ *}}global load x
; CHECK: taken for granted
; CHECK-NEXT: buffers are as large as 'dereferenceable' of the file says, in bytes: 'x' 4194304, 'arg1' 4194304

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"


define ptx_kernel void @add_fusion(ptr noalias readonly align 16 captures(none) dereferenceable(4194304) %x, ptr noalias writeonly align 256 captures(none) dead_on_return dereferenceable(4194304) initializes((0, 4)) %1, ptr captures(address, read_provenance) %"a b") local_unnamed_addr #0 !dbg !5 {
entry:
  %tid = tail call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !8
  %bid = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !2, !dbg !8
    #dbg_value(i32 %bid, !10, !DIExpression(DW_OP_LLVM_extract_bits_foo, 1, 2), !8)
    #dbg_declare_value(i32 %bid, !10, !DIExpression(), !8)
  %b = shl nuw nsw i32 %bid, 7
  %i = or disjoint i32 %b, %tid
  %c = icmp samesign ult i32 %i, 1048576
  %ext = zext nneg i32 %i to i64
  %p = getelementptr inbounds nuw float, ptr %x, i64 %ext
  %a = ptrtoaddr ptr %p to i64
  %v = load float, ptr %p, align 4, !invariant.load !3
  %d = fpext contract float %v to double
  %f = fptrunc nnan contract double %d to float
  %s = fadd float %f, 1.000000e+00
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = getelementptr inbounds nuw float, ptr %1, i64 %ext
  store float %s, ptr %o, align 4
  ret void
}
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, errnomem: write) "nvvm.reqntid"="128,1,1" "target-cpu"="sm_120" "target-features"="+ptx87" nooutline }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind newer_than_all(x: "a)b") }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_Foo99, file: !1, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, sourceLanguageVersion: 12)
!1 = !DIFile(filename: "kernel.py", directory: "/x")
!2 = !{i32 0, i32 8192}
!3 = !{}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "add_fusion", scope: !1, file: !1, line: 3, type: !6, unit: !0, spFlags: DISPFlagDefinition | DISPFlagOptimized, keyInstructions: true)
!6 = !DISubroutineType(types: !7)
!7 = !{null, !9}
!8 = !DILocation(line: 5, column: 2, scope: !5, atomGroup: 1, atomRank: 2)
!9 = !DIFixedPointType(name: "fp", size: 32, encoding: DW_ATE_signed_fixed, kind: Binary, factor: -4)
!10 = !DILocalVariable(name: "bid", scope: !5, file: !1, line: 4, type: !11)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed, dataSize: 4)
