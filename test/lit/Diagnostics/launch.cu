// A kernel that is over before its launch is.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-launch"

#include <cuda_runtime.h>

__global__ void copy(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}

void host(const float *in, float *out) {
  // CHECK: launch.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: 'copy' runs for {{.*}}s, its launch takes {{.*}}s; predicted gain {{[5-9][0-9.]*}}% [-Wgpu-estimate-launch]
  // CHECK-NEXT: note: do the work of several launches in one
  copy<<<4, 256>>>(in, out, 1024);
  copy<<<65536, 256>>>(in, out, 1 << 24);
}
