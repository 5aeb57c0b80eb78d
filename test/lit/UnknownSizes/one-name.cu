// A kernel's argument and a variable of host code with one name are one unknown:
// one option gives both their value.

// RUN: %analyze %s --gpu nvidia-h200 | FileCheck %s
// CHECK: 'copyRows' has no time {{.*}} without cols; {{.*}}; settle with --param cols=VALUE --param n=VALUE --param rows=VALUE{{$}}

#include <cuda_runtime.h>

struct Shape {
  int cols;
  int rows;
};
Shape shapeOf(const void *tensor);

__global__ void copyRows(float *out, const float *in, int cols, int rows) {
  for (int r = 0; r < rows; ++r)
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
      out[(blockIdx.x * rows + r) * cols + c] = in[r * cols + c];
}

void copy(float *out, const float *in, const void *tensor, int rows) {
  int cols = shapeOf(tensor).cols;
  int n = shapeOf(tensor).cols + rows;
  copyRows<<<cols, 128>>>(out, in, n, rows);
}
