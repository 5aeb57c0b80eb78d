/// \file
/// The GPU as its programs see it: what `gpu-estimate run` tells the runtime
/// library about the modelled GPU (cudaGetDeviceProperties and its kin).
#ifndef GPU_ESTIMATE_RUN_DEVICEFACTS_H
#define GPU_ESTIMATE_RUN_DEVICEFACTS_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace gpuestimate {

struct DeviceFacts {
  std::string Name; ///< "NVIDIA H100 80GB HBM3"
  bool IsAmd = false;
  std::string Arch;              ///< "sm_90", "gfx90a"
  unsigned Major = 0, Minor = 0; ///< compute capability
  unsigned Multiprocessors = 0, WarpSize = 32;
  unsigned MaxThreadsPerBlock = 1024, MaxThreadsPerSm = 2048;
  unsigned MaxBlocksPerSm = 32;
  uint64_t RegistersPerSm = 65536;
  uint64_t SharedBytesPerSm = 0, SharedBytesPerBlock = 49152,
           SharedBytesPerBlockOptIn = 0;
  uint64_t GlobalBytes = 0, L2Bytes = 0;
  double CoreClockHz = 0, MemoryClockHz = 0;
  unsigned MemoryBusBits = 0;
  unsigned Count = 1; ///< of such devices
};

/// The facts as one line of JSON, and back.
std::string toJson(const DeviceFacts &Facts);
llvm::Expected<DeviceFacts> parseDeviceFacts(llvm::StringRef Json);

} // namespace gpuestimate

#endif
