// Four one-line kernels over n elements, written from a description (see
// README.md): a stream, a stream with strides on both sides, a long chain of
// multiply-adds, and the same chain in every stride-th thread only.
//
// The global thread index is computed in 32 bits and kept in 64. Blocks have
// 256 threads.

#include <cstddef>
#include <cuda_runtime.h>

template <typename T>
__global__ void stream(const T *__restrict__ source, T *__restrict__ target,
                       size_t n) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    target[i] = source[i] + 1;
}

template <typename T>
__global__ void stream_strided(const T *__restrict__ source,
                               T *__restrict__ target, size_t n,
                               size_t readStride, size_t writeStride) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    target[i * writeStride] = source[i * readStride] + 1;
}

// value = factor * value + summand, 65536 times, each waiting for the last.
template <typename T> __device__ T chain(T value, T factor, T summand) {
  for (int i = 0; i < 65536; ++i)
    value = factor * value + summand;
  return value;
}

// The constants depend on an argument (in a way that never matters), so that
// the compiler cannot foresee the result; the store at the end never happens.
template <typename T> __global__ void fma(T *__restrict__ data, size_t n) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const T factor = n == 1 ? T(1) : T(0.5);
  const T summand = n == 1 ? T(0.5) : T(1);
  const T value = chain(data[i], factor, summand);
  if (value == 0)
    data[i] = value;
}

template <typename T>
__global__ void fma_strided(T *__restrict__ data, size_t n, size_t stride) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * stride)
    return;
  const T factor = n == 1 ? T(1) : T(0.5);
  const T summand = n == 1 ? T(0.5) : T(1);
  T value = i;
  if (i % stride == 0)
    value = chain(data[i], factor, summand);
  if (value == 0)
    data[i / stride] = value;
}

template __global__ void stream(const float *, float *, size_t);
template __global__ void stream(const double *, double *, size_t);
template __global__ void stream_strided(const float *, float *, size_t, size_t,
                                        size_t);
template __global__ void stream_strided(const double *, double *, size_t,
                                        size_t, size_t);
template __global__ void fma(float *, size_t);
template __global__ void fma(double *, size_t);
template __global__ void fma_strided(float *, size_t, size_t);
template __global__ void fma_strided(double *, size_t, size_t);
