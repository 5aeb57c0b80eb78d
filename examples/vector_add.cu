// Vector addition: the smallest streaming kernel.
//
// Every thread loads two words and stores one, all of them coalesced, and adds
// once: with 12 bytes moved for each addition, DRAM bandwidth decides its time.
// The guard `i < n` is true for every thread but those of the last block.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int N = 1 << 24;
constexpr int BlockSize = 256;

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  std::vector<float> a(N), b(N), c(N);
  for (int i = 0; i < N; ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = static_cast<float>(2 * (i % 1000));
  }

  constexpr size_t Bytes = N * sizeof(float);
  float *deviceA, *deviceB, *deviceC;
  cudaMalloc(&deviceA, Bytes);
  cudaMalloc(&deviceB, Bytes);
  cudaMalloc(&deviceC, Bytes);
  cudaMemcpy(deviceA, a.data(), Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(deviceB, b.data(), Bytes, cudaMemcpyHostToDevice);

  int blocks = (N + BlockSize - 1) / BlockSize;
  vectorAdd<<<blocks, BlockSize>>>(deviceA, deviceB, deviceC, N);

  cudaMemcpy(c.data(), deviceC, Bytes, cudaMemcpyDeviceToHost);
  cudaFree(deviceA);
  cudaFree(deviceB);
  cudaFree(deviceC);

  int wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += c[i] != a[i] + b[i];
  std::printf("vector_add: %d wrong of %d\n", wrong, N);
  return wrong != 0;
}
