// Configurations are compared at the middle of the tables of sizes that nobody
// tells, and again at their ends; no size is invented silently.

// RUN: %gpu-estimate tune %s --kernel polynomial --gpu nvidia-h200 --ptxas off --no-cuda-sdk \
// RUN:   --block 64,256 | FileCheck %s
// CHECK: unchanged source: block 256, grid 4096:
// CHECK: ranked for degree = 1 K, n = 1 M, which are not known (nothing in the file determines it); settle with --param degree=VALUE --param n=VALUE
// CHECK: with degree = 256, n = 1 K {{the first row is|the fastest is another}}
// CHECK: with degree = 16 K, n = 32 M {{the first row is|the fastest is another}}
// CHECK-NOT: assumed{{.*}}of the host code

// A size that is given is none of them.
// RUN: %gpu-estimate tune %s --kernel polynomial --gpu nvidia-h200 --ptxas off --no-cuda-sdk \
// RUN:   --block 64,256 --param n=65536 --param degree=8 | FileCheck %s --check-prefix=KNOWN
// KNOWN: unchanged source: block 256, grid 256:
// KNOWN-NOT: not known

// RUN: %gpu-estimate tune %s --kernel polynomial --gpu nvidia-h200 --ptxas off --no-cuda-sdk \
// RUN:   --block 64,256 --format json | FileCheck %s --check-prefix=JSON
// JSON: "unknown_sizes": [
// JSON: "name": "n",
// JSON-NEXT: "value": 1048576,
// JSON-NEXT: "least": 1024,
// JSON-NEXT: "largest": 33554432,
// JSON: "at_least_ms":
// JSON-NEXT: "at_largest_ms":
// JSON: "as_written": {
// JSON: "interval": null

// Blocks of another shape work on the same rows; the grid of the command is no
// grid of the source.
// RUN: %gpu-estimate tune %s --kernel rowSums --gpu nvidia-h200 --ptxas off --no-cuda-sdk \
// RUN:   --block 128,512 | FileCheck %s --check-prefix=ROWS
// ROWS-DAG: x 128 1024 global-atomics
// ROWS-DAG: {{[)]}} 512 1024 global-atomics
// ROWS: the unchanged source has no estimate: its launch depends on threads of a block, which is not known (no launch tells it); settle with --block X
// ROWS: ranked for 1 K thread blocks, columns = 1 K
// RUN: %gpu-estimate tune %s --kernel rowSums --gpu nvidia-h200 --ptxas off --no-cuda-sdk \
// RUN:   --block 128,512 --grid 5000 | FileCheck %s --check-prefix=GRID
// GRID: the unchanged source has no estimate: its launch depends on thread blocks, threads of a block, which are not known
// GRID: ranked for columns = 1 K, which is not known

// Where each thread has an element, blocks of another shape have as many.
// RUN: %gpu-estimate tune %s --kernel twice --gpu nvidia-h200 --ptxas off --no-cuda-sdk \
// RUN:   --block 128,512 | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS-DAG: {{[x)]}} 128 2048 launch
// ELEMENTS-DAG: {{[x)]}} 512 512 launch

#include <cuda_runtime.h>

__global__ void polynomial(float *x, int n, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i], sum = 0;
  for (int k = 0; k < degree; ++k)
    sum = sum * v + k;
  x[i] = sum;
}
void call(float *x, int n, int degree) {
  polynomial<<<(n + 255) / 256, 256>>>(x, n, degree);
}

__global__ void rowSums(const float *x, float *y, int columns) {
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    sum += x[blockIdx.x * columns + c];
  atomicAdd(&y[blockIdx.x], sum);
}

__global__ void twice(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
