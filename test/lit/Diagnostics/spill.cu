// Registers that __launch_bounds__ does not leave room for.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-spill"

#include <cuda_runtime.h>

// 64 running sums are live at once.
template <int Values> __device__ void work(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[Values];
#pragma unroll
  for (int v = 0; v < Values; ++v)
    sum[v] = 0;
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int v = 0; v < Values; ++v)
      sum[v] = sum[v] * in[k] + v;
#pragma unroll
  for (int v = 0; v < Values; ++v)
    out[Values * i + v] = sum[v];
}

__global__ void free64(const float *in, float *out, int n) {
  work<64>(in, out, n);
}

// 65536 registers are 32 for each of 2048 threads. Beside the 64 sums, seven hold
// addresses, counters and the value that was read; what is above 32 is spilled.
// CHECK: spill.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: 'bound64' needs about 72 registers per thread and has 32: 40 are spilled to local memory, because of __launch_bounds__(1024, 2); predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-spill]
__global__ void __launch_bounds__(1024, 2)
bound64(const float *in, float *out, int n) {
  work<64>(in, out, n);
}

__global__ void __launch_bounds__(1024, 2)
bound8(const float *in, float *out, int n) {
  work<8>(in, out, n);
}

void host(const float *in, float *out) {
  free64<<<1024, 256>>>(in, out, 64);
  bound64<<<1024, 256>>>(in, out, 64);
  bound8<<<1024, 256>>>(in, out, 64);
}
