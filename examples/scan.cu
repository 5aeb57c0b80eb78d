// Prefix sums of a long array: scan blocks, scan their totals, add the offsets.
//
// scanHillisSteele gives an inclusive scan of one element per thread: log2(n)
// steps, in each of which every thread works. scanBlelloch gives an exclusive
// scan of two elements per thread: up and down a tree with fewer additions, but
// strides that double, hence bank conflicts and idle lanes.
// addOffsets is a streaming kernel that follows either of them.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Chunk = 1024;  // elements per block
constexpr int Chunks = 1024; // blocks; their totals fit into one block again
constexpr int N = Chunk * Chunks;

__global__ void scanHillisSteele(const int *in, int *out, int *totals) {
  __shared__ int buffer[2][Chunk];
  int t = threadIdx.x;
  int current = 0;
  buffer[current][t] = in[blockIdx.x * Chunk + t];
  __syncthreads();
  for (int offset = 1; offset < Chunk; offset *= 2) {
    int sum = buffer[current][t];
    if (t >= offset)
      sum += buffer[current][t - offset];
    current = 1 - current;
    buffer[current][t] = sum;
    __syncthreads();
  }
  out[blockIdx.x * Chunk + t] = buffer[current][t];
  if (t == Chunk - 1)
    totals[blockIdx.x] = buffer[current][t];
}

__global__ void scanBlelloch(const int *in, int *out, int *totals) {
  __shared__ int tree[Chunk];
  int t = threadIdx.x;
  int first = blockIdx.x * Chunk;
  tree[t] = in[first + t];
  tree[t + Chunk / 2] = in[first + t + Chunk / 2];

  int stride = 1;
  for (int pairs = Chunk / 2; pairs > 0; pairs /= 2) {
    __syncthreads();
    if (t < pairs) {
      int right = stride * (2 * t + 2) - 1;
      tree[right] += tree[right - stride];
    }
    stride *= 2;
  }
  if (t == 0) {
    totals[blockIdx.x] = tree[Chunk - 1];
    tree[Chunk - 1] = 0;
  }
  for (int pairs = 1; pairs < Chunk; pairs *= 2) {
    stride /= 2;
    __syncthreads();
    if (t < pairs) {
      int right = stride * (2 * t + 2) - 1;
      int left = tree[right - stride];
      tree[right - stride] = tree[right];
      tree[right] += left;
    }
  }
  __syncthreads();
  out[first + t] = tree[t];
  out[first + t + Chunk / 2] = tree[t + Chunk / 2];
}

__global__ void addOffsets(int *data, const int *offsets, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += offsets[i / Chunk];
}

// Counts wrong words; an exclusive scan lags one element behind.
static int countWrong(const std::vector<int> &in, const int *deviceOut,
                      bool exclusive) {
  std::vector<int> out(N);
  cudaMemcpy(out.data(), deviceOut, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0, sum = 0;
  for (int i = 0; i < N; ++i) {
    int before = sum;
    sum += in[i];
    wrong += out[i] != (exclusive ? before : sum);
  }
  return wrong;
}

int main() {
  std::vector<int> in(N);
  for (int i = 0; i < N; ++i)
    in[i] = i * 7 % 11;

  int *deviceIn, *deviceOut, *totals, *offsets, *grandTotal;
  cudaMalloc(&deviceIn, N * sizeof(int));
  cudaMalloc(&deviceOut, N * sizeof(int));
  cudaMalloc(&totals, Chunks * sizeof(int));
  cudaMalloc(&offsets, Chunks * sizeof(int));
  cudaMalloc(&grandTotal, sizeof(int));
  cudaMemcpy(deviceIn, in.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  scanHillisSteele<<<Chunks, Chunk>>>(deviceIn, deviceOut, totals);
  scanBlelloch<<<1, Chunk / 2>>>(totals, offsets, grandTotal);
  addOffsets<<<N / 256, 256>>>(deviceOut, offsets, N);
  int wrong = countWrong(in, deviceOut, /*exclusive=*/false);

  scanBlelloch<<<Chunks, Chunk / 2>>>(deviceIn, deviceOut, totals);
  scanBlelloch<<<1, Chunk / 2>>>(totals, offsets, grandTotal);
  addOffsets<<<N / 256, 256>>>(deviceOut, offsets, N);
  wrong += countWrong(in, deviceOut, /*exclusive=*/true);

  cudaFree(deviceIn);
  cudaFree(deviceOut);
  cudaFree(totals);
  cudaFree(offsets);
  cudaFree(grandTotal);
  std::printf("scan: %d wrong\n", wrong);
  return wrong != 0;
}
