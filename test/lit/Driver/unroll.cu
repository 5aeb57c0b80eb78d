// What `#pragma unroll` demands is done from the inside out, so that the
// outputs of a thread share what they load.

// 12 outputs: 8100 instructions, less than the 16384 at which compilers stop
// (LLVM's own pass would count more, with sums still in an array). Loads are
// those of 26 rows and 15 columns, not of 12 * 225 steps.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel shares --format json > %t
// RUN: python3 %S/Inputs/unroll.py %t | FileCheck %s --check-prefix=SHARES
// SHARES: 390 shared loads, 2700 multiply-adds, assumed: []

// 24 outputs: the outermost loop stays one, and is said to.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel stays --format json > %t
// RUN: python3 %S/Inputs/unroll.py %t | FileCheck %s --check-prefix=STAYS
// STAYS: 5400 shared loads, 5400 multiply-adds, {{.*}}'copies of the body of the loop at unroll.cu:[[#@LINE+15]]'

#include <cuda_runtime.h>

__constant__ float weight[225];

template <int Outputs>
__device__ void filter(const float *in, float *out) {
  __shared__ float tile[Outputs + 14][46];
  int x = threadIdx.x;
  for (int y = 0; y < Outputs + 14; ++y)
    tile[y][x] = in[32 * y + x];
  __syncthreads();
  float sum[Outputs] = {};
#pragma unroll
  for (int i = 0; i < 15; ++i)
#pragma unroll
    for (int j = 0; j < 15; ++j)
#pragma unroll
      for (int y = 0; y < Outputs; ++y)
        sum[y] += tile[y + i][x + j] * weight[15 * i + j];
#pragma unroll
  for (int y = 0; y < Outputs; ++y)
    out[32 * y + x] = sum[y];
}

__global__ void shares(const float *in, float *out) { filter<12>(in, out); }

__global__ void stays(const float *in, float *out) { filter<24>(in, out); }

void host(const float *in, float *out) {
  shares<<<1, 32>>>(in, out);
  stays<<<1, 32>>>(in, out);
}
