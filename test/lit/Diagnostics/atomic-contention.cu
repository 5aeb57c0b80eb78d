// Atomics on one address are done one after the other; found by what spreading
// them would save.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-atomic-contention"

#include <cuda_runtime.h>

__global__ void sumOfAll(const float *in, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: atomic-contention.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: atomic on 'sum': 32 lanes of a request meet on one address, {{.*}} requests; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-atomic-contention]
  // CHECK-NEXT: note: combine the operations on 'sum' first (in the block
  atomicAdd(sum, in[i]);
}

__global__ void sumOfBlock(const float *in, float *out) {
  __shared__ float sum;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  for (int k = 0; k < 8; ++k)
    // CHECK: atomic-contention.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: atomic on 'sum': 32 lanes of a request meet on one address, {{.*}} requests; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-atomic-contention]
    // CHECK-NEXT: note: combine the operations on 'sum' first (in the warp
    atomicAdd(&sum, in[8 * i + k]);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

// An address for each thread.
__global__ void ownPlace(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[i], in[i]);
}

void host(const float *in, float *out) {
  sumOfAll<<<4096, 256>>>(in, out);
  sumOfBlock<<<4096, 256>>>(in, out);
  ownPlace<<<4096, 256>>>(in, out);
}
