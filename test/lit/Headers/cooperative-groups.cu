// Cooperative groups are the warp and block functions behind them.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// CHECK-LABEL: @blocks(
extern "C" __global__ void blocks(float *f) {
  cg::thread_block block = cg::this_thread_block();
  // CHECK: @llvm.nvvm.barrier0()
  block.sync();
  f[block.thread_rank()] = block.group_index().x;
  // CHECK: @llvm.nvvm.barrier0()
  cg::sync(block);
}

// CHECK-LABEL: @tiles(
extern "C" __global__ void tiles(float *f, int *i) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::thread_block_tile<8> eight = cg::tiled_partition<8>(warp);
  // CHECK: @llvm.nvvm.bar.warp.sync(i32 -1)
  warp.sync();
  // CHECK: @llvm.nvvm.shfl.sync.down.f32(i32 -1, float {{.*}}, i32 16, i32 31)
  f[0] = warp.shfl_down(f[0], 16);
  // CHECK: @llvm.nvvm.shfl.sync.bfly.i32(i32 {{.*}}, i32 {{.*}}, i32 1, i32 6175)
  i[0] = eight.shfl_xor(i[0], 1);
  // CHECK: @llvm.nvvm.vote.any.sync(i32 -1,
  i[1] = warp.any(i[1]);
  // A butterfly of five steps for floats, one instruction for integers.
  // CHECK-COUNT-5: @llvm.nvvm.shfl.sync.bfly.f32(
  // CHECK-NOT: shfl
  f[1] = cg::reduce(warp, f[1], cg::plus<float>());
  // CHECK: @llvm.nvvm.redux.sync.add(i32 -1,
  i[2] = cg::reduce(warp, i[2], cg::plus<int>());
  // A structure travels word by word.
  // CHECK-COUNT-4: @llvm.nvvm.shfl.sync.idx.i32(
  *(float4 *)&f[4] = warp.shfl(*(float4 *)&f[8], 0);
}

// CHECK-LABEL: @active(
extern "C" __global__ void active(int *i) {
  if (i[threadIdx.x] > 0) {
    // CHECK: @llvm.nvvm.activemask()
    cg::coalesced_group group = cg::coalesced_threads();
    // CHECK: @llvm.ctpop.i32(
    if (group.thread_rank() == 0)
      atomicAdd(i, group.size());
  }
}

// CHECK-LABEL: @whole(
extern "C" __global__ void whole(int *i) {
  // CHECK: call void @__gpu_estimate_grid_sync()
  cg::this_grid().sync();
  i[cg::this_grid().thread_rank()] = 1;
}

int main() {
  int *d = 0;
  void *arguments[] = {&d};
  return cudaLaunchCooperativeKernel((void *)whole, 2, 64, arguments);
}
