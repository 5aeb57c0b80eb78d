// Kernels of the polybench group of the RAJA Performance Suite, written from
// their descriptions: double precision, 64-bit signed index, one result per
// thread, row-major matrices, every pointer __restrict__, the block extents
// template arguments.
#include "sizes.h"

#define FOR_BLOCKS_32_WIDE(KERNEL)                                             \
  template __global__ decltype(KERNEL<32, 4>) KERNEL<32, 4>;                   \
  template __global__ decltype(KERNEL<32, 8>) KERNEL<32, 8>;                   \
  template __global__ decltype(KERNEL<32, 16>) KERNEL<32, 16>;                 \
  template __global__ decltype(KERNEL<32, 32>) KERNEL<32, 32>;

// No tile in shared memory. The product with beta is overwritten.
template <int BlockX, int BlockY>
__launch_bounds__(BlockX *BlockY) __global__
    void gemm(double *__restrict__ C, const double *__restrict__ A,
              const double *__restrict__ B, double alpha, double beta, Index ni,
              Index nj, Index nk) {
  Index i = Index(blockIdx.y) * BlockY + threadIdx.y;
  Index j = Index(blockIdx.x) * BlockX + threadIdx.x;
  if (i < ni && j < nj) {
    C[j + i * nj] *= beta;
    double sum = 0.0;
    for (Index k = 0; k < nk; ++k)
      sum += alpha * A[k + i * nk] * B[j + k * nj];
    C[j + i * nj] = sum;
  }
}
FOR_BLOCKS_32_WIDE(gemm)

// A thread walks a row: the threads of a warp are one row apart.
template <int Block>
__launch_bounds__(Block) __global__
    void gesummv(const double *__restrict__ x, double *__restrict__ y,
                 const double *__restrict__ A, const double *__restrict__ B,
                 double alpha, double beta, Index N) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < N) {
    double sumA = 0.0;
    double sumB = 0.0;
    for (Index j = 0; j < N; ++j) {
      sumA += A[j + i * N] * x[j];
      sumB += B[j + i * N] * x[j];
    }
    y[i] = alpha * sumA + beta * sumB;
  }
}
FOR_BLOCK_SIZES(gesummv)

template <int BlockX, int BlockY>
__launch_bounds__(BlockX *BlockY) __global__
    void floyd_warshall(double *__restrict__ pout,
                        const double *__restrict__ pin, Index k, Index N) {
  Index i = Index(blockIdx.y) * BlockY + threadIdx.y;
  Index j = Index(blockIdx.x) * BlockX + threadIdx.x;
  if (i < N && j < N)
    pout[j + i * N] = pin[j + i * N] < pin[k + i * N] + pin[j + k * N]
                          ? pin[j + i * N]
                          : pin[k + i * N] + pin[j + k * N];
}
FOR_BLOCKS_32_WIDE(floyd_warshall)

template <int Block>
__launch_bounds__(Block) __global__
    void jacobi_1d(const double *__restrict__ A, double *__restrict__ B,
                   Index N) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i > 0 && i < N - 1)
    B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
}
FOR_BLOCK_SIZES(jacobi_1d)

template <int BlockX, int BlockY>
__launch_bounds__(BlockX *BlockY) __global__
    void jacobi_2d(const double *__restrict__ A, double *__restrict__ B,
                   Index N) {
  Index i = 1 + Index(blockIdx.y) * BlockY + threadIdx.y;
  Index j = 1 + Index(blockIdx.x) * BlockX + threadIdx.x;
  if (i < N - 1 && j < N - 1)
    B[j + i * N] = 0.2 * (A[j + i * N] + A[j - 1 + i * N] + A[j + 1 + i * N] +
                          A[j + (i + 1) * N] + A[j + (i - 1) * N]);
}
FOR_BLOCKS_32_WIDE(jacobi_2d)

template <int BlockX, int BlockY>
__launch_bounds__(BlockX *BlockY) __global__
    void heat_3d(const double *__restrict__ A, double *__restrict__ B,
                 Index N) {
  Index i = 1 + Index(blockIdx.z);
  Index j = 1 + Index(blockIdx.y) * BlockY + threadIdx.y;
  Index k = 1 + Index(blockIdx.x) * BlockX + threadIdx.x;
  if (i < N - 1 && j < N - 1 && k < N - 1) {
    double centre = A[k + N * (j + N * i)];
    double along_i = A[k + N * (j + N * (i + 1))] - 2.0 * centre +
                     A[k + N * (j + N * (i - 1))];
    double along_j =
        A[k + N * (j + 1 + N * i)] - 2.0 * centre + A[k + N * (j - 1 + N * i)];
    double along_k =
        A[k + 1 + N * (j + N * i)] - 2.0 * centre + A[k - 1 + N * (j + N * i)];
    B[k + N * (j + N * i)] =
        0.125 * along_i + 0.125 * along_j + 0.125 * along_k + centre;
  }
}
FOR_BLOCKS_32_WIDE(heat_3d)
