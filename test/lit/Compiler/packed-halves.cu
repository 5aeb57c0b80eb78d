// Two scalar operations on half-precision numbers are one instruction where they do
// not wait for each other, as ptxas packs them.

// RUN: %analyze %s --gpu nvidia-rtx-a6000 --compiler nvcc --dump schedule > %t
// RUN: python3 %S/Inputs/check_fp16.py %t %s

#include <cuda_fp16.h>

// HFMA2, HADD2 and HMUL2 of a kernel's machine code, as nvcc 13.0 -arch=sm_86
// compiles it.
#define NVCC(Instructions) extern "C" __global__ void

template <int N, typename Step> __device__ void chains(__half *a, Step step) {
  int t = threadIdx.x;
  __half x[N];
  for (int j = 0; j < N; ++j)
    x[j] = a[t + j * 256];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < N; ++j)
      x[j] = step(x[j]);
  for (int j = 0; j < N; ++j)
    a[t + j * 256] = x[j];
}
#define STEP(Result) [=](__half x) { return Result; }
NVCC(32) chains_1(__half *a, __half v) { chains<1>(a, STEP(x * v + v)); }
NVCC(32) chains_2(__half *a, __half v) { chains<2>(a, STEP(x * v + v)); }
NVCC(64) chains_4(__half *a, __half v) { chains<4>(a, STEP(x * v + v)); }
NVCC(64) intrinsics(__half *a, __half v) { chains<4>(a, STEP(__hfma(x, v, v))); }
NVCC(64) sums(__half *a, __half v) { chains<4>(a, STEP(x + v)); }

// Loop-carried values are in one register, too.
NVCC(2) chains_in_a_loop(__half *a, __half v, int n) {
  int t = threadIdx.x;
  __half x[4];
  for (int j = 0; j < 4; ++j)
    x[j] = a[t + j * 256];
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 4; ++j)
      x[j] = x[j] * v + v;
  for (int j = 0; j < 4; ++j)
    a[t + j * 256] = x[j];
}

template <int N> __device__ void outer(const __half *a, const __half *b, __half *c, int n) {
  int t = threadIdx.x;
  __half s[N][N] = {}, x[N], y[N];
#pragma unroll 1
  for (int p = 0; p < n; ++p) {
    for (int i = 0; i < N; ++i) {
      x[i] = a[p * 1024 + t * 4 + i];
      y[i] = b[p * 1024 + t * 4 + i];
    }
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        s[i][j] += x[i] * y[j];
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      c[(t * 4 + i) * 4 + j] = s[i][j];
}
NVCC(8) outer_4x4(const __half *a, const __half *b, __half *c, int n) { outer<4>(a, b, c, n); }
NVCC(5) outer_3x3(const __half *a, const __half *b, __half *c, int n) { outer<3>(a, b, c, n); }

NVCC(1) neighbours(const __half *a, const __half *b, __half *c) {
  int t = threadIdx.x * 2;
  __half x = a[t] * b[t], y = a[t + 1] * b[t + 1];
  c[t] = x;
  c[t + 1] = y;
}

// Each result is written before the next element may be read.
NVCC(4) one_by_one(const __half *a, const __half *b, __half *c) {
  int t = threadIdx.x;
  for (int i = 0; i < 4; ++i)
    c[t + i * 256] = a[t + i * 256] * b[t + i * 256];
}
