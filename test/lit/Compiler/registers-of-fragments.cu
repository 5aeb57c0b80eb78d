// Registers of kernels with tensor cores by inline assembly, in comments those of
// nvcc 13 -arch=sm_86. ldmatrix and mma are volatile for the compiler only: ptxas
// loads a fragment where it is needed. Two halves of a word share its register,
// also where the source takes them one by one.

// RUN: %analyze %s --gpu nvidia-rtx-a6000 --compiler nvcc | FileCheck %s
// CHECK-DAG: 'products8' takes
// CHECK-DAG: 'products16' takes
// CHECK-DAG: 'softmax16' takes
// RUN: %analyze %s --gpu nvidia-rtx-a6000 --kernel products8 | FileCheck %s --check-prefix=P8
// RUN: %analyze %s --gpu nvidia-rtx-a6000 --kernel products16 | FileCheck %s --check-prefix=P16
// RUN: %analyze %s --gpu nvidia-rtx-a6000 --kernel softmax16 | FileCheck %s --check-prefix=S16
// P8: resources {{ *}}{{3[2-9]|4[0-8]}} registers per thread (estimate)
// P16: resources {{ *}}{{4[0-9]|5[0-8]}} registers per thread (estimate)
// S16: resources {{ *}}{{4[0-9]|5[0-9]|6[0-7]}} registers per thread (estimate)
#include <cuda_fp16.h>

__device__ void loadLeft(unsigned *a, unsigned address) {
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(address));
}
__device__ void loadRight(unsigned *b, unsigned address) {
  asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0, %1}, [%2];"
               : "=r"(b[0]), "=r"(b[1])
               : "r"(address));
}
__device__ void multiply(unsigned *c, const unsigned *a, const unsigned *b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, "
               "{%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(c[0]), "+r"(c[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

template <int N>
__device__ void products(const uint4 *from, unsigned *to, int n) {
  __shared__ half tile[64 * 72];
  unsigned sums[N][2], left[4], right[N][2];
  for (int i = 0; i < N; ++i)
    sums[i][0] = sums[i][1] = 0;
  for (int k = 0; k < n; ++k) {
    ((uint4 *)tile)[threadIdx.x] = from[k * 128 + threadIdx.x];
    __syncthreads();
    unsigned base = (unsigned)__cvta_generic_to_shared(tile);
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      loadLeft(left, base + (threadIdx.x % 16 * 72 + step * 16) * 2);
#pragma unroll
      for (int i = 0; i < N; ++i)
        loadRight(right[i], base + (threadIdx.x % 8 * 72 + i * 8 * 72 + step * 16) * 2);
#pragma unroll
      for (int i = 0; i < N; ++i)
        multiply(sums[i], left, right[i]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < N; ++i) {
    to[i * 2 * 128 + threadIdx.x] = sums[i][0];
    to[(i * 2 + 1) * 128 + threadIdx.x] = sums[i][1];
  }
}

// gpu-estimate: grid=1024 block=128 param n=64
__global__ void products8(const uint4 *from, unsigned *to, int n) { // 40
  products<8>(from, to, n);
}
// gpu-estimate: grid=1024 block=128 param n=64
__global__ void products16(const uint4 *from, unsigned *to, int n) { // 49
  products<16>(from, to, n);
}

// gpu-estimate: grid=1024 block=128 param n=64
__global__ void softmax16(const unsigned *from, unsigned *to, int n) { // 56
  constexpr int N = 16;
  unsigned s[N][2];
#pragma unroll
  for (int i = 0; i < N; ++i) {
    s[i][0] = from[2 * i * 128 + threadIdx.x];
    s[i][1] = from[(2 * i + 1) * 128 + threadIdx.x];
  }
  for (int k = 0; k < n; ++k) {
    float most = -1e30f, sum = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      half *h = (half *)&s[i][0];
      most = fmaxf(most, fmaxf(__half2float(h[0]), __half2float(h[1])));
    }
    most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
#pragma unroll
    for (int i = 0; i < N; ++i) {
      float2 t = __half22float2(*(half2 *)&s[i][0]);
      t.x = __expf(t.x - most);
      t.y = __expf(t.y - most);
      sum += t.x + t.y;
      *(half2 *)&s[i][0] = __float22half2_rn(t);
      half *h = (half *)&s[i][1];
      h[0] = __float2half(__expf(__half2float(h[0]) - most));
      h[1] = __float2half(__expf(__half2float(h[1]) - sum));
    }
  }
#pragma unroll
  for (int i = 0; i < N; ++i) {
    to[2 * i * 128 + threadIdx.x] = s[i][0];
    to[(2 * i + 1) * 128 + threadIdx.x] = s[i][1];
  }
}
