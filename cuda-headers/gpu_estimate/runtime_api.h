/// \file
/// Host functions of the CUDA runtime API with C linkage.
///
/// They are declared for the code around kernels to parse; nothing here is
/// ever linked. Entries that changed their signature between CUDA 11 and 13
/// are overloads in runtime_overloads.h.

#ifndef GPU_ESTIMATE_CUDA_RUNTIME_API_H
#define GPU_ESTIMATE_CUDA_RUNTIME_API_H

#include "runtime_graph_api.h"
#include "runtime_types.h"

GPU_ESTIMATE_C_BEGIN

// Devices.
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit, size_t);
cudaError_t cudaDeviceGetLimit(size_t *, enum cudaLimit);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaDeviceGetByPCIBusId(int *, const char *);
cudaError_t cudaDeviceGetPCIBusId(char *, int, int);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
cudaError_t cudaGetDeviceCount(int *);
// Toolkit 13 gave this name to a function that fills another structure.
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *,
                                    int) __asm__("cudaGetDeviceProperties_v2");
cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int);
cudaError_t cudaDeviceGetP2PAttribute(int *, enum cudaDeviceP2PAttr, int, int);
cudaError_t cudaChooseDevice(int *, const struct cudaDeviceProp *);
cudaError_t cudaInitDevice(int, unsigned int, unsigned int);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetValidDevices(int *, int);
cudaError_t cudaSetDeviceFlags(unsigned int);
cudaError_t cudaGetDeviceFlags(unsigned int *);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaUserObjectCreate(cudaUserObject_t *, void *, cudaHostFn_t,
                                 unsigned int, unsigned int);
cudaError_t cudaUserObjectRetain(cudaUserObject_t,
                                 unsigned int GPU_ESTIMATE_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t,
                                  unsigned int GPU_ESTIMATE_DEFAULT(1));

// Memory.
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig);
cudaError_t cudaMallocManaged(void **, size_t,
                              unsigned int GPU_ESTIMATE_DEFAULT(0x01));
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t);
cudaError_t cudaMallocArray(cudaArray_t *, const struct cudaChannelFormatDesc *,
                            size_t, size_t GPU_ESTIMATE_DEFAULT(0),
                            unsigned int GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaHostAlloc(void **, size_t, unsigned int);
cudaError_t cudaHostRegister(void *, size_t, unsigned int);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned int);
cudaError_t cudaHostGetFlags(unsigned int *, void *);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *, struct cudaExtent);
cudaError_t cudaMalloc3DArray(cudaArray_t *,
                              const struct cudaChannelFormatDesc *,
                              struct cudaExtent,
                              unsigned int GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *,
                                     const struct cudaChannelFormatDesc *,
                                     struct cudaExtent, unsigned int,
                                     unsigned int GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *,
                                       cudaMipmappedArray_const_t,
                                       unsigned int);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *);
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *,
                              cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *,
                                  cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *,
                             struct cudaExtent *, unsigned int *, cudaArray_t);
cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t,
                         enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *,
                                size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArray(void *, size_t, cudaArray_const_t, size_t,
                                  size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DArrayToArray(
    cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t,
    size_t,
    enum cudaMemcpyKind kind GPU_ESTIMATE_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind,
                            cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t,
                                cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t,
                              size_t, enum cudaMemcpyKind,
                              cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void *,
                                     size_t, size_t, size_t,
                                     enum cudaMemcpyKind,
                                     cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void *, size_t, cudaArray_const_t,
                                       size_t, size_t, size_t, size_t,
                                       enum cudaMemcpyKind,
                                       cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMemset3D(struct cudaPitchedPtr, int, struct cudaExtent);
cudaError_t cudaMemsetAsync(void *, int, size_t,
                            cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t,
                              cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr, int, struct cudaExtent,
                              cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemRangeGetAttribute(void *, size_t, enum cudaMemRangeAttribute,
                                     const void *, size_t);
cudaError_t cudaMemRangeGetAttributes(void **, size_t *,
                                      enum cudaMemRangeAttribute *, size_t,
                                      const void *, size_t);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t,
                              enum cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void *, cudaArray_const_t, size_t, size_t,
                                size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyArrayToArray(
    cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t,
    enum cudaMemcpyKind kind GPU_ESTIMATE_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void *,
                                   size_t, enum cudaMemcpyKind,
                                   cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemcpyFromArrayAsync(void *, cudaArray_const_t, size_t, size_t,
                                     size_t, enum cudaMemcpyKind,
                                     cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *,
                                     const void *);

// Memory pools.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *, int);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr,
                                    void *);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, enum cudaMemPoolAttr,
                                    void *);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t,
                                 const struct cudaMemAccessDesc *, size_t);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *, cudaMemPool_t,
                                 struct cudaMemLocation *);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *, const struct cudaMemPoolProps *);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *, struct cudaMemLocation *,
                                     enum cudaMemAllocationType);
cudaError_t cudaMemGetMemPool(cudaMemPool_t *, struct cudaMemLocation *,
                              enum cudaMemAllocationType);
cudaError_t cudaMemSetMemPool(struct cudaMemLocation *,
                              enum cudaMemAllocationType, cudaMemPool_t);
cudaError_t cudaMallocFromPoolAsync(void **, size_t, cudaMemPool_t,
                                    cudaStream_t);
cudaError_t cudaMemPoolExportToShareableHandle(void *, cudaMemPool_t,
                                               enum cudaMemAllocationHandleType,
                                               unsigned int);
cudaError_t cudaMemPoolImportFromShareableHandle(
    cudaMemPool_t *, void *, enum cudaMemAllocationHandleType, unsigned int);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *, void *);
cudaError_t cudaMemPoolImportPointer(void **, cudaMemPool_t,
                                     struct cudaMemPoolPtrExportData *);

// Symbols.
cudaError_t cudaMemcpyToSymbol(
    const void *, const void *, size_t, size_t GPU_ESTIMATE_DEFAULT(0),
    enum cudaMemcpyKind kind GPU_ESTIMATE_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(
    void *, const void *, size_t, size_t GPU_ESTIMATE_DEFAULT(0),
    enum cudaMemcpyKind kind GPU_ESTIMATE_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *, const void *, size_t, size_t,
                                    enum cudaMemcpyKind,
                                    cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *, const void *, size_t, size_t,
                                      enum cudaMemcpyKind,
                                      cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **, const void *);
cudaError_t cudaGetSymbolSize(size_t *, const void *);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *, const void *);

// Streams.
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned int);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned int, int);
cudaError_t cudaStreamGetPriority(cudaStream_t, int *);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned int *);
cudaError_t cudaStreamGetId(cudaStream_t, unsigned long long *);
cudaError_t cudaStreamGetDevice(cudaStream_t, int *);
cudaError_t cudaStreamCopyAttributes(cudaStream_t, cudaStream_t);
cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaLaunchAttributeID,
                                   cudaLaunchAttributeValue *);
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaLaunchAttributeID,
                                   const cudaLaunchAttributeValue *);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t,
                                unsigned int GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *,
                                  unsigned int);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *,
                                     size_t GPU_ESTIMATE_DEFAULT(0),
                                     unsigned int GPU_ESTIMATE_DEFAULT(0x04));
cudaError_t cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaStreamIsCapturing(cudaStream_t, enum cudaStreamCaptureStatus *);

// Events.
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned int);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t,
                                     cudaStream_t GPU_ESTIMATE_DEFAULT(0),
                                     unsigned int GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);

// Execution.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *,
                                void **);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **,
                                        size_t, cudaStream_t);
cudaError_t cudaFuncSetCacheConfig(const void *, enum cudaFuncCache);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, const void *);
cudaError_t cudaFuncSetAttribute(const void *, enum cudaFuncAttribute, int);
cudaError_t cudaFuncGetName(const char **, const void *);
cudaError_t cudaFuncGetParamInfo(const void *, size_t, size_t *, size_t *);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaFuncSetSharedMemConfig(const void *, enum cudaSharedMemConfig);
cudaError_t cudaGetKernel(cudaKernel_t *, const void *);

// Occupancy.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *,
                                                          int, size_t);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *, const void *,
                                                      int, int);
cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, const void *, int,
                                                       size_t, unsigned int);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, const void *,
                                                 const cudaLaunchConfig_t *);
cudaError_t cudaOccupancyMaxActiveClusters(int *, const void *,
                                           const cudaLaunchConfig_t *);

// Textures and surfaces.
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *,
                               cudaArray_const_t);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *,
                                    const struct cudaResourceDesc *,
                                    const struct cudaTextureDesc *,
                                    const struct cudaResourceViewDesc *);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *,
                                             cudaTextureObject_t);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *,
                                            cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *,
                                                 cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *,
                                    const struct cudaResourceDesc *);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *,
                                             cudaSurfaceObject_t);

// Before CUDA 12 and 13.
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit, size_t);
cudaError_t cudaThreadGetLimit(size_t *, enum cudaLimit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *);
cudaError_t cudaSetDoubleForDevice(double *);
cudaError_t cudaSetDoubleForHost(double *);
cudaError_t cudaProfilerInitialize(const char *, const char *, int);
cudaError_t cudaConfigureCall(dim3, dim3, size_t GPU_ESTIMATE_DEFAULT(0),
                              cudaStream_t GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaSetupArgument(const void *, size_t, size_t);
cudaError_t cudaLaunch(const void *);
cudaError_t
cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *, unsigned int,
                                       unsigned int GPU_ESTIMATE_DEFAULT(0));
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

// What clang calls for `kernel<<<grid, block, shared, stream>>>(...)`.
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                             cudaStream_t);
unsigned int __cudaPushCallConfiguration(dim3, dim3,
                                         size_t GPU_ESTIMATE_DEFAULT(0),
                                         void *GPU_ESTIMATE_DEFAULT(0));
unsigned int __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);

__host__ const char *cudaGetErrorString(cudaError_t);
__host__ const char *cudaGetErrorName(cudaError_t);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int,
                                                   enum cudaChannelFormatKind);

GPU_ESTIMATE_C_END

#endif
