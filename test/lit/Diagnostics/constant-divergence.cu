// Constant memory gives the warp one word at a time.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-constant-divergence"

#include <cuda_runtime.h>

__constant__ float table[1024];

// All lanes read one word.
__global__ void uniform(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += table[k];
  out[i] = sum;
}

__global__ void different(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    // CHECK: constant-divergence.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: load from 'table' reads 32 different words per request, one after the other; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-constant-divergence]
    // CHECK-NEXT: note: read 'table' from global memory
    sum += table[threadIdx.x + k];
  out[i] = sum;
}

void host(float *out) {
  uniform<<<1024, 256>>>(out, 512);
  different<<<1024, 256>>>(out, 512);
}
