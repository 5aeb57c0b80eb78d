// Device-side random numbers: seeding is one call, each number its generator's
// arithmetic.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
#include <curand_kernel.h>

// CHECK-LABEL: @xorwow(
extern "C" __global__ void xorwow(float *f, unsigned long long seed) {
  curandState state;
  // CHECK: @__gpu_estimate_curand_init(i64 noundef %1,
  curand_init(seed, threadIdx.x, 0, &state);
  // CHECK: xor i32
  // CHECK: uitofp i32
  f[0] = curand_uniform(&state);
  // CHECK: @__nv_logf(
  // CHECK: @__nv_sinf(
  f[1] = curand_normal(&state);
}

// Ten rounds of two wide products each.
// CHECK-LABEL: @philox(
extern "C" __global__ void philox(uint4 *u, unsigned long long seed) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, 0, &state);
  // CHECK-COUNT-20: lshr {{.*}}i64 {{.*}}, 32
  u[0] = curand4(&state);
}
int main() { return 0; }
