// Seven-point stencil on a 3-D grid, from global memory and marching in z.
//
// stencil3dGlobal gives each thread one point; the reuse is left to the caches.
// stencil3dMarching gives each thread a column of points: the plane that is
// worked on lies in shared memory with its border, the points below and above
// in registers, and the loop over z has two barriers per plane.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Nx = 256;
constexpr int Ny = 256;
constexpr int Nz = 256;
constexpr int TileX = 32;
constexpr int TileY = 8;

__global__ void stencil3dGlobal(const float *in, float *out, int nx, int ny,
                                int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1 || z < 1 || z >= nz - 1)
    return;
  int plane = nx * ny;
  int i = z * plane + y * nx + x;
  out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] +
                                  in[i + nx] + in[i - plane] + in[i + plane]);
}

__global__ void stencil3dMarching(const float *in, float *out, int nx, int ny,
                                  int nz) {
  __shared__ float tile[TileY + 2][TileX + 2];
  int x = blockIdx.x * TileX + threadIdx.x;
  int y = blockIdx.y * TileY + threadIdx.y;
  int tx = threadIdx.x + 1;
  int ty = threadIdx.y + 1;
  bool inside = x >= 1 && x < nx - 1 && y >= 1 && y < ny - 1;
  int plane = nx * ny;
  int i = y * nx + x;

  float below = in[i];
  float centre = in[i + plane];
  for (int z = 1; z < nz - 1; ++z) {
    i += plane;
    float above = in[i + plane];
    tile[ty][tx] = centre;
    if (threadIdx.x == 0 && x > 0)
      tile[ty][0] = in[i - 1];
    if (threadIdx.x == TileX - 1 && x < nx - 1)
      tile[ty][TileX + 1] = in[i + 1];
    if (threadIdx.y == 0 && y > 0)
      tile[0][tx] = in[i - nx];
    if (threadIdx.y == TileY - 1 && y < ny - 1)
      tile[TileY + 1][tx] = in[i + nx];
    __syncthreads();
    if (inside)
      out[i] = 0.4f * centre +
               0.1f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                       tile[ty + 1][tx] + below + above);
    __syncthreads();
    below = centre;
    centre = above;
  }
}

// Counts wrong inner points, and clears the result for the next run.
static int takeResult(const std::vector<float> &in, float *deviceOut) {
  std::vector<float> out(in.size());
  size_t bytes = out.size() * sizeof(float);
  cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost);
  cudaMemset(deviceOut, 0, bytes);
  constexpr int Plane = Nx * Ny;
  int wrong = 0;
  for (int z = 1; z < Nz - 1; ++z)
    for (int y = 1; y < Ny - 1; ++y)
      for (int x = 1; x < Nx - 1; ++x) {
        int i = z * Plane + y * Nx + x;
        float expected =
            0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - Nx] +
                                   in[i + Nx] + in[i - Plane] + in[i + Plane]);
        wrong += std::fabs(out[i] - expected) > 1e-3f;
      }
  return wrong;
}

int main() {
  std::vector<float> in(static_cast<size_t>(Nx) * Ny * Nz);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i * 31 % 101);

  constexpr size_t Bytes = sizeof(float) * Nx * Ny * Nz;
  float *deviceIn, *deviceOut;
  cudaMalloc(&deviceIn, Bytes);
  cudaMalloc(&deviceOut, Bytes);
  cudaMemcpy(deviceIn, in.data(), Bytes, cudaMemcpyHostToDevice);

  dim3 block(TileX, TileY);
  stencil3dGlobal<<<dim3(Nx / TileX, Ny / TileY, Nz), block>>>(
      deviceIn, deviceOut, Nx, Ny, Nz);
  int wrong = takeResult(in, deviceOut);
  stencil3dMarching<<<dim3(Nx / TileX, Ny / TileY), block>>>(
      deviceIn, deviceOut, Nx, Ny, Nz);
  wrong += takeResult(in, deviceOut);

  cudaFree(deviceIn);
  cudaFree(deviceOut);
  std::printf("stencil3d: %d wrong\n", wrong);
  return wrong != 0;
}
