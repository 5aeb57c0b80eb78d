// The functions of --formulas=python and --formulas=c compute what the tool
// reports: a loop over an argument with two buffers, a triangular nest (of so few
// rows that the tool evaluates each), shared memory, and arguments that are
// keywords of the languages.

// RUN: python3 %S/Inputs/evaluate.py %t.dot %clang_c 1,7,1000 %analyze %s --gpu nvidia-v100 --kernel dot --grid 32 --block 128 | FileCheck %s
// RUN: python3 %S/Inputs/evaluate.py %t.triangle %clang_c 1,3,8 %analyze %s --gpu nvidia-h200 --kernel triangle --grid 16 --block 64 | FileCheck %s
// RUN: python3 %S/Inputs/evaluate.py %t.staged %clang_c 1,7,1000 %analyze %s --gpu nvidia-rtx-3080 --kernel staged --grid 8 --block 64 | FileCheck %s
// CHECK: {{[1-9][0-9]+}} values are what the tool reports

__global__ void dot(const float *a, const float *b, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k * 4096 + i] * b[i * n + k];
  out[i] = sum;
}

__global__ void triangle(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int row = 0; row < n; ++row) {
    double product = 1;
    for (int column = 0; column < row; ++column)
      product *= in[column] + 0.5;
    sum += product / 3;
  }
  out[i] = sum;
}

// A tile after the other.
__global__ void staged(const float *lambda, float *in, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x] = lambda[k * 64 + threadIdx.x];
    for (int j = 0; j < 5; ++j)
      sum = sum * tile[j] + sqrtf(sum);
  }
  in[blockIdx.x * 64 + threadIdx.x] = sum;
}
