// Barriers and fences.
// RUN: %clang_cuda_device %s | FileCheck-19 %s

// CHECK-LABEL: @barriers(
extern "C" __global__ void barriers(int *a) {
  // CHECK: call void @llvm.nvvm.barrier0()
  __syncthreads();
  // CHECK: call {{.*}}i32 @llvm.nvvm.barrier0.popc(
  a[0] = __syncthreads_count(a[0]);
  // CHECK: call {{.*}}i32 @llvm.nvvm.barrier0.and(
  a[1] = __syncthreads_and(a[1]);
  // CHECK: call {{.*}}i32 @llvm.nvvm.barrier0.or(
  a[2] = __syncthreads_or(a[2]);
  // CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
  __syncwarp();
  // CHECK: call void @llvm.nvvm.bar.warp.sync(i32 255)
  __syncwarp(0xff);
  // CHECK: call void @llvm.nvvm.membar.cta()
  __threadfence_block();
  // CHECK: call void @llvm.nvvm.membar.gl()
  __threadfence();
  // CHECK: call void @llvm.nvvm.membar.sys()
  __threadfence_system();
}
