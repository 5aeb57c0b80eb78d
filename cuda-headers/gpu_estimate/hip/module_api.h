/// \file
/// HIP's functions for modules and contexts, which are those of CUDA's driver
/// by other types: an error where CUDA's returns a CUresult of the same value, a
/// pointer where it takes the address as a number.

#ifndef GPU_ESTIMATE_HIP_MODULE_API_H
#define GPU_ESTIMATE_HIP_MODULE_API_H

#include "host_types.h"

// clang-format off
#define HIP_LAUNCH_PARAM_END ((void *)0x00)
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

/// Options of a just-in-time compiler, which has none here.
typedef enum hipJitOption { hipJitOptionMaxRegisters = 0 } hipJitOption;

#define GPU_ESTIMATE_HIP_CALL(Hip, Cuda, Parameters)                           \
  extern "C" hipError_t Hip Parameters __asm__(#Cuda);

GPU_ESTIMATE_HIP_CALL(hipInit, cuInit, (unsigned))
GPU_ESTIMATE_HIP_CALL(hipDeviceGet, cuDeviceGet, (hipDevice_t *, int))
GPU_ESTIMATE_HIP_CALL(hipDeviceGetName, cuDeviceGetName, (char *, int, hipDevice_t))
GPU_ESTIMATE_HIP_CALL(hipDeviceTotalMem, cuDeviceTotalMem_v2, (size_t *, hipDevice_t))
GPU_ESTIMATE_HIP_CALL(hipDeviceComputeCapability, cuDeviceComputeCapability, (int *, int *, hipDevice_t))
GPU_ESTIMATE_HIP_CALL(hipDeviceGetUuid, cuDeviceGetUuid_v2, (hipUUID *, hipDevice_t))
GPU_ESTIMATE_HIP_CALL(hipCtxCreate, cuCtxCreate_v2, (hipCtx_t *, unsigned, hipDevice_t))
GPU_ESTIMATE_HIP_CALL(hipCtxDestroy, cuCtxDestroy_v2, (hipCtx_t))
GPU_ESTIMATE_HIP_CALL(hipCtxGetCurrent, cuCtxGetCurrent, (hipCtx_t *))
GPU_ESTIMATE_HIP_CALL(hipCtxSetCurrent, cuCtxSetCurrent, (hipCtx_t))
GPU_ESTIMATE_HIP_CALL(hipCtxPushCurrent, cuCtxPushCurrent_v2, (hipCtx_t))
GPU_ESTIMATE_HIP_CALL(hipCtxPopCurrent, cuCtxPopCurrent_v2, (hipCtx_t *))
GPU_ESTIMATE_HIP_CALL(hipCtxGetDevice, cuCtxGetDevice, (hipDevice_t *))
GPU_ESTIMATE_HIP_CALL(hipCtxSynchronize, cuCtxSynchronize, (void))
GPU_ESTIMATE_HIP_CALL(hipDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (hipCtx_t *, hipDevice_t))
GPU_ESTIMATE_HIP_CALL(hipDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (hipDevice_t))
GPU_ESTIMATE_HIP_CALL(hipModuleLoad, cuModuleLoad, (hipModule_t *, const char *))
GPU_ESTIMATE_HIP_CALL(hipModuleLoadData, cuModuleLoadData, (hipModule_t *, const void *))
GPU_ESTIMATE_HIP_CALL(hipModuleLoadDataEx, cuModuleLoadDataEx, (hipModule_t *, const void *, unsigned, hipJitOption *, void **))
GPU_ESTIMATE_HIP_CALL(hipModuleUnload, cuModuleUnload, (hipModule_t))
GPU_ESTIMATE_HIP_CALL(hipModuleGetFunction, cuModuleGetFunction, (hipFunction_t *, hipModule_t, const char *))
GPU_ESTIMATE_HIP_CALL(hipModuleGetGlobal, cuModuleGetGlobal_v2, (hipDeviceptr_t *, size_t *, hipModule_t, const char *))
GPU_ESTIMATE_HIP_CALL(hipModuleLaunchKernel, cuLaunchKernel, (hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t, void **, void **))
GPU_ESTIMATE_HIP_CALL(hipModuleLaunchCooperativeKernel, cuLaunchCooperativeKernel, (hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t, void **))
GPU_ESTIMATE_HIP_CALL(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, hipFunction_t, int, size_t))
GPU_ESTIMATE_HIP_CALL(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, (int *, hipFunction_t, int, size_t, unsigned))
GPU_ESTIMATE_HIP_CALL(hipMemcpyHtoD, cuMemcpyHtoD_v2, (hipDeviceptr_t, void *, size_t))
GPU_ESTIMATE_HIP_CALL(hipMemcpyDtoH, cuMemcpyDtoH_v2, (void *, hipDeviceptr_t, size_t))
GPU_ESTIMATE_HIP_CALL(hipMemcpyDtoD, cuMemcpyDtoD_v2, (hipDeviceptr_t, hipDeviceptr_t, size_t))
GPU_ESTIMATE_HIP_CALL(hipMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, (hipDeviceptr_t, void *, size_t, hipStream_t))
GPU_ESTIMATE_HIP_CALL(hipMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, (void *, hipDeviceptr_t, size_t, hipStream_t))
GPU_ESTIMATE_HIP_CALL(hipMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, (hipDeviceptr_t, hipDeviceptr_t, size_t, hipStream_t))
GPU_ESTIMATE_HIP_CALL(hipMemsetD8, cuMemsetD8_v2, (hipDeviceptr_t, unsigned char, size_t))
GPU_ESTIMATE_HIP_CALL(hipMemsetD16, cuMemsetD16_v2, (hipDeviceptr_t, unsigned short, size_t))
GPU_ESTIMATE_HIP_CALL(hipMemsetD32, cuMemsetD32_v2, (hipDeviceptr_t, int, size_t))
GPU_ESTIMATE_HIP_CALL(hipMemsetD8Async, cuMemsetD8Async, (hipDeviceptr_t, unsigned char, size_t, hipStream_t))
GPU_ESTIMATE_HIP_CALL(hipMemsetD16Async, cuMemsetD16Async, (hipDeviceptr_t, unsigned short, size_t, hipStream_t))
GPU_ESTIMATE_HIP_CALL(hipMemsetD32Async, cuMemsetD32Async, (hipDeviceptr_t, int, size_t, hipStream_t))
GPU_ESTIMATE_HIP_CALL(hipMemGetAddressRange, cuMemGetAddressRange_v2, (hipDeviceptr_t *, size_t *, hipDeviceptr_t))
#undef GPU_ESTIMATE_HIP_CALL
// clang-format on

#endif
