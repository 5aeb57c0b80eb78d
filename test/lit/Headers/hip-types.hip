// HIP's narrow types, device functions and shuffles of 64 bits without ROCm.
// RUN: %gpu-estimate analyze --no-cuda-sdk %s --gpu amd-mi210 --grid 4096 \
// RUN:   --block 256 | FileCheck %s
//
// CHECK: 'halves' takes
// CHECK: 'bfloats' takes
// CHECK: 'oldBfloats' takes
// CHECK: 'wideShuffle' takes
// CHECK: 'intrinsics' takes

#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hip/hip_vector_types.h>

__global__ void halves(__half2 *y, const __half2 *x, __half2 a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __shfl_down(__hfma2(a, x[i], y[i]), 1);
}

__global__ void bfloats(__hip_bfloat162 *y, const __hip_bfloat162 *x) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __hadd2(x[i], y[i]);
}

__global__ void oldBfloats(float *y, const hip_bfloat16 *x) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

__global__ void wideShuffle(double *x) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  static_assert(warpSize == 64, "a wavefront of gfx90a");
  x[i] += __shfl_xor(x[i], 1);
}

__global__ void intrinsics(unsigned *x, unsigned *count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = __byte_perm(x[i], __brev(x[i]), 0x5140) + __umulhi(x[i], 3);
  x[i] = __float_as_uint(__int_as_float(v)) + __float2int_rd(v) +
         atomicInc(count, 1000);
}

int main() {
  hipDeviceProp_t properties;
  int size = 0;
  (void)hipGetDeviceProperties(&properties, 0);
  (void)hipDeviceGetAttribute(&size, hipDeviceAttributeWarpSize, 0);
  return properties.warpSize == size ? 0 : 1;
}
