// A launch in a branch that compares a variable for equality has the compared
// value: templates are chosen so.

// RUN: %analyze %s --gpu nvidia-h200 --param n=1048576 | FileCheck %s

#include <cuda_runtime.h>

template <int Log2> __global__ void rows(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 1 << Log2; ++k)
      p[i] = p[i] * 2 + 1;
}
__global__ void unequal(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 0;
}
__global__ void shared(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}

int ceilLog2(int n);

void dispatch(float *p, int n, int width, int kind) {
  int log2 = ceilLog2(width);
  int threads = 1 << log2;
  switch (log2) {
  // CHECK-DAG: 'rows<5>' takes {{.*}}(grid 32768, block 32 from host-code)
  case 5:
    rows<5><<<(n + threads - 1) / threads, threads>>>(p, n);
    break;
  // CHECK-DAG: 'rows<7>' takes {{.*}}(grid 8192, block 128 from host-code)
  case 7: {
    rows<7><<<(n + threads - 1) / threads, threads>>>(p, n);
    break;
  }
  // Two values lead to this one.
  // CHECK-DAG: 'shared' has no time {{.*}} without log2; log2 = 6, 8, 10:
  case 8:
  case 9:
    shared<<<(n + threads - 1) / threads, threads>>>(p, n);
    break;
  }
  // CHECK-DAG: 'unequal' takes {{.*}}(grid 16384, block 64 from host-code)
  if (kind != 64)
    return;
  else
    unequal<<<(n + kind - 1) / kind, kind>>>(p, n);
}

// A dim3 without values of its own has no initial value that anybody chose.
// CHECK-DAG: 'unset' has no time {{.*}} without a;
__global__ void unset(float *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
void filled(float *p, bool wide, int a, int b) {
  dim3 grid;
  if (wide)
    grid.x = a;
  else
    grid.x = b / 3;
  unset<<<grid, 128>>>(p);
}
