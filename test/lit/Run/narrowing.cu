// Numbers in braces that do not fit are warnings of nvcc and GCC, not errors.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s
// CHECK: device 3, host 4
#include <cstdio>

__global__ void device(int *p, double x) {
  int digits[] = {0.0, 1.0, x};
  *p = digits[1] + digits[2];
}

int main() {
  int *p;
  cudaMallocManaged(&p, sizeof(int));
  device<<<1, 1>>>(p, 2.5);
  cudaDeviceSynchronize();
  size_t count = 4;
  int sizes[] = {count};
  printf("device %d, host %d\n", *p, sizes[0]);
}
