// Five-point stencil on a 2-D grid (a Jacobi step), from global and shared.
//
// Each point reads itself and four neighbours. stencil2dGlobal leaves the reuse
// between neighbouring threads to the caches; stencil2dShared fetches a tile
// with a border of one point into shared memory, the border by the threads at
// the tile's edges, so that some warps branch there. Steps alternate between
// two buffers: the launches sit in a host loop.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

constexpr int Width = 2048;
constexpr int Height = 2048;
constexpr int TileX = 32;
constexpr int TileY = 8;
constexpr int Steps = 10;

__global__ void stencil2dGlobal(const float *in, float *out, int width,
                                int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
    return;
  int i = y * width + x;
  out[i] = 0.5f * in[i] +
           0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

__global__ void stencil2dShared(const float *in, float *out, int width,
                                int height) {
  __shared__ float tile[TileY + 2][TileX + 2];
  int x = blockIdx.x * TileX + threadIdx.x;
  int y = blockIdx.y * TileY + threadIdx.y;
  int tx = threadIdx.x + 1;
  int ty = threadIdx.y + 1;
  int i = y * width + x;

  tile[ty][tx] = in[i];
  if (threadIdx.x == 0 && x > 0)
    tile[ty][0] = in[i - 1];
  if (threadIdx.x == TileX - 1 && x < width - 1)
    tile[ty][TileX + 1] = in[i + 1];
  if (threadIdx.y == 0 && y > 0)
    tile[0][tx] = in[i - width];
  if (threadIdx.y == TileY - 1 && y < height - 1)
    tile[TileY + 1][tx] = in[i + width];
  __syncthreads();

  if (x >= 1 && x < width - 1 && y >= 1 && y < height - 1)
    out[i] =
        0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] +
                                        tile[ty - 1][tx] + tile[ty + 1][tx]);
}

static void stepOnHost(const std::vector<float> &in, std::vector<float> &out) {
  for (int y = 1; y < Height - 1; ++y)
    for (int x = 1; x < Width - 1; ++x) {
      int i = y * Width + x;
      out[i] = 0.5f * in[i] +
               0.125f * (in[i - 1] + in[i + 1] + in[i - Width] + in[i + Width]);
    }
}

static int countWrong(const std::vector<float> &expected, const float *device) {
  std::vector<float> result(expected.size());
  cudaMemcpy(result.data(), device, result.size() * sizeof(float),
             cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (size_t i = 0; i < result.size(); ++i)
    wrong += std::fabs(result[i] - expected[i]) > 1e-3f;
  return wrong;
}

int main() {
  std::vector<float> start(Width * Height);
  for (size_t i = 0; i < start.size(); ++i)
    start[i] = static_cast<float>(i * 31 % 101);
  std::vector<float> expected = start, next = start;
  for (int step = 0; step < Steps; ++step) {
    stepOnHost(expected, next);
    std::swap(expected, next);
  }

  constexpr size_t Bytes = sizeof(float) * Width * Height;
  float *in, *out;
  cudaMalloc(&in, Bytes);
  cudaMalloc(&out, Bytes);
  dim3 block(TileX, TileY);
  dim3 grid(Width / TileX, Height / TileY);

  cudaMemcpy(in, start.data(), Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(out, start.data(), Bytes, cudaMemcpyHostToDevice);
  for (int step = 0; step < Steps; ++step) {
    stencil2dGlobal<<<grid, block>>>(in, out, Width, Height);
    std::swap(in, out);
  }
  int wrong = countWrong(expected, in);

  cudaMemcpy(in, start.data(), Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(out, start.data(), Bytes, cudaMemcpyHostToDevice);
  for (int step = 0; step < Steps; ++step) {
    stencil2dShared<<<grid, block>>>(in, out, Width, Height);
    std::swap(in, out);
  }
  wrong += countWrong(expected, in);

  cudaFree(in);
  cudaFree(out);
  std::printf("stencil2d: %d wrong\n", wrong);
  return wrong != 0;
}
