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

// Bytes that begin in the middle of a sector: a second sector where one would do
// is a matter of alignment, and so it is for the rows of a picture.
__global__ void shifted(const signed char *a, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a[i + 1];
}
__global__ void picture(const unsigned char *a, int *y, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  y[j * width + i] = a[j * width + i + 1];
}

// So are rows of a sector that begin in the middle of one.
__global__ void rows(const float *a, float *y, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  y[j * width + i] = a[j * width + i + 4];
}

// The second field is read where the first one asks for it, from sectors that are
// there already.
__global__ void within(const Pair *pair, float *y, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float found = 0;
  if (pair[i].first <= value && pair[i].second >= value)
    found = 1;
  y[i] = found;
}

// Not so where the bytes are apart.
__global__ void column(const signed char *a, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: uncoalesced.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: load from 'a' touches 16 sectors per request where 1 would do{{.*}} [-Wgpu-estimate-uncoalesced]
  y[i] = a[i * 16];
}

void host(float *x, float *y, const Body *body, const Pair *pair,
          signed char *bytes, unsigned char *pixels, int *z) {
  rows<<<dim3(256, 64), dim3(8, 32)>>>(x, y, 2048);
  within<<<16384, 256>>>(pair, y, 0.5f);
  shifted<<<16384, 256>>>(bytes, z);
  column<<<16384, 256>>>(bytes, z);
  picture<<<dim3(128, 128), dim3(16, 16)>>>(pixels, z, 2048);
  pairs<<<16384, 256>>>(pair, y, 1 << 22);
  fields<<<16384, 256>>>(x, y, 1 << 22);
  bodies<<<16384, 256>>>(body, y, 1 << 22);
}
