// What keeps warps away, and what one more block would save.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-occupancy"

#include <cuda_runtime.h>

template <int Bytes> __global__ void staged(const float *in, float *out) {
  __shared__ float stage[Bytes / 4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  stage[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = stage[blockDim.x - 1 - threadIdx.x];
}
// CHECK: occupancy.cu:[[#@LINE-7]]:{{[0-9]+}}: remark: 'staged<49152>' fills 37.5% of a multiprocessor's warps, limited by shared (49152 bytes of shared memory per block); predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-occupancy]
// Four blocks, each with 1 KiB for the system, in the 164 KiB of an A100.
// CHECK-NEXT: note: at most 40960 bytes of shared memory per block let 4 blocks share a multiprocessor

void host(const float *in, float *out) {
  staged<1024><<<16384, 256>>>(in, out);
  staged<49152><<<16384, 256>>>(in, out);
}
