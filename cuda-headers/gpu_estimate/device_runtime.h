/// \file
/// Runtime functions that device code may call.
///
/// They stay external calls. A launch in device code is a call, too, once it is
/// rewritten (dialect.h).

#ifndef GPU_ESTIMATE_CUDA_DEVICE_RUNTIME_H
#define GPU_ESTIMATE_CUDA_DEVICE_RUNTIME_H

#include "runtime_api.h"

/// Streams of launches in device code.
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

extern "C" {
__device__ cudaError_t cudaMalloc(void **, size_t);
__device__ cudaError_t cudaFree(void *);
__device__ cudaError_t cudaMemcpyAsync(void *, const void *, size_t,
                                       enum cudaMemcpyKind, cudaStream_t);
__device__ cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t);
__device__ cudaError_t cudaDeviceSynchronize(void);
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ const char *cudaGetErrorString(cudaError_t);
__device__ const char *cudaGetErrorName(cudaError_t);
__device__ cudaError_t cudaGetDevice(int *);
__device__ cudaError_t cudaGetDeviceCount(int *);
__device__ cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned int);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned int);
__device__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t);
}

/// A handle is the address of the value (lib/Runtime/GraphApi.cpp).
static inline __device__ void
cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  *(volatile unsigned int *)handle = value;
}

/// Programmatic dependent launch: the instructions of the PTX.
static inline __device__ void cudaGridDependencySynchronize() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
static inline __device__ void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" :::);
}

template <class T>
static inline __device__ cudaError_t cudaMalloc(T **p, size_t bytes) {
  return ::cudaMalloc((void **)(void *)p, bytes);
}

#endif
