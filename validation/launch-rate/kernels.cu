// One double per thread, read, scaled and written: a kernel so small that the
// rate of its launches, then that of its blocks, is what is measured.

#ifdef __HIP__
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif

__global__ void scale(double *__restrict__ out, const double *__restrict__ in,
                      const int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  out[i] = 0.25 * in[i];
}
