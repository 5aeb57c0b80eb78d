// Matrix transpose three times: uncoalesced stores, bank conflicts, neither.
//
// transposeNaive reads rows and writes columns: the 32 lanes of a store touch
// 32 different sectors. transposeTiled turns the piece around in shared memory,
// so that both sides of global memory are coalesced, but reads a column of a
// 32-word wide tile: all lanes in one bank. transposePadded adds one word to
// each row of the tile, which puts the lanes into 32 different banks.
// Each block of 32 x 8 threads moves a tile of 32 x 32 words.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Width = 4096;
constexpr int Height = 2048;
constexpr int Tile = 32;
constexpr int Rows = 8;

__global__ void transposeNaive(const float *in, float *out, int width,
                               int height) {
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
  for (int i = 0; i < Tile; i += Rows)
    out[x * height + y + i] = in[(y + i) * width + x];
}

__global__ void transposeTiled(const float *in, float *out, int width,
                               int height) {
  __shared__ float tile[Tile][Tile];
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
  for (int i = 0; i < Tile; i += Rows)
    tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  for (int i = 0; i < Tile; i += Rows)
    out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

__global__ void transposePadded(const float *in, float *out, int width,
                                int height) {
  __shared__ float tile[Tile][Tile + 1];
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
  for (int i = 0; i < Tile; i += Rows)
    tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  for (int i = 0; i < Tile; i += Rows)
    out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

// Fetches the result, counts its wrong words, and clears it for the next run.
static int takeResult(const std::vector<float> &in, float *deviceOut) {
  std::vector<float> out(in.size());
  size_t bytes = out.size() * sizeof(float);
  cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost);
  cudaMemset(deviceOut, 0, bytes);
  int wrong = 0;
  for (int y = 0; y < Height; ++y)
    for (int x = 0; x < Width; ++x)
      wrong += out[x * Height + y] != in[y * Width + x];
  return wrong;
}

int main() {
  std::vector<float> in(Width * Height);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i);

  constexpr size_t Bytes = sizeof(float) * Width * Height;
  float *deviceIn, *deviceOut;
  cudaMalloc(&deviceIn, Bytes);
  cudaMalloc(&deviceOut, Bytes);
  cudaMemcpy(deviceIn, in.data(), Bytes, cudaMemcpyHostToDevice);

  dim3 block(Tile, Rows);
  dim3 grid(Width / Tile, Height / Tile);

  transposeNaive<<<grid, block>>>(deviceIn, deviceOut, Width, Height);
  int wrong = takeResult(in, deviceOut);
  transposeTiled<<<grid, block>>>(deviceIn, deviceOut, Width, Height);
  wrong += takeResult(in, deviceOut);
  transposePadded<<<grid, block>>>(deviceIn, deviceOut, Width, Height);
  wrong += takeResult(in, deviceOut);

  cudaFree(deviceIn);
  cudaFree(deviceOut);
  std::printf("transpose: %d wrong\n", wrong);
  return wrong != 0;
}
