// A private array stays in registers as long as every index is a constant.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --all-findings | FileCheck %s --implicit-check-not="gpu-estimate-local-array"

#include <cuda_runtime.h>

__global__ void unrolled(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value[8];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    value[k] = in[8 * i + k];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    out[8 * i + k] = value[7 - k];
}

__global__ void indexed(const float *in, const int *order, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value[8];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    value[k] = in[8 * i + k];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    out[8 * i + k] = value[order[k] % 8];
}
// 32768 warps store 8 words and load 8.
// CHECK: local-array.cu:{{[0-9]+}}:{{[0-9]+}}: remark: 'value' lives in local memory, because its index is not a constant: 524 K requests; predicted gain {{below 2|[1-9][0-9.]*}}% [-Wgpu-estimate-local-array]

void host(const float *in, const int *order, float *out) {
  unrolled<<<4096, 256>>>(in, out);
  indexed<<<4096, 256>>>(in, order, out);
}
