// Bitonic sort: many small launches in nested host loops.
//
// A stage `size` merges bitonic sequences of that length with compare-exchange
// steps of distance size/2, size/4, ... 1. Steps within a chunk of 1024 keys
// run in shared memory with a barrier each (sortChunks for the first stages,
// finishStage for the last steps of later ones); longer distances need one
// launch of globalStep per step.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int N = 1 << 20;
constexpr int Chunk = 1024;
constexpr int BlockSize = Chunk / 2; // each thread owns one pair of keys

// Orders keys[low] and keys[low + distance] for the pair number `pair`, which
// lies in a sequence of `size` keys; `position` numbers the pairs of the array.
__device__ void exchange(unsigned *keys, int pair, int position, int distance,
                         int size) {
  int low = 2 * pair - (pair & (distance - 1));
  bool ascending = (2 * position & size) == 0;
  unsigned a = keys[low];
  unsigned b = keys[low + distance];
  if ((a > b) == ascending) {
    keys[low] = b;
    keys[low + distance] = a;
  }
}

__global__ void sortChunks(unsigned *keys) {
  __shared__ unsigned chunk[Chunk];
  int t = threadIdx.x;
  unsigned *mine = keys + blockIdx.x * Chunk;
  chunk[t] = mine[t];
  chunk[t + BlockSize] = mine[t + BlockSize];
  for (int size = 2; size <= Chunk; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      exchange(chunk, t, blockIdx.x * BlockSize + t, distance, size);
    }
  __syncthreads();
  mine[t] = chunk[t];
  mine[t + BlockSize] = chunk[t + BlockSize];
}

__global__ void globalStep(unsigned *keys, int distance, int size) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  exchange(keys, pair, pair, distance, size);
}

__global__ void finishStage(unsigned *keys, int size) {
  __shared__ unsigned chunk[Chunk];
  int t = threadIdx.x;
  unsigned *mine = keys + blockIdx.x * Chunk;
  chunk[t] = mine[t];
  chunk[t + BlockSize] = mine[t + BlockSize];
  for (int distance = Chunk / 2; distance > 0; distance /= 2) {
    __syncthreads();
    exchange(chunk, t, blockIdx.x * BlockSize + t, distance, size);
  }
  __syncthreads();
  mine[t] = chunk[t];
  mine[t + BlockSize] = chunk[t + BlockSize];
}

static void bitonicSort(unsigned *keys) {
  constexpr int Blocks = N / Chunk;
  sortChunks<<<Blocks, BlockSize>>>(keys);
  for (int size = 2 * Chunk; size <= N; size *= 2) {
    for (int distance = size / 2; distance >= Chunk; distance /= 2)
      globalStep<<<Blocks, BlockSize>>>(keys, distance, size);
    finishStage<<<Blocks, BlockSize>>>(keys, size);
  }
}

int main() {
  std::vector<unsigned> keys(N);
  unsigned state = 1, sumBefore = 0, sumAfter = 0;
  for (unsigned &key : keys) {
    state = state * 1664525u + 1013904223u;
    key = state;
    sumBefore += key;
  }

  unsigned *device;
  cudaMalloc(&device, N * sizeof(unsigned));
  cudaMemcpy(device, keys.data(), N * sizeof(unsigned), cudaMemcpyHostToDevice);
  bitonicSort(device);
  cudaMemcpy(keys.data(), device, N * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(device);

  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    sumAfter += keys[i];
    wrong += i > 0 && keys[i - 1] > keys[i];
  }
  wrong += sumBefore != sumAfter;
  std::printf("bitonic_sort: %d wrong\n", wrong);
  return wrong != 0;
}
