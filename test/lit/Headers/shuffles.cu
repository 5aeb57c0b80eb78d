// Shuffles: 32-bit types are one intrinsic, 64-bit types two.
// RUN: %clang_cuda_device %s | FileCheck-19 %s

// CHECK-LABEL: @synced(
extern "C" __global__ void synced(int *i, float *f, double *d) {
  // CHECK: @llvm.nvvm.shfl.sync.idx.i32(i32 -1,
  i[0] = __shfl_sync(0xffffffff, i[0], 3);
  // CHECK: @llvm.nvvm.shfl.sync.up.f32(i32 -1, float {{.*}}, i32 1, i32 0)
  f[0] = __shfl_up_sync(0xffffffff, f[0], 1);
  // CHECK: @llvm.nvvm.shfl.sync.down.f32(i32 -1, float {{.*}}, i32 16, i32 31)
  f[1] = __shfl_down_sync(0xffffffff, f[1], 16);
  // Segments of 8 lanes change the last operand.
  // CHECK: @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 {{.*}}, i32 4, i32 6175)
  i[1] = __shfl_xor_sync(0xffffffff, i[1], 4, 8);
  // CHECK-COUNT-2: @llvm.nvvm.shfl.sync.bfly.i32(
  // CHECK-NOT: shfl
  d[0] = __shfl_xor_sync(0xffffffff, d[0], 1);
  // CHECK: ret void
}

// CHECK-LABEL: @unsynced(
extern "C" __global__ void unsynced(unsigned *u, long long *l) {
  // CHECK: @llvm.nvvm.shfl.down.i32(
  u[0] = __shfl_down(u[0], 1);
  // CHECK-COUNT-2: @llvm.nvvm.shfl.bfly.i32(
  l[0] = __shfl_xor(l[0], 1);
}
