/// \file
/// `hip_bfloat16`, the older type: it has a conversion and no arithmetic of its
/// own.

#ifndef GPU_ESTIMATE_HIP_BFLOAT16_H
#define GPU_ESTIMATE_HIP_BFLOAT16_H

#include "hip_runtime.h"

struct hip_bfloat16 {
  unsigned short data;

  hip_bfloat16() = default;
  __host__ __device__ explicit hip_bfloat16(float a)
      : data(__builtin_bit_cast(unsigned short, static_cast<__bf16>(a))) {}
  __host__ __device__ operator float() const {
    return __builtin_bit_cast(float, static_cast<unsigned>(data) << 16);
  }
};

#endif
