/// \file
/// What the interface tells of the modelled GPU.
#include "DeviceProperties.h"

namespace gpuestimate {

// NOLINTNEXTLINE(readability-function-size): a case per attribute.
std::optional<int> attribute(const DeviceFacts &D, cudaDeviceAttr What) {
  constexpr int HipImageSupport = 200; // hip/host_constants.h
  // The runtime has no names for two attributes of the driver:
  // CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED and
  // CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED.
  constexpr int VirtualMemory = 102, FileDescriptors = 103;
  if (What == HipImageSupport || What == VirtualMemory ||
      What == FileDescriptors)
    return 1;
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

} // namespace gpuestimate
