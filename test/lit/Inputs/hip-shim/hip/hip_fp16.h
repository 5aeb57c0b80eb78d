// Stands in for ROCm's header in syntax tests: only what is used there.
#ifndef GPU_ESTIMATE_TEST_HIP_FP16_H
#define GPU_ESTIMATE_TEST_HIP_FP16_H
#include "hip/hip_runtime.h"
struct __half {
  unsigned short Bits;
};
struct __half2 {
  __half Low, High;
};
__host__ __device__ __half2 __float2half2_rn(float);
__device__ __half2 __hadd2(__half2, __half2);
__device__ __half2 __hmul2(__half2, __half2);
__device__ __half2 __hfma2(__half2, __half2, __half2);
__host__ __device__ __half __float2half_rn(float);
__device__ unsigned short __half_as_ushort(__half);
#endif
