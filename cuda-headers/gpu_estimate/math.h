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
GPU_ESTIMATE_DEVICE float copysign(float a, double b) {
  return copysignf(a, static_cast<float>(b));
}

// The host side of CUDA's own functions.
#define GPU_ESTIMATE_HOST static inline __host__
GPU_ESTIMATE_HOST double rsqrt(double a) { return 1.0 / std::sqrt(a); }
GPU_ESTIMATE_HOST float rsqrt(float a) { return 1.0f / std::sqrt(a); }
GPU_ESTIMATE_HOST float rsqrtf(float a) { return 1.0f / std::sqrt(a); }
GPU_ESTIMATE_HOST double rcbrt(double a) { return 1.0 / std::cbrt(a); }
GPU_ESTIMATE_HOST float rcbrtf(float a) { return 1.0f / std::cbrt(a); }
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

#endif
