/// \file
/// rocBLAS's host interface, as far as it is cuBLAS's by other names.

#ifndef GPU_ESTIMATE_ROCBLAS_H
#define GPU_ESTIMATE_ROCBLAS_H

#include <hip/hip_runtime_api.h>

#include "../gpu_estimate/blas_host.h"

typedef cublasHandle_t rocblas_handle;
typedef cublasStatus_t rocblas_status;
typedef cublasOperation_t rocblas_operation;
typedef cublasFillMode_t rocblas_fill;
typedef cublasDiagType_t rocblas_diagonal;
typedef cublasSideMode_t rocblas_side;
typedef cublasPointerMode_t rocblas_pointer_mode;
typedef cublasAtomicsMode_t rocblas_atomics_mode;
typedef int rocblas_int;
typedef long rocblas_stride;
typedef cuComplex rocblas_float_complex;
typedef cuDoubleComplex rocblas_double_complex;

#define GPU_ESTIMATE_ROCBLAS(Roc, Cuda)                                        \
  static constexpr auto rocblas_##Roc = CUBLAS_##Cuda;
GPU_ESTIMATE_ROCBLAS(status_success, STATUS_SUCCESS)
GPU_ESTIMATE_ROCBLAS(status_invalid_handle, STATUS_NOT_INITIALIZED)
GPU_ESTIMATE_ROCBLAS(status_not_implemented, STATUS_NOT_SUPPORTED)
GPU_ESTIMATE_ROCBLAS(status_invalid_size, STATUS_INVALID_VALUE)
GPU_ESTIMATE_ROCBLAS(status_memory_error, STATUS_ALLOC_FAILED)
GPU_ESTIMATE_ROCBLAS(status_internal_error, STATUS_INTERNAL_ERROR)
GPU_ESTIMATE_ROCBLAS(operation_none, OP_N)
GPU_ESTIMATE_ROCBLAS(operation_transpose, OP_T)
GPU_ESTIMATE_ROCBLAS(operation_conjugate_transpose, OP_C)
GPU_ESTIMATE_ROCBLAS(fill_upper, FILL_MODE_UPPER)
GPU_ESTIMATE_ROCBLAS(fill_lower, FILL_MODE_LOWER)
GPU_ESTIMATE_ROCBLAS(diagonal_non_unit, DIAG_NON_UNIT)
GPU_ESTIMATE_ROCBLAS(diagonal_unit, DIAG_UNIT)
GPU_ESTIMATE_ROCBLAS(side_left, SIDE_LEFT)
GPU_ESTIMATE_ROCBLAS(side_right, SIDE_RIGHT)
GPU_ESTIMATE_ROCBLAS(pointer_mode_host, POINTER_MODE_HOST)
GPU_ESTIMATE_ROCBLAS(pointer_mode_device, POINTER_MODE_DEVICE)
GPU_ESTIMATE_ROCBLAS(atomics_allowed, ATOMICS_ALLOWED)
GPU_ESTIMATE_ROCBLAS(atomics_not_allowed, ATOMICS_NOT_ALLOWED)
#undef GPU_ESTIMATE_ROCBLAS

#define GPU_ESTIMATE_BLAS(Name, Symbol, Roc)                                   \
  extern "C" decltype(cublas##Name) rocblas_##Roc __asm__(#Symbol);
#include "../gpu_estimate/hip/blas_functions.h"
GPU_ESTIMATE_BLAS(Create, cublasCreate_v2, create_handle)
GPU_ESTIMATE_BLAS(Destroy, cublasDestroy_v2, destroy_handle)
GPU_ESTIMATE_BLAS(SetStream, cublasSetStream_v2, set_stream)
GPU_ESTIMATE_BLAS(GetStream, cublasGetStream_v2, get_stream)
GPU_ESTIMATE_BLAS(SetPointerMode, cublasSetPointerMode_v2, set_pointer_mode)
GPU_ESTIMATE_BLAS(GetPointerMode, cublasGetPointerMode_v2, get_pointer_mode)
GPU_ESTIMATE_BLAS(SetAtomicsMode, cublasSetAtomicsMode, set_atomics_mode)
GPU_ESTIMATE_BLAS(SetVector, cublasSetVector, set_vector)
GPU_ESTIMATE_BLAS(GetVector, cublasGetVector, get_vector)
GPU_ESTIMATE_BLAS(SetMatrix, cublasSetMatrix, set_matrix)
GPU_ESTIMATE_BLAS(GetMatrix, cublasGetMatrix, get_matrix)
#undef GPU_ESTIMATE_BLAS

static inline const char *rocblas_status_to_string(rocblas_status status) {
  return cublasGetStatusName(status);
}
static inline void rocblas_initialize(void) {}

#endif
