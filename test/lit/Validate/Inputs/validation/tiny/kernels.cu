// Kernels of the tiny dataset.
#ifndef REAL
#define REAL float
#endif

__global__ void scale(const REAL *in, REAL *out, REAL factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = factor * in[i];
}

template <int Repeat> __global__ void fma(REAL *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  REAL x = data[i];
  for (int r = 0; r < Repeat; ++r)
    x = x * REAL(1.5) + REAL(0.25);
  data[i] = x;
}
template __global__ void fma<64>(REAL *, int);
