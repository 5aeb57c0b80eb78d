// Sectors per request against what the data need; the gain is that of the same
// data walked by neighbouring threads.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="gpu-estimate-uncoalesced"

#include <cuda_runtime.h>

// A structure of arrays: lanes are neighbours in memory.
__global__ void fields(float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i];
}

// An array of structures of 32 bytes: a sector for each lane.
struct Body {
  float x, y, rest[6];
};
__global__ void bodies(const Body *body, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    // CHECK: uncoalesced.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: load from 'body' touches 32 sectors per request where 4 would do; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-uncoalesced]
    // CHECK-NEXT: uncoalesced.cu:[[#@LINE+1]]:{{[0-9]+}}: note: make the loads of 'body' coalesced
    y[i] = body[i].x;
}

// Fields of one structure, half of the sectors with each: together they need
// what they touch.
struct Pair {
  float first, second;
};
__global__ void pairs(const Pair *pair, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float first = ((const volatile Pair *)pair)[i].first;
  float second = ((const volatile Pair *)pair)[i].second;
  y[i] = first * second;
}

void host(float *x, float *y, const Body *body, const Pair *pair) {
  pairs<<<16384, 256>>>(pair, y, 1 << 22);
  fields<<<16384, 256>>>(x, y, 1 << 22);
  bodies<<<16384, 256>>>(body, y, 1 << 22);
}
