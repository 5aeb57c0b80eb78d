/// \file
/// After a header of CUDA's narrow types: see narrow_begin.h.
///
/// Deliberately without a guard.

#if defined(GPU_ESTIMATE_HIP_NARROW_TYPES)
#undef __CUDA__
#undef GPU_ESTIMATE_HIP_NARROW_TYPES
#undef GPU_ESTIMATE_CUDA_RUNTIME_H
#undef __nv_bfloat16
#undef __nv_bfloat162
#undef __nv_bfloat16_raw
#undef __nv_bfloat162_raw
#endif
