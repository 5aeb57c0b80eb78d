/// \file
/// Devices: there is one, the modelled GPU.
#include "Process.h"
#include <cstdio>
#include <cstring>

using namespace gpuestimate;

namespace {

/// What DeviceFacts tells of an attribute, and what holds for every GPU that
/// the models know. Nothing for an attribute that programs never need.
std::optional<int> attribute(const DeviceFacts &D, cudaDeviceAttr What) {
  switch (What) {
  case cudaDevAttrMaxThreadsPerBlock:
    return D.MaxThreadsPerBlock;
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    return 1024;
  case cudaDevAttrMaxBlockDimZ:
    return 64;
  case cudaDevAttrMaxGridDimX:
    return 0x7fffffff;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return 0xffff;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return D.SharedBytesPerBlock;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return D.SharedBytesPerBlockOptIn;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return D.SharedBytesPerSm;
  case cudaDevAttrTotalConstantMemory:
    return 65536;
  case cudaDevAttrWarpSize:
    return D.WarpSize;
  case cudaDevAttrMaxPitch:
    return 0x7fffffff;
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return D.RegistersPerSm;
  case cudaDevAttrClockRate:
    return D.CoreClockHz / 1000;
  case cudaDevAttrMemoryClockRate:
    return D.MemoryClockHz / 1000;
  case cudaDevAttrGlobalMemoryBusWidth:
    return D.MemoryBusBits;
  case cudaDevAttrL2CacheSize:
    return D.L2Bytes;
  case cudaDevAttrMultiProcessorCount:
    return D.Multiprocessors;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return D.MaxThreadsPerSm;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return D.MaxBlocksPerSm;
  case cudaDevAttrComputeCapabilityMajor:
    return D.Major;
  case cudaDevAttrComputeCapabilityMinor:
    return D.Minor;
  case cudaDevAttrTextureAlignment:
  case cudaDevAttrSurfaceAlignment:
    return 512;
  case cudaDevAttrTexturePitchAlignment:
    return 32;
  case cudaDevAttrAsyncEngineCount:
    return 2;
  case cudaDevAttrReservedSharedMemoryPerBlock:
    return D.Major >= 8 ? 1024 : 0;
  case cudaDevAttrGpuOverlap:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrEccEnabled:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrGlobalL1CacheSupported:
  case cudaDevAttrLocalL1CacheSupported:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrComputePreemptionSupported:
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrHostRegisterSupported:
  case cudaDevAttrMemoryPoolsSupported:
    return 1;
  case cudaDevAttrClusterLaunch:
    return D.Major >= 9;
  case cudaDevAttrMaxTexture1DWidth:
  case cudaDevAttrMaxTexture2DWidth:
  case cudaDevAttrMaxSurface1DWidth:
  case cudaDevAttrMaxSurface2DWidth:
    return 131072;
  case cudaDevAttrMaxTexture2DHeight:
  case cudaDevAttrMaxSurface2DHeight:
    return 65536;
  case cudaDevAttrMaxTexture3DWidth:
  case cudaDevAttrMaxTexture3DHeight:
  case cudaDevAttrMaxTexture3DDepth:
    return 16384;
  case cudaDevAttrMaxTexture1DLinearWidth:
    return 268435456;
  default:
    return What > 0 && What < cudaDevAttrMax ? std::optional(0) : std::nullopt;
  }
}

int attributeOr0(const DeviceFacts &D, cudaDeviceAttr What) {
  return attribute(D, What).value_or(0);
}

/// The layout of toolkit 13; programs that were compiled with NVIDIA's headers
/// have it.
struct Properties13 {
  char name[256];
  char uuid[16], luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory;
  int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2];
  int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3];
  int maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2];
  int maxTexture2DLayered[3], maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2];
  int maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID;
  int tccDriver, asyncEngineCount, unifiedAddressing, memoryBusWidth;
  int l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard;
  int multiGpuBoardGroupID, hostNativeAtomicSupported, pageableMemoryAccess;
  int concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported;
  int hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported;
  int memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch;
  int unifiedFunctionPointers, deviceNumaConfig, deviceNumaId, mpsEnabled;
  int hostNumaId;
  unsigned gpuPciDeviceID, gpuPciSubsystemID;
  int hostNumaMultinodeIpcSupported, reserved[56];
};

/// Fields that both layouts of the structure have: the shipped headers' (that
/// of toolkits 11 and 12) and that of toolkit 13.
template <class Properties>
void fillCommon(Properties &P, const DeviceFacts &D) {
  std::memset(static_cast<void *>(&P), 0, sizeof(P));
  std::snprintf(P.name, sizeof(P.name), "%s", D.Name.c_str());
  P.totalGlobalMem = D.GlobalBytes;
  P.sharedMemPerBlock = D.SharedBytesPerBlock;
  P.regsPerBlock = D.RegistersPerSm;
  P.warpSize = D.WarpSize;
  P.maxThreadsPerBlock = D.MaxThreadsPerBlock;
  P.totalConstMem = 65536;
  P.major = D.Major;
  P.minor = D.Minor;
  P.multiProcessorCount = D.Multiprocessors;
  P.memoryBusWidth = D.MemoryBusBits;
  P.l2CacheSize = D.L2Bytes;
  P.maxThreadsPerMultiProcessor = D.MaxThreadsPerSm;
  for (unsigned I = 0; I != 3; ++I) {
    P.maxThreadsDim[I] =
        attributeOr0(D, cudaDeviceAttr(cudaDevAttrMaxBlockDimX + I));
    P.maxGridSize[I] =
        attributeOr0(D, cudaDeviceAttr(cudaDevAttrMaxGridDimX + I));
  }
}

template <class Properties> void fillCuda(Properties &P, const DeviceFacts &D) {
  fillCommon(P, D);
  P.memPitch = 0x7fffffff;
  P.textureAlignment = P.surfaceAlignment = 512;
  P.texturePitchAlignment = 32;
  P.canMapHostMemory = P.concurrentKernels = P.ECCEnabled = 1;
  P.asyncEngineCount = 2;
  P.unifiedAddressing = P.streamPrioritiesSupported = 1;
  P.globalL1CacheSupported = P.localL1CacheSupported = 1;
  P.sharedMemPerMultiprocessor = D.SharedBytesPerSm;
  P.regsPerMultiprocessor = D.RegistersPerSm;
  P.managedMemory = P.concurrentManagedAccess = 1;
  P.computePreemptionSupported = P.canUseHostPointerForRegisteredMem = 1;
  P.cooperativeLaunch = P.hostRegisterSupported = 1;
  P.memoryPoolsSupported = 1;
  P.sharedMemPerBlockOptin = D.SharedBytesPerBlockOptIn;
  P.maxBlocksPerMultiProcessor = D.MaxBlocksPerSm;
  P.clusterLaunch = D.Major >= 9;
  P.maxTexture1D = attributeOr0(D, cudaDevAttrMaxTexture1DWidth);
  P.maxTexture2D[0] = attributeOr0(D, cudaDevAttrMaxTexture2DWidth);
  P.maxTexture2D[1] = attributeOr0(D, cudaDevAttrMaxTexture2DHeight);
  for (int &Size : P.maxTexture3D)
    Size = attributeOr0(D, cudaDevAttrMaxTexture3DWidth);
}

} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int *Result) {
  ApiCall Call(__func__);
  if (!Result)
    return Call.done(cudaErrorInvalidValue);
  *Result = Call.hasDevice();
  return Call.done(*Result ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaGetDevice(int *Result) {
  GPU_ESTIMATE_CALL;
  if (!Result)
    return Call.done(cudaErrorInvalidValue);
  *Result = 0;
  return Call.done(cudaSuccess);
}

cudaError_t cudaSetDevice(int Device) {
  GPU_ESTIMATE_CALL;
  if (Device != 0)
    return Call.done(cudaErrorInvalidDevice);
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaInitDevice(int Device, unsigned, unsigned) {
  return cudaSetDevice(Device);
}

cudaError_t cudaSetValidDevices(int *, int) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

cudaError_t cudaChooseDevice(int *Result, const cudaDeviceProp *) {
  return cudaGetDevice(Result);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *Result, int Device) {
  GPU_ESTIMATE_CALL;
  if (!Result || Device != 0)
    return Call.done(Result ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  const DeviceFacts &D = Call->Device;
  fillCuda(*Result, D);
  Result->clockRate = D.CoreClockHz / 1000;
  Result->memoryClockRate = D.MemoryClockHz / 1000;
  Result->deviceOverlap = 1;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

/// The name cudaGetDeviceProperties of toolkit 13.
GPU_ESTIMATE_EXPORT cudaError_t gpuEstimateGetDeviceProperties13(
    Properties13 *Result, int Device) asm("cudaGetDeviceProperties");
cudaError_t gpuEstimateGetDeviceProperties13(Properties13 *Result, int Device) {
  ApiCall Call("cudaGetDeviceProperties");
  if (!Call.hasDevice())
    return Call.done(cudaErrorNoDevice);
  if (!Result || Device != 0)
    return Call.done(Result ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  fillCuda(*Result, Call->Device);
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *Result, cudaDeviceAttr What,
                                   int Device) {
  GPU_ESTIMATE_CALL;
  auto Value = attribute(Call->Device, What);
  if (!Result || !Value)
    return Call.done(cudaErrorInvalidValue);
  if (Device != 0)
    return Call.done(cudaErrorInvalidDevice);
  *Result = *Value;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceReset() {
  GPU_ESTIMATE_CALL;
  Call.record(RunWait{RunWait::Device, 0});
  Call->Sticky = cudaSuccess;
  return Call.done(cudaSuccess);
}

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaDeviceSetLimit(cudaLimit What, size_t Value) {
  GPU_ESTIMATE_CALL;
  if (What < 0 || What > cudaLimitPersistingL2CacheSize)
    return Call.done(cudaErrorUnsupportedLimit);
  Call->Limits[What] = Value;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *Result, cudaLimit What) {
  GPU_ESTIMATE_CALL;
  if (What < 0 || What > cudaLimitPersistingL2CacheSize)
    return Call.done(cudaErrorUnsupportedLimit);
  *Result = Call->Limits[What];
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *Result) {
  GPU_ESTIMATE_CALL;
  *Result = cudaFuncCachePreferNone;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *Result) {
  GPU_ESTIMATE_CALL;
  *Result = cudaSharedMemBankSizeFourByte;
  return Call.done(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned Flags) {
  GPU_ESTIMATE_CALL;
  Call->DeviceFlags = Flags;
  return Call.done(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned *Result) {
  GPU_ESTIMATE_CALL;
  *Result = Call->DeviceFlags;
  return Call.done(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaSuccess);
}

// Peers: there is no other device.

cudaError_t cudaDeviceCanAccessPeer(int *Result, int, int) {
  GPU_ESTIMATE_CALL;
  *Result = 0;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
  GPU_ESTIMATE_CALL;
  return Call.done(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *Result, cudaDeviceP2PAttr, int,
                                      int) {
  GPU_ESTIMATE_CALL;
  *Result = 0;
  return Call.done(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetPCIBusId(char *Result, int Length, int) {
  GPU_ESTIMATE_CALL;
  std::snprintf(Result, Length, "0000:01:00.0");
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *Result, const char *) {
  return cudaGetDevice(Result);
}

/// The version whose interface the shipped headers have.
cudaError_t cudaRuntimeGetVersion(int *Result) {
  *Result = 12060;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *Result) {
  return cudaRuntimeGetVersion(Result);
}

cudaError_t cudaProfilerStart() {
  GPU_ESTIMATE_CALL;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaProfilerStop() {
  GPU_ESTIMATE_CALL;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

} // extern "C"

GPU_ESTIMATE_ALIAS(hipGetDeviceCount, cudaGetDeviceCount);
GPU_ESTIMATE_ALIAS(hipGetDevice, cudaGetDevice);
GPU_ESTIMATE_ALIAS(hipSetDevice, cudaSetDevice);
GPU_ESTIMATE_ALIAS(hipDeviceReset, cudaDeviceReset);
GPU_ESTIMATE_DECLARED_ALIAS(cudaThreadSetLimit, cudaDeviceSetLimit);
GPU_ESTIMATE_DECLARED_ALIAS(cudaThreadGetLimit, cudaDeviceGetLimit);
GPU_ESTIMATE_DECLARED_ALIAS(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig);
GPU_ESTIMATE_DECLARED_ALIAS(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig);
