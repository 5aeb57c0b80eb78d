/// \file
/// Errors: the last one of a thread, their names and their texts.
#include "Process.h"

using namespace gpuestimate;

namespace {

struct ErrorText {
  cudaError_t Code;
  const char *Name, *Text;
};

#define ERROR(Code, Text) {Code, #Code, Text}

constexpr ErrorText Errors[] = {
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorInitializationError, "initialization error"),
    ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ERROR(cudaErrorInsufficientDriver,
          "CUDA driver version is insufficient for CUDA runtime version"),
    ERROR(cudaErrorMissingConfiguration,
          "__global__ function call is not configured"),
    ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    ERROR(cudaErrorDeviceUninitialized, "invalid device context"),
    ERROR(cudaErrorNoKernelImageForDevice,
          "no kernel image is available for execution on the device"),
    ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this "
                                     "architecture"),
    ERROR(cudaErrorPeerAccessUnsupported,
          "peer access is not supported between these two devices"),
    ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    ERROR(cudaErrorInvalidSource, "device kernel image is invalid"),
    ERROR(cudaErrorFileNotFound, "file not found"),
    ERROR(cudaErrorOperatingSystem, "OS call failed or operation not "
                                    "supported on this OS"),
    ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ERROR(cudaErrorIllegalState,
          "the operation cannot be performed in the present state"),
    ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    ERROR(cudaErrorNotReady, "device not ready"),
    ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ERROR(cudaErrorLaunchOutOfResources,
          "too many resources requested for launch"),
    ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ERROR(cudaErrorAssert, "device-side assert triggered"),
    ERROR(cudaErrorHostMemoryAlreadyRegistered,
          "part or all of the requested memory range is already mapped"),
    ERROR(cudaErrorHostMemoryNotRegistered,
          "pointer does not correspond to a registered memory region"),
    ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    ERROR(cudaErrorCooperativeLaunchTooLarge,
          "too many blocks in cooperative launch"),
    ERROR(cudaErrorNotPermitted, "operation not permitted"),
    ERROR(cudaErrorNotSupported, "operation not supported"),
    ERROR(cudaErrorStreamCaptureUnsupported,
          "operation not permitted when stream is capturing"),
    ERROR(cudaErrorStreamCaptureInvalidated,
          "operation failed due to a previous error during capture"),
    ERROR(cudaErrorStreamCaptureMerge,
          "operation would result in a merge of separate capture sequences"),
    ERROR(cudaErrorStreamCaptureUnmatched,
          "capture was not ended in the same stream as it began"),
    ERROR(cudaErrorGraphExecUpdateFailure,
          "the graph update was not performed because it included changes "
          "which violated constraints specific to instantiated graph update"),
    ERROR(cudaErrorUnknown, "unknown error"),
};

#undef ERROR

const ErrorText &find(cudaError_t Code) {
  static constexpr ErrorText Unrecognized = {
      cudaErrorUnknown, "unrecognized error code", "unrecognized error code"};
  for (const ErrorText &E : Errors)
    if (E.Code == Code)
      return E;
  return Unrecognized;
}

} // namespace

extern "C" {

cudaError_t cudaGetLastError() {
  cudaError_t Error = lastError();
  // A fault of a kernel stays.
  lastError() = Process::get().Sticky;
  return Error;
}

cudaError_t cudaPeekAtLastError() { return lastError(); }

const char *cudaGetErrorString(cudaError_t Code) { return find(Code).Text; }

const char *cudaGetErrorName(cudaError_t Code) { return find(Code).Name; }

} // extern "C"

GPU_ESTIMATE_ALIAS(hipGetLastError, cudaGetLastError);
GPU_ESTIMATE_ALIAS(hipPeekAtLastError, cudaPeekAtLastError);
GPU_ESTIMATE_ALIAS(hipGetErrorString, cudaGetErrorString);
GPU_ESTIMATE_ALIAS(hipGetErrorName, cudaGetErrorName);
