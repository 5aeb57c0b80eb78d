// Sum of an array, three ways to bring a block's partial sums together.
//
// All three first walk the input with a stride of the whole grid, a loop whose
// trip count is about n / (gridDim.x * blockDim.x). Then:
//   reduceTree     halves the active threads in shared memory, with a barrier
//                  at each level; a second launch with one block finishes.
//   reduceShuffle  adds within warps by shuffles and meets in shared memory
//                  once; a second launch with one block finishes.
//   reduceAtomic   adds within warps by shuffles; the first lane of each warp
//                  finishes with an atomic addition to one word.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int N = 1 << 24;
constexpr int BlockSize = 256;
constexpr int Blocks = 1024;
constexpr unsigned FullMask = 0xffffffffu;

__device__ float sumStrided(const float *in, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    sum += in[i];
  return sum;
}

__device__ float sumWarp(float sum) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(FullMask, sum, offset);
  return sum;
}

__global__ void reduceTree(const float *in, float *out, int n) {
  __shared__ float partial[BlockSize];
  int t = threadIdx.x;
  partial[t] = sumStrided(in, n);
  __syncthreads();
  for (int active = BlockSize / 2; active > 0; active /= 2) {
    if (t < active)
      partial[t] += partial[t + active];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = partial[0];
}

__global__ void reduceShuffle(const float *in, float *out, int n) {
  __shared__ float partial[BlockSize / 32];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  float sum = sumWarp(sumStrided(in, n));
  if (lane == 0)
    partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = sumWarp(lane < BlockSize / 32 ? partial[lane] : 0.0f);
    if (lane == 0)
      out[blockIdx.x] = sum;
  }
}

__global__ void reduceAtomic(const float *in, float *out, int n) {
  float sum = sumWarp(sumStrided(in, n));
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, sum);
}

static int isWrong(const float *deviceSum, double expected) {
  float sum = 0.0f;
  cudaMemcpy(&sum, deviceSum, sizeof sum, cudaMemcpyDeviceToHost);
  return std::fabs(sum - expected) > 1e-4 * expected;
}

int main() {
  std::vector<float> in(N);
  double expected = 0.0;
  for (int i = 0; i < N; ++i) {
    in[i] = static_cast<float>(i % 16) * 0.25f;
    expected += in[i];
  }

  float *deviceIn, *partial, *sum;
  cudaMalloc(&deviceIn, N * sizeof(float));
  cudaMalloc(&partial, Blocks * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(deviceIn, in.data(), N * sizeof(float), cudaMemcpyHostToDevice);

  reduceTree<<<Blocks, BlockSize>>>(deviceIn, partial, N);
  reduceTree<<<1, BlockSize>>>(partial, sum, Blocks);
  int wrong = isWrong(sum, expected);

  reduceShuffle<<<Blocks, BlockSize>>>(deviceIn, partial, N);
  reduceShuffle<<<1, BlockSize>>>(partial, sum, Blocks);
  wrong += isWrong(sum, expected);

  cudaMemset(sum, 0, sizeof(float));
  reduceAtomic<<<Blocks, BlockSize>>>(deviceIn, sum, N);
  wrong += isWrong(sum, expected);

  cudaFree(deviceIn);
  cudaFree(partial);
  cudaFree(sum);
  std::printf("reduction: %d wrong of 3\n", wrong);
  return wrong != 0;
}
