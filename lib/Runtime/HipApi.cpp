/// \file
/// Functions of HIP that are not the same as CUDA's: the device's properties
/// have a structure of their own. All others are aliases in CUDA's files.
#include "DeviceProperties.h"
#include "Process.h"

#pragma GCC visibility push(default)
#include "gpu_estimate/hip/host_api.h"
#pragma GCC visibility pop

using namespace gpuestimate;

extern "C" {

hipError_t hipGetDeviceProperties(hipDeviceProp_t *Result, int Device) {
  GPU_ESTIMATE_CALL_AS(hipError_t);
  if (!Result || Device != 0)
    return Call.doneAs<hipError_t>(Result ? cudaErrorInvalidDevice
                                          : cudaErrorInvalidValue);
  const DeviceFacts &D = Call->Device;
  fillCommon(*Result, D);
  Result->clockRate = D.CoreClockHz / 1000;
  Result->memoryClockRate = D.MemoryClockHz / 1000;
  Result->maxSharedMemoryPerMultiProcessor = D.SharedBytesPerSm;
  std::snprintf(Result->gcnArchName, sizeof(Result->gcnArchName), "%s",
                D.Arch.c_str());
  Call.record(RunCall{});
  return hipSuccess;
}

hipError_t hipConfigureCall(dim3 Grid, dim3 Block, size_t Shared,
                            hipStream_t Stream) {
  return hipError_t(__cudaPushCallConfiguration(Grid, Block, Shared, Stream));
}

} // extern "C"
