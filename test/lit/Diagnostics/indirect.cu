// Where loaded data decide the address, what is said depends on them.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-indirect" --implicit-check-not="gpu-estimate-uncoalesced"
// What is known of the data settles it.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --assume access@indirect.cu:16=sequential | FileCheck %s --check-prefix=SETTLED
// SETTLED-NOT: gpu-estimate-indirect

#include <cuda_runtime.h>

__global__ void gather(const float *x, const int *index, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    // CHECK: indirect.cu:[[#@LINE+3]]:{{[0-9]+}}: remark: load from 'x' has data-dependent addresses: 3{{[0-9.]+}} sectors per request if they are random, 4 if they are in order; settle with --assume access@indirect.cu:[[#@LINE+3]]=sequential [-Wgpu-estimate-indirect]

    // The load of the index is in order itself.
    y[i] = x[index[i]];
}

// Half of the lanes by chance: gaps, but no disorder.
__global__ void some(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && y[i] > 0)
    y[i] = x[i];
}

void host(float *x, float *y, const int *index) {
  gather<<<16384, 256>>>(x, index, y, 1 << 22);
  some<<<16384, 256>>>(x, y, 1 << 22);
}
