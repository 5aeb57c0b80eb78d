/// \file
/// The functions of HIP's runtime that have the parameters of CUDA's. A call
/// of one is a call of CUDA's function in the library that a program is linked
/// with, which reports it under HIP's name.

#ifndef GPU_ESTIMATE_HIP_HOST_FUNCTIONS_H
#define GPU_ESTIMATE_HIP_HOST_FUNCTIONS_H

#include "../runtime_api.h"
#include "host_constants.h"

#define GPU_ESTIMATE_HIP_CALL(Name)                                            \
  extern "C" decltype(cuda##Name) hip##Name __asm__("cuda" #Name);
#include "runtime_calls.h"
#undef GPU_ESTIMATE_HIP_CALL

// Those of another name.
#define GPU_ESTIMATE_HIP_CALL(Hip, Cuda)                                       \
  extern "C" decltype(Cuda) Hip __asm__(#Cuda);
GPU_ESTIMATE_HIP_CALL(hipHostFree, cudaFreeHost)
GPU_ESTIMATE_HIP_CALL(hipFreeHost, cudaFreeHost)
GPU_ESTIMATE_HIP_CALL(hipHostAlloc, cudaHostAlloc)
GPU_ESTIMATE_HIP_CALL(hipMallocHost, cudaMallocHost)
GPU_ESTIMATE_HIP_CALL(hipMemAllocHost, cudaMallocHost)
#undef GPU_ESTIMATE_HIP_CALL

extern "C" {

// Those of HIP alone.
hipError_t hipGetDeviceProperties(hipDeviceProp_t *, int);
hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_t *, int);

// Default arguments.
hipError_t hipMallocManaged(void **, size_t, unsigned flags = hipMemAttachGlobal);
hipError_t hipHostMalloc(void **, size_t, unsigned flags = hipHostMallocDefault)
    __asm__("cudaHostAlloc");
hipError_t hipMemcpyAsync(void *, const void *, size_t, hipMemcpyKind,
                          hipStream_t stream = nullptr);
hipError_t hipMemcpyPeerAsync(void *, int, const void *, int, size_t,
                              hipStream_t stream = nullptr);
hipError_t hipMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t,
                            hipMemcpyKind, hipStream_t stream = nullptr);
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *,
                            hipStream_t stream = nullptr);
hipError_t hipMemcpyToSymbol(const void *, const void *, size_t,
                             size_t offset = 0,
                             hipMemcpyKind kind = hipMemcpyHostToDevice);
hipError_t hipMemcpyFromSymbol(void *, const void *, size_t, size_t offset = 0,
                               hipMemcpyKind kind = hipMemcpyDeviceToHost);
hipError_t hipMemcpyToSymbolAsync(const void *, const void *, size_t, size_t,
                                  hipMemcpyKind, hipStream_t stream = nullptr);
hipError_t hipMemcpyFromSymbolAsync(void *, const void *, size_t, size_t,
                                    hipMemcpyKind,
                                    hipStream_t stream = nullptr);
hipError_t hipMemsetAsync(void *, int, size_t, hipStream_t stream = nullptr);
hipError_t hipMemset2DAsync(void *, size_t, int, size_t, size_t,
                            hipStream_t stream = nullptr);
hipError_t hipMemset3DAsync(hipPitchedPtr, int, hipExtent,
                            hipStream_t stream = nullptr);
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned flags = 0);
hipError_t hipStreamAttachMemAsync(hipStream_t, void *, size_t length = 0,
                                   unsigned flags = hipMemAttachSingle);
hipError_t hipEventRecord(hipEvent_t, hipStream_t stream = nullptr);
hipError_t hipMallocArray(hipArray_t *, const hipChannelFormatDesc *, size_t,
                          size_t height = 0, unsigned flags = hipArrayDefault);
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *, hipGraph_t,
                                        unsigned long long flags = 0);
hipError_t hipConfigureCall(dim3, dim3, size_t shared = 0,
                            hipStream_t stream = nullptr);
// What clang calls for kernel<<<...>>>(...).
unsigned __hipPushCallConfiguration(dim3, dim3, size_t shared = 0,
                                    hipStream_t stream = nullptr);

} // extern "C"

#endif
