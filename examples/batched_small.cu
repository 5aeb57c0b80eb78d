// Many small linear systems A x = b, one per thread, in arrays of the thread.
//
// solveUnrolled eliminates without pivoting: all indices are known once the
// loops are unrolled, so that the arrays live in registers, N * (N + 1) of
// them. solvePivoting swaps rows: an index that is known only at run time keeps
// the array in local memory, which lies in DRAM behind the caches. Element e of
// system s is stored at e * systems + s: neighbours coalesce.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Systems = 1 << 16;
constexpr int BlockSize = 128;

template <int N>
__global__ void solveUnrolled(const float *a, const float *b, float *x,
                              int systems) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems)
    return;
  float m[N][N + 1];
#pragma unroll
  for (int row = 0; row < N; ++row) {
#pragma unroll
    for (int col = 0; col < N; ++col)
      m[row][col] = a[(row * N + col) * systems + s];
    m[row][N] = b[row * systems + s];
  }
#pragma unroll
  for (int k = 0; k < N; ++k) {
    float inverse = 1.0f / m[k][k];
#pragma unroll
    for (int row = 0; row < N; ++row) {
      if (row == k)
        continue;
      float factor = m[row][k] * inverse;
#pragma unroll
      for (int col = k; col <= N; ++col)
        m[row][col] -= factor * m[k][col];
    }
  }
#pragma unroll
  for (int row = 0; row < N; ++row)
    x[row * systems + s] = m[row][N] / m[row][row];
}

template <int N>
__global__ void solvePivoting(const float *a, const float *b, float *x,
                              int systems) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems)
    return;
  float m[N][N + 1];
  for (int row = 0; row < N; ++row) {
    for (int col = 0; col < N; ++col)
      m[row][col] = a[(row * N + col) * systems + s];
    m[row][N] = b[row * systems + s];
  }
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int row = k + 1; row < N; ++row)
      if (fabsf(m[row][k]) > fabsf(m[pivot][k]))
        pivot = row;
    for (int col = k; col <= N; ++col) {
      float swapped = m[k][col];
      m[k][col] = m[pivot][col];
      m[pivot][col] = swapped;
    }
    for (int row = k + 1; row < N; ++row) {
      float factor = m[row][k] / m[k][k];
      for (int col = k; col <= N; ++col)
        m[row][col] -= factor * m[k][col];
    }
  }
  for (int row = N - 1; row >= 0; --row) {
    float sum = m[row][N];
    for (int col = row + 1; col < N; ++col)
      sum -= m[row][col] * m[col][N];
    m[row][N] = sum / m[row][row];
    x[row * systems + s] = m[row][N];
  }
}

// Solves the same systems both ways; returns the worst residual.
template <int N> static double solveBoth() {
  std::vector<float> a(N * N * Systems), b(N * Systems), x(N * Systems);
  for (int s = 0; s < Systems; ++s)
    for (int row = 0; row < N; ++row) {
      for (int col = 0; col < N; ++col)
        a[(row * N + col) * Systems + s] =
            static_cast<float>((s + row * 5 + col * 11) % 7) +
            (row == col ? 8.0f * N : 0.0f);
      b[row * Systems + s] = static_cast<float>((s + row) % 13);
    }

  float *deviceA, *deviceB, *deviceX;
  cudaMalloc(&deviceA, a.size() * sizeof(float));
  cudaMalloc(&deviceB, b.size() * sizeof(float));
  cudaMalloc(&deviceX, x.size() * sizeof(float));
  cudaMemcpy(deviceA, a.data(), a.size() * sizeof(float),
             cudaMemcpyHostToDevice);
  cudaMemcpy(deviceB, b.data(), b.size() * sizeof(float),
             cudaMemcpyHostToDevice);

  double worst = 0.0;
  for (bool pivoting : {false, true}) {
    if (pivoting)
      solvePivoting<N><<<Systems / BlockSize, BlockSize>>>(deviceA, deviceB,
                                                           deviceX, Systems);
    else
      solveUnrolled<N><<<Systems / BlockSize, BlockSize>>>(deviceA, deviceB,
                                                           deviceX, Systems);
    cudaMemcpy(x.data(), deviceX, x.size() * sizeof(float),
               cudaMemcpyDeviceToHost);
    for (int s = 0; s < Systems; ++s)
      for (int row = 0; row < N; ++row) {
        double residual = -b[row * Systems + s];
        for (int col = 0; col < N; ++col)
          residual += static_cast<double>(a[(row * N + col) * Systems + s]) *
                      x[col * Systems + s];
        worst = std::fmax(worst, std::fabs(residual));
      }
  }
  cudaFree(deviceA);
  cudaFree(deviceB);
  cudaFree(deviceX);
  return worst;
}

int main() {
  double worst = std::fmax(solveBoth<4>(), solveBoth<8>());
  std::printf("batched_small: worst residual %g\n", worst);
  return !(worst < 1e-3);
}
