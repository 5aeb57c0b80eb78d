/// \file
/// cuBLASXt: products of matrices that are in the host's memory. The library
/// copies tiles to the devices and back while it computes; here the matrices
/// are copied whole, one after the other, and the first device computes.
#include "BlasCalls.h"

#pragma GCC visibility push(default)
#include "gpu_estimate/blas_xt_host.h"
#pragma GCC visibility pop

using namespace gpuestimate;

struct cublasXtContext {
  cublasHandle_t Blas = nullptr;
  int BlockDim = 2048;
  cublasXtPinnedMemMode_t Pinning = CUBLASXT_PINNING_DISABLED;
};

namespace {

void recordCopy(const char *Name, RunCopyKind Kind, uint64_t Bytes,
                bool Pinned) {
  ApiCall Call(Name);
  RunCopy Copy;
  Copy.Kind = Kind;
  Copy.Bytes = Bytes;
  Copy.Pinned = Pinned;
  Call.record(std::move(Copy));
}

} // namespace

/// LdA, LdB and LdC are 32-bit numbers in the host's BLAS.
#define XT_GEMM(Letter, T)                                                     \
  cublasStatus_t cublasXt##Letter##gemm(                                       \
      cublasXtHandle_t Handle, cublasOperation_t TA, cublasOperation_t TB,     \
      size_t M, size_t N, size_t K, const T *Alpha, const T *A, size_t LdA,    \
      const T *B, size_t LdB, const T *Beta, T *C, size_t LdC) {               \
    if (!Handle)                                                               \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                    \
    for (size_t Size : {M, N, K, LdA, LdB, LdC})                               \
      if (Size > INT32_MAX)                                                    \
        return CUBLAS_STATUS_NOT_SUPPORTED;                                    \
    bool Pinned = Handle->Pinning == CUBLASXT_PINNING_ENABLED;                 \
    for (uint64_t Elements : {M * K, K * N, M * N})                            \
      recordCopy(__func__, RunCopyKind::HostToDevice, Elements * sizeof(T),    \
                 Pinned);                                                      \
    cublasStatus_t Status = cublas##Letter##gemm(                              \
        Handle->Blas, TA, TB, int(M), int(N), int(K), Alpha, A, int(LdA), B,   \
        int(LdB), Beta, C, int(LdC));                                          \
    if (Status == CUBLAS_STATUS_SUCCESS)                                       \
      recordCopy(__func__, RunCopyKind::DeviceToHost, M *N * sizeof(T),        \
                 Pinned);                                                      \
    return Status;                                                             \
  }

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t *Result) {
  cublasHandle_t Blas = nullptr;
  if (cublasStatus_t Status = cublasCreate(&Blas))
    return Status;
  *Result = new cublasXtContext{Blas};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t Handle) {
  if (!Handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasDestroy(Handle->Blas);
  delete Handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t Handle, int Count,
                                    int Devices[]) {
  ApiCall Call(__func__);
  if (!Handle || !Call.hasDevice())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  for (int I = 0; I < Count; ++I)
    if (!Call.isDevice(Devices[I]))
      return CUBLAS_STATUS_INVALID_VALUE;
  if (Count > 1)
    Call.notice("cuBLASXt computes on one of the devices that are selected");
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t Handle, int Size) {
  Handle->BlockDim = Size;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t Handle, int *Result) {
  *Result = Handle->BlockDim;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t Handle,
                                         cublasXtPinnedMemMode_t Mode) {
  Handle->Pinning = Mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t Handle,
                                         cublasXtPinnedMemMode_t *Result) {
  *Result = Handle->Pinning;
  return CUBLAS_STATUS_SUCCESS;
}

XT_GEMM(S, float)
XT_GEMM(D, double)
XT_GEMM(C, cuComplex)
XT_GEMM(Z, cuDoubleComplex)

} // extern "C"
