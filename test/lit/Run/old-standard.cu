// A source for C++11 launches kernels in kernels, which nvcc accepts in any
// standard.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -std=c++11 | FileCheck %s
// CHECK: children 8
#include <cstdio>

__global__ void child(int *p) { atomicAdd(p, 1); }
__global__ void parent(int *p) { child<<<2, 4>>>(p); }

int main() {
  int *p;
  cudaMallocManaged(&p, sizeof(int));
  parent<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("children %d\n", *p);
}
