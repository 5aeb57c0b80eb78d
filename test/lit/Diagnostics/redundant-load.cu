// Elements that many threads of a block load for themselves, against a tile in
// shared memory; the loads of a tile are none.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-redundant-load"

#include <cuda_runtime.h>

__global__ void product(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    // CHECK: redundant-load.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: threads of a block load each element of '{{[ab]}}' 16 times and each element of '{{[ab]}}' 16 times; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-redundant-load]
    // CHECK-NEXT: note: load tiles of '{{[ab]}}' and '{{[ab]}}' into shared memory once per block
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

__global__ void tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[16][16], tileB[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    tileA[threadIdx.y][threadIdx.x] = a[y * n + first + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// Each element of the rows is for one thread only, however often it comes back.
__global__ void ownRow(const float *a, float *c, int n) {
  int row = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * a[row * n + (k + 1) % n];
  c[row] = sum;
}

void host(const float *a, const float *b, float *c) {
  product<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
  tiled<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
  ownRow<<<64, 16>>>(a, c, 1024);
}
