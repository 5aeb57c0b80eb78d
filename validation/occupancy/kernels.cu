// Six streams in double precision, one element per thread, from a store alone
// to a five-point stencil (see README.md). The launch takes dynamic shared
// memory that nobody uses, so that two blocks fit on a multiprocessor: the
// block size then sets how many warps there are to hide the latency of the
// memory.

#include <cstddef>
#ifdef __HIP__
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif

__global__ void init(double *out, size_t n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    out[i] = 0.25;
}

// The store never happens, but the compiler cannot know.
__global__ void read(double *out, const double *__restrict__ in, size_t n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  double value = in[i];
  if (value == -1.0)
    out[i] = value;
}

__global__ void scale(double *out, const double *__restrict__ in, size_t n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    out[i] = 1.5 * in[i];
}

__global__ void triad(double *out, const double *__restrict__ in,
                      const double *__restrict__ other, size_t n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    out[i] = 1.5 * in[i] + other[i];
}

__global__ void stencil3(double *out, const double *__restrict__ in, size_t n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < 1 || i >= n - 1)
    return;
  out[i] = 0.5 * in[i - 1] - in[i] + 0.5 * in[i + 1];
}

__global__ void stencil5(double *out, const double *__restrict__ in, size_t n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < 2 || i >= n - 2)
    return;
  out[i] = 0.25 * in[i - 2] + 0.25 * in[i - 1] - in[i] + 0.5 * in[i + 1] +
           0.5 * in[i + 2];
}
