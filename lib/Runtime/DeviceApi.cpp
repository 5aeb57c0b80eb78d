/// \file
/// Devices: as many as the user asks for, each the modelled GPU.
#include "DeviceProperties.h"
#include "Process.h"
#include "gpu-estimate/Run/DeviceStreams.h"
#include <cstdio>
#include <cstring>

using namespace gpuestimate;

namespace {

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
  *Result = Call.hasDevice() ? int(Call->Device.Count) : 0;
  return Call.done(*Result ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaGetDevice(int *Result) {
  GPU_ESTIMATE_CALL;
  if (!Result)
    return Call.done(cudaErrorInvalidValue);
  *Result = int(currentDevice());
  return Call.done(cudaSuccess);
}

cudaError_t cudaSetDevice(int Device) {
  GPU_ESTIMATE_CALL;
  if (!Call.isDevice(Device))
    return Call.done(cudaErrorInvalidDevice);
  currentDevice() = unsigned(Device);
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
  if (!Result || !Call.isDevice(Device))
    return Call.done(Result ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  const DeviceFacts &D = Call->Device;
  fillCuda(*Result, D);
  Result->clockRate = D.CoreClockHz / 1000;
  Result->memoryClockRate = D.MemoryClockHz / 1000;
  Result->deviceOverlap = 1;
  Result->pciBusID = Device + 1;
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
  if (!Result || !Call.isDevice(Device))
    return Call.done(Result ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  fillCuda(*Result, Call->Device);
  Result->pciBusID = Device + 1;
  Call.record(RunCall{});
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *Result, cudaDeviceAttr What,
                                   int Device) {
  GPU_ESTIMATE_CALL;
  auto Value = attribute(Call->Device, What);
  if (!Result || !Value)
    return Call.done(cudaErrorInvalidValue);
  if (!Call.isDevice(Device))
    return Call.done(cudaErrorInvalidDevice);
  *Result = *Value;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceReset() {
  GPU_ESTIMATE_CALL;
  Call.record(RunWait{RunWait::Device, defaultStream(currentDevice())});
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

// Peers: each device may access the others once it asks for that.

cudaError_t cudaDeviceCanAccessPeer(int *Result, int Device, int Peer) {
  GPU_ESTIMATE_CALL;
  if (!Call.isDevice(Device) || !Call.isDevice(Peer))
    return Call.done(cudaErrorInvalidDevice);
  *Result = Device != Peer;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int Peer, unsigned) {
  GPU_ESTIMATE_CALL;
  if (!Call.isDevice(Peer) || unsigned(Peer) == currentDevice())
    return Call.done(cudaErrorInvalidDevice);
  Call.record(RunCall{});
  bool IsNew = Call->Peers.insert({currentDevice(), unsigned(Peer)}).second;
  return Call.done(IsNew ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaDeviceDisablePeerAccess(int Peer) {
  GPU_ESTIMATE_CALL;
  if (!Call.isDevice(Peer))
    return Call.done(cudaErrorInvalidDevice);
  bool WasThere = Call->Peers.erase({currentDevice(), unsigned(Peer)});
  return Call.done(WasThere ? cudaSuccess : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *Result, cudaDeviceP2PAttr What,
                                      int Device, int Peer) {
  GPU_ESTIMATE_CALL;
  if (!Call.isDevice(Device) || !Call.isDevice(Peer) || Device == Peer)
    return Call.done(cudaErrorInvalidDevice);
  *Result = What == cudaDevP2PAttrPerformanceRank ? 0 : 1;
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *Result, int Length, int Device) {
  GPU_ESTIMATE_CALL;
  if (!Call.isDevice(Device))
    return Call.done(cudaErrorInvalidDevice);
  std::snprintf(Result, Length, "0000:%02x:00.0", Device + 1);
  return Call.done(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *Result, const char *Id) {
  GPU_ESTIMATE_CALL;
  unsigned Domain = 0, Bus = 1;
  if (std::sscanf(Id, "%x:%x:", &Domain, &Bus) != 2 ||
      !Call.isDevice(int(Bus) - 1))
    return Call.done(cudaErrorInvalidDevice);
  *Result = int(Bus) - 1;
  return Call.done(cudaSuccess);
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
