// Sizes that guesses make larger than any number (two to the power of a guessed
// variable) are not known: they are neither shown nor computed with.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s --implicit-check-not='{{[^a-z]inf[^a-z]}}'
// CHECK: 'scale' has no time {{.*}}settle with --param bits=VALUE
// CHECK: arguments {{.*}}bits = 

#include <cuda_runtime.h>

__global__ void scale(float *x, int bits, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= bits;
}

void run(int bits) {
  float *x;
  size_t n = size_t(1) << bits;
  cudaMalloc(&x, sizeof(float) * n);
  scale<<<bits, 128>>>(x, bits, n);
}
