// Kernels of the basic group of the RAJA Performance Suite, written from their
// descriptions: double precision, 64-bit signed index, one element per thread,
// every pointer __restrict__, the block size a template argument.
#include "sizes.h"

template <int Block>
__launch_bounds__(Block) __global__
    void daxpy(double *__restrict__ y, const double *__restrict__ x, double a,
               Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    y[i] += a * x[i];
}
FOR_BLOCK_SIZES(daxpy)

// The index comes from blockDim, unlike in the other kernels.
template <int Block>
__launch_bounds__(Block) __global__
    void daxpy_atomic(double *__restrict__ y, const double *__restrict__ x,
                      double a, Index iend) {
  Index i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < iend)
    atomicAdd(&y[i], a * x[i]);
}
FOR_BLOCK_SIZES(daxpy_atomic)

template <int Block>
__launch_bounds__(Block) __global__
    void copy8(double *__restrict__ y0, double *__restrict__ y1,
               double *__restrict__ y2, double *__restrict__ y3,
               double *__restrict__ y4, double *__restrict__ y5,
               double *__restrict__ y6, double *__restrict__ y7,
               const double *__restrict__ x0, const double *__restrict__ x1,
               const double *__restrict__ x2, const double *__restrict__ x3,
               const double *__restrict__ x4, const double *__restrict__ x5,
               const double *__restrict__ x6, const double *__restrict__ x7,
               Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend) {
    y0[i] = x0[i];
    y1[i] = x1[i];
    y2[i] = x2[i];
    y3[i] = x3[i];
    y4[i] = x4[i];
    y5[i] = x5[i];
    y6[i] = x6[i];
    y7[i] = x7[i];
  }
}
FOR_BLOCK_SIZES(copy8)

// Real roots of a quadratic, or zeros where there are none.
template <int Block>
__launch_bounds__(Block) __global__
    void ifquad(double *__restrict__ x1, double *__restrict__ x2,
                const double *__restrict__ a, const double *__restrict__ b,
                const double *__restrict__ c, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend) {
    double discriminant = b[i] * b[i] - 4.0 * a[i] * c[i];
    if (discriminant >= 0.0) {
      double root = sqrt(discriminant);
      x2[i] = (-b[i] + root) / (2.0 * a[i]);
      x1[i] = (-b[i] - root) / (2.0 * a[i]);
    } else {
      x2[i] = 0.0;
      x1[i] = 0.0;
    }
  }
}
FOR_BLOCK_SIZES(ifquad)

template <int Block>
__launch_bounds__(Block) __global__
    void init3(double *__restrict__ out1, double *__restrict__ out2,
               double *__restrict__ out3, const double *__restrict__ in1,
               const double *__restrict__ in2, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    out1[i] = out2[i] = out3[i] = -in1[i] - in2[i];
}
FOR_BLOCK_SIZES(init3)

template <int Block>
__launch_bounds__(Block) __global__
    void initview1d(double *__restrict__ a, double v, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    a[i] = (i + 1) * v;
}
FOR_BLOCK_SIZES(initview1d)

template <int Block>
__launch_bounds__(Block) __global__
    void initview1d_offset(double *__restrict__ a, double v, Index ibegin,
                           Index iend) {
  Index i = ibegin + Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    a[i - ibegin] = i * v;
}
FOR_BLOCK_SIZES(initview1d_offset)

template <int Block>
__launch_bounds__(Block) __global__
    void muladdsub(double *__restrict__ out1, double *__restrict__ out2,
                   double *__restrict__ out3, const double *__restrict__ in1,
                   const double *__restrict__ in2, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend) {
    out1[i] = in1[i] * in2[i];
    out2[i] = in1[i] + in2[i];
    out3[i] = in1[i] - in2[i];
  }
}
FOR_BLOCK_SIZES(muladdsub)

// A three-dimensional block; the grid is as deep as the array.
template <int BlockX, int BlockY, int BlockZ>
__launch_bounds__(BlockX *BlockY *BlockZ) __global__
    void nested_init(double *__restrict__ array, Index ni, Index nj, Index nk) {
  Index i = Index(blockIdx.x) * BlockX + threadIdx.x;
  Index j = Index(blockIdx.y) * BlockY + threadIdx.y;
  Index k = blockIdx.z;
  if (i < ni && j < nj && k < nk)
    array[i + ni * (j + nj * k)] = 0.00000001 * i * j * k;
}
typedef void NestedInit(double *, Index, Index, Index);
template __global__ NestedInit nested_init<32, 4, 1>;
template __global__ NestedInit nested_init<32, 8, 1>;
template __global__ NestedInit nested_init<32, 16, 1>;
template __global__ NestedInit nested_init<32, 32, 1>;
