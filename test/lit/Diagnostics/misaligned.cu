// Warps that begin in the middle of a sector touch one sector more than their
// data need: 5 instead of 4 for 32 lanes of 4 bytes.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --all-findings | FileCheck %s --implicit-check-not="gpu-estimate-misaligned"

#include <cuda_runtime.h>

__global__ void aligned(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 8 < n)
    out[i] = in[i + 8];
}

__global__ void shifted(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 3 < n)
    // CHECK: misaligned.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: load from 'in' touches 5 sectors per request where 4 would do if its warps began at a multiple of 32 bytes; predicted gain {{below 2|[1-9][0-9.]*}}% [-Wgpu-estimate-misaligned]
    out[i] = in[i + 3];
}

// Twice the sectors for bytes.
__global__ void bytes(const signed char *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: misaligned.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: load from 'in' touches 2 sectors per request where 1 would do if its warps began at a multiple of 32 bytes{{.*}} [-Wgpu-estimate-misaligned]
  out[i] = in[i + 3];
}

// Twice the sectors, but not for want of alignment.
__global__ void everySecond(const double *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = static_cast<float>(in[i]);
}

void host(const float *in, const double *wide, const signed char *narrow,
          float *out) {
  bytes<<<16384, 256>>>(narrow, out);
  aligned<<<16384, 256>>>(in, out, 1 << 22);
  shifted<<<16384, 256>>>(in, out, 1 << 22);
  everySecond<<<16384, 256>>>(wide, out, 1 << 22);
}
