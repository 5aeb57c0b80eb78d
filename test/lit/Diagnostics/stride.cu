// Lanes a multiple of 128 bytes apart meet in one bank of L1's data array; one
// element more and they do not, though they touch as many sectors.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-stride"
// L1 of Pascal is not banked like shared memory.
// RUN: %analyze %s --gpu nvidia-p100 --format diagnostics | FileCheck %s --check-prefix=PASCAL --implicit-check-not="gpu-estimate-stride"
// PASCAL: gpu-estimate-uncoalesced

#include <cuda_runtime.h>

template <int Pitch> __global__ void rows(const float *in, float *out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; ++k)
    // CHECK: stride.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: load from 'in' takes 32 passes through L1 per request, because the stride of its lanes puts them into few banks; with one element more it takes 8; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-stride]
    sum += in[row * Pitch + k];
  out[row] = sum;
}

void host(const float *in, float *out) {
  rows<32><<<1024, 128>>>(in, out);
  rows<33><<<1024, 128>>>(in, out);
}
