// The block that a kernel is made for, by what it does with threadIdx.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s --implicit-check-not=takes

#include <cuda_runtime.h>

// CHECK: 'bounded' has no time {{[^(]*}}; settle with --grid X
// CHECK: 1 K {{.*}} block 192
__global__ void __launch_bounds__(192) bounded(float *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// CHECK: 'array' has no time {{[^(]*}}; settle with --grid X
// CHECK: 1 K {{.*}} block 128
__global__ void array(float *p) {
  __shared__ float s[128];
  s[threadIdx.x] = p[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  p[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

// A padded tile of 32 rows, of which each thread works on four.
// CHECK: 'transpose' has no time {{[^(]*}}; settle with
// CHECK: block 32x8
__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// CHECK: 'looped<64>' has no time {{.*}} (columns = 1 K); settle with --grid X
// CHECK: 1 K {{.*}} block 64
template <int Threads>
__global__ void looped(const float *x, float *y, int columns) {
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += Threads)
    sum += x[blockIdx.x * columns + c];
  y[blockIdx.x * Threads + threadIdx.x] = sum;
}
template __global__ void looped<64>(const float *, float *, int);

// CHECK: 'items' has no time {{[^(]*}}; settle with --grid X
// CHECK: 1 K {{.*}} block 128
__global__ void items(float *p) {
  for (int k = 0; k < 4; ++k)
    p[blockIdx.x * 512 + k * 128 + threadIdx.x] += 1;
}

// A guarded access to a small array tells nothing.
// CHECK: 'guarded' has no time {{.*}} (block 256); settle with --block X --grid X
__global__ void guarded(float *p) {
  __shared__ float s[32];
  if (threadIdx.x < 32)
    s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x / 32];
}
