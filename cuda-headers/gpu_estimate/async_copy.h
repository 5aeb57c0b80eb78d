/// \file
/// Asynchronous copies from global to shared memory (`cp.async`).
///
/// A copy of 4, 8 or 16 bytes is one instruction; 16 bytes bypass the first
/// cache level, as the SDK's functions do.

#ifndef GPU_ESTIMATE_CUDA_ASYNC_COPY_H
#define GPU_ESTIMATE_CUDA_ASYNC_COPY_H

#include "runtime.h"

#if defined(__CUDA__)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
namespace gpu_estimate_cuda {
/// One copy of `Bytes`, of which the last `zeroFill` are zeroed, not read.
template <int Bytes>
GPU_ESTIMATE_DEVICE void copyAsync(void *to, const void *from,
                                   unsigned int zeroFill = 0) {
  typedef __attribute__((address_space(3))) void *Shared;
  typedef const __attribute__((address_space(1))) void *Global;
  if constexpr (Bytes == 16)
    __nvvm_cp_async_cg_shared_global_16((Shared)to, (Global)from,
                                        Bytes - zeroFill);
  else if constexpr (Bytes == 8)
    __nvvm_cp_async_ca_shared_global_8((Shared)to, (Global)from,
                                       Bytes - zeroFill);
  else
    __nvvm_cp_async_ca_shared_global_4((Shared)to, (Global)from,
                                       Bytes - zeroFill);
}
} // namespace gpu_estimate_cuda

GPU_ESTIMATE_DEVICE void __pipeline_memcpy_async(void *to, const void *from,
                                                 __SIZE_TYPE__ bytes,
                                                 __SIZE_TYPE__ zeroFill = 0) {
  if (bytes == 16)
    gpu_estimate_cuda::copyAsync<16>(to, from, zeroFill);
  else if (bytes == 8)
    gpu_estimate_cuda::copyAsync<8>(to, from, zeroFill);
  else
    gpu_estimate_cuda::copyAsync<4>(to, from, zeroFill);
}
GPU_ESTIMATE_DEVICE void __pipeline_commit() { __nvvm_cp_async_commit_group(); }

/// The instruction takes a constant; calls give one.
GPU_ESTIMATE_DEVICE void __pipeline_wait_prior(__SIZE_TYPE__ groups) {
  switch (groups) {
  case 0:
    __nvvm_cp_async_wait_group(0);
    break;
  case 1:
    __nvvm_cp_async_wait_group(1);
    break;
  case 2:
    __nvvm_cp_async_wait_group(2);
    break;
  case 3:
    __nvvm_cp_async_wait_group(3);
    break;
  case 4:
    __nvvm_cp_async_wait_group(4);
    break;
  case 5:
    __nvvm_cp_async_wait_group(5);
    break;
  case 6:
    __nvvm_cp_async_wait_group(6);
    break;
  case 7:
    __nvvm_cp_async_wait_group(7);
    break;
  default:
    __nvvm_cp_async_wait_group(8);
    break;
  }
}
#else
// Before sm_80 the same functions copy synchronously.
GPU_ESTIMATE_DEVICE void __pipeline_memcpy_async(void *to, const void *from,
                                                 __SIZE_TYPE__ bytes,
                                                 __SIZE_TYPE__ zeroFill = 0) {
  if (bytes == 16)
    *(int4 *)to = *(const int4 *)from;
  else if (bytes == 8)
    *(int2 *)to = *(const int2 *)from;
  else
    *(int *)to = *(const int *)from;
}
GPU_ESTIMATE_DEVICE void __pipeline_commit() {}
GPU_ESTIMATE_DEVICE void __pipeline_wait_prior(__SIZE_TYPE__) {}
#endif

#endif

#endif
