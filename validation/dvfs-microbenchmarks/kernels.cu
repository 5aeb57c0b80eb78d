// Kernels that keep one part of a GPU busy, at many core and memory clocks. They
// do the work of published microbenchmarks (README.md) and share no code with
// them. Blocks have 1024 threads.

#include <cuda_runtime.h>

struct Add {
  template <typename T> static __device__ T apply(T a, T b, T) { return a + b; }
};
struct Multiply {
  template <typename T> static __device__ T apply(T a, T b, T) { return a * b; }
};
struct MultiplyAdd {
  template <typename T> static __device__ T apply(T a, T b, T c) {
    return a * c + b;
  }
};

// Each thread reads an element from either end of an array, applies an operation
// to four values in turn, `rounds` times, and writes them to four arrays. The
// compiler unrolls the rounds as far as the published programs do, or to 32.
template <typename T, typename Operation, int Rounds>
__global__ void operate(const T *in, T *out0, T *out1, T *out2, T *out3,
                        int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  T a = in[i], b = in[size - 1 - i], c = a, d = b;
#pragma unroll(Rounds < 32 ? Rounds : 32)
  for (int round = 0; round < Rounds; ++round) {
    a = Operation::apply(a, b, c);
    b = Operation::apply(b, c, d);
    c = Operation::apply(c, d, a);
    d = Operation::apply(d, a, b);
  }
  out0[i] = a;
  out1[i] = b;
  out2[i] = c;
  out3[i] = d;
}

// 2048 multiply-adds of four values in registers; data come from shared memory
// and return there.
template <typename T> __global__ void multiplyAndAdd() {
  __shared__ T values[1024];
  T a = values[threadIdx.x], b = a, c = a, d = a;
#pragma unroll 32
  for (int round = 0; round < 512; ++round) {
    a = a * a + b;
    b = b * b + c;
    c = c * c + d;
    d = d * d + a;
  }
  values[threadIdx.x] = a;
}

#define OPERATE(T, OPERATION)                                                  \
  template __global__ void operate<T, OPERATION, 4>(const T *, T *, T *, T *,  \
                                                    T *, int);                 \
  template __global__ void operate<T, OPERATION, 16>(const T *, T *, T *, T *, \
                                                     T *, int);                \
  template __global__ void operate<T, OPERATION, 512>(                         \
      const T *, T *, T *, T *, T *, int);                                     \
  template __global__ void operate<T, OPERATION, 4096>(                        \
      const T *, T *, T *, T *, T *, int);

OPERATE(float, Add)
OPERATE(float, Multiply)
OPERATE(float, MultiplyAdd)
OPERATE(int, Add)
OPERATE(int, Multiply)
OPERATE(int, MultiplyAdd)
OPERATE(double, Add)
OPERATE(double, Multiply)
OPERATE(double, MultiplyAdd)

template __global__ void multiplyAndAdd<float>();
template __global__ void multiplyAndAdd<int>();
template __global__ void multiplyAndAdd<double>();
