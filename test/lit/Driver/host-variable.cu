// A host variable that nothing determines is guessed and said; the kernel's own
// argument, when named, is solved for it.

// RUN: %analyze %s --gpu nvidia-h200 | FileCheck %s --check-prefix=GUESS
// GUESS: 'scale' takes {{.*}}(grid 4096, block 256 from host-code)
// GUESS: 'count' of the host code = 1048576: nothing in the file determines it
// GUESS: settle with --param 'count=VALUE'

// RUN: %analyze %s --gpu nvidia-h200 --param n=1000 | FileCheck %s --check-prefix=SOLVED
// SOLVED: 'scale' takes {{.*}}(grid 4, block 256 from host-code)
// SOLVED: arguments {{.*}}n = 1000
// SOLVED-NOT: of the host code

// RUN: %analyze %s --gpu nvidia-h200 --param count=512 | FileCheck %s --check-prefix=NAMED
// NAMED: 'scale' takes {{.*}}(grid 2, block 256 from host-code)

#include <cuda_runtime.h>

__global__ void scale(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2.0f;
}

void host(float *p, int count) {
  scale<<<(count + 255) / 256, 256>>>(p, count);
}
