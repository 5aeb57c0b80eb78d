/// \file
/// HIP's main header, for analysis without ROCm: builtin variables, device
/// functions, and the runtime calls that host code around kernels makes.
/// Mathematics comes from clang's own HIP headers, which the command line
/// includes first (__clang_hip_runtime_wrapper.h).

#ifndef GPU_ESTIMATE_HIP_RUNTIME_H
#define GPU_ESTIMATE_HIP_RUNTIME_H

#include "hip_runtime_api.h"

// What programs have from ROCm's header, though it does not promise them.
#include <algorithm>
#include <assert.h>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stdio.h>
#include <tuple>

#if defined(__HIP__)
#include "../gpu_estimate/hip/device.h"
#include "../gpu_estimate/hip/atomics.h"
#include "../gpu_estimate/hip/vector_operators.h"

#include "../gpu_estimate/texture.h"
#endif

#endif
