/// \file
/// `__half`, `__half2` and their functions.

#ifndef GPU_ESTIMATE_CUDA_HALF_H
#define GPU_ESTIMATE_CUDA_HALF_H

#include "runtime.h"

// Other headers of an SDK in the compiler's own path include the SDK's file of
// this name: the first one counts.
#if defined(__CUDA__) && !defined(__CUDA_FP16_H__)
#define __CUDA_FP16_H__
#define __CUDA_FP16_HPP__

#define GE_T __half
#define GE_T2 __half2
#define GE_N _Float16
#define GE_RAW __half_raw
#define GE_RAW2 __half2_raw
#define GE_V2 NativeHalf2
#include "narrow_float.h"
#undef GE_T
#undef GE_T2
#undef GE_N
#undef GE_RAW
#undef GE_RAW2
#undef GE_V2

// From and to single and double precision. The rounding mode in a name does not
// change the cost; all of them are emitted as the plain conversion.
GPU_ESTIMATE_HOST_DEVICE __half __float2half(float a) { return __half(a); }
GPU_ESTIMATE_HOST_DEVICE __half __double2half(double a) { return __half(a); }
GPU_ESTIMATE_HOST_DEVICE float __half2float(__half a) { return a; }
GPU_ESTIMATE_HOST_DEVICE __half2 __float2half2_rn(float a) {
  return __half2(__half(a), __half(a));
}
GPU_ESTIMATE_HOST_DEVICE __half2 __floats2half2_rn(float a, float b) {
  return __half2(__half(a), __half(b));
}
GPU_ESTIMATE_HOST_DEVICE __half2 __float22half2_rn(float2 a) {
  return __half2(__half(a.x), __half(a.y));
}
GPU_ESTIMATE_HOST_DEVICE float2 __half22float2(__half2 a) {
  return make_float2(a.x, a.y);
}
GPU_ESTIMATE_HOST_DEVICE float __low2float(__half2 a) { return a.x; }
GPU_ESTIMATE_HOST_DEVICE float __high2float(__half2 a) { return a.y; }

// Halves of a pair.
GPU_ESTIMATE_HOST_DEVICE __half __low2half(__half2 a) { return a.x; }
GPU_ESTIMATE_HOST_DEVICE __half __high2half(__half2 a) { return a.y; }
GPU_ESTIMATE_HOST_DEVICE __half2 __low2half2(__half2 a) {
  return __half2(a.x, a.x);
}
GPU_ESTIMATE_HOST_DEVICE __half2 __high2half2(__half2 a) {
  return __half2(a.y, a.y);
}
GPU_ESTIMATE_HOST_DEVICE __half2 __half2half2(__half a) {
  return __half2(a, a);
}
GPU_ESTIMATE_HOST_DEVICE __half2 __halves2half2(__half a, __half b) {
  return __half2(a, b);
}
GPU_ESTIMATE_HOST_DEVICE __half2 __lows2half2(__half2 a, __half2 b) {
  return __half2(a.x, b.x);
}
GPU_ESTIMATE_HOST_DEVICE __half2 __highs2half2(__half2 a, __half2 b) {
  return __half2(a.y, b.y);
}
GPU_ESTIMATE_HOST_DEVICE __half2 __lowhigh2highlow(__half2 a) {
  return __half2(a.y, a.x);
}

// Bits.
GPU_ESTIMATE_HOST_DEVICE short __half_as_short(__half a) {
  return __builtin_bit_cast(short, a);
}
GPU_ESTIMATE_HOST_DEVICE unsigned short __half_as_ushort(__half a) {
  return __builtin_bit_cast(unsigned short, a);
}
GPU_ESTIMATE_HOST_DEVICE __half __short_as_half(short a) {
  return __builtin_bit_cast(__half, a);
}
GPU_ESTIMATE_HOST_DEVICE __half __ushort_as_half(unsigned short a) {
  return __builtin_bit_cast(__half, a);
}

// From and to integers, in every rounding mode.
#define GPU_ESTIMATE_HALF_INTEGER(name, Integer, mode)                         \
  GPU_ESTIMATE_HOST_DEVICE __half __##name##2half_##mode(Integer a) {          \
    return __half(static_cast<float>(a));                                      \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE Integer __half2##name##_##mode(__half a) {          \
    return static_cast<Integer>(static_cast<float>(a));                        \
  }
#define GPU_ESTIMATE_HALF_ROUNDING(mode)                                       \
  GPU_ESTIMATE_HOST_DEVICE __half __float2half_##mode(float a) {               \
    return __half(a);                                                          \
  }                                                                            \
  GPU_ESTIMATE_HALF_INTEGER(int, int, mode)                                    \
  GPU_ESTIMATE_HALF_INTEGER(uint, unsigned int, mode)                          \
  GPU_ESTIMATE_HALF_INTEGER(short, short, mode)                                \
  GPU_ESTIMATE_HALF_INTEGER(ushort, unsigned short, mode)                      \
  GPU_ESTIMATE_HALF_INTEGER(ll, long long, mode)                               \
  GPU_ESTIMATE_HALF_INTEGER(ull, unsigned long long, mode)
GPU_ESTIMATE_HALF_ROUNDING(rn)
GPU_ESTIMATE_HALF_ROUNDING(rz)
GPU_ESTIMATE_HALF_ROUNDING(ru)
GPU_ESTIMATE_HALF_ROUNDING(rd)
#undef GPU_ESTIMATE_HALF_ROUNDING
#undef GPU_ESTIMATE_HALF_INTEGER

GPU_ESTIMATE_HOST_DEVICE __half2 make_half2(__half x, __half y) {
  return __half2(x, y);
}

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#endif

// An SDK's file for bfloat16 wants the SDK's half.
#include "bfloat16.h"

#endif
