// Kernels that keep one part of a GPU busy, for the energy of its events. They
// do the work of three published microbenchmarks (README.md) and share no code
// with them. Blocks have 256 threads.

#include <cuda_runtime.h>

// Each thread loads 32 elements, a block apart and in four pieces of the array,
// and makes `steps` dependent multiply-adds of each.
template <typename T>
__global__ void loadAndMultiply(T seed, T *data, int steps) {
  int first = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  int piece = gridDim.x * blockDim.x * 8;
  for (int p = 0; p < 4; ++p) {
    T value[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      value[k] = data[first + k * blockDim.x + p * piece];
      for (int s = 0; s < steps; ++s)
        value[k] = value[k] * value[k] + seed;
    }
    T sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k += 2)
      sum += value[k] * value[k + 1];
    if (sum == T(-1)) // does not happen
      data[first + p * piece] = sum;
  }
}

// 256 rounds of 248 multiply-adds in eight registers and one store.
template <typename T> __global__ void multiplyInRegisters(T seed, T *out) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  T r0 = seed + T(thread), r1 = r0 + T(2), r2 = r0 + T(3), r3 = r0 + T(5);
  T r4 = r0 + T(7), r5 = r0 + T(11), r6 = r0 + T(13), r7 = r0 + T(17);
  volatile T *place = out + thread;
  for (int round = 0; round < 256; ++round) {
#pragma unroll
    for (int s = 0; s < 31; ++s) {
      r0 = r0 * r0 + r4;
      r1 = r1 * r1 + r5;
      r2 = r2 * r2 + r6;
      r3 = r3 * r3 + r7;
      r4 = r4 * r4 + r0;
      r5 = r5 * r5 + r1;
      r6 = r6 * r6 + r2;
      r7 = r7 * r7 + r3;
    }
    *place = r0;
  }
  if (r1 == T(1) && r2 == T(1) && r3 == T(1) && r5 == T(1) && r6 == T(1) &&
      r7 == T(1))
    *out = r4;
}

// V is one, two or four floats. Each round exchanges five pairs of the thread's
// six elements in shared memory. Vectors are copied part by part.
__device__ inline float copyOf(const float &v) { return v; }
__device__ inline float2 copyOf(const float2 &v) {
  return make_float2(v.x, v.y);
}
__device__ inline float4 copyOf(const float4 &v) {
  return make_float4(v.x, v.y, v.z, v.w);
}
__device__ inline void put(float &to, float v) { to = v; }
__device__ inline void put(float2 &to, float2 v) { to.x = v.x, to.y = v.y; }
__device__ inline void put(float4 &to, float4 v) {
  to.x = v.x, to.y = v.y, to.z = v.z, to.w = v.w;
}
__device__ inline float plus(float a, float b) { return a + b; }
__device__ inline float2 plus(float2 a, float2 b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
__device__ inline float4 plus(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

template <typename V> __device__ inline void exchange(V &a, V &b) {
  V kept = copyOf(b);
  put(b, copyOf(a));
  put(a, kept);
}

extern __shared__ float sharedWords[];

template <typename V> __global__ void exchangeShared(V *data, int rounds) {
  V *mine = reinterpret_cast<V *>(sharedWords) + threadIdx.x;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int all = gridDim.x * blockDim.x, block = blockDim.x;
#pragma unroll
  for (int k = 0; k < 6; ++k)
    put(mine[k * block], copyOf(data[thread + k * all]));
  __threadfence_block();
#pragma unroll 32
  for (int round = 0; round < rounds; ++round) {
    exchange(mine[0], mine[block]);
    exchange(mine[2 * block], mine[3 * block]);
    exchange(mine[4 * block], mine[5 * block]);
    __threadfence_block();
    exchange(mine[block], mine[2 * block]);
    exchange(mine[3 * block], mine[4 * block]);
    __threadfence_block();
  }
  V sum = copyOf(mine[0]);
#pragma unroll
  for (int k = 1; k < 6; ++k)
    sum = plus(sum, copyOf(mine[k * block]));
  put(data[thread], sum);
}

template __global__ void loadAndMultiply(float, float *, int);
template __global__ void loadAndMultiply(double, double *, int);
template __global__ void loadAndMultiply(int, int *, int);
template __global__ void multiplyInRegisters(float, float *);
template __global__ void multiplyInRegisters(double, double *);
template __global__ void multiplyInRegisters(int, int *);
template __global__ void exchangeShared(float *, int);
template __global__ void exchangeShared(float2 *, int);
template __global__ void exchangeShared(float4 *, int);
