/// \file
/// Distributions over the generators of random_device.h: uniform in (0, 1],
/// normal by Box and Muller's transformation, log-normal, Poisson.

#ifndef GPU_ESTIMATE_CUDA_RANDOM_DISTRIBUTIONS_H
#define GPU_ESTIMATE_CUDA_RANDOM_DISTRIBUTIONS_H

#include "random_device.h"

namespace gpu_estimate_cuda {
GPU_ESTIMATE_DEVICE float uniformOf(unsigned int bits) {
  return bits * 2.3283064e-10f + 1.1641532e-10f;
}
GPU_ESTIMATE_DEVICE float uniformOf(unsigned long long bits) {
  return uniformOf((unsigned int)(bits >> 32));
}
GPU_ESTIMATE_DEVICE float2 normalOf(float u, float v) {
  float radius = sqrtf(-2.0f * logf(u)), s, c;
  sincosf(v * 6.2831853f, &s, &c);
  return make_float2(radius * s, radius * c);
}
GPU_ESTIMATE_DEVICE double2 normalOf(double u, double v) {
  double radius = sqrt(-2.0 * log(u)), s, c;
  sincospi(2.0 * v, &s, &c);
  return make_double2(radius * s, radius * c);
}
} // namespace gpu_estimate_cuda

template <class State> GPU_ESTIMATE_DEVICE float curand_uniform(State *s) {
  return gpu_estimate_cuda::uniformOf(curand(s));
}
template <class State>
GPU_ESTIMATE_DEVICE double curand_uniform_double(State *s) {
  unsigned long long bits = curand(s);
  if constexpr (sizeof(curand(s)) == 4)
    bits = bits << 21 ^ curand(s);
  else
    bits >>= 11;
  return bits * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
template <class State> GPU_ESTIMATE_DEVICE float2 curand_normal2(State *s) {
  float u = curand_uniform(s), v = curand_uniform(s);
  return gpu_estimate_cuda::normalOf(u, v);
}
template <class State> GPU_ESTIMATE_DEVICE float curand_normal(State *s) {
  return curand_normal2(s).x;
}
template <class State>
GPU_ESTIMATE_DEVICE double2 curand_normal2_double(State *s) {
  double u = curand_uniform_double(s), v = curand_uniform_double(s);
  return gpu_estimate_cuda::normalOf(u, v);
}
template <class State>
GPU_ESTIMATE_DEVICE double curand_normal_double(State *s) {
  return curand_normal2_double(s).x;
}
template <class State>
GPU_ESTIMATE_DEVICE float curand_log_normal(State *s, float mean,
                                            float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
template <class State>
GPU_ESTIMATE_DEVICE double curand_log_normal_double(State *s, double mean,
                                                    double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
template <class State>
GPU_ESTIMATE_DEVICE unsigned int curand_poisson(State *s, double lambda) {
  unsigned int events = 0;
  double limit = exp(-lambda);
  for (double p = curand_uniform_double(s); p > limit;
       p *= curand_uniform_double(s))
    ++events;
  return events;
}
GPU_ESTIMATE_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
  uint4 bits = curand4(s);
  return make_float4(gpu_estimate_cuda::uniformOf(bits.x),
                     gpu_estimate_cuda::uniformOf(bits.y),
                     gpu_estimate_cuda::uniformOf(bits.z),
                     gpu_estimate_cuda::uniformOf(bits.w));
}
GPU_ESTIMATE_DEVICE float4 curand_normal4(curandStatePhilox4_32_10 *s) {
  float4 u = curand_uniform4(s);
  float2 a = gpu_estimate_cuda::normalOf(u.x, u.y);
  float2 b = gpu_estimate_cuda::normalOf(u.z, u.w);
  return make_float4(a.x, a.y, b.x, b.y);
}

#endif
