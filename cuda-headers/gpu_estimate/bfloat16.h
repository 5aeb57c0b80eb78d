/// \file
/// `__nv_bfloat16`, `__nv_bfloat162` and their functions.

#ifndef GPU_ESTIMATE_CUDA_BFLOAT16_H
#define GPU_ESTIMATE_CUDA_BFLOAT16_H

#include "half.h"
#include "runtime.h"

// Other headers of an SDK in the compiler's own path include the SDK's file of
// this name: the first one counts.
#if defined(__CUDA__) && !defined(__CUDA_BF16_H__)
#define __CUDA_BF16_H__
#define __CUDA_BF16_HPP__

#define GE_T __nv_bfloat16
#define GE_T2 __nv_bfloat162
#define GE_N __bf16
#define GE_RAW __nv_bfloat16_raw
#define GE_RAW2 __nv_bfloat162_raw
#define GE_V2 NativeBfloat162
#include "narrow_float.h"
#undef GE_T
#undef GE_T2
#undef GE_N
#undef GE_RAW
#undef GE_RAW2
#undef GE_V2

// From and to single and double precision. The rounding mode in a name does not
// change the cost; all of them are emitted as the plain conversion.
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat16 __float2bfloat16(float a) {
  return __nv_bfloat16(a);
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat16 __double2bfloat16(double a) {
  return __nv_bfloat16(a);
}
GPU_ESTIMATE_HOST_DEVICE float __bfloat162float(__nv_bfloat16 a) { return a; }
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __float2bfloat162_rn(float a) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a));
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __floats2bfloat162_rn(float a,
                                                              float b) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __float22bfloat162_rn(float2 a) {
  return __nv_bfloat162(__nv_bfloat16(a.x), __nv_bfloat16(a.y));
}
GPU_ESTIMATE_HOST_DEVICE float2 __bfloat1622float2(__nv_bfloat162 a) {
  return make_float2(a.x, a.y);
}
GPU_ESTIMATE_HOST_DEVICE float __low2float(__nv_bfloat162 a) { return a.x; }
GPU_ESTIMATE_HOST_DEVICE float __high2float(__nv_bfloat162 a) { return a.y; }

// Halves of a pair.
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) {
  return a.x;
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) {
  return a.y;
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) {
  return __nv_bfloat162(a.x, a.x);
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) {
  return __nv_bfloat162(a.y, a.y);
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __bfloat16s2bfloat162(__nv_bfloat16 a,
                                                              __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a,
                                                         __nv_bfloat162 b) {
  return __nv_bfloat162(a.x, b.x);
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a,
                                                          __nv_bfloat162 b) {
  return __nv_bfloat162(a.y, b.y);
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) {
  return __nv_bfloat162(a.y, a.x);
}

// Bits.
GPU_ESTIMATE_HOST_DEVICE short __bfloat16_as_short(__nv_bfloat16 a) {
  return __builtin_bit_cast(short, a);
}
GPU_ESTIMATE_HOST_DEVICE unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return __builtin_bit_cast(unsigned short, a);
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat16 __short_as_bfloat16(short a) {
  return __builtin_bit_cast(__nv_bfloat16, a);
}
GPU_ESTIMATE_HOST_DEVICE __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) {
  return __builtin_bit_cast(__nv_bfloat16, a);
}

// From and to integers, in every rounding mode.
#define GPU_ESTIMATE_BFLOAT16_INTEGER(name, Integer, mode)                     \
  GPU_ESTIMATE_HOST_DEVICE __nv_bfloat16 __##name##2bfloat16_##mode(           \
      Integer a) {                                                             \
    return __nv_bfloat16(static_cast<float>(a));                               \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE Integer __bfloat162##name##_##mode(                 \
      __nv_bfloat16 a) {                                                       \
    return static_cast<Integer>(static_cast<float>(a));                        \
  }
#define GPU_ESTIMATE_BFLOAT16_ROUNDING(mode)                                   \
  GPU_ESTIMATE_HOST_DEVICE __nv_bfloat16 __float2bfloat16_##mode(float a) {    \
    return __nv_bfloat16(a);                                                   \
  }                                                                            \
  GPU_ESTIMATE_BFLOAT16_INTEGER(int, int, mode)                                \
  GPU_ESTIMATE_BFLOAT16_INTEGER(uint, unsigned int, mode)                      \
  GPU_ESTIMATE_BFLOAT16_INTEGER(short, short, mode)                            \
  GPU_ESTIMATE_BFLOAT16_INTEGER(ushort, unsigned short, mode)                  \
  GPU_ESTIMATE_BFLOAT16_INTEGER(ll, long long, mode)                           \
  GPU_ESTIMATE_BFLOAT16_INTEGER(ull, unsigned long long, mode)
GPU_ESTIMATE_BFLOAT16_ROUNDING(rn)
GPU_ESTIMATE_BFLOAT16_ROUNDING(rz)
GPU_ESTIMATE_BFLOAT16_ROUNDING(ru)
GPU_ESTIMATE_BFLOAT16_ROUNDING(rd)
#undef GPU_ESTIMATE_BFLOAT16_ROUNDING
#undef GPU_ESTIMATE_BFLOAT16_INTEGER

GPU_ESTIMATE_HOST_DEVICE __nv_bfloat162 make_bfloat162(__nv_bfloat16 x,
                                                       __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif

#endif
