// Findings of kernels that matter for less than 2% of the file's time are left
// out: here of 'rare', unless it is launched more often.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not=gpu-estimate-uncoalesced --implicit-check-not=gpu-estimate-launch
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --all-findings | FileCheck %s --check-prefix=SAID
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --error uncoalesced > %t; test $? -eq 1
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics -- -DMANY=100000 | FileCheck %s --check-prefix=SAID
// The number of launches is not known: it may matter.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics -- -DMANY=count | FileCheck %s --check-prefix=SAID
// CHECK: 'rare' takes
// CHECK: 'often' takes
// SAID: small-share.cu:[[#@LINE+10]]:{{[0-9]+}}: remark: store to 'p' touches 32 sectors per request where 4 would do{{.*}}[-Wgpu-estimate-uncoalesced]

#include <cuda_runtime.h>

#ifndef MANY
#define MANY 1
#endif

__global__ void rare(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[32 * i] = 1;
}

__global__ void often(float *p, float *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = q[i];
}

void host(float *p, float *q, int count) {
  for (int k = 0; k < MANY; ++k)
    rare<<<256, 256>>>(p);
  for (int k = 0; k < 1000; ++k)
    often<<<65536, 256>>>(p, q);
}
