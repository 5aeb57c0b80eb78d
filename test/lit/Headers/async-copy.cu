// Asynchronous copies, by the primitives and by the C++ library.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

// CHECK-LABEL: @primitives(
extern "C" __global__ void primitives(const float *g, float *out) {
  __shared__ float4 s[64];
  // CHECK: @llvm.nvvm.cp.async.cg.shared.global.16{{(\.s)?}}(ptr addrspace(3)
  __pipeline_memcpy_async(&s[threadIdx.x], g + 4 * threadIdx.x, 16);
  // CHECK: @llvm.nvvm.cp.async.ca.shared.global.4{{(\.s)?}}(ptr addrspace(3)
  __pipeline_memcpy_async(&s[32], g, 4);
  // CHECK: @llvm.nvvm.cp.async.commit.group()
  __pipeline_commit();
  // CHECK: @llvm.nvvm.cp.async.wait.group(i32 1)
  __pipeline_wait_prior(1);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1].x;
}

// CHECK-LABEL: @library(
extern "C" __global__ void library(const float4 *g, float *out) {
  __shared__ float4 s[64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  // CHECK: @llvm.nvvm.cp.async.cg.shared.global.16
  cuda::memcpy_async(&s[threadIdx.x], &g[threadIdx.x],
                     cuda::aligned_size_t<16>(16), pipe);
  // CHECK: @llvm.nvvm.cp.async.commit.group()
  pipe.producer_commit();
  // CHECK: @llvm.nvvm.cp.async.wait.group(i32 0)
  pipe.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1].x;
}

// CHECK-LABEL: @barrier(
extern "C" __global__ void barrier(float *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  // CHECK: @llvm.nvvm.mbarrier.init
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  // CHECK: @llvm.nvvm.mbarrier.arrive
  auto token = bar.arrive();
  out[threadIdx.x] = 1;
  // CHECK: @__gpu_estimate_barrier_wait(
  bar.wait(std::move(token));
}
int main() { return 0; }
