/// \file
/// HIP's atomic functions, from clang's atomic builtins with device scope.

#ifndef GPU_ESTIMATE_HIP_ATOMICS_H
#define GPU_ESTIMATE_HIP_ATOMICS_H

#define GPU_ESTIMATE_HIP_ATOMIC(Function, Builtin, Type)                       \
  static __inline__ __device__ __attribute__((always_inline)) Type Function(   \
      Type *p, Type v) {                                                       \
    return __hip_atomic_##Builtin(p, v, __ATOMIC_RELAXED,                      \
                                  __HIP_MEMORY_SCOPE_AGENT);                   \
  }
#define GPU_ESTIMATE_HIP_ATOMICS(Type)                                         \
  GPU_ESTIMATE_HIP_ATOMIC(atomicAdd, fetch_add, Type)                          \
  GPU_ESTIMATE_HIP_ATOMIC(atomicMin, fetch_min, Type)                          \
  GPU_ESTIMATE_HIP_ATOMIC(atomicMax, fetch_max, Type)                          \
  GPU_ESTIMATE_HIP_ATOMIC(atomicExch, exchange, Type)
#define GPU_ESTIMATE_HIP_BIT_ATOMICS(Type)                                     \
  GPU_ESTIMATE_HIP_ATOMICS(Type)                                               \
  GPU_ESTIMATE_HIP_ATOMIC(atomicAnd, fetch_and, Type)                          \
  GPU_ESTIMATE_HIP_ATOMIC(atomicOr, fetch_or, Type)                            \
  GPU_ESTIMATE_HIP_ATOMIC(atomicXor, fetch_xor, Type)                          \
  static __inline__ __device__ __attribute__((always_inline)) Type atomicSub(  \
      Type *p, Type v) {                                                       \
    return atomicAdd(p, static_cast<Type>(0 - v));                       \
  }                                                                            \
  static __inline__ __device__ __attribute__((always_inline)) Type atomicCAS(  \
      Type *p, Type expected, Type v) {                                        \
    __hip_atomic_compare_exchange_strong(p, &expected, v, __ATOMIC_RELAXED,    \
                                         __ATOMIC_RELAXED,                     \
                                         __HIP_MEMORY_SCOPE_AGENT);            \
    return expected;                                                           \
  }

GPU_ESTIMATE_HIP_BIT_ATOMICS(int)
GPU_ESTIMATE_HIP_BIT_ATOMICS(unsigned)
GPU_ESTIMATE_HIP_BIT_ATOMICS(unsigned long)
GPU_ESTIMATE_HIP_BIT_ATOMICS(unsigned long long)
GPU_ESTIMATE_HIP_ATOMICS(float)
GPU_ESTIMATE_HIP_ATOMICS(double)

// Counters that wrap at a limit.
static __inline__ __device__ __attribute__((always_inline)) unsigned
atomicInc(unsigned *p, unsigned limit) {
  return __builtin_amdgcn_atomic_inc32(p, limit, __ATOMIC_RELAXED, "agent");
}
static __inline__ __device__ __attribute__((always_inline)) unsigned
atomicDec(unsigned *p, unsigned limit) {
  return __builtin_amdgcn_atomic_dec32(p, limit, __ATOMIC_RELAXED, "agent");
}

// Without a loop on memory that hardware atomics do not reach.
static __inline__ __device__ __attribute__((always_inline)) float
unsafeAtomicAdd(float *p, float v) {
  return atomicAdd(p, v);
}
static __inline__ __device__ __attribute__((always_inline)) double
unsafeAtomicAdd(double *p, double v) {
  return atomicAdd(p, v);
}

#undef GPU_ESTIMATE_HIP_ATOMIC
#undef GPU_ESTIMATE_HIP_ATOMICS
#undef GPU_ESTIMATE_HIP_BIT_ATOMICS

#endif
