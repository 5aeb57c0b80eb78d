// Passes through shared memory: lanes of a column meet in one bank unless the
// rows are padded.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-bank-conflict"

#include <cuda_runtime.h>

template <int Pad> __global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][32 + Pad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  // CHECK: bank-conflict.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: load from 'tile' takes 32 passes per request where 1 would do: a 32-way bank conflict; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-bank-conflict]
  // CHECK-NEXT: bank-conflict.cu:[[#@LINE+1]]:{{[0-9]+}}: note: free the loads of 'tile' of bank conflicts
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

// Eight bytes a lane need two passes; that is no conflict.
__global__ void wide(double *out) {
  __shared__ double tile[256];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[255 - threadIdx.x];
}

void host(const float *in, float *out, double *wider) {
  transpose<0><<<dim3(64, 64), dim3(32, 32)>>>(in, out, 2048);
  transpose<1><<<dim3(64, 64), dim3(32, 32)>>>(in, out, 2048);
  wide<<<1024, 256>>>(wider);
}
