// A host variable that nothing determines is what the time is a table over; the
// kernel's own argument, when named, is solved for it.

// RUN: %analyze %s --gpu nvidia-h200 --kernel scale | FileCheck %s --check-prefix=GUESS
// GUESS: 'scale' has no time on {{.*}} without count; count = 1 K, 32 K, 1 M, 32 M: {{.*}}; settle with --param count=VALUE
// GUESS: time over count: nothing in the file determines it
// GUESS: 1 M {{.*}}grid 4096, block 256

// RUN: %analyze %s --gpu nvidia-h200 --kernel scale --param n=1000 | FileCheck %s --check-prefix=SOLVED
// SOLVED: 'scale' takes {{.*}}(grid 4, block 256 from host-code)
// SOLVED: arguments {{.*}}n = 1000
// SOLVED-NOT: of the host code

// RUN: %analyze %s --gpu nvidia-h200 --kernel scale --param count=512 | FileCheck %s --check-prefix=NAMED
// NAMED: 'scale' takes {{.*}}(grid 2, block 256 from host-code)

// Variables that only multiply the number of thread blocks are one.
// RUN: %analyze %s --gpu nvidia-h200 --kernel rows | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: 'rows' has no time on {{.*}} without batch*length; batch*length = 32, 1 K, 32 K, 1 M: {{.*}}; settle with --param batch=VALUE --param length=VALUE
// PRODUCT: 32 K {{.*}}grid 32768, block 256

// Along another axis, too; a block that nothing determines is a usual one in the
// table, which says so, and the grid follows it.
// RUN: %analyze %s --gpu nvidia-h200 --kernel planes | FileCheck %s --check-prefix=PLANES
// PLANES: 'planes' has no time on {{.*}} without steps; {{.*}} (block 256, batch*heads = 1 K); settle with --block X --param steps=VALUE --param batch=VALUE --param heads=VALUE
// PLANES: 512 {{.*}} grid 2x1024, block 256

#include <cuda_runtime.h>

__global__ void scale(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2.0f;
}

__global__ void rows(float *p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    p[blockIdx.x * n + i] *= 2.0f;
}

__global__ void planes(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[blockIdx.y * n + i] *= 2.0f;
}

void all_planes(float *p, int steps, int batch, int heads, int threads) {
  planes<<<dim3((steps + threads - 1) / threads, batch * heads), threads>>>(
      p, steps);
}

void all_rows(float *p, int batch, int length) {
  rows<<<batch * length, 256>>>(p, 512);
}

void host(float *p, int count) {
  scale<<<(count + 255) / 256, 256>>>(p, count);
}
