/// \file
/// HIP's host interface. It is CUDA's by other names, and so is this one: the
/// functions of HIP are declared as those of CUDA in the library that programs
/// are linked with.

#ifndef GPU_ESTIMATE_HIP_HOST_API_H
#define GPU_ESTIMATE_HIP_HOST_API_H

#if defined(__CUDA__) && !defined(__HIP__)
#include "on_cuda.h"
#else
#include "host_overloads.h"
#endif
#include "module_api.h"

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(X) X
#define HIP_DYNAMIC_SHARED(Type, Variable) extern __shared__ Type Variable[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#if defined(HIP_TEMPLATE_KERNEL_LAUNCH) && defined(__HIP__)
template <class... Arguments, class Kernel = void (*)(Arguments...)>
static inline void hipLaunchKernelGGL(Kernel kernel, const dim3 &grid,
                                      const dim3 &block, unsigned shared,
                                      hipStream_t stream,
                                      Arguments... arguments) {
  kernel<<<grid, block, shared, stream>>>(arguments...);
}
#else
#define hipLaunchKernelGGL(Kernel, Grid, Block, Shared, Stream, ...)           \
  (Kernel)<<<(Grid), (Block), (Shared), (Stream)>>>(__VA_ARGS__)
#endif

#endif
