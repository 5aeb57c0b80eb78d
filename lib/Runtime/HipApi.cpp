/// \file
/// Functions of HIP that are not the same as CUDA's: the device's properties
/// have a structure of their own. All others are CUDA's by the shipped headers
/// (cuda-headers/gpu_estimate/hip/host_functions.h), or aliases in CUDA's files
/// for programs that were compiled with ROCm's headers.
#include "DeviceProperties.h"
#include "Process.h"

#pragma GCC visibility push(default)
#include "gpu_estimate/hip/host_api.h"
#pragma GCC visibility pop

using namespace gpuestimate;

extern "C" {

hipError_t hipGetDeviceProperties(hipDeviceProp_t *Result, int Device) {
  if (Result)
    *Result = hipDeviceProp_t();
  hipError_t Error = cudaGetDeviceProperties(Result, Device);
  if (Error != hipSuccess)
    return Error;
  const DeviceFacts &D = Process::get().Device;
  Result->maxSharedMemoryPerMultiProcessor = D.SharedBytesPerSm;
  Result->clockInstructionRate = D.CoreClockHz / 1000;
  // What AMD's documentation says of every GPU since gfx9.
  hipDeviceArch_t &Arch = Result->arch;
  Arch.hasGlobalInt32Atomics = Arch.hasGlobalFloatAtomicExch = 1;
  Arch.hasSharedInt32Atomics = Arch.hasSharedFloatAtomicExch = 1;
  Arch.hasFloatAtomicAdd = Arch.hasGlobalInt64Atomics = 1;
  Arch.hasSharedInt64Atomics = Arch.hasDoubles = Arch.has3dGrid = 1;
  Arch.hasWarpVote = Arch.hasWarpBallot = Arch.hasWarpShuffle = 1;
  Arch.hasThreadFenceSystem = 1;
  std::snprintf(Result->gcnArchName, sizeof(Result->gcnArchName), "%s",
                D.Arch.c_str());
  return hipSuccess;
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_t *Result, int Device) {
  return hipGetDeviceProperties(Result, Device);
}

hipError_t hipConfigureCall(dim3 Grid, dim3 Block, size_t Shared,
                            hipStream_t Stream) {
  return hipError_t(__cudaPushCallConfiguration(Grid, Block, Shared, Stream));
}

} // extern "C"
