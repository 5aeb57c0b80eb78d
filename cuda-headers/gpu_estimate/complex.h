/// \file
/// `cuFloatComplex` and `cuDoubleComplex` with their arithmetic.

#ifndef GPU_ESTIMATE_CUDA_COMPLEX_H
#define GPU_ESTIMATE_CUDA_COMPLEX_H

#include <math.h>

#include "vector_functions.h"

#if defined(__CUDA__)
#define GPU_ESTIMATE_COMPLEX GPU_ESTIMATE_HOST_DEVICE
#else
#define GPU_ESTIMATE_COMPLEX static __inline__
#endif

typedef float2 cuFloatComplex;
GPU_ESTIMATE_COMPLEX float cuCrealf(cuFloatComplex a) { return a.x; }
GPU_ESTIMATE_COMPLEX float cuCimagf(cuFloatComplex a) { return a.y; }
GPU_ESTIMATE_COMPLEX cuFloatComplex make_cuFloatComplex(float re, float im) {
  return make_float2(re, im);
}
GPU_ESTIMATE_COMPLEX cuFloatComplex cuConjf(cuFloatComplex a) {
  return make_float2(a.x, -a.y);
}
GPU_ESTIMATE_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex a,
                                            cuFloatComplex b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
GPU_ESTIMATE_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex a,
                                            cuFloatComplex b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
GPU_ESTIMATE_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex a,
                                            cuFloatComplex b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
// Scaled by the divisor's larger part, so that its square does not overflow.
GPU_ESTIMATE_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex a,
                                            cuFloatComplex b) {
  float scale = 1 / (fabsf(b.x) + fabsf(b.y));
  float ax = a.x * scale, ay = a.y * scale;
  float bx = b.x * scale, by = b.y * scale;
  float inverse = 1 / (bx * bx + by * by);
  return make_float2((ax * bx + ay * by) * inverse,
                     (ay * bx - ax * by) * inverse);
}
// As the SDK does: one division and one square root, which cost more than its
// hypotf(). Zero, and what overflows, is the sum of the parts.
GPU_ESTIMATE_COMPLEX float cuCabsf(cuFloatComplex a) {
  float re = fabsf(a.x), im = fabsf(a.y);
  float larger = re > im ? re : im, smaller = re > im ? im : re;
  float ratio = smaller / larger, most = 3.402823466e+38f;
  float scaled = larger * sqrtf(1 + ratio * ratio);
  return larger == 0 || larger > most || smaller > most ? larger + smaller
                                                        : scaled;
}
GPU_ESTIMATE_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b,
                                            cuFloatComplex c) {
  return make_float2(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);
}

typedef double2 cuDoubleComplex;
GPU_ESTIMATE_COMPLEX double cuCreal(cuDoubleComplex a) { return a.x; }
GPU_ESTIMATE_COMPLEX double cuCimag(cuDoubleComplex a) { return a.y; }
GPU_ESTIMATE_COMPLEX cuDoubleComplex make_cuDoubleComplex(double re,
                                                          double im) {
  return make_double2(re, im);
}
GPU_ESTIMATE_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex a) {
  return make_double2(a.x, -a.y);
}
GPU_ESTIMATE_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex a,
                                            cuDoubleComplex b) {
  return make_double2(a.x + b.x, a.y + b.y);
}
GPU_ESTIMATE_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex a,
                                            cuDoubleComplex b) {
  return make_double2(a.x - b.x, a.y - b.y);
}
GPU_ESTIMATE_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex a,
                                            cuDoubleComplex b) {
  return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
// Scaled by the divisor's larger part, so that its square does not overflow.
GPU_ESTIMATE_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex a,
                                            cuDoubleComplex b) {
  double scale = 1 / (fabs(b.x) + fabs(b.y));
  double ax = a.x * scale, ay = a.y * scale;
  double bx = b.x * scale, by = b.y * scale;
  double inverse = 1 / (bx * bx + by * by);
  return make_double2((ax * bx + ay * by) * inverse,
                      (ay * bx - ax * by) * inverse);
}
GPU_ESTIMATE_COMPLEX double cuCabs(cuDoubleComplex a) {
  double re = fabs(a.x), im = fabs(a.y);
  double larger = re > im ? re : im, smaller = re > im ? im : re;
  double ratio = smaller / larger, most = 1.7976931348623157e+308;
  double scaled = larger * sqrt(1 + ratio * ratio);
  return larger == 0 || larger > most || smaller > most ? larger + smaller
                                                        : scaled;
}
GPU_ESTIMATE_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex a,
                                            cuDoubleComplex b,
                                            cuDoubleComplex c) {
  return make_double2(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);
}

typedef cuFloatComplex cuComplex;
GPU_ESTIMATE_COMPLEX cuComplex make_cuComplex(float re, float im) {
  return make_float2(re, im);
}
GPU_ESTIMATE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_double2(a.x, a.y);
}
GPU_ESTIMATE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2((float)a.x, (float)a.y);
}

#undef GPU_ESTIMATE_COMPLEX

#endif
