// <omp.h> is there also where no OpenMP library is installed: host code around
// kernels sets the number of its threads.
// RUN: %gpu-estimate analyze --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s
// CHECK: scale
#include <omp.h>

__global__ void scale(float *X) { X[threadIdx.x] *= 2; }

int main() {
  omp_set_num_threads(4);
  float *X;
  cudaMalloc(&X, 4096);
  scale<<<1, 1024>>>(X);
}
