// A host variable that nothing determines is guessed and said; the kernel's own
// argument, when named, is solved for it.

// RUN: %analyze %s --gpu nvidia-h200 --kernel scale | FileCheck %s --check-prefix=GUESS
// GUESS: 'scale' takes {{.*}}(grid 4096, block 256 from host-code)
// GUESS: 'count' of the host code = 1048576: nothing in the file determines it
// GUESS: settle with --param 'count=VALUE'

// RUN: %analyze %s --gpu nvidia-h200 --kernel scale --param n=1000 | FileCheck %s --check-prefix=SOLVED
// SOLVED: 'scale' takes {{.*}}(grid 4, block 256 from host-code)
// SOLVED: arguments {{.*}}n = 1000
// SOLVED-NOT: of the host code

// RUN: %analyze %s --gpu nvidia-h200 --kernel scale --param count=512 | FileCheck %s --check-prefix=NAMED
// NAMED: 'scale' takes {{.*}}(grid 2, block 256 from host-code)

// A grid that is computed from several of them has as many threads in all.
// RUN: %analyze %s --gpu nvidia-h200 --kernel rows | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: 'rows' takes {{.*}}(grid 4096, block 256 from host-code)
// PRODUCT: 'batch' of the host code = 64: nothing in the file determines it
// PRODUCT: 'length' of the host code = 64: nothing in the file determines it

// So has one of two dimensions; a block that nothing determines is a usual one.
// RUN: %analyze %s --gpu nvidia-h200 --kernel planes | FileCheck %s --check-prefix=PLANES
// PLANES: 'planes' takes {{.*}}(grid 1x4096, block 256 from host-code)
// PLANES: 'threads' of the host code = 256: nothing in the file determines it

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
