/// \file
/// Bodies for the libdevice functions that are single LLVM operations.
///
/// With an SDK, libdevice is linked and these functions dissolve into plain
/// instructions (`min` becomes a compare and select, `__float_as_int` a
/// bitcast). Without one they would stay opaque calls and hide loop bounds and
/// addresses from the analysis, so the same meaning is given here. Functions
/// with a real instruction sequence behind them (sin, exp, sqrt, directed
/// rounding, ...) stay external declarations under libdevice's own names. The
/// header stands alone: it also serves an SDK whose libdevice is not linked.

#ifndef GPU_ESTIMATE_CUDA_LIBDEVICE_INLINE_H
#define GPU_ESTIMATE_CUDA_LIBDEVICE_INLINE_H

#include "libdevice_attributes.h"

#define GPU_ESTIMATE_NV inline __attribute__((device, always_inline, const))

#define GPU_ESTIMATE_NV_BITCAST(To, name, From)                                \
  GPU_ESTIMATE_NV To __nv_##name(From a) { return __builtin_bit_cast(To, a); }

#define GPU_ESTIMATE_NV_CONVERT(To, name, From)                                \
  GPU_ESTIMATE_NV To __nv_##name(From a) { return static_cast<To>(a); }

#define GPU_ESTIMATE_NV_MINMAX(Type, prefix)                                   \
  GPU_ESTIMATE_NV Type __nv_##prefix##min(Type a, Type b) {                    \
    return a < b ? a : b;                                                      \
  }                                                                            \
  GPU_ESTIMATE_NV Type __nv_##prefix##max(Type a, Type b) {                    \
    return a < b ? b : a;                                                      \
  }

#define GPU_ESTIMATE_NV_UNARY(name, builtin)                                   \
  GPU_ESTIMATE_NV double __nv_##name(double a) { return builtin(a); }          \
  GPU_ESTIMATE_NV float __nv_##name##f(float a) { return builtin##f(a); }

#define GPU_ESTIMATE_NV_BINARY(name, builtin)                                  \
  GPU_ESTIMATE_NV double __nv_##name(double a, double b) {                     \
    return builtin(a, b);                                                      \
  }                                                                            \
  GPU_ESTIMATE_NV float __nv_##name##f(float a, float b) {                     \
    return builtin##f(a, b);                                                   \
  }

extern "C" {
GPU_ESTIMATE_NV_MINMAX(int, )
GPU_ESTIMATE_NV_MINMAX(unsigned int, u)
GPU_ESTIMATE_NV_MINMAX(long long, ll)
GPU_ESTIMATE_NV_MINMAX(unsigned long long, ull)

GPU_ESTIMATE_NV int __nv_abs(int a) { return a < 0 ? -a : a; }
GPU_ESTIMATE_NV long long __nv_llabs(long long a) { return a < 0 ? -a : a; }

// Bits.
GPU_ESTIMATE_NV_BITCAST(int, float_as_int, float)
GPU_ESTIMATE_NV_BITCAST(unsigned int, float_as_uint, float)
GPU_ESTIMATE_NV_BITCAST(float, int_as_float, int)
GPU_ESTIMATE_NV_BITCAST(float, uint_as_float, unsigned int)
GPU_ESTIMATE_NV_BITCAST(unsigned long long, double_as_longlong, double)
GPU_ESTIMATE_NV_BITCAST(double, longlong_as_double, long long)
GPU_ESTIMATE_NV int __nv_double2hiint(double a) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, a) >> 32);
}
GPU_ESTIMATE_NV int __nv_double2loint(double a) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, a));
}
GPU_ESTIMATE_NV double __nv_hiloint2double(int hi, int lo) {
  return __builtin_bit_cast(
      double, static_cast<unsigned long long>(static_cast<unsigned>(hi)) << 32 |
                  static_cast<unsigned>(lo));
}
GPU_ESTIMATE_NV int __nv_popc(unsigned int a) { return __builtin_popcount(a); }
GPU_ESTIMATE_NV int __nv_popcll(unsigned long long a) {
  return __builtin_popcountll(a);
}
GPU_ESTIMATE_NV int __nv_clz(int a) {
  return __builtin_clzg(static_cast<unsigned>(a), 32);
}
GPU_ESTIMATE_NV int __nv_clzll(long long a) {
  return __builtin_clzg(static_cast<unsigned long long>(a), 64);
}
GPU_ESTIMATE_NV int __nv_ffs(int a) { return __builtin_ffs(a); }
GPU_ESTIMATE_NV int __nv_ffsll(long long a) { return __builtin_ffsll(a); }
GPU_ESTIMATE_NV int __nv_brev(int a) {
  return static_cast<int>(__builtin_bitreverse32(static_cast<unsigned>(a)));
}
GPU_ESTIMATE_NV long long __nv_brevll(long long a) {
  return static_cast<long long>(
      __builtin_bitreverse64(static_cast<unsigned long long>(a)));
}

// Integer products. The 24-bit forms are ordinary products of narrow values.
GPU_ESTIMATE_NV int __nv_mul24(int a, int b) {
  return (a << 8 >> 8) * (b << 8 >> 8);
}
GPU_ESTIMATE_NV unsigned int __nv_umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
GPU_ESTIMATE_NV int __nv_mulhi(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
GPU_ESTIMATE_NV unsigned int __nv_umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
GPU_ESTIMATE_NV int __nv_hadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
GPU_ESTIMATE_NV int __nv_rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}

// Floating-point operations that LLVM has as intrinsics.
GPU_ESTIMATE_NV_UNARY(fabs, __builtin_fabs)
GPU_ESTIMATE_NV_UNARY(floor, __builtin_floor)
GPU_ESTIMATE_NV_UNARY(ceil, __builtin_ceil)
GPU_ESTIMATE_NV_UNARY(trunc, __builtin_trunc)
GPU_ESTIMATE_NV_UNARY(rint, __builtin_rint)
GPU_ESTIMATE_NV_UNARY(nearbyint, __builtin_nearbyint)
GPU_ESTIMATE_NV_BINARY(fmin, __builtin_fmin)
GPU_ESTIMATE_NV_BINARY(fmax, __builtin_fmax)
GPU_ESTIMATE_NV_BINARY(copysign, __builtin_copysign)
GPU_ESTIMATE_NV double __nv_fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
GPU_ESTIMATE_NV double __nv_fma_rn(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
GPU_ESTIMATE_NV float __nv_fmaf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
GPU_ESTIMATE_NV float __nv_fmaf_rn(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
GPU_ESTIMATE_NV int __nv_isnanf(float a) { return __builtin_isnan(a); }
GPU_ESTIMATE_NV int __nv_isnand(double a) { return __builtin_isnan(a); }
GPU_ESTIMATE_NV int __nv_isinff(float a) { return __builtin_isinf(a); }
GPU_ESTIMATE_NV int __nv_isinfd(double a) { return __builtin_isinf(a); }
GPU_ESTIMATE_NV int __nv_finitef(float a) { return __builtin_isfinite(a); }
GPU_ESTIMATE_NV int __nv_isfinited(double a) { return __builtin_isfinite(a); }
GPU_ESTIMATE_NV int __nv_signbitf(float a) {
  return __builtin_signbitf(a) != 0;
}
GPU_ESTIMATE_NV int __nv_signbitd(double a) {
  return __builtin_signbit(a) != 0;
}

// Conversions whose rounding is that of a plain cast: to nearest towards
// floating point, towards zero towards integers.
GPU_ESTIMATE_NV_CONVERT(float, double2float_rn, double)
GPU_ESTIMATE_NV_CONVERT(int, double2int_rz, double)
GPU_ESTIMATE_NV_CONVERT(unsigned int, double2uint_rz, double)
GPU_ESTIMATE_NV_CONVERT(long long, double2ll_rz, double)
GPU_ESTIMATE_NV_CONVERT(unsigned long long, double2ull_rz, double)
GPU_ESTIMATE_NV_CONVERT(int, float2int_rz, float)
GPU_ESTIMATE_NV_CONVERT(unsigned int, float2uint_rz, float)
GPU_ESTIMATE_NV_CONVERT(long long, float2ll_rz, float)
GPU_ESTIMATE_NV_CONVERT(unsigned long long, float2ull_rz, float)
GPU_ESTIMATE_NV_CONVERT(double, int2double_rn, int)
GPU_ESTIMATE_NV_CONVERT(double, uint2double_rn, unsigned int)
GPU_ESTIMATE_NV_CONVERT(double, ll2double_rn, long long)
GPU_ESTIMATE_NV_CONVERT(double, ull2double_rn, unsigned long long)
GPU_ESTIMATE_NV_CONVERT(float, int2float_rn, int)
GPU_ESTIMATE_NV_CONVERT(float, uint2float_rn, unsigned int)
GPU_ESTIMATE_NV_CONVERT(float, ll2float_rn, long long)
GPU_ESTIMATE_NV_CONVERT(float, ull2float_rn, unsigned long long)

// Results through pointers would keep the caller's variables in memory.
#define GPU_ESTIMATE_NV_SINCOS(Type, name, sine, cosine)                       \
  inline __attribute__((device, always_inline)) void __nv_##name(              \
      Type a, Type *s, Type *c) {                                              \
    *s = __nv_##sine(a);                                                       \
    *c = __nv_##cosine(a);                                                     \
  }
GPU_ESTIMATE_NV_SINCOS(double, sincos, sin, cos)
GPU_ESTIMATE_NV_SINCOS(float, sincosf, sinf, cosf)
GPU_ESTIMATE_NV_SINCOS(double, sincospi, sinpi, cospi)
GPU_ESTIMATE_NV_SINCOS(float, sincospif, sinpif, cospif)
GPU_ESTIMATE_NV_SINCOS(float, fast_sincosf, fast_sinf, fast_cosf)
} // extern "C"

#undef GPU_ESTIMATE_NV
#undef GPU_ESTIMATE_NV_SINCOS
#undef GPU_ESTIMATE_NV_BITCAST
#undef GPU_ESTIMATE_NV_CONVERT
#undef GPU_ESTIMATE_NV_MINMAX
#undef GPU_ESTIMATE_NV_UNARY
#undef GPU_ESTIMATE_NV_BINARY

#endif
