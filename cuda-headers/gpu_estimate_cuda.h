/// \file
/// The header that is included before every CUDA source when no SDK is used.
///
/// It plays the part of clang's __clang_cuda_runtime_wrapper.h, which needs an
/// SDK: it defines the language's qualifiers, types, builtin variables, device
/// functions and the host API around kernels. Where clang's own resource
/// headers are independent of the SDK (special registers, libdevice's names,
/// shuffles, device overloads of <cmath>), they are included rather than
/// written again, so that the code which clang produces is the same with and
/// without an SDK. The order below matters: device overloads of the C
/// library's mathematics must be declared before <cmath> is first seen.

#ifndef GPU_ESTIMATE_CUDA_H
#define GPU_ESTIMATE_CUDA_H

#if defined(__CUDA__) && defined(__clang__)

#include "gpu_estimate/qualifiers.h"
#include "gpu_estimate/version.h"

// libstdc++ avoids __float128 when it sees a CUDA compiler.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

#include <__clang_cuda_math_forward_declares.h>

#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

// The host compilation parses device code too, against the newest features.
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif

#include <__clang_cuda_builtin_vars.h>

#include "gpu_estimate/vector_functions.h"

#include "gpu_estimate/builtin_variables.h"
#include "gpu_estimate/libdevice_inline.h"
#include <__clang_cuda_libdevice_declares.h>

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

#include "gpu_estimate/device_stdlib.h"
#include "gpu_estimate/math.h"
#include "gpu_estimate/warp.h"

#include <__clang_cuda_cmath.h>

/// clang's intrinsics name this integer of the driver API.
typedef unsigned int cuuint32_t;
#include <__clang_cuda_intrinsics.h>

#include <__clang_cuda_complex_builtins.h>

#include "gpu_estimate/atomics.h"
#include "gpu_estimate/memory.h"
#include "gpu_estimate/runtime_overloads.h"
#include "gpu_estimate/device_runtime.h"
#include "gpu_estimate/texture.h"

#include "gpu_estimate/dialect.h"

#pragma pop_macro("__CUDA_ARCH__")

#ifdef GPU_ESTIMATE_NVCC
#include "gpu_estimate/nvcc_macros.h"
#endif

#endif // __CUDA__ && __clang__

#endif
