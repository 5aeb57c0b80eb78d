// Votes, matches and warp reductions.
// RUN: %clang_cuda_device %s | FileCheck-19 %s

// CHECK-LABEL: @votes(
extern "C" __global__ void votes(unsigned *u, int p, float f) {
  // CHECK: @llvm.nvvm.vote.all.sync(i32 -1,
  u[0] = __all_sync(~0u, p);
  // CHECK: @llvm.nvvm.vote.any.sync(i32 -1,
  u[1] = __any_sync(~0u, p);
  // CHECK: @llvm.nvvm.vote.ballot.sync(i32 -1,
  u[2] = __ballot_sync(~0u, p);
  // CHECK: @llvm.nvvm.vote.all(
  u[3] = __all(p);
  // CHECK: @llvm.nvvm.vote.ballot(
  u[4] = __ballot(p);
  // CHECK: @llvm.nvvm.activemask()
  u[5] = __activemask();
  // CHECK: @llvm.nvvm.match.any.sync.i32(i32 -1,
  u[6] = __match_any_sync(~0u, f);
  // CHECK: @llvm.nvvm.match.any.sync.i64(i32 -1,
  u[7] = __match_any_sync(~0u, (unsigned long long)p);
  // CHECK: @llvm.nvvm.match.all.sync.i32p(i32 -1,
  u[8] = __match_all_sync(~0u, p, (int *)&u[9]);
  // CHECK: @llvm.nvvm.redux.sync.add(
  u[10] = __reduce_add_sync(~0u, u[10]);
  // CHECK: @llvm.nvvm.redux.sync.max(
  u[11] = __reduce_max_sync(~0u, p);
}
