/// \file
/// The interface that this library implements: CUDA's declarations as shipped
/// in cuda-headers, made visible outside of the library.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_API_H
#define GPU_ESTIMATE_LIB_RUNTIME_API_H

// A definition has the visibility of its first declaration.
#pragma GCC visibility push(default)
#include "gpu_estimate/runtime_api.h"
#pragma GCC visibility pop

#define GPU_ESTIMATE_EXPORT __attribute__((visibility("default")))

/// Another name of a function with the same parameters: HIP's, or that of the
/// streams of each thread. It stands in the function's file, and no header
/// declares it: its type does not matter.
#define GPU_ESTIMATE_ALIAS(Alias, Function)                                    \
  extern "C" GPU_ESTIMATE_EXPORT __attribute__((alias(#Function))) void Alias()

/// The same for a name that the shipped headers declare.
#define GPU_ESTIMATE_DECLARED_ALIAS(Alias, Function)                           \
  extern "C" GPU_ESTIMATE_EXPORT                                               \
      __attribute__((alias(#Function))) decltype(Alias) Alias

#endif
