// Square matrix multiplication C = A * B, twice: what shared memory buys.
//
// matmulNaive reads every operand from global memory: 2 * N loads per element.
// matmulTiled lets a block fetch a TILE x TILE piece of A and of B once into
// shared memory, so that each word fetched is used TILE times. The two barriers
// in its loop keep the warps of the block in step.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#ifndef N
#define N 1024
#endif
#ifndef TILE
#define TILE 16
#endif
static_assert(N % TILE == 0, "the tiles must cover the matrix exactly");

__global__ void matmulNaive(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

__global__ void matmulTiled(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[TILE][TILE];
  __shared__ float tileB[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < n; first += TILE) {
    tileA[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// Compares a few rows, spread over the matrix, with a sum in double precision.
static int countWrong(const std::vector<float> &a, const std::vector<float> &b,
                      const std::vector<float> &c) {
  int wrong = 0;
  for (int row = 0; row < N; row += N / 8)
    for (int col = 0; col < N; ++col) {
      double sum = 0.0;
      for (int k = 0; k < N; ++k)
        sum += static_cast<double>(a[row * N + k]) * b[k * N + col];
      wrong += std::fabs(sum - c[row * N + col]) > 1e-4 * N;
    }
  return wrong;
}

int main() {
  std::vector<float> a(N * N), b(N * N), c(N * N);
  for (int i = 0; i < N * N; ++i) {
    a[i] = static_cast<float>(i % 7) - 3.0f;
    b[i] = static_cast<float>(i % 5) - 2.0f;
  }

  constexpr size_t Bytes = sizeof(float) * N * N;
  float *deviceA, *deviceB, *deviceC;
  cudaMalloc(&deviceA, Bytes);
  cudaMalloc(&deviceB, Bytes);
  cudaMalloc(&deviceC, Bytes);
  cudaMemcpy(deviceA, a.data(), Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(deviceB, b.data(), Bytes, cudaMemcpyHostToDevice);

  dim3 block(TILE, TILE);
  dim3 grid(N / TILE, N / TILE);

  matmulNaive<<<grid, block>>>(deviceA, deviceB, deviceC, N);
  cudaMemcpy(c.data(), deviceC, Bytes, cudaMemcpyDeviceToHost);
  int wrong = countWrong(a, b, c);

  matmulTiled<<<grid, block>>>(deviceA, deviceB, deviceC, N);
  cudaMemcpy(c.data(), deviceC, Bytes, cudaMemcpyDeviceToHost);
  wrong += countWrong(a, b, c);

  cudaFree(deviceA);
  cudaFree(deviceB);
  cudaFree(deviceC);
  std::printf("matmul: %d wrong\n", wrong);
  return wrong != 0;
}
