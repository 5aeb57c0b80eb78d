// Four kernels that scale in four ways when a GPU gets more multiprocessors, a
// higher core clock or a faster memory: the shapes of figure 1 of Wu et al.
// (HPCA 2015). scripts/draw-scaling draws them for docs/models/wu.md.
#include <cuda_runtime.h>

const int TileElements = 8 * 1024;

// Bound by computation: 1024 multiply-adds for each element.
__global__ void computeBound(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = data[i], b = a + 1, c = a + 2, d = a + 3;
  for (int k = 0; k < 256; ++k) {
    a = a * a + b;
    b = b * b + c;
    c = c * c + d;
    d = d * d + a;
  }
  data[i] = a + b + c + d;
}

// Bound by the bandwidth of memory: two loads, one store.
__global__ void bandwidthBound(const float *x, const float *y, float *z,
                               int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = 2.0f * x[i] + y[i];
}

// Balanced: 96 multiply-adds for three accesses, so that either of the two may
// be the limit.
__global__ void balanced(const float *x, const float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], b = y[i], c = a + b, d = a - b;
  for (int k = 0; k < 24; ++k) {
    a = a * a + b;
    b = b * b + c;
    c = c * c + d;
    d = d * d + a;
  }
  z[i] = a + b + c + d;
}

// Irregular: each block goes 64 times over a tile of 32 KiB, which is larger than
// L1. As long as the tiles of all blocks that run at the same time fit into L2
// together, they are read from memory once; more multiprocessors run more blocks
// at once, and from some number on their tiles overflow L2.
__global__ void irregular(const float *tiles, float *sums) {
  const float *tile = tiles + blockIdx.x * TileElements;
  float sum = 0;
  for (int round = 0; round < 64; ++round)
    for (int i = threadIdx.x; i < TileElements; i += blockDim.x)
      sum += tile[i] * float(round);
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  const int N = 1 << 24, Blocks = 2048;
  float *a, *b, *c;
  cudaMalloc(&a, N * sizeof(float));
  cudaMalloc(&b, N * sizeof(float));
  cudaMalloc(&c, N * sizeof(float));
  computeBound<<<N / 256, 256>>>(a, N);
  bandwidthBound<<<N / 256, 256>>>(a, b, c, N);
  balanced<<<N / 256, 256>>>(a, b, c, N);
  irregular<<<Blocks, 1024>>>(a, c);
  cudaDeviceSynchronize();
  return 0;
}
