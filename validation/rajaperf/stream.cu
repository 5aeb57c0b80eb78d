// Kernels of the stream group of the RAJA Performance Suite, written from their
// descriptions: double precision, 64-bit signed index, one element per thread,
// every pointer __restrict__, the block size a template argument.
#include "sizes.h"

template <int Block>
__launch_bounds__(Block) __global__
    void add(double *__restrict__ c, const double *__restrict__ a,
             const double *__restrict__ b, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    c[i] = a[i] + b[i];
}
FOR_BLOCK_SIZES(add)

template <int Block>
__launch_bounds__(Block) __global__
    void copy(double *__restrict__ c, const double *__restrict__ a,
              Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    c[i] = a[i];
}
FOR_BLOCK_SIZES(copy)

template <int Block>
__launch_bounds__(Block) __global__
    void mul(double *__restrict__ b, const double *__restrict__ c, double alpha,
             Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    b[i] = alpha * c[i];
}
FOR_BLOCK_SIZES(mul)

template <int Block>
__launch_bounds__(Block) __global__
    void triad(double *__restrict__ a, const double *__restrict__ b,
               const double *__restrict__ c, double alpha, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    a[i] = b[i] + alpha * c[i];
}
FOR_BLOCK_SIZES(triad)
