/// \file
/// Mathematical functions that CUDA adds to those of the C and C++ libraries.
///
/// clang's resource headers cover the device side of C's functions; here are
/// `min`/`max` for every pair of arithmetic types, the single-precision
/// overloads, and the host side of the functions that only CUDA has.

#ifndef GPU_ESTIMATE_CUDA_MATH_H
#define GPU_ESTIMATE_CUDA_MATH_H

#include "qualifiers.h"

#include <cmath>
#include <cstdlib>

// min and max. clang provides the device side of (int, int).
GPU_ESTIMATE_HOST_DEVICE unsigned int min(unsigned int a, unsigned int b) {
  return a < b ? a : b;
}
GPU_ESTIMATE_HOST_DEVICE unsigned int max(unsigned int a, unsigned int b) {
  return a < b ? b : a;
}
static inline __host__ int min(int a, int b) { return a < b ? a : b; }
static inline __host__ int max(int a, int b) { return a < b ? b : a; }

#define GPU_ESTIMATE_MINMAX(Result, A, B)                                      \
  GPU_ESTIMATE_HOST_DEVICE Result min(A a, B b) {                              \
    Result x = static_cast<Result>(a), y = static_cast<Result>(b);             \
    return x < y ? x : y;                                                      \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE Result max(A a, B b) {                              \
    Result x = static_cast<Result>(a), y = static_cast<Result>(b);             \
    return x < y ? y : x;                                                      \
  }

GPU_ESTIMATE_MINMAX(unsigned int, int, unsigned int)
GPU_ESTIMATE_MINMAX(unsigned int, unsigned int, int)
GPU_ESTIMATE_MINMAX(long, long, long)
GPU_ESTIMATE_MINMAX(unsigned long, unsigned long, unsigned long)
GPU_ESTIMATE_MINMAX(unsigned long, long, unsigned long)
GPU_ESTIMATE_MINMAX(unsigned long, unsigned long, long)
GPU_ESTIMATE_MINMAX(long long, long long, long long)
GPU_ESTIMATE_MINMAX(unsigned long long, unsigned long long, unsigned long long)
GPU_ESTIMATE_MINMAX(unsigned long long, long long, unsigned long long)
GPU_ESTIMATE_MINMAX(unsigned long long, unsigned long long, long long)
#undef GPU_ESTIMATE_MINMAX

#define GPU_ESTIMATE_FMINMAX(Result, A, B, suffix)                             \
  GPU_ESTIMATE_HOST_DEVICE Result min(A a, B b) {                              \
    return __builtin_fmin##suffix(a, b);                                       \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE Result max(A a, B b) {                              \
    return __builtin_fmax##suffix(a, b);                                       \
  }

GPU_ESTIMATE_FMINMAX(float, float, float, f)
GPU_ESTIMATE_FMINMAX(double, double, double, )
GPU_ESTIMATE_FMINMAX(double, float, double, )
GPU_ESTIMATE_FMINMAX(double, double, float, )
#undef GPU_ESTIMATE_FMINMAX

// Single-precision overloads of functions that only CUDA has.
#define GPU_ESTIMATE_FLOAT_OVERLOAD(name)                                      \
  GPU_ESTIMATE_DEVICE float name(float a) { return name##f(a); }
GPU_ESTIMATE_FLOAT_OVERLOAD(rsqrt)
GPU_ESTIMATE_FLOAT_OVERLOAD(rcbrt)
GPU_ESTIMATE_FLOAT_OVERLOAD(sinpi)
GPU_ESTIMATE_FLOAT_OVERLOAD(cospi)
GPU_ESTIMATE_FLOAT_OVERLOAD(erfinv)
GPU_ESTIMATE_FLOAT_OVERLOAD(erfcinv)
GPU_ESTIMATE_FLOAT_OVERLOAD(erfcx)
GPU_ESTIMATE_FLOAT_OVERLOAD(normcdf)
GPU_ESTIMATE_FLOAT_OVERLOAD(normcdfinv)
GPU_ESTIMATE_FLOAT_OVERLOAD(exp10)
#undef GPU_ESTIMATE_FLOAT_OVERLOAD

GPU_ESTIMATE_DEVICE void sincos(float a, float *s, float *c) {
  sincosf(a, s, c);
}
GPU_ESTIMATE_DEVICE void sincospi(float a, float *s, float *c) {
  sincospif(a, s, c);
}

// Overloads of the C library's functions that clang declares for device code
// but leaves to the SDK to define.
#define GPU_ESTIMATE_OVERLOAD_1(Result, name)                                  \
  GPU_ESTIMATE_DEVICE Result name(float a) { return name##f(a); }
#define GPU_ESTIMATE_OVERLOAD_2(Result, name, B)                               \
  GPU_ESTIMATE_DEVICE Result name(float a, B b) { return name##f(a, b); }
GPU_ESTIMATE_OVERLOAD_1(float, acosh)
GPU_ESTIMATE_OVERLOAD_1(float, asinh)
GPU_ESTIMATE_OVERLOAD_1(float, atanh)
GPU_ESTIMATE_OVERLOAD_1(float, cbrt)
GPU_ESTIMATE_OVERLOAD_1(float, erf)
GPU_ESTIMATE_OVERLOAD_1(float, erfc)
GPU_ESTIMATE_OVERLOAD_1(float, exp2)
GPU_ESTIMATE_OVERLOAD_1(float, expm1)
GPU_ESTIMATE_OVERLOAD_1(float, lgamma)
GPU_ESTIMATE_OVERLOAD_1(float, log1p)
GPU_ESTIMATE_OVERLOAD_1(float, log2)
GPU_ESTIMATE_OVERLOAD_1(float, logb)
GPU_ESTIMATE_OVERLOAD_1(float, nearbyint)
GPU_ESTIMATE_OVERLOAD_1(float, rint)
GPU_ESTIMATE_OVERLOAD_1(float, round)
GPU_ESTIMATE_OVERLOAD_1(float, tgamma)
GPU_ESTIMATE_OVERLOAD_1(float, trunc)
GPU_ESTIMATE_OVERLOAD_1(int, ilogb)
GPU_ESTIMATE_OVERLOAD_1(long, lrint)
GPU_ESTIMATE_OVERLOAD_1(long, lround)
GPU_ESTIMATE_OVERLOAD_1(long long, llrint)
GPU_ESTIMATE_OVERLOAD_1(long long, llround)
GPU_ESTIMATE_OVERLOAD_2(float, copysign, float)
GPU_ESTIMATE_OVERLOAD_2(float, fdim, float)
GPU_ESTIMATE_OVERLOAD_2(float, fmax, float)
GPU_ESTIMATE_OVERLOAD_2(float, fmin, float)
GPU_ESTIMATE_OVERLOAD_2(float, hypot, float)
GPU_ESTIMATE_OVERLOAD_2(float, nextafter, float)
GPU_ESTIMATE_OVERLOAD_2(float, remainder, float)
GPU_ESTIMATE_OVERLOAD_2(float, scalbn, int)
GPU_ESTIMATE_OVERLOAD_2(float, scalbln, long)
#undef GPU_ESTIMATE_OVERLOAD_1
#undef GPU_ESTIMATE_OVERLOAD_2
GPU_ESTIMATE_DEVICE float fma(float a, float b, float c) {
  return fmaf(a, b, c);
}
GPU_ESTIMATE_DEVICE float remquo(float a, float b, int *quotient) {
  return remquof(a, b, quotient);
}
GPU_ESTIMATE_DEVICE double nan(const char *tag) {
  return __nv_nan((const signed char *)tag);
}
GPU_ESTIMATE_DEVICE float nanf(const char *tag) {
  return __nv_nanf((const signed char *)tag);
}

// The host side of CUDA's own functions. glibc has some of them too: sinpi and
// cospi since 2.41, rsqrt since 2.42 (<bits/mathcalls.h>).
#if defined(__GLIBC__)
#define GPU_ESTIMATE_GLIBC_HAS(MINOR) __GLIBC_PREREQ(2, MINOR)
#else
#define GPU_ESTIMATE_GLIBC_HAS(MINOR) 0
#endif
#define GPU_ESTIMATE_HOST static inline __host__
GPU_ESTIMATE_HOST float rsqrt(float a) { return 1.0f / std::sqrt(a); }
#if !GPU_ESTIMATE_GLIBC_HAS(42)
GPU_ESTIMATE_HOST double rsqrt(double a) { return 1.0 / std::sqrt(a); }
GPU_ESTIMATE_HOST float rsqrtf(float a) { return 1.0f / std::sqrt(a); }
#endif
GPU_ESTIMATE_HOST double rcbrt(double a) { return 1.0 / std::cbrt(a); }
GPU_ESTIMATE_HOST float rcbrtf(float a) { return 1.0f / std::cbrt(a); }
#if !GPU_ESTIMATE_GLIBC_HAS(41)
GPU_ESTIMATE_HOST double sinpi(double a) {
  return std::sin(3.14159265358979323846 * a);
}
GPU_ESTIMATE_HOST float sinpif(float a) {
  return static_cast<float>(sinpi(static_cast<double>(a)));
}
GPU_ESTIMATE_HOST double cospi(double a) {
  return std::cos(3.14159265358979323846 * a);
}
GPU_ESTIMATE_HOST float cospif(float a) {
  return static_cast<float>(cospi(static_cast<double>(a)));
}
#endif
GPU_ESTIMATE_HOST double normcdf(double a) {
  return 0.5 * std::erfc(-0.70710678118654752440 * a);
}
GPU_ESTIMATE_HOST float normcdff(float a) {
  return static_cast<float>(normcdf(static_cast<double>(a)));
}
GPU_ESTIMATE_HOST float fdividef(float a, float b) { return a / b; }
GPU_ESTIMATE_HOST double fdivide(double a, double b) { return a / b; }
GPU_ESTIMATE_HOST unsigned int umin(unsigned int a, unsigned int b) {
  return a < b ? a : b;
}
GPU_ESTIMATE_HOST unsigned int umax(unsigned int a, unsigned int b) {
  return a < b ? b : a;
}
GPU_ESTIMATE_HOST long long llmin(long long a, long long b) {
  return a < b ? a : b;
}
GPU_ESTIMATE_HOST long long llmax(long long a, long long b) {
  return a < b ? b : a;
}
#undef GPU_ESTIMATE_HOST
#undef GPU_ESTIMATE_GLIBC_HAS

#endif
