// Variables of host code that nothing determines are the unknown sizes, and
// constants stay. What host code or options tell needs no table.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
// CHECK: 'sums' has no time {{.*}} without ne01*ne02; ne01*ne02 = 32, 1 K, 32 K, 1 M: {{.*}} (ne00 = 1 K); settle with --param ne01=VALUE --param ne02=VALUE --param ne00=VALUE
// CHECK: 32 K {{.*}} grid 32768, block 128
// A constant extent of the grid.
// CHECK: 'sums' has no time {{.*}} without rows; rows = {{.*}}; settle with --param rows=VALUE
// CHECK: 1 K {{.*}} grid 32x1024, block 128
// Usual values of many factors would make no block along x.
// CHECK: 'sums' has no time {{.*}} without {{.*}}; settle with --param
// CHECK: grid {{[1-9][0-9]*}}x
// An initial value is known, even if it may change.
// CHECK: 'sums' takes {{.*}}(grid 8, block 128 from host-code)

// A size that does not move the time is no reason for a table.
// CHECK: 'touch' takes
// CHECK: 'repeats' of the host code = 1024

// A launch that passes its sizes on tells no more than none: the grid follows
// the argument, and is 1 where all blocks would do the same.
// CHECK: 'scale' has no time {{.*}} without m; m = 1 K, 32 K, 1 M, 32 M: {{.*}} (block 256); settle with --block X --param m=VALUE
// CHECK: 1 M {{.*}} grid 4096, block 256

// A grid that another file computes for a product of sizes: each factor is small,
// and one index over two axes makes all blocks along the first.
// CHECK: 'numbered' has no time {{.*}} without {{[nchw]}}; {{[nchw]}} = 8, 32, 128, 512: {{[^(]*}} ([[S:[nchw]]] = 32, {{[nchw]}} = 32, {{[nchw]}} = 32); settle with --param
// CHECK: 512 {{.*}} grid 65536, block 256

#include <cuda_runtime.h>

extern "C" int atoi(const char *);

__global__ void sums(const float *x, float *y, int columns) {
  int row = blockIdx.y * gridDim.x + blockIdx.x;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    sum += x[row * columns + c];
  y[row * blockDim.x + threadIdx.x] = sum;
}

__global__ void touch(float *x, int repeats) {
  x[threadIdx.x] += 1;
  if (blockIdx.x == 100000)
    for (int i = 0; i < repeats; ++i)
      x[i] += 1;
}

void all(const float *x, float *y, int ne00, int ne01, int ne02) {
  sums<<<dim3(ne01, ne02), 128>>>(x, y, ne00);
}

void fixed(const float *x, float *y, int rows) {
  sums<<<dim3(32, rows), 128>>>(x, y, 4096);
}

void packed(const float *x, float *y, int ne0, int a, int b, int c) {
  sums<<<dim3(ne0 / 256, a * b, c), 128>>>(x, y, 512);
}

int main(int argc, char **argv) {
  int n = 8;
  if (argc > 1)
    n = atoi(argv[1]);
  float *x, *y;
  cudaMalloc(&x, 8 * 4096 * 4);
  cudaMalloc(&y, 8 * 128 * 4);
  sums<<<n, 128>>>(x, y, 4096);
}

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}

struct Sizes {
  dim3 gridDim, blockDim;
};

void scaled(float *x, Sizes s, int m) { scale<<<s.gridDim, s.blockDim>>>(x, m); }

void touches(float *x, int repeats) { touch<<<256, 256>>>(x, repeats); }

__global__ void numbered(float *x, int count) {
  int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
    x[i] *= 2;
}

dim3 gridFor(size_t count);

void scaledImages(float *x, int n, int c, int h, int w) {
  numbered<<<gridFor((size_t)n * c * h * w), 256>>>(x, n * c * h * w);
}
