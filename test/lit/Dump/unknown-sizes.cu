// A dump is of one launch. It names the sizes that nobody tells.
// RUN: %analyze %s --gpu nvidia-h200 --dump bounds | FileCheck %s
// CHECK: kernel scale at unknown-sizes.cu:[[@LINE+5]] on nvidia-h200, grid 4096x1x1, block 256x1x1
// CHECK-NEXT: for n = 1 M, 256 threads of a block, which are not known (no launch of the kernel was seen); settle with --param n=VALUE --block X

#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
