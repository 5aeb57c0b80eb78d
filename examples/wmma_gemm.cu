// Matrix multiplication on tensor cores: C (float) = A (half) * B (half).
//
// Each warp computes one 16 x 16 piece of C by the warp matrix functions, which
// load fragments, multiply 16 x 16 x 16 at a time, and store; there is no reuse
// between the warps of a block other than that of the caches. A block has four
// warps side by side. Needs compute capability 7.0.

#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <vector>

constexpr int N = 1024;
constexpr int Piece = 16;
constexpr int WarpsPerBlock = 4;

__global__ void wmmaGemm(const half *a, const half *b, float *c, int n) {
  using namespace nvcuda;
  int warp = threadIdx.x / 32;
  int row = blockIdx.y * Piece;
  int col = (blockIdx.x * WarpsPerBlock + warp) * Piece;

  wmma::fragment<wmma::matrix_a, Piece, Piece, Piece, half, wmma::row_major>
      pieceA;
  wmma::fragment<wmma::matrix_b, Piece, Piece, Piece, half, wmma::row_major>
      pieceB;
  wmma::fragment<wmma::accumulator, Piece, Piece, Piece, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += Piece) {
    wmma::load_matrix_sync(pieceA, a + row * n + k, n);
    wmma::load_matrix_sync(pieceB, b + k * n + col, n);
    wmma::mma_sync(sum, pieceA, pieceB, sum);
  }
  wmma::store_matrix_sync(c + row * n + col, sum, n, wmma::mem_row_major);
}

int main() {
  std::vector<half> a(N * N), b(N * N);
  std::vector<float> c(N * N);
  for (int i = 0; i < N * N; ++i) {
    a[i] = __float2half(static_cast<float>(i % 7) - 3.0f);
    b[i] = __float2half(static_cast<float>(i % 5) - 2.0f);
  }

  half *deviceA, *deviceB;
  float *deviceC;
  cudaMalloc(&deviceA, a.size() * sizeof(half));
  cudaMalloc(&deviceB, b.size() * sizeof(half));
  cudaMalloc(&deviceC, c.size() * sizeof(float));
  cudaMemcpy(deviceA, a.data(), a.size() * sizeof(half),
             cudaMemcpyHostToDevice);
  cudaMemcpy(deviceB, b.data(), b.size() * sizeof(half),
             cudaMemcpyHostToDevice);

  dim3 grid(N / (Piece * WarpsPerBlock), N / Piece);
  wmmaGemm<<<grid, WarpsPerBlock * 32>>>(deviceA, deviceB, deviceC, N);

  cudaMemcpy(c.data(), deviceC, c.size() * sizeof(float),
             cudaMemcpyDeviceToHost);
  cudaFree(deviceA);
  cudaFree(deviceB);
  cudaFree(deviceC);

  int wrong = 0;
  for (int row = 0; row < N; row += N / 8)
    for (int col = 0; col < N; ++col) {
      float sum = 0.0f; // small integers: exact in float
      for (int k = 0; k < N; ++k)
        sum += (static_cast<float>((row * N + k) % 7) - 3.0f) *
               (static_cast<float>((k * N + col) % 5) - 2.0f);
      wrong += std::fabs(sum - c[row * N + col]) > 0.5f;
    }
  std::printf("wmma_gemm: %d wrong\n", wrong);
  return wrong != 0;
}
