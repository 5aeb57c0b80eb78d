// Gravitation between all pairs of bodies: much arithmetic, little traffic.
//
// A block fetches the positions of BlockSize bodies at a time into shared
// memory; then all lanes of a warp read the same word (a broadcast) and every
// thread adds the pull of each body on its own: about 20 floating-point
// operations and one reciprocal square root per pair. The two kernels of a step
// are launched in a host loop.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Bodies = 16384;
constexpr int BlockSize = 256;
constexpr int Steps = 2;
constexpr float Softening = 0.01f;
constexpr float TimeStep = 0.001f;
static_assert(Bodies % BlockSize == 0, "the tiles must cover all bodies");

// A position holds the body's mass in its fourth component.
__global__ void computeForces(const float4 *position, float3 *acceleration,
                              int n) {
  __shared__ float4 tile[BlockSize];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 self = position[i];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int first = 0; first < n; first += BlockSize) {
    tile[threadIdx.x] = position[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < BlockSize; ++j) {
      float4 other = tile[j];
      float dx = other.x - self.x;
      float dy = other.y - self.y;
      float dz = other.z - self.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + Softening);
      float pull = other.w * inverse * inverse * inverse;
      sum.x += pull * dx;
      sum.y += pull * dy;
      sum.z += pull * dz;
    }
    __syncthreads();
  }
  acceleration[i] = sum;
}

__global__ void moveBodies(float4 *position, float3 *velocity,
                           const float3 *acceleration, int n, float step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 v = velocity[i];
  float3 a = acceleration[i];
  float4 p = position[i];
  v.x += a.x * step;
  v.y += a.y * step;
  v.z += a.z * step;
  p.x += v.x * step;
  p.y += v.y * step;
  p.z += v.z * step;
  velocity[i] = v;
  position[i] = p;
}

int main() {
  std::vector<float4> start(Bodies), end(Bodies);
  for (int i = 0; i < Bodies; ++i)
    start[i] = make_float4(static_cast<float>(i * 37 % 1009) / 1009.0f,
                           static_cast<float>(i * 53 % 1013) / 1013.0f,
                           static_cast<float>(i * 71 % 1019) / 1019.0f,
                           1.0f + static_cast<float>(i % 3));

  float4 *position;
  float3 *velocity, *acceleration;
  cudaMalloc(&position, Bodies * sizeof(float4));
  cudaMalloc(&velocity, Bodies * sizeof(float3));
  cudaMalloc(&acceleration, Bodies * sizeof(float3));
  cudaMemcpy(position, start.data(), Bodies * sizeof(float4),
             cudaMemcpyHostToDevice);
  cudaMemset(velocity, 0, Bodies * sizeof(float3));

  for (int step = 0; step < Steps; ++step) {
    computeForces<<<Bodies / BlockSize, BlockSize>>>(position, acceleration,
                                                     Bodies);
    moveBodies<<<Bodies / BlockSize, BlockSize>>>(
        position, velocity, acceleration, Bodies, TimeStep);
  }

  cudaMemcpy(end.data(), position, Bodies * sizeof(float4),
             cudaMemcpyDeviceToHost);
  cudaFree(position);
  cudaFree(velocity);
  cudaFree(acceleration);

  // Every pull has its counterpart: the centre of mass must not move.
  double before = 0.0, after = 0.0, moved = 0.0;
  for (int i = 0; i < Bodies; ++i) {
    before += static_cast<double>(start[i].w) * start[i].x;
    after += static_cast<double>(end[i].w) * end[i].x;
    moved = std::fmax(moved, std::fabs(end[i].x - start[i].x));
  }
  double drift = std::fabs(after - before) / before;
  std::printf("nbody: relative drift of the centre of mass %g\n", drift);
  return !(drift < 1e-4 && moved > 0.0);
}
