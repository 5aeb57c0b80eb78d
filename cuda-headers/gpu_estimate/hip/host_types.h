/// \file
/// The types of HIP's runtime: names of those of CUDA's, which have the same
/// members, and the properties of a device.

#ifndef GPU_ESTIMATE_HIP_HOST_TYPES_H
#define GPU_ESTIMATE_HIP_HOST_TYPES_H

#include "../runtime_types.h"

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

// Handles.
typedef cudaError_t hipError_t;
typedef cudaStream_t hipStream_t;
typedef cudaEvent_t hipEvent_t;
typedef cudaGraph_t hipGraph_t;
typedef cudaGraphNode_t hipGraphNode_t;
typedef cudaGraphExec_t hipGraphExec_t;
typedef cudaMemPool_t hipMemPool_t;
typedef cudaUserObject_t hipUserObject_t;
typedef cudaExternalMemory_t hipExternalMemory_t;
typedef cudaExternalSemaphore_t hipExternalSemaphore_t;
typedef cudaGraphicsResource_t hipGraphicsResource_t;
typedef struct cudaGraphicsResource hipGraphicsResource;
typedef cudaArray_t hipArray_t;
typedef struct cudaArray hipArray;
typedef cudaArray_const_t hipArray_const_t;
typedef cudaMipmappedArray_t hipMipmappedArray_t;
typedef struct cudaMipmappedArray hipMipmappedArray;
typedef cudaMipmappedArray_const_t hipMipmappedArray_const_t;
typedef cudaTextureObject_t hipTextureObject_t;
typedef cudaSurfaceObject_t hipSurfaceObject_t;
typedef cudaHostFn_t hipHostFn_t;
typedef cudaStreamCallback_t hipStreamCallback_t;
typedef cudaIpcEventHandle_t hipIpcEventHandle_t;
typedef cudaIpcMemHandle_t hipIpcMemHandle_t;
typedef cudaUUID_t hipUUID;
typedef void *hipDeviceptr_t;
typedef int hipDevice_t;
typedef struct CUctx_st *hipCtx_t;
typedef struct CUmod_st *hipModule_t;
typedef struct CUfunc_st *hipFunction_t;

// Enumerations; host_constants.h has their members.
typedef enum cudaMemcpyKind hipMemcpyKind;
typedef enum cudaMemoryType hipMemoryType;
typedef enum cudaDeviceAttr hipDeviceAttribute_t;
typedef enum cudaChannelFormatKind hipChannelFormatKind;
typedef enum cudaFuncAttribute hipFuncAttribute;
typedef enum cudaFuncCache hipFuncCache;
typedef enum cudaFuncCache hipFuncCache_t;
typedef enum cudaSharedMemConfig hipSharedMemConfig;
typedef enum cudaComputeMode hipComputeMode;
typedef enum cudaLimit hipLimit_t;
typedef enum cudaMemoryAdvise hipMemoryAdvise;
typedef enum cudaMemRangeAttribute hipMemRangeAttribute;
typedef enum cudaMemPoolAttr hipMemPoolAttr;
typedef enum cudaMemLocationType hipMemLocationType;
typedef enum cudaMemAccessFlags hipMemAccessFlags;
typedef enum cudaMemAllocationType hipMemAllocationType;
typedef enum cudaMemAllocationHandleType hipMemAllocationHandleType;
typedef enum cudaStreamCaptureMode hipStreamCaptureMode;
typedef enum cudaStreamCaptureStatus hipStreamCaptureStatus;
typedef enum cudaStreamUpdateCaptureDependenciesFlags
    hipStreamUpdateCaptureDependenciesFlags;
typedef enum cudaGraphNodeType hipGraphNodeType;
typedef enum cudaGraphExecUpdateResult hipGraphExecUpdateResult;
typedef enum cudaGraphInstantiateFlags hipGraphInstantiateFlags;
typedef enum cudaGraphMemAttributeType hipGraphMemAttributeType;
typedef enum cudaGraphicsRegisterFlags hipGraphicsRegisterFlags;
typedef enum cudaResourceType hipResourceType;
typedef enum cudaResourceViewFormat hipResourceViewFormat;
typedef enum cudaTextureAddressMode hipTextureAddressMode;
typedef enum cudaTextureFilterMode hipTextureFilterMode;
typedef enum cudaTextureReadMode hipTextureReadMode;
typedef enum cudaSurfaceBoundaryMode hipSurfaceBoundaryMode;
typedef enum cudaExternalMemoryHandleType hipExternalMemoryHandleType;
typedef enum cudaExternalSemaphoreHandleType hipExternalSemaphoreHandleType;

// Structures.
typedef struct cudaChannelFormatDesc hipChannelFormatDesc;
typedef struct cudaExtent hipExtent;
typedef struct cudaPos hipPos;
typedef struct cudaPitchedPtr hipPitchedPtr;
typedef struct cudaMemcpy3DParms hipMemcpy3DParms;
typedef struct cudaMemsetParams hipMemsetParams;
typedef struct cudaPointerAttributes hipPointerAttribute_t;
typedef struct cudaFuncAttributes hipFuncAttributes;
typedef struct cudaMemLocation hipMemLocation;
typedef struct cudaMemAccessDesc hipMemAccessDesc;
typedef struct cudaMemPoolProps hipMemPoolProps;
typedef struct cudaTextureDesc hipTextureDesc;
typedef struct cudaResourceDesc hipResourceDesc;
typedef struct cudaResourceViewDesc hipResourceViewDesc;
typedef struct cudaLaunchParams hipLaunchParams;
typedef struct cudaKernelNodeParams hipKernelNodeParams;
typedef struct cudaHostNodeParams hipHostNodeParams;
typedef struct cudaMemAllocNodeParams hipMemAllocNodeParams;
typedef struct cudaExternalMemoryHandleDesc hipExternalMemoryHandleDesc;
typedef struct cudaExternalMemoryBufferDesc hipExternalMemoryBufferDesc;
typedef struct cudaExternalSemaphoreHandleDesc hipExternalSemaphoreHandleDesc;
typedef struct cudaExternalSemaphoreSignalParams
    hipExternalSemaphoreSignalParams;
typedef struct cudaExternalSemaphoreWaitParams hipExternalSemaphoreWaitParams;

/// What the instructions of a device can do.
typedef struct hipDeviceArch_t {
  unsigned hasGlobalInt32Atomics : 1, hasGlobalFloatAtomicExch : 1;
  unsigned hasSharedInt32Atomics : 1, hasSharedFloatAtomicExch : 1;
  unsigned hasFloatAtomicAdd : 1, hasGlobalInt64Atomics : 1;
  unsigned hasSharedInt64Atomics : 1, hasDoubles : 1, hasWarpVote : 1;
  unsigned hasWarpBallot : 1, hasWarpShuffle : 1, hasFunnelShift : 1;
  unsigned hasThreadFenceSystem : 1, hasSyncThreadsExt : 1;
  unsigned hasSurfaceFuncs : 1, has3dGrid : 1, hasDynamicParallelism : 1;
} hipDeviceArch_t;

#if defined(__cplusplus)
/// The properties of a device: CUDA's, and what HIP has beyond.
struct hipDeviceProp_t : cudaDeviceProp {
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  hipDeviceArch_t arch;
  char gcnArchName[256];
  int gcnArch;
  int cooperativeMultiDeviceUnmatchedFunc;
  int isLargeBar, asicRevision;
};
typedef hipDeviceProp_t hipDeviceProp_tR0600;
#endif

#endif
