/// \file
/// What `#include <cuda_runtime.h>` stands for: in a CUDA compilation all that
/// the forced header provides, otherwise the types and the host API alone.

#ifndef GPU_ESTIMATE_CUDA_RUNTIME_H
#define GPU_ESTIMATE_CUDA_RUNTIME_H

#if defined(__CUDA__)
#include "../gpu_estimate_cuda.h"
#else
#include "runtime_overloads.h"
#include "vector_functions.h"
#include "version.h"
#endif

#endif
