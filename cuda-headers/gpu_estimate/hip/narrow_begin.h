/// \file
/// Before a header of CUDA's narrow types in a HIP compilation: what it asks
/// for is there, under HIP's names. narrow_end.h ends it.
///
/// Deliberately without a guard.

#if defined(__HIP__) && !defined(__CUDA__)
#define __CUDA__ 1
#define GPU_ESTIMATE_HIP_NARROW_TYPES
#define GPU_ESTIMATE_CUDA_RUNTIME_H // CUDA's own runtime stays out
#define __nv_bfloat16 __hip_bfloat16
#define __nv_bfloat162 __hip_bfloat162
#define __nv_bfloat16_raw __hip_bfloat16_raw
#define __nv_bfloat162_raw __hip_bfloat162_raw
#endif
