/// \file
/// `__hip_bfloat16`, `__hip_bfloat162` and their functions, which are CUDA's.

#ifndef GPU_ESTIMATE_HIP_BF16_H
#define GPU_ESTIMATE_HIP_BF16_H

#include "hip_runtime.h"

#include "../gpu_estimate/hip/narrow_begin.h"
#include "../gpu_estimate/bfloat16.h"
#include "../gpu_estimate/hip/narrow_end.h"

#endif
