// Chains of arithmetic in registers, in the mixes of published synthetic
// kernels (README.md), with which they share no code.

#include <cuda_runtime.h>

// Each thread reads four values and repeats, for each of them, so many
// additions, multiplications and divisions in float and in int.
template <int FloatAdds, int FloatMultiplies, int FloatDivides, int IntAdds,
          int IntMultiplies, int IntDivides>
__global__ void arithmetic(const float *reals, const int *integers, float *out,
                           int size, int iterations) {
  constexpr int MostIntegers =
      IntAdds > IntMultiplies
          ? (IntAdds > IntDivides ? IntAdds : IntDivides)
          : (IntMultiplies > IntDivides ? IntMultiplies : IntDivides);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  float f[4];
  int n[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    f[k] = reals[(i + k) % size];
    if (MostIntegers > 0)
      n[k] = integers[(i + k) % size];
  }
  for (int iteration = 0; iteration < iterations; ++iteration) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      float other = f[(k + 1) % 4];
#pragma unroll
      for (int c = 0; c < FloatAdds; ++c)
        f[k] = f[k] + other;
#pragma unroll
      for (int c = 0; c < FloatMultiplies; ++c)
        f[k] = f[k] * other;
#pragma unroll
      for (int c = 0; c < FloatDivides; ++c)
        f[k] = f[k] / other;
      int next = n[(k + 1) % 4];
      // In an order in which no two of them cancel.
#pragma unroll
      for (int c = 0; c < MostIntegers; ++c) {
        if (c < IntDivides)
          n[k] = n[k] / next;
        if (c < IntMultiplies)
          n[k] = n[k] * next;
        if (c < IntAdds)
          n[k] = n[k] + next;
      }
    }
  }
  float sum = f[0] + f[1] + f[2] + f[3];
  if (MostIntegers > 0)
    sum += float(n[0] + n[1] + n[2] + n[3]);
  out[i] = sum;
}

#define ARITHMETIC(...)                                                        \
  template __global__ void arithmetic<__VA_ARGS__>(const float *, const int *, \
                                                   float *, int, int);
ARITHMETIC(1, 1, 1, 0, 0, 0)
ARITHMETIC(2, 2, 2, 0, 0, 0)
ARITHMETIC(3, 3, 3, 0, 0, 0)
ARITHMETIC(1, 1, 1, 1, 1, 1)
ARITHMETIC(3, 3, 3, 3, 3, 3)
ARITHMETIC(5, 5, 5, 5, 5, 5)
ARITHMETIC(3, 3, 3, 1, 1, 1)
ARITHMETIC(1, 1, 1, 3, 3, 3)
ARITHMETIC(5, 5, 5, 2, 2, 2)
ARITHMETIC(2, 2, 2, 5, 5, 5)
ARITHMETIC(1, 0, 0, 0, 0, 0)
ARITHMETIC(5, 0, 0, 0, 0, 0)
ARITHMETIC(10, 0, 0, 0, 0, 0)
ARITHMETIC(0, 1, 0, 0, 0, 0)
ARITHMETIC(0, 5, 0, 0, 0, 0)
ARITHMETIC(0, 10, 0, 0, 0, 0)
ARITHMETIC(0, 0, 1, 0, 0, 0)
ARITHMETIC(0, 0, 2, 0, 0, 0)
ARITHMETIC(0, 0, 3, 0, 0, 0)
