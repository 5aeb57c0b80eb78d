// Kernels of the lcals group (Livermore loops) of the RAJA Performance Suite,
// written from their descriptions: double precision, 64-bit signed index, one
// element per thread, every pointer __restrict__, the block size a template
// argument.
#include "sizes.h"

// Differences of ten planes, each plane replaced by the running value.
template <int Block>
__launch_bounds__(Block) __global__
    void diff_predict(double *__restrict__ px, const double *__restrict__ cx,
                      Index offset, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend) {
    double running = cx[i + offset * 4];
#pragma unroll
    for (int plane = 4; plane < 12; ++plane) {
      double next = running - px[i + offset * plane];
      px[i + offset * plane] = running;
      running = next;
    }
    px[i + offset * 13] = running - px[i + offset * 12];
    px[i + offset * 12] = running;
  }
}
FOR_BLOCK_SIZES(diff_predict)

template <int Block>
__launch_bounds__(Block) __global__
    void eos(double *__restrict__ x, const double *__restrict__ y,
             const double *__restrict__ z, const double *__restrict__ u,
             double q, double r, double t, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    x[i] = u[i] + r * (z[i] + r * y[i]) +
           t * (u[i + 3] + r * (u[i + 2] + r * u[i + 1]) +
                t * (u[i + 6] + q * (u[i + 5] + q * u[i + 4])));
}
FOR_BLOCK_SIZES(eos)

template <int Block>
__launch_bounds__(Block) __global__
    void first_diff(double *__restrict__ x, const double *__restrict__ y,
                    Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    x[i] = y[i + 1] - y[i];
}
FOR_BLOCK_SIZES(first_diff)

template <int Block>
__launch_bounds__(Block) __global__
    void first_sum(double *__restrict__ x, const double *__restrict__ y,
                   Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i > 0 && i < iend)
    x[i] = y[i - 1] + y[i];
}
FOR_BLOCK_SIZES(first_sum)

template <int Block>
__launch_bounds__(Block) __global__
    void hydro_1d(double *__restrict__ x, const double *__restrict__ y,
                  const double *__restrict__ z, double q, double r, double t,
                  Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    x[i] = q + y[i] * (r * z[i + 10] + t * z[i + 11]);
}
FOR_BLOCK_SIZES(hydro_1d)

// Ten planes of one array, weighted, into its first plane.
template <int Block>
__launch_bounds__(Block) __global__
    void int_predict(double *__restrict__ px, double dm22, double dm23,
                     double dm24, double dm25, double dm26, double dm27,
                     double dm28, double c0, Index offset, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend)
    px[i] = dm28 * px[i + offset * 12] + dm27 * px[i + offset * 11] +
            dm26 * px[i + offset * 10] + dm25 * px[i + offset * 9] +
            dm24 * px[i + offset * 8] + dm23 * px[i + offset * 7] +
            dm22 * px[i + offset * 6] +
            c0 * (px[i + offset * 4] + px[i + offset * 5]) + px[i + offset * 2];
}
FOR_BLOCK_SIZES(int_predict)

template <int Block>
__launch_bounds__(Block) __global__
    void planckian(const double *__restrict__ x, double *__restrict__ y,
                   const double *__restrict__ u, const double *__restrict__ v,
                   double *__restrict__ w, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend) {
    y[i] = u[i] / v[i];
    w[i] = x[i] / (exp(y[i]) - 1.0);
  }
}
FOR_BLOCK_SIZES(planckian)

template <int Block>
__launch_bounds__(Block) __global__
    void tridiag_elim(double *__restrict__ xout, const double *__restrict__ xin,
                      const double *__restrict__ y,
                      const double *__restrict__ z, Index N) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i > 0 && i < N)
    xout[i] = z[i] * (y[i] - xin[i - 1]);
}
FOR_BLOCK_SIZES(tridiag_elim)
