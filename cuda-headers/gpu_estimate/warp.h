/// \file
/// Warp-level functions that clang's resource headers leave to the SDK:
/// predicates on address spaces, conversions between them, sleeping.

#ifndef GPU_ESTIMATE_CUDA_WARP_H
#define GPU_ESTIMATE_CUDA_WARP_H

#include "qualifiers.h"

// The space of a generic pointer.
GPU_ESTIMATE_DEVICE unsigned int __isGlobal(const void *p) {
  return __nvvm_isspacep_global(p);
}
GPU_ESTIMATE_DEVICE unsigned int __isShared(const void *p) {
  return __nvvm_isspacep_shared(p);
}
GPU_ESTIMATE_DEVICE unsigned int __isConstant(const void *p) {
  return __nvvm_isspacep_const(p);
}
GPU_ESTIMATE_DEVICE unsigned int __isLocal(const void *p) {
  return __nvvm_isspacep_local(p);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
GPU_ESTIMATE_DEVICE unsigned int __isGridConstant(const void *p) {
  unsigned int is; // clang 19 has no builtin for the space of parameters
  __asm__ volatile("{ .reg .pred q; isspacep.param q, %1; selp.u32 %0, 1, 0, "
                   "q; }"
                   : "=r"(is)
                   : "l"(p));
  return is;
}
#endif

// Conversion between a generic pointer and an offset within a space.
#define GPU_ESTIMATE_CVTA(space, number)                                       \
  GPU_ESTIMATE_DEVICE __SIZE_TYPE__ __cvta_generic_to_##space(const void *p) { \
    return (__SIZE_TYPE__)(const                                               \
                           __attribute__((address_space(number))) void *)p;    \
  }                                                                            \
  GPU_ESTIMATE_DEVICE void *__cvta_##space##_to_generic(__SIZE_TYPE__ a) {     \
    return (void *)(__attribute__((address_space(number))) void *)a;           \
  }
GPU_ESTIMATE_CVTA(global, 1)
GPU_ESTIMATE_CVTA(shared, 3)
GPU_ESTIMATE_CVTA(constant, 4)
GPU_ESTIMATE_CVTA(local, 5)
#undef GPU_ESTIMATE_CVTA

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
GPU_ESTIMATE_DEVICE void __nanosleep(unsigned int ns) { __nvvm_nanosleep(ns); }
#endif

#endif
