// A structure that a wrapper forwards with its arguments, made by a function: its
// members are those that the function puts there. Locals of the function are
// nothing that a user could be asked for.

// RUN: %analyze %s --gpu nvidia-h200 | FileCheck %s --implicit-check-not='--param L' --implicit-check-not=f.z
// CHECK-DAG: 'direct' has no time {{.*}} without n;
// CHECK-DAG: 'forwarded' has no time {{.*}} without n;

#include <cuda_runtime.h>
#include <utility>

static uint3 divisor(long long d64) {
  unsigned d = (unsigned)d64, L = 0;
  while (L < 32 && (1u << L) < d)
    L++;
  return make_uint3((unsigned)((1ull << 32) * ((1ull << L) - d) / d + 1), L, d);
}

// The grid is known, and the loop strides over it up to an unknown end.
__global__ void direct(float *p, uint3 f) {
  for (int z = blockIdx.x; z < f.z; z += gridDim.x)
    p[z * blockDim.x + threadIdx.x] += 1;
}
__global__ void forwarded(float *p, uint3 f) {
  for (int z = blockIdx.x; z < f.z; z += gridDim.x)
    p[z * blockDim.x + threadIdx.x] += 1;
}

template <class K, class... A> void launch(K k, dim3 g, dim3 b, A &&...args) {
  k<<<g, b>>>(std::forward<A>(args)...);
}

void go(float *p, long long n) {
  const uint3 f = divisor(n);
  direct<<<64, 128>>>(p, f);
  launch(forwarded, dim3(64), dim3(128), p, f);
}
