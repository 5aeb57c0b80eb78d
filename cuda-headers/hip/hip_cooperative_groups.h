/// \file
/// Cooperative groups of HIP. The groups of blocks and grids are CUDA's.

#ifndef GPU_ESTIMATE_HIP_COOPERATIVE_GROUPS_H
#define GPU_ESTIMATE_HIP_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

#if defined(__HIP__)
#include "../gpu_estimate/cg_groups.h"
#endif

#endif
