/// \file
/// The C++ face of the runtime API: typed allocation, symbols and kernels
/// passed by reference, and the signatures of other toolkit versions.

#ifndef GPU_ESTIMATE_CUDA_RUNTIME_OVERLOADS_H
#define GPU_ESTIMATE_CUDA_RUNTIME_OVERLOADS_H

#include "runtime_api.h"

#if defined(__cplusplus)

#define GPU_ESTIMATE_API static inline __host__ cudaError_t

// Typed allocation.
template <class T> GPU_ESTIMATE_API cudaMalloc(T **p, size_t bytes) {
  return ::cudaMalloc((void **)(void *)p, bytes);
}
template <class T>
GPU_ESTIMATE_API cudaMallocHost(T **p, size_t bytes, unsigned int = 0) {
  return ::cudaMallocHost((void **)(void *)p, bytes);
}
GPU_ESTIMATE_API cudaMallocHost(void **p, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(p, bytes, flags);
}
template <class T>
GPU_ESTIMATE_API cudaHostAlloc(T **p, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)p, bytes, flags);
}
template <class T>
GPU_ESTIMATE_API cudaHostGetDevicePointer(T **device, void *host,
                                          unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
GPU_ESTIMATE_API cudaMallocManaged(T **p, size_t bytes,
                                   unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)p, bytes, flags);
}
template <class T>
GPU_ESTIMATE_API cudaMallocPitch(T **p, size_t *pitch, size_t width,
                                 size_t height) {
  return ::cudaMallocPitch((void **)(void *)p, pitch, width, height);
}
template <class T>
GPU_ESTIMATE_API cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)p, bytes, stream);
}
template <class T>
GPU_ESTIMATE_API cudaMallocAsync(T **p, size_t bytes, cudaMemPool_t pool,
                                 cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)p, bytes, pool, stream);
}
template <class T>
GPU_ESTIMATE_API cudaMallocFromPoolAsync(T **p, size_t bytes,
                                         cudaMemPool_t pool,
                                         cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)p, bytes, pool, stream);
}
template <class T>
GPU_ESTIMATE_API
cudaStreamAttachMemAsync(cudaStream_t stream, T *p, size_t length = 0,
                         unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void *)p, length, flags);
}

// Symbols by reference.
template <class T>
GPU_ESTIMATE_API
cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                   size_t offset = 0,
                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
GPU_ESTIMATE_API
cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count,
                     size_t offset = 0,
                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset,
                                kind);
}
template <class T>
GPU_ESTIMATE_API
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                        size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                        cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset,
                                   kind, stream);
}
template <class T>
GPU_ESTIMATE_API
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count,
                          size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset,
                                     kind, stream);
}
template <class T>
GPU_ESTIMATE_API cudaGetSymbolAddress(void **p, const T &symbol) {
  return ::cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <class T>
GPU_ESTIMATE_API cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

// Kernels by name.
template <class T>
GPU_ESTIMATE_API cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **args,
                                  size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)kernel, grid, block, args, shared,
                            stream);
}
template <class T>
GPU_ESTIMATE_API cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block,
                                             void **args, size_t shared = 0,
                                             cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args,
                                       shared, stream);
}
template <class... Expected, class... Actual>
GPU_ESTIMATE_API cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                    void (*kernel)(Expected...),
                                    Actual &&...actual) {
  // Each argument is converted to the kernel's type, and lives until the call
  // returns.
  return [&](Expected... arguments) {
    void *pointers[] = {(void *)&arguments..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
  }(static_cast<Actual &&>(actual)...);
}
template <class T>
GPU_ESTIMATE_API cudaFuncSetCacheConfig(T *kernel,
                                        enum cudaFuncCache preference) {
  return ::cudaFuncSetCacheConfig((const void *)kernel, preference);
}
template <class T>
GPU_ESTIMATE_API cudaFuncSetSharedMemConfig(T *kernel,
                                            enum cudaSharedMemConfig banks) {
  return ::cudaFuncSetSharedMemConfig((const void *)kernel, banks);
}
template <class T>
GPU_ESTIMATE_API cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                       T *kernel) {
  return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
GPU_ESTIMATE_API cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute what,
                                      int value) {
  return ::cudaFuncSetAttribute((const void *)kernel, what, value);
}

// Occupancy.
template <class T>
GPU_ESTIMATE_API
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel,
                                              int blockSize, size_t shared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, (const void *)kernel, blockSize, shared);
}
template <class T>
GPU_ESTIMATE_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T kernel, int blockSize, size_t shared, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void *)kernel, blockSize, shared, flags);
}
/// The block size, a multiple of a warp, that keeps most threads of a
/// multiprocessor busy; among equal ones the largest.
template <class Size, class T>
GPU_ESTIMATE_API
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize,
                                               T kernel, Size sharedOfBlockSize,
                                               int blockSizeLimit = 0) {
  int device, multiprocessors, warp;
  struct cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&multiprocessors,
                                     cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess)
    error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
  if (error != cudaSuccess)
    return error;
  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit)
    limit = blockSizeLimit;
  int best = 0;
  *minGridSize = 0;
  *blockSize = 0;
  for (int size = (limit + warp - 1) / warp * warp; size > 0; size -= warp) {
    int threads = size < limit ? size : limit, blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, (const void *)kernel, threads, sharedOfBlockSize(threads));
    if (error != cudaSuccess)
      return error;
    if (blocks * threads > best) {
      best = blocks * threads;
      *blockSize = threads;
      *minGridSize = blocks * multiprocessors;
    }
  }
  return cudaSuccess;
}
template <class T>
GPU_ESTIMATE_API
cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T kernel,
                                   size_t shared = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      minGridSize, blockSize, kernel, [shared](int) { return shared; },
      blockSizeLimit);
}
template <class T>
GPU_ESTIMATE_API cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, T kernel, size_t shared = 0,
    int blockSizeLimit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(minGridSize, blockSize, kernel,
                                            shared, blockSizeLimit);
}

// Signatures that differ between CUDA 11 (device as an int), 12 and 13
// (location, edge data).
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, struct cudaMemLocation,
                                 unsigned int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void *, size_t, enum cudaMemoryAdvise, int);
cudaError_t cudaMemAdvise(const void *, size_t, enum cudaMemoryAdvise,
                          struct cudaMemLocation);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t,
                                 unsigned long long = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t,
                                 cudaGraphNode_t *, char *, size_t);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t,
                                cudaGraphExecUpdateResultInfo *);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *,
                                enum cudaGraphExecUpdateResult *);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *, cudaGraph_t,
                             const cudaGraphNode_t *, size_t,
                             struct cudaGraphNodeParams *);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *, cudaGraph_t,
                             const cudaGraphNode_t *, const cudaGraphEdgeData *,
                             size_t, struct cudaGraphNodeParams *);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *,
                                     const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *,
                                     const cudaGraphNode_t *,
                                     const cudaGraphEdgeData *, size_t);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t,
                                     enum cudaStreamCaptureStatus *,
                                     unsigned long long * = 0);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t,
                                     enum cudaStreamCaptureStatus *,
                                     unsigned long long *, cudaGraph_t *,
                                     const cudaGraphNode_t ** = 0,
                                     size_t * = 0);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t,
                                     enum cudaStreamCaptureStatus *,
                                     unsigned long long *, cudaGraph_t *,
                                     const cudaGraphNode_t **,
                                     const cudaGraphEdgeData **, size_t * = 0);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *,
                                                size_t, unsigned int = 0);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *,
                                                const cudaGraphEdgeData *,
                                                size_t, unsigned int = 0);

// Small constructors.
static inline __host__ cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch,
                                                          size_t xsize,
                                                          size_t ysize) {
  cudaPitchedPtr r = {p, pitch, xsize, ysize};
  return r;
}
static inline __host__ cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  cudaPos r = {x, y, z};
  return r;
}
static inline __host__ cudaExtent make_cudaExtent(size_t w, size_t h,
                                                  size_t d) {
  cudaExtent r = {w, h, d};
  return r;
}
GPU_ESTIMATE_API cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

#undef GPU_ESTIMATE_API

#include "channel_descriptor.h"

#endif

#endif
