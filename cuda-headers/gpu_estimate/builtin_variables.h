/// \file
/// Conversions of `threadIdx`, `blockIdx`, `blockDim`, `gridDim` to vectors.
///
/// clang's resource directory declares the variables themselves (each field
/// read becomes a special-register intrinsic); their conversions need the
/// vector types and are therefore completed here.

#ifndef GPU_ESTIMATE_CUDA_BUILTIN_VARIABLES_H
#define GPU_ESTIMATE_CUDA_BUILTIN_VARIABLES_H

#include "vector_types.h"

#define GPU_ESTIMATE_BUILTIN_CONVERSIONS(Variable)                             \
  __device__ inline __cuda_builtin_##Variable##_t::operator dim3() const {     \
    return dim3(x, y, z);                                                      \
  }                                                                            \
  __device__ inline __cuda_builtin_##Variable##_t::operator uint3() const {    \
    uint3 r = {x, y, z};                                                       \
    return r;                                                                  \
  }

GPU_ESTIMATE_BUILTIN_CONVERSIONS(threadIdx)
GPU_ESTIMATE_BUILTIN_CONVERSIONS(blockIdx)
GPU_ESTIMATE_BUILTIN_CONVERSIONS(blockDim)
GPU_ESTIMATE_BUILTIN_CONVERSIONS(gridDim)

#undef GPU_ESTIMATE_BUILTIN_CONVERSIONS

#endif
