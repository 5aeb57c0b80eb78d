// Programs that are built where clang finds no CUDA SDK launch their kernels as those
// of CUDA 9.2 and later do.
// RUN: rm -rf %t && mkdir -p %t/none
// RUN: %gpu-estimate cc --run --no-cuda-sdk %clang --cuda-path=%t/none %s -o %t/program
// RUN: %gpu-estimate run --gpu nvidia-v100 %t/program | FileCheck %s
// CHECK: x[3] is 1
// CHECK: exit status 0
// CHECK: 1 launches
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(float *x) { x[threadIdx.x] = 1; }

int main() {
  float *x, first[4];
  cudaMalloc(&x, 1024);
  fill<<<1, 256>>>(x);
  cudaMemcpy(first, x, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("x[3] is %g\n", first[3]);
  return cudaDeviceSynchronize();
}
