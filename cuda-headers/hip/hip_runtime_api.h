/// \file
/// HIP's host interface, for analysis without ROCm.

#ifndef GPU_ESTIMATE_HIP_RUNTIME_API_H
#define GPU_ESTIMATE_HIP_RUNTIME_API_H

// ROCm's guard, which rocThrust tests before it takes __host__ away.
#define HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H

#include "hip_common.h"
#include "hip_version.h"

#include <stddef.h>

// The vector types are those of the CUDA headers beside this folder; their
// qualifiers are spelled with the same attributes.
#if defined(__HIP__) && !defined(__CUDA__)
#define __CUDA__ 1
#include "../gpu_estimate/vector_functions.h"
#undef __CUDA__
#else
#include "../gpu_estimate/vector_functions.h"
#endif

#include "../gpu_estimate/hip/host_api.h"

#endif
