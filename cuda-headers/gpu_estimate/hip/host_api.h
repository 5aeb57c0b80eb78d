/// \file
/// Declarations of HIP runtime calls. Only declarations: an analysis never
/// links. Enumerators that programs print or compare carry HIP's values.

#ifndef GPU_ESTIMATE_HIP_HOST_API_H
#define GPU_ESTIMATE_HIP_HOST_API_H

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

typedef enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorMemoryAllocation = 2,
  hipErrorNotInitialized = 3,
  hipErrorInvalidConfiguration = 9,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorNotReady = 600,
  hipErrorLaunchFailure = 719,
  hipErrorUnknown = 999
} hipError_t;

typedef enum hipMemcpyKind {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4
} hipMemcpyKind;

typedef enum hipDeviceAttribute_t {
  hipDeviceAttributeConcurrentManagedAccess,
  hipDeviceAttributeHostNativeAtomicSupported,
  hipDeviceAttributeMaxSharedMemoryPerBlock,
  hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMemoryBusWidth,
  hipDeviceAttributeMemoryClockRate,
  hipDeviceAttributeMemoryPoolsSupported,
  hipDeviceAttributeMultiprocessorCount,
  hipDeviceAttributeWarpSize
} hipDeviceAttribute_t;

typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphExec *hipGraphExec_t;

typedef enum hipStreamCaptureMode {
  hipStreamCaptureModeGlobal = 0,
  hipStreamCaptureModeThreadLocal = 1,
  hipStreamCaptureModeRelaxed = 2
} hipStreamCaptureMode;

typedef struct hipDeviceProp_t {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, totalConstMem;
  int regsPerBlock, warpSize, maxThreadsPerBlock;
  int maxThreadsDim[3], maxGridSize[3];
  int clockRate, memoryClockRate, memoryBusWidth;
  int major, minor, multiProcessorCount, l2CacheSize;
  int maxThreadsPerMultiProcessor, computeMode;
  size_t maxSharedMemoryPerMultiProcessor;
  char gcnArchName[256];
} hipDeviceProp_t;

#define hipHostMallocDefault 0x0
#define hipStreamNonBlocking 0x1
#define hipEventDefault 0x0

extern "C" {
hipError_t hipFree(void *);
hipError_t hipHostFree(void *);
hipError_t hipFreeAsync(void *, hipStream_t);
hipError_t hipMemcpy(void *, const void *, size_t, hipMemcpyKind);
hipError_t hipMemcpyAsync(void *, const void *, size_t, hipMemcpyKind,
                          hipStream_t stream = nullptr);
hipError_t hipMemcpyToSymbol(const void *, const void *, size_t,
                             size_t offset = 0,
                             hipMemcpyKind kind = hipMemcpyHostToDevice);
hipError_t hipMemcpyFromSymbol(void *, const void *, size_t,
                               size_t offset = 0,
                               hipMemcpyKind kind = hipMemcpyDeviceToHost);
hipError_t hipMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t,
                       hipMemcpyKind);
hipError_t hipMemset(void *, int, size_t);
hipError_t hipMemsetAsync(void *, int, size_t, hipStream_t stream = nullptr);
hipError_t hipMemGetInfo(size_t *, size_t *);
hipError_t hipDeviceSynchronize(void);
hipError_t hipDeviceReset(void);
hipError_t hipSetDevice(int);
hipError_t hipGetDevice(int *);
hipError_t hipGetDeviceCount(int *);
hipError_t hipGetDeviceProperties(hipDeviceProp_t *, int);
hipError_t hipDeviceGetAttribute(int *, hipDeviceAttribute_t, int);
hipError_t hipDeviceGetPCIBusId(char *, int, int);
hipError_t hipDriverGetVersion(int *);
hipError_t hipRuntimeGetVersion(int *);
hipError_t hipGetLastError(void);
hipError_t hipPeekAtLastError(void);
const char *hipGetErrorString(hipError_t);
const char *hipGetErrorName(hipError_t);
hipError_t hipStreamCreate(hipStream_t *);
hipError_t hipStreamCreateWithFlags(hipStream_t *, unsigned);
hipError_t hipStreamDestroy(hipStream_t);
hipError_t hipStreamSynchronize(hipStream_t);
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned flags = 0);
hipError_t hipStreamBeginCapture(hipStream_t, hipStreamCaptureMode);
hipError_t hipStreamEndCapture(hipStream_t, hipGraph_t *);
hipError_t hipGraphInstantiate(hipGraphExec_t *, hipGraph_t, void *, char *,
                               size_t);
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *, hipGraph_t,
                                        unsigned long long);
hipError_t hipGraphLaunch(hipGraphExec_t, hipStream_t);
hipError_t hipGraphExecDestroy(hipGraphExec_t);
hipError_t hipGraphDestroy(hipGraph_t);
hipError_t hipEventCreate(hipEvent_t *);
hipError_t hipEventCreateWithFlags(hipEvent_t *, unsigned);
hipError_t hipEventRecord(hipEvent_t, hipStream_t stream = nullptr);
hipError_t hipEventSynchronize(hipEvent_t);
hipError_t hipEventElapsedTime(float *, hipEvent_t, hipEvent_t);
hipError_t hipEventDestroy(hipEvent_t);
hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t,
                           hipStream_t);
hipError_t hipLaunchCooperativeKernel(const void *, dim3, dim3, void **,
                                      unsigned, hipStream_t);
hipError_t hipConfigureCall(dim3, dim3, size_t shared = 0,
                            hipStream_t stream = nullptr);
// What clang calls for kernel<<<...>>>(...).
unsigned __hipPushCallConfiguration(dim3, dim3, size_t shared = 0,
                                    hipStream_t stream = nullptr);
}

extern "C" hipError_t hipMalloc(void **, size_t);
extern "C" hipError_t hipMallocManaged(void **, size_t, unsigned flags = 1);
extern "C" hipError_t hipHostMalloc(void **, size_t, unsigned flags = 0);
extern "C" hipError_t hipMallocAsync(void **, size_t, hipStream_t);
template <typename T> hipError_t hipMalloc(T **p, size_t n) {
  return hipMalloc((void **)p, n);
}
template <typename T>
hipError_t hipMallocManaged(T **p, size_t n, unsigned flags = 1) {
  return hipMallocManaged((void **)p, n, flags);
}
template <typename T>
hipError_t hipHostMalloc(T **p, size_t n, unsigned flags = 0) {
  return hipHostMalloc((void **)p, n, flags);
}
template <typename T>
hipError_t hipMallocAsync(T **p, size_t n, hipStream_t stream) {
  return hipMallocAsync((void **)p, n, stream);
}

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(X) X
#define hipLaunchKernelGGL(Kernel, Grid, Block, Shared, Stream, ...)           \
  (Kernel)<<<(Grid), (Block), (Shared), (Stream)>>>(__VA_ARGS__)

#endif
