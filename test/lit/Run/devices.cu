// Two devices: variables and default streams of their own, copies between them,
// and kernels that run side by side.
// RUN: %gpu-estimate run --no-cuda-sdk --devices 2 %s --gpu nvidia-a40 > %t
// RUN: FileCheck %s < %t
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s --check-prefix=ONE
// RUN: not %gpu-estimate run --devices 0 %s --gpu nvidia-a40 2>&1 | FileCheck %s --check-prefix=WRONG
// CHECK: 2 devices, peer 1, set 101 no device
// CHECK: values 10 21, copied 21, managed 2
// CHECK: side by side 1, after each other 1
// CHECK: 'add' on device 1 has memory of device 0 among its arguments
// CHECK: each device is the first GPU
// ONE: 1 devices, peer -1, set 101 no device
// WRONG: expected a number of devices from 1 to 64, got '0'
#include <cstdio>

__constant__ int base;
__managed__ int launches;

__global__ void add(int *p, int by) {
  *p = base + by;
  ++launches;
}

__global__ void work(float *p, int n) {
  float x = p[threadIdx.x];
  for (int i = 0; i < n; ++i)
    x = x * 0.5f + 1;
  p[threadIdx.x] = x;
}

int main() {
  int count = 0, peer = -1, values[2] = {}, copied = 0;
  cudaGetDeviceCount(&count);
  if (count > 1)
    cudaDeviceCanAccessPeer(&peer, 0, 1);
  cudaError_t error = cudaSetDevice(count);
  cudaSetDevice(0);
  printf("%d devices, peer %d, set %d no device\n", count, peer, error);
  if (count < 2)
    return 0;

  int *ints[2];
  float *floats[2];
  for (int d = 0; d < 2; ++d) {
    int start = 10 * (d + 1);
    cudaSetDevice(d);
    cudaMalloc(&ints[d], 4);
    cudaMalloc(&floats[d], 128);
    cudaMemcpyToSymbol(base, &start, 4);
  }
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    add<<<1, 1>>>(ints[d], d);
  }
  for (int d = 0; d < 2; ++d)
    cudaMemcpy(&values[d], ints[d], 4, cudaMemcpyDefault);
  cudaMemcpyPeer(ints[0], 0, ints[1], 1, 4);
  cudaMemcpy(&copied, ints[0], 4, cudaMemcpyDeviceToHost);
  printf("values %d %d, copied %d, managed %d\n", values[0], values[1], copied,
         launches);

  cudaEvent_t begin, end;
  float one, two, both;
  cudaSetDevice(0);
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  auto time = [&](int first, int second, float *ms) {
    cudaDeviceSynchronize();
    cudaEventRecord(begin);
    cudaSetDevice(first);
    work<<<1, 32>>>(floats[0], 1000000);
    cudaSetDevice(second);
    if (second >= 0)
      work<<<1, 32>>>(floats[second], 1000000);
    for (int d = 1; d >= 0; --d) {
      cudaSetDevice(d);
      cudaDeviceSynchronize();
    }
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(ms, begin, end);
  };
  time(0, -1, &one);
  time(0, 0, &two);
  time(0, 1, &both);
  printf("side by side %d, after each other %d\n", both < 1.2f * one,
         two > 1.8f * one);

  cudaSetDevice(1);
  add<<<1, 1>>>(ints[0], 0);
}
