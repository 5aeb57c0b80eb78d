// A structure by value that a kernel only passes on to a function: the copy, which
// begins right behind its variable, is the argument itself.
// RUN: %analyze %s --gpu nvidia-h200 | FileCheck %s --implicit-check-not=crashed
// CHECK: 'first' takes
// CHECK: 0 bytes of shared memory per block
// CHECK-NOT: local memory
// CHECK: 'second' takes
// CHECK-NOT: local memory

struct Parameters {
  float *x;
  int n[48];
};

template <bool Add>
static __forceinline__ __device__ void body(const Parameters p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n[0])
    p.x[i] = Add ? p.n[2] : p.n[1];
}

__global__ void first(const Parameters p) { body<false>(p); }
__global__ void second(const Parameters p) { body<true>(p); }

void run(Parameters p) {
  first<<<4096, 256>>>(p);
  second<<<4096, 256>>>(p);
}
