#include "taps.h"

__global__ void accumulate(float *out, const float *__restrict__ in, int rows,
                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < Taps; ++k)
      out[i] += Weights[k] * in[row * n + i + k];
}

__global__ void tiled(float *out, const float *in, int n) {
  __shared__ float tile[48][256];
  for (int row = 0; row < 48; ++row)
    tile[row][threadIdx.x] = in[(blockIdx.x * 48 + row) * 256 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int row = 0; row < 48; ++row)
    sum += tile[row][(threadIdx.x * 7) % 256] * tile[47 - row][threadIdx.x];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

void run(float *out, const float *in) {
  accumulate<<<4096, 256>>>(out, in, 16, 1048576);
  tiled<<<4096, 256>>>(out, in, 1048576);
}
