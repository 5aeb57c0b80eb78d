/// \file
/// CUDA's declaration qualifiers, spelled with the attributes that clang knows.
///
/// Every other header of this folder relies on these macros. A translation
/// unit that is not CUDA (a host-only C or C++ file of the same program) gets
/// empty qualifiers, so that types and prototypes can be shared with it.

#ifndef GPU_ESTIMATE_CUDA_QUALIFIERS_H
#define GPU_ESTIMATE_CUDA_QUALIFIERS_H

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// clang knows managed variables for HIP only; on the device side they are
// ordinary global memory, whose mark tells a runtime that the host sees it.
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device, annotate("managed")))
#else
#define __managed__ __attribute__((device))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#if defined(__cplusplus) && __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#endif

// Register limits and cluster shapes do not change the code that clang
// generates; they are accepted so that programs which state them parse.
#define __maxnreg__(...)
#define __block_size__(...)
#define __cluster_dims__(...)

#define __forceinline__ __inline__ __attribute__((always_inline))
// Clang has __noinline__ as a keyword of CUDA. Host code has no such macro:
// libstdc++ writes __attribute__((__noinline__)).
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __location__(a) __attribute__((a))
// Headers of an SDK in the compiler's own path, such as cuda_fp8.h, ask for
// them.
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#define __specialization_static static
#define __cudart_builtin__
#define __device_builtin__
#define __nv_pure__ __attribute__((pure))
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

/// Function attributes of our own wrappers: host and device at once, always
/// inlined, so that no call to a wrapper survives in the analysed code.
#define GPU_ESTIMATE_DEVICE                                                    \
  static __inline__ __device__ __attribute__((always_inline))
#define GPU_ESTIMATE_HOST_DEVICE                                               \
  static __inline__ __host__ __device__ __attribute__((always_inline))

/// Declares something that the analysis must still see as a call by name.
/// "const": the result depends on the arguments alone (texture fetches during
/// one launch), so equal fetches may be merged, as the hardware's compiler
/// does.
#define GPU_ESTIMATE_OPAQUE extern "C" __device__
#define GPU_ESTIMATE_OPAQUE_CONST                                              \
  extern "C" __device__ __attribute__((const, nothrow))

/// Default arguments and C linkage for headers shared with plain C.
#if defined(__cplusplus)
#define GPU_ESTIMATE_DEFAULT(value) = value
#define GPU_ESTIMATE_C_BEGIN extern "C" {
#define GPU_ESTIMATE_C_END }
#else
#define GPU_ESTIMATE_DEFAULT(value)
#define GPU_ESTIMATE_C_BEGIN
#define GPU_ESTIMATE_C_END
#endif

#endif
