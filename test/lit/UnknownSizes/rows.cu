// Where a thread block works on a row of its own, the number of blocks is not
// known, nor is the length of a row: the table is over the blocks.

// RUN: %analyze %s --gpu nvidia-h200 | FileCheck %s --implicit-check-not=takes
// CHECK: 'sumRows' has no time {{.*}} without the number of thread blocks; thread blocks = 32, 1 K, 32 K, 1 M: {{.*}} (block 256, columns = 1 K); settle with --block X --grid X --param columns=VALUE
// CHECK: for each 1 K thread blocks at the far end: {{.*}} * number of thread blocks
// CHECK: below about {{.*}} thread blocks, throughput above

// Three sizes, of which two make the grid; the tiles tell the block.
// CHECK: 'multiply' has no time {{.*}} without {{M|N}}; {{[MN]}} = 256, 1 K, 4 K, 16 K: {{.*}} (K = 1 K, {{M|N}} = 1 K); settle with --param
// CHECK: 1 K {{.*}} grid 64x64, block 16x16

// Without an index that is compared, blocks are spread over the axes.
// CHECK: 'planes' has no time {{.*}} without the number of thread blocks;
// CHECK: 1 K {{.*}} grid 32x32, block 256

// RUN: %analyze %s --gpu nvidia-h200 --kernel multiply --param M=512 --param N=1024 --param K=2048 | FileCheck %s --check-prefix=TIME
// TIME: 'multiply' takes {{.*}}(grid 64x32, block 16x16 from kernel)

#include <cuda_runtime.h>

__global__ void sumRows(const float *x, float *y, int columns) {
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    sum += x[blockIdx.x * columns + c];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

constexpr int Tile = 16;

__global__ void multiply(const float *A, const float *B, float *C, int M, int N,
                         int K) {
  __shared__ float As[Tile][Tile], Bs[Tile][Tile + 1];
  int row = blockIdx.y * Tile + threadIdx.y;
  int column = blockIdx.x * Tile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < K / Tile; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * K + t * Tile + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * Tile + threadIdx.y) * N + column];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && column < N)
    C[row * N + column] = sum;
}

__global__ void planes(float *p) {
  p[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] += 1;
}
