/// \file
/// Included before a CUDA source that is parsed with an SDK: what nvcc
/// declares on its own and clang 19 does not, and what version 13 of the SDK
/// removed but sources still call. Original declarations; only what can be
/// written without changing the meaning of a program that clang accepts.

#ifndef GPU_ESTIMATE_COMPAT_SDK_H
#define GPU_ESTIMATE_COMPAT_SDK_H

#if defined(__CUDA__) && defined(__cplusplus)

// nvcc defines it as 1; clang defines it as nothing, which #if does not take.
#undef __CUDACC__
#define __CUDACC__ 1

// nvcc includes these before every source: time() and clock(), printf(), and
// ::isfinite and its kin for host code.
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

// The SDK spells these with attributes of nvcc. Register limits and cluster
// shapes do not change the code that clang generates. Clang knows managed
// variables for HIP only (../gpu_estimate/qualifiers.h).
#undef __maxnreg__
#undef __local_maxnreg__
#undef __cluster_dims__
#undef __block_size__
#undef __grid_constant__
#undef __managed__
#define __maxnreg__(...)
#define __local_maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device, annotate("managed")))
#else
#define __managed__ __attribute__((device))
#endif

// clang leaves out the header of the SDK that has them, for its inline
// assembly.
#define GPU_ESTIMATE_DEVICE                                                    \
  static __inline__ __attribute__((device, always_inline, unused))
#include "../gpu_estimate/memory.h"
#if CUDART_VERSION >= 12000
// clang declares no surface accesses; the SDK's are builtins of nvcc.
#define GPU_ESTIMATE_SURFACE_OBJECTS
#include "../gpu_estimate/surface.h"
#undef GPU_ESTIMATE_SURFACE_OBJECTS
#endif
#undef GPU_ESTIMATE_DEVICE

// nvcc offers min and max to host code as well, for equal and mixed types.
#define GPU_ESTIMATE_HOST_MIN_MAX(RESULT, A, B)                                \
  static inline __attribute__((host)) RESULT min(A a, B b) {                   \
    return static_cast<RESULT>(a) < static_cast<RESULT>(b)                     \
               ? static_cast<RESULT>(a)                                        \
               : static_cast<RESULT>(b);                                       \
  }                                                                            \
  static inline __attribute__((host)) RESULT max(A a, B b) {                   \
    return static_cast<RESULT>(a) < static_cast<RESULT>(b)                     \
               ? static_cast<RESULT>(b)                                        \
               : static_cast<RESULT>(a);                                       \
  }
GPU_ESTIMATE_HOST_MIN_MAX(int, int, int)
GPU_ESTIMATE_HOST_MIN_MAX(unsigned, unsigned, unsigned)
GPU_ESTIMATE_HOST_MIN_MAX(unsigned, int, unsigned)
GPU_ESTIMATE_HOST_MIN_MAX(unsigned, unsigned, int)
GPU_ESTIMATE_HOST_MIN_MAX(long, long, long)
GPU_ESTIMATE_HOST_MIN_MAX(unsigned long, unsigned long, unsigned long)
GPU_ESTIMATE_HOST_MIN_MAX(unsigned long, long, unsigned long)
GPU_ESTIMATE_HOST_MIN_MAX(unsigned long, unsigned long, long)
GPU_ESTIMATE_HOST_MIN_MAX(long long, long long, long long)
GPU_ESTIMATE_HOST_MIN_MAX(unsigned long long, unsigned long long,
                          unsigned long long)
GPU_ESTIMATE_HOST_MIN_MAX(unsigned long long, long long, unsigned long long)
GPU_ESTIMATE_HOST_MIN_MAX(unsigned long long, unsigned long long, long long)
GPU_ESTIMATE_HOST_MIN_MAX(float, float, float)
GPU_ESTIMATE_HOST_MIN_MAX(double, double, double)
GPU_ESTIMATE_HOST_MIN_MAX(double, float, double)
GPU_ESTIMATE_HOST_MIN_MAX(double, double, float)
#undef GPU_ESTIMATE_HOST_MIN_MAX

#if defined(CUDART_VERSION) && CUDART_VERSION >= 13000
static inline __attribute__((host)) cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
static inline __attribute__((host)) cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}
static inline cudaMemLocation gpuEstimateLocation(int device) {
  cudaMemLocation location = {};
  location.type =
      device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device < 0 ? 0 : device;
  return location;
}
static inline __attribute__((host)) cudaError_t cudaMemAdvise(
    const void *p, size_t bytes, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(p, bytes, advice, gpuEstimateLocation(device));
}
static inline __attribute__((host)) cudaError_t cudaMemPrefetchAsync(
    const void *p, size_t bytes, int device, cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(p, bytes, gpuEstimateLocation(device), 0, stream);
}
#endif

#include "../gpu_estimate/dialect.h"

// The version of the compiler is that of its SDK. clang defines none.
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

// Sources take nvcc for granted. The C++ library of the SDK decides first that
// the compiler is clang.
#ifdef GPU_ESTIMATE_NVCC
#if __has_include(<cuda/std/__cccl/compiler.h>)
#include <cuda/std/__cccl/compiler.h>
#elif __has_include(<thrust/detail/config.h>)
#include <thrust/detail/config.h>
#endif
#if __has_include(<nv/target>)
#include <nv/target>
#endif
#include "../gpu_estimate/nvcc_macros.h"
#endif

#endif

#endif
