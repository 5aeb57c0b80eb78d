// A grid of one wave and a little more takes nearly as long as two waves. An
// A100 has 108 multiprocessors; a block of 1024 threads, two of them on each.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-tail"

#include <cuda_runtime.h>

__global__ void chain(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i;
  for (int k = 0; k < n; ++k)
    value = value * 0.5f + 1.0f;
  out[i] = value;
}

void host(float *out) {
  chain<<<216, 1024>>>(out, 4096);
  // CHECK: tail.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: 217 blocks are 1 full wave and 0.46% of another; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-tail]
  // CHECK-NEXT: note: choose a grid of whole waves (216 blocks each)
  chain<<<217, 1024>>>(out, 4096);
}
