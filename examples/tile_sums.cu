// Sums of tiles that every block reads several times. A tile is larger than L1, so
// it comes from L2 again, as long as the tiles of all blocks that run at the same
// time fit there. More multiprocessors run more blocks at once: beyond some number
// their tiles overflow L2, each round reads DRAM, and the launch gets slower
// (docs/sweep.md, "A chip that outgrows its cache").
#include <cstddef>
#include <cuda_runtime.h>

__global__ void tileSums(const float *tiles, float *sums, int tileElements,
                         int rounds) {
  const float *tile = tiles + size_t(blockIdx.x) * tileElements;
  float sum = 0;
  for (int round = 0; round < rounds; ++round)
    for (int i = threadIdx.x; i < tileElements; i += blockDim.x)
      sum += tile[i] * float(round);
  sums[size_t(blockIdx.x) * blockDim.x + threadIdx.x] = sum;
}

int main() {
  const int Blocks = 1280, Threads = 1024, TileElements = 64 * 1024, Rounds = 16;
  float *tiles, *sums;
  cudaMalloc(&tiles, sizeof(float) * Blocks * TileElements);
  cudaMalloc(&sums, sizeof(float) * Blocks * Threads);
  tileSums<<<Blocks, Threads>>>(tiles, sums, TileElements, Rounds);
  cudaDeviceSynchronize();
  cudaFree(sums);
  cudaFree(tiles);
}
