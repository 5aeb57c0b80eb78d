/// \file
/// Half precision of HIP: the types and functions are those of CUDA, whose
/// header uses native types and nothing of NVIDIA.

#ifndef GPU_ESTIMATE_HIP_FP16_H
#define GPU_ESTIMATE_HIP_FP16_H

#include "hip_runtime.h"

#include "../gpu_estimate/hip/narrow_begin.h"
#include "../gpu_estimate/half.h"
#include "../gpu_estimate/hip/narrow_end.h"

#endif
