// Who is believed: command line, configuration, annotation, host code; where none
// of them speaks, there is no time.

// RUN: rm -rf %t && mkdir -p %t && cp %s %t/k.cu
// RUN: %analyze %t/k.cu --gpu nvidia-h200 | FileCheck %s --check-prefix=SOURCE
// SOURCE: 'annotated' takes {{.*}}(grid 64x2, block 32x4 from annotation)
// SOURCE: 'launched' takes {{.*}}(grid 20, block 96 from host-code)
// SOURCE: launch {{.*}}; from host-code at k.cu:[[#]]
// SOURCE: 'alone' has no time on {{.*}} without n; {{.*}} (block 256); settle with --block X --param n=VALUE
// SOURCE: time over n: no launch of the kernel was seen

// RUN: printf 'gpu: nvidia-h200\nkernels:\n  - kernel: launched\n    grid: 7\n' > %t/.gpu-estimate.yaml
// RUN: %analyze %t/k.cu | FileCheck %s --check-prefix=CONFIG
// CONFIG: 'annotated' {{.*}}from annotation)
// CONFIG: 'launched' {{.*}}(grid 7, block 96 from config)
// CONFIG: 'alone' has no time

// RUN: %analyze %t/k.cu --grid 5,5 --block 8,8 | FileCheck %s --check-prefix=LINE
// LINE: 'annotated' {{.*}}(grid 5x5, block 8x8 from command-line)
// LINE: 'launched' {{.*}}(grid 5x5, block 8x8 from command-line)
// LINE: 'alone' {{.*}}(grid 5x5, block 8x8 from command-line)

#include <cuda_runtime.h>

// Fills a matrix.
// gpu-estimate: grid=64,2 block=32,4 param n=100
__global__ void annotated(float *p, int n) {
  p[(blockIdx.y * blockDim.y + threadIdx.y) * n + threadIdx.x] = 1.0f;
}

__global__ void launched(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1.0f;
}

__global__ void alone(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1.0f;
}

void host(float *p) {
  annotated<<<1, 32>>>(p, 8);
  launched<<<20, 96>>>(p, 20 * 96);
}
