/// \file
/// What the interface tells of the modelled GPU.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_DEVICEPROPERTIES_H
#define GPU_ESTIMATE_LIB_RUNTIME_DEVICEPROPERTIES_H

#include "Api.h"
#include "gpu-estimate/Run/DeviceFacts.h"
#include <cstdio>
#include <cstring>
#include <optional>

namespace gpuestimate {

/// What DeviceFacts tells of an attribute, and what holds for every GPU that
/// the models know. Nothing for a number that is no attribute.
std::optional<int> attribute(const DeviceFacts &D, cudaDeviceAttr What);

inline int attributeOr0(const DeviceFacts &D, cudaDeviceAttr What) {
  return attribute(D, What).value_or(0);
}

/// Fills the fields that the structures of all interfaces have: CUDA's of
/// toolkits up to 12 and from 13 on, and HIP's.
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

} // namespace gpuestimate

#endif
