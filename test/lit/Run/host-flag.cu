// A kernel may wait for what the host writes to mapped memory later.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s
// CHECK: no error, 8
#include <cstdio>

__global__ void spin(volatile int *flag, int *out) {
  while (*flag < 1)
    ;
  *out = *flag + 7;
}

int main() {
  int *flag, *device, *out, value;
  cudaHostAlloc(&flag, 4, cudaHostAllocMapped);
  *flag = 0;
  cudaHostGetDevicePointer(&device, flag, 0);
  cudaMalloc(&out, 4);
  spin<<<1, 1>>>(device, out);
  *(volatile int *)flag = 1;
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost);
  printf("%s, %d\n", cudaGetErrorString(error), value);
}
