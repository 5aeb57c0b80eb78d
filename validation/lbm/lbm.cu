// One time step of a D3Q19 lattice Boltzmann method, single relaxation time, with the in-place
// streaming "esoteric pull" (Lehmann, Computation 10(6):92, 2022), for the published MLUPs of FluidX3D.
// Box of N^3 cells, periodic; populations as structure of arrays, shifted by their weights; ST: 0 float,
// 1 IEEE half scaled by 2^15, 2 a half with 4 exponent and 11 mantissa bits.
#ifdef __HIP__
#include <hip/hip_runtime.h>
#endif
#ifndef ST
#define ST 0
#endif
#ifndef N
#define N 256u
#endif
#if ST == 0
typedef float store_t;
__device__ static inline float get(const store_t* p) { return *p; }
__device__ static inline void put(store_t* p, float v) { *p = v; }
#elif ST == 1
#ifdef __HIP__
typedef _Float16 store_t;
__device__ static inline float get(const store_t* p) { return (float)*p * 3.0517578125e-5f; }
__device__ static inline void put(store_t* p, float v) { *p = (_Float16)(v * 32768.f); }
#else
#include <cuda_fp16.h>
typedef __half store_t;
__device__ static inline float get(const store_t* p) { return __half2float(*p) * 3.0517578125e-5f; }
__device__ static inline void put(store_t* p, float v) { *p = __float2half_rn(v * 32768.f); }
#endif
#else
typedef unsigned short store_t;
__device__ static inline float get(const store_t* p) {
  const unsigned h = *p, e = (h & 0x7800u) >> 11, m = (h & 0x07FFu) << 12, v = __float_as_uint((float)m) >> 23;
  const unsigned normal = (e != 0u) * ((e + 112u) << 23 | m);
  const unsigned small = ((e == 0u) & (m != 0u)) * ((v - 37u) << 23 | ((m << (150u - v)) & 0x007FF000u));
  return __uint_as_float((h & 0x8000u) << 16 | normal | small);
}
__device__ static inline void put(store_t* p, float f) {
  const unsigned b = __float_as_uint(f) + 0x800u, e = (b & 0x7F800000u) >> 23, m = b & 0x007FFFFFu;
  const unsigned normal = (e > 112u) * ((((e - 112u) << 11) & 0x7800u) | m >> 12);
  const unsigned small = ((e < 113u) & (e > 100u)) * ((((0x007FF800u + m) >> (124u - e)) + 1u) >> 1);
  *p = (store_t)((b & 0x80000000u) >> 16 | normal | small);
}
#endif
#define CELLS (N * N * N)
__device__ static inline unsigned long at(unsigned cell, unsigned i) { return (unsigned long)i * CELLS + cell; }

extern "C" __global__ __launch_bounds__(64) void lbm_step(store_t* fi, const unsigned char* flags, unsigned long t, float w) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= CELLS) return;
  if ((flags[n] & 3u) == 1u) return;
  const unsigned r = n % (N * N), x0 = r % N, y = r / N, z = n / (N * N);
  const unsigned xp = (x0 + 1u) % N, xm = (x0 + N - 1u) % N;
  const unsigned y0 = y * N, yp = ((y + 1u) % N) * N, ym = ((y + N - 1u) % N) * N;
  const unsigned z0 = z * N * N, zp = ((z + 1u) % N) * N * N, zm = ((z + N - 1u) % N) * N * N;
  // directions in opposite pairs: +-x +-y +-z, then the 12 edges
  const unsigned j[19] = {n,
    xp + y0 + z0, xm + y0 + z0, x0 + yp + z0, x0 + ym + z0, x0 + y0 + zp, x0 + y0 + zm,
    xp + yp + z0, xm + ym + z0, xp + y0 + zp, xm + y0 + zm, x0 + yp + zp, x0 + ym + zm,
    xp + ym + z0, xm + yp + z0, xp + y0 + zm, xm + y0 + zp, x0 + yp + zm, x0 + ym + zp};
  const bool odd = t % 2ul;
  float f[19];
  f[0] = get(fi + at(n, 0u));
#pragma unroll
  for (unsigned i = 1u; i < 19u; i += 2u) {
    f[i] = get(fi + at(n, odd ? i : i + 1u));
    f[i + 1u] = get(fi + at(j[i], odd ? i + 1u : i));
  }
  float rho = 0.f;
#pragma unroll
  for (unsigned i = 0u; i < 19u; i++) rho += f[i];
  rho += 1.f;
  float ux = (f[1] - f[2] + f[7] - f[8] + f[9] - f[10] + f[13] - f[14] + f[15] - f[16]) / rho;
  float uy = (f[3] - f[4] + f[7] - f[8] + f[11] - f[12] + f[14] - f[13] + f[17] - f[18]) / rho;
  float uz = (f[5] - f[6] + f[9] - f[10] + f[11] - f[12] + f[16] - f[15] + f[18] - f[17]) / rho;
  const float c = 0.57735027f;
  ux = fminf(fmaxf(ux, -c), c); uy = fminf(fmaxf(uy, -c), c); uz = fminf(fmaxf(uz, -c), c);
  const float c3 = -3.f * (ux * ux + uy * uy + uz * uz), d = rho - 1.f;
  ux *= 3.f; uy *= 3.f; uz *= 3.f;
  float q[19];
  const float w0 = 1.f / 3.f, ws = 1.f / 18.f, we = 1.f / 36.f;
  q[0] = w0 * fmaf(rho, 0.5f * c3, d);
  const float rs = ws * rho, re = we * rho, ds = ws * d, de = we * d;
  const float a0 = ux + uy, a1 = ux + uz, a2 = uy + uz, a3 = ux - uy, a4 = ux - uz, a5 = uy - uz;
#define PAIR(i, v, rr, dd) { const float s_ = 0.5f * fmaf(v, v, c3); q[i] = fmaf(rr, s_ + v, dd); q[i + 1] = fmaf(rr, s_ - v, dd); }
  PAIR(1, ux, rs, ds) PAIR(3, uy, rs, ds) PAIR(5, uz, rs, ds)
  PAIR(7, a0, re, de) PAIR(9, a1, re, de) PAIR(11, a2, re, de) PAIR(13, a3, re, de) PAIR(15, a4, re, de) PAIR(17, a5, re, de)
#pragma unroll
  for (unsigned i = 0u; i < 19u; i++) f[i] = fmaf(1.f - w, f[i], w * q[i]);
  put(fi + at(n, 0u), f[0]);
#pragma unroll
  for (unsigned i = 1u; i < 19u; i += 2u) {
    put(fi + at(j[i], odd ? i + 1u : i), f[i]);
    put(fi + at(n, odd ? i : i + 1u), f[i + 1u]);
  }
}
