/// \file
/// The C++ face of HIP's runtime: typed allocation, symbols and kernels passed
/// by reference, and functions whose parameters differ from CUDA's.

#ifndef GPU_ESTIMATE_HIP_HOST_OVERLOADS_H
#define GPU_ESTIMATE_HIP_HOST_OVERLOADS_H

#include "host_functions.h"
// After it: its overloads would make the types of functions ambiguous.
#include "../runtime_overloads.h"

#define GPU_ESTIMATE_HIP_API static inline __host__ hipError_t

// Typed allocation.
template <class T> GPU_ESTIMATE_HIP_API hipMalloc(T **p, size_t bytes) {
  return hipMalloc((void **)p, bytes);
}
template <class T>
GPU_ESTIMATE_HIP_API hipMallocManaged(T **p, size_t bytes,
                                      unsigned flags = hipMemAttachGlobal) {
  return hipMallocManaged((void **)p, bytes, flags);
}
template <class T>
GPU_ESTIMATE_HIP_API hipHostMalloc(T **p, size_t bytes,
                                   unsigned flags = hipHostMallocDefault) {
  return hipHostMalloc((void **)p, bytes, flags);
}
template <class T>
GPU_ESTIMATE_HIP_API hipHostAlloc(T **p, size_t bytes, unsigned flags) {
  return hipHostAlloc((void **)p, bytes, flags);
}
template <class T>
GPU_ESTIMATE_HIP_API hipMallocAsync(T **p, size_t bytes, hipStream_t stream) {
  return hipMallocAsync((void **)p, bytes, stream);
}
template <class T>
GPU_ESTIMATE_HIP_API hipMallocAsync(T **p, size_t bytes, hipMemPool_t pool,
                                    hipStream_t stream) {
  return hipMallocFromPoolAsync((void **)p, bytes, pool, stream);
}
template <class T>
GPU_ESTIMATE_HIP_API hipMallocPitch(T **p, size_t *pitch, size_t width,
                                    size_t height) {
  return hipMallocPitch((void **)p, pitch, width, height);
}
template <class T>
GPU_ESTIMATE_HIP_API hipHostGetDevicePointer(T **device, void *host,
                                             unsigned flags) {
  return hipHostGetDevicePointer((void **)device, host, flags);
}
template <class T>
GPU_ESTIMATE_HIP_API hipExtMallocWithFlags(T **p, size_t bytes, unsigned) {
  return hipMalloc((void **)p, bytes);
}

// Symbols by reference.
template <class T>
GPU_ESTIMATE_HIP_API
hipMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                  size_t offset = 0,
                  hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
GPU_ESTIMATE_HIP_API
hipMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                    hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return hipMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
GPU_ESTIMATE_HIP_API
hipMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                       size_t offset, hipMemcpyKind kind,
                       hipStream_t stream = nullptr) {
  return hipMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset,
                                kind, stream);
}
template <class T>
GPU_ESTIMATE_HIP_API
hipMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
                         size_t offset, hipMemcpyKind kind,
                         hipStream_t stream = nullptr) {
  return hipMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset,
                                  kind, stream);
}
template <class T>
GPU_ESTIMATE_HIP_API hipGetSymbolAddress(void **p, const T &symbol) {
  return hipGetSymbolAddress(p, (const void *)&symbol);
}
template <class T>
GPU_ESTIMATE_HIP_API hipGetSymbolSize(size_t *bytes, const T &symbol) {
  return hipGetSymbolSize(bytes, (const void *)&symbol);
}

// Kernels by name.
template <class T>
GPU_ESTIMATE_HIP_API hipLaunchKernel(T *kernel, dim3 grid, dim3 block,
                                     void **args, size_t shared = 0,
                                     hipStream_t stream = nullptr) {
  return hipLaunchKernel((const void *)kernel, grid, block, args, shared,
                         stream);
}
template <class T>
GPU_ESTIMATE_HIP_API hipLaunchCooperativeKernel(T *kernel, dim3 grid,
                                                dim3 block, void **args,
                                                unsigned shared,
                                                hipStream_t stream) {
  return hipLaunchCooperativeKernel((const void *)kernel, grid, block, args,
                                    size_t(shared), stream);
}
template <class T>
GPU_ESTIMATE_HIP_API hipFuncSetCacheConfig(T *kernel, hipFuncCache_t what) {
  return hipFuncSetCacheConfig((const void *)kernel, what);
}
template <class T>
GPU_ESTIMATE_HIP_API hipFuncSetAttribute(T *kernel, hipFuncAttribute what,
                                         int value) {
  return hipFuncSetAttribute((const void *)kernel, what, value);
}
template <class T>
GPU_ESTIMATE_HIP_API hipFuncGetAttributes(hipFuncAttributes *attributes,
                                          T *kernel) {
  return hipFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
GPU_ESTIMATE_HIP_API
hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel,
                                             int blockSize, size_t shared) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, (const void *)kernel, blockSize, shared);
}
template <class T>
GPU_ESTIMATE_HIP_API hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T kernel, int blockSize, size_t shared, unsigned flags) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void *)kernel, blockSize, shared, flags);
}
template <class T>
GPU_ESTIMATE_HIP_API
hipOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T kernel,
                                  size_t shared = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSize(minGridSize, blockSize, kernel,
                                            shared, blockSizeLimit);
}
template <class T>
GPU_ESTIMATE_HIP_API hipOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, T kernel, size_t shared = 0,
    int blockSizeLimit = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(minGridSize, blockSize, kernel,
                                            shared, blockSizeLimit);
}

// Functions of which CUDA has several versions, and those of HIP alone.
GPU_ESTIMATE_HIP_API hipMemPrefetchAsync(const void *p, size_t bytes,
                                         int device,
                                         hipStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(p, bytes, device, stream);
}
GPU_ESTIMATE_HIP_API hipMemAdvise(const void *p, size_t bytes,
                                  hipMemoryAdvise advice, int device) {
  return cudaMemAdvise(p, bytes, advice, device);
}
GPU_ESTIMATE_HIP_API hipGraphInstantiate(hipGraphExec_t *exec,
                                         hipGraph_t graph,
                                         hipGraphNode_t *errorNode,
                                         char *log, size_t logBytes) {
  return cudaGraphInstantiate(exec, graph, errorNode, log, logBytes);
}
GPU_ESTIMATE_HIP_API hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph,
                                        hipGraphNode_t *errorNode,
                                        hipGraphExecUpdateResult *result) {
  return cudaGraphExecUpdate(exec, graph, errorNode, result);
}
GPU_ESTIMATE_HIP_API hipGraphAddDependencies(hipGraph_t graph,
                                             const hipGraphNode_t *from,
                                             const hipGraphNode_t *to,
                                             size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
GPU_ESTIMATE_HIP_API hipStreamGetCaptureInfo(hipStream_t stream,
                                             hipStreamCaptureStatus *status,
                                             unsigned long long *id) {
  return cudaStreamGetCaptureInfo(stream, status, id);
}
GPU_ESTIMATE_HIP_API hipMemcpyWithStream(void *to, const void *from,
                                         size_t bytes, hipMemcpyKind kind,
                                         hipStream_t stream) {
  hipError_t error = hipMemcpyAsync(to, from, bytes, kind, stream);
  return error == hipSuccess ? hipStreamSynchronize(stream) : error;
}
GPU_ESTIMATE_HIP_API hipEventCreate(hipEvent_t *event, unsigned flags) {
  return hipEventCreateWithFlags(event, flags);
}
#undef GPU_ESTIMATE_HIP_API
static inline int hipGetStreamDeviceId(hipStream_t stream) {
  int device = 0;
  (void)hipStreamGetDevice(stream, &device);
  return device;
}

template <class T> static inline hipChannelFormatDesc hipCreateChannelDesc() {
  return cudaCreateChannelDesc<T>();
}
static inline hipPitchedPtr make_hipPitchedPtr(void *p, size_t pitch,
                                               size_t xsize, size_t ysize) {
  return make_cudaPitchedPtr(p, pitch, xsize, ysize);
}
static inline hipPos make_hipPos(size_t x, size_t y, size_t z) {
  return make_cudaPos(x, y, z);
}
static inline hipExtent make_hipExtent(size_t w, size_t h, size_t d) {
  return make_cudaExtent(w, h, d);
}

#endif
