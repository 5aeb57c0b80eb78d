/// \file
/// Device-side random numbers with cuRAND's interface.
///
/// Generators: XORWOW (G. Marsaglia, "Xorshift RNGs", J. Stat. Software 8(14),
/// 2003), Philox4x32-10 (J. Salmon et al., "Parallel random numbers: as easy as
/// 1, 2, 3", SC 2011) and Sobol' sequences in Gray-code order (I. Antonov,
/// V. Saleev, 1979). The steps are the published ones, so that their operations
/// can be counted; seeding, which in cuRAND advances the state through
/// precomputed matrices, is one external call, __gpu_estimate_curand_init.

#ifndef GPU_ESTIMATE_CUDA_RANDOM_DEVICE_H
#define GPU_ESTIMATE_CUDA_RANDOM_DEVICE_H

#include "random_host.h"

#if defined(__CUDA__) || defined(__HIP__)

/// Mixes seed, subsequence and offset into the first word of a state.
GPU_ESTIMATE_OPAQUE_CONST unsigned int
__gpu_estimate_curand_init(unsigned long long seed,
                           unsigned long long subsequence,
                           unsigned long long offset);

struct curandStateXORWOW {
  unsigned int d, v[5];
};
typedef struct curandStateXORWOW curandState, curandState_t,
    curandStateXORWOW_t;

struct curandStatePhilox4_32_10 {
  uint4 counter, output;
  uint2 key;
  unsigned int used;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateSobol32 {
  unsigned int i, x, direction_vectors[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t,
    curandStateScrambledSobol32, curandStateScrambledSobol32_t;
struct curandStateSobol64 {
  unsigned long long i, x, direction_vectors[64];
};
typedef struct curandStateSobol64 curandStateSobol64_t,
    curandStateScrambledSobol64, curandStateScrambledSobol64_t;

// XORWOW.
GPU_ESTIMATE_DEVICE void curand_init(unsigned long long seed,
                                     unsigned long long subsequence,
                                     unsigned long long offset,
                                     curandStateXORWOW *s) {
  unsigned int mixed = __gpu_estimate_curand_init(seed, subsequence, offset);
  s->d = mixed + 6615241u;
  s->v[0] = mixed ^ 123456789u;
  s->v[1] = mixed ^ 362436069u;
  s->v[2] = mixed ^ 521288629u;
  s->v[3] = mixed ^ 88675123u;
  s->v[4] = mixed ^ 5783321u;
}
GPU_ESTIMATE_DEVICE unsigned int curand(curandStateXORWOW *s) {
  unsigned int t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437u;
  return s->v[4] + s->d;
}

// Philox4x32-10.
GPU_ESTIMATE_DEVICE void curand_init(unsigned long long seed,
                                     unsigned long long subsequence,
                                     unsigned long long offset,
                                     curandStatePhilox4_32_10 *s) {
  s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  s->counter =
      make_uint4((unsigned int)offset, (unsigned int)(offset >> 32),
                 (unsigned int)subsequence, (unsigned int)(subsequence >> 32));
  s->used = 4;
}
GPU_ESTIMATE_DEVICE uint4 curand4(curandStatePhilox4_32_10 *s) {
  uint4 c = s->counter;
  uint2 k = s->key;
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    unsigned int hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
    unsigned int hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
    c = make_uint4(hi1 ^ c.y ^ k.x, lo1, hi0 ^ c.w ^ k.y, lo0);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  if (++s->counter.x == 0)
    ++s->counter.y;
  return c;
}
GPU_ESTIMATE_DEVICE unsigned int curand(curandStatePhilox4_32_10 *s) {
  if (s->used == 4) {
    s->output = curand4(s);
    s->used = 0;
  }
  unsigned int n = s->used++;
  return n == 0   ? s->output.x
         : n == 1 ? s->output.y
         : n == 2 ? s->output.z
                  : s->output.w;
}

// Sobol'.
GPU_ESTIMATE_DEVICE void curand_init(const unsigned int *directions,
                                     unsigned int offset,
                                     curandStateSobol32 *s) {
  s->x = 0;
  s->i = offset;
  for (int bit = 0; bit < 32; ++bit) {
    s->direction_vectors[bit] = directions[bit];
    if ((offset ^ (offset >> 1)) >> bit & 1)
      s->x ^= directions[bit];
  }
}
GPU_ESTIMATE_DEVICE unsigned int curand(curandStateSobol32 *s) {
  unsigned int result = s->x;
  s->x ^= s->direction_vectors[__ffs(~s->i) - 1];
  ++s->i;
  return result;
}
GPU_ESTIMATE_DEVICE void curand_init(const unsigned long long *directions,
                                     unsigned long long offset,
                                     curandStateSobol64 *s) {
  s->x = 0;
  s->i = offset;
  for (int bit = 0; bit < 64; ++bit) {
    s->direction_vectors[bit] = directions[bit];
    if ((offset ^ (offset >> 1)) >> bit & 1)
      s->x ^= directions[bit];
  }
}
GPU_ESTIMATE_DEVICE unsigned long long curand(curandStateSobol64 *s) {
  unsigned long long result = s->x;
  s->x ^= s->direction_vectors[__ffsll(~s->i) - 1];
  ++s->i;
  return result;
}

#include "random_distributions.h"

#endif

#endif
