#include <cuda_runtime.h>

__global__ void polynomial(float *x, int n, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i], sum = 0;
  for (int k = 0; k < degree; ++k)
    sum = sum * v + k;
  x[i] = sum;
}
