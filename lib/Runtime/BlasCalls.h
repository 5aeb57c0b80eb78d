/// \file
/// What the functions of cuBLAS have in common: their handle, and the record of
/// a call.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_BLASCALLS_H
#define GPU_ESTIMATE_LIB_RUNTIME_BLASCALLS_H

#include "LibraryCalls.h"

#pragma GCC visibility push(default)
#include "gpu_estimate/blas_host.h"
#pragma GCC visibility pop

/// What a handle holds.
struct cublasContext {
  cudaStream_t Stream = nullptr;
  cublasPointerMode_t PointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t MathMode = CUBLAS_DEFAULT_MATH;
};

namespace gpuestimate {

/// Names of RunLibraryCall.
struct ElementTypes {
  const char *Operands, *Results, *Compute;
};

/// The frame of a call: checks the handle, and records the call.
class BlasCall {
public:
  BlasCall(const char *Name, cublasHandle_t Handle, ElementTypes Types,
           std::vector<std::pair<std::string, double>> Sizes)
      : Call(Name) {
    if (!Call.hasDevice() || !Handle) {
      State = CUBLAS_STATUS_NOT_INITIALIZED;
      return;
    }
    RunLibraryCall R;
    R.Name = Name;
    R.Sizes = std::move(Sizes);
    R.Operands = Types.Operands;
    R.Results = Types.Results;
    R.Compute = Types.Compute;
    switch (recordLibraryCall(Call, Handle->Stream, R)) {
    case LibraryCallState::Recorded:
      OnStream = R.Stream;
      break;
    case LibraryCallState::NoStream:
      State = CUBLAS_STATUS_INVALID_VALUE;
      break;
    case LibraryCallState::Captured:
      State = CUBLAS_STATUS_NOT_SUPPORTED;
      break;
    }
  }
  cublasStatus_t state() const { return State; }
  /// The host waits for a result that it gets (cuBLAS, "Scalar Parameters").
  void returnResult(cublasHandle_t Handle, uint64_t Bytes) {
    if (Handle->PointerMode != CUBLAS_POINTER_MODE_HOST)
      return;
    RunCopy Copy;
    Copy.Kind = RunCopyKind::DeviceToHost;
    Copy.Bytes = Bytes;
    Copy.Stream = OnStream;
    Call.record(std::move(Copy));
  }

private:
  ApiCall Call;
  RunHandle OnStream = 0;
  cublasStatus_t State = CUBLAS_STATUS_SUCCESS;
};

} // namespace gpuestimate

#endif
