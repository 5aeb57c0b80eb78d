// Histogram of bytes: shared-memory atomics whose address is the data.
//
// Each block counts into 256 shared bins, one per thread, and adds them to the
// global bins once at the end. How many lanes of a warp hit the same bin, and
// so must wait for one another, is known only to the data.
// histogramGlobal skips the shared bins, to show what they save.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int N = 1 << 24;
constexpr int Bins = 256;
constexpr int Blocks = 512;

__global__ void histogramShared(const unsigned char *data, unsigned *bins,
                                int n) {
  __shared__ unsigned local[Bins];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void histogramGlobal(const unsigned char *data, unsigned *bins,
                                int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i]], 1u);
}

// Fetches the bins, compares them with the expected ones, and clears them.
static int takeResult(const std::vector<unsigned> &expected, unsigned *device) {
  std::vector<unsigned> bins(Bins);
  cudaMemcpy(bins.data(), device, Bins * sizeof(unsigned),
             cudaMemcpyDeviceToHost);
  cudaMemset(device, 0, Bins * sizeof(unsigned));
  int wrong = 0;
  for (int i = 0; i < Bins; ++i)
    wrong += bins[i] != expected[i];
  return wrong;
}

int main() {
  std::vector<unsigned char> data(N);
  std::vector<unsigned> expected(Bins);
  unsigned state = 1;
  for (int i = 0; i < N; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = static_cast<unsigned char>(state >> 24);
    ++expected[data[i]];
  }

  unsigned char *deviceData;
  unsigned *deviceBins;
  cudaMalloc(&deviceData, N);
  cudaMalloc(&deviceBins, Bins * sizeof(unsigned));
  cudaMemcpy(deviceData, data.data(), N, cudaMemcpyHostToDevice);
  cudaMemset(deviceBins, 0, Bins * sizeof(unsigned));

  histogramShared<<<Blocks, Bins>>>(deviceData, deviceBins, N);
  int wrong = takeResult(expected, deviceBins);
  histogramGlobal<<<Blocks, Bins>>>(deviceData, deviceBins, N);
  wrong += takeResult(expected, deviceBins);

  cudaFree(deviceData);
  cudaFree(deviceBins);
  std::printf("histogram: %d wrong of %d\n", wrong, 2 * Bins);
  return wrong != 0;
}
