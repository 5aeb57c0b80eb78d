/// \file
/// hipBLAS's host interface: cuBLAS's by other names.

#ifndef GPU_ESTIMATE_HIPBLAS_H
#define GPU_ESTIMATE_HIPBLAS_H

#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>

#include "../gpu_estimate/blas_host.h"

typedef cublasHandle_t hipblasHandle_t;
typedef cublasStatus_t hipblasStatus_t;
typedef cublasOperation_t hipblasOperation_t;
typedef cublasFillMode_t hipblasFillMode_t;
typedef cublasDiagType_t hipblasDiagType_t;
typedef cublasSideMode_t hipblasSideMode_t;
typedef cublasPointerMode_t hipblasPointerMode_t;
typedef cublasAtomicsMode_t hipblasAtomicsMode_t;
typedef cublasGemmAlgo_t hipblasGemmAlgo_t;
typedef cublasComputeType_t hipblasComputeType_t;
typedef cudaDataType hipblasDatatype_t;
typedef cuComplex hipblasComplex;
typedef cuDoubleComplex hipblasDoubleComplex;
typedef long hipblasStride;

#define GPU_ESTIMATE_HIPBLAS(Hip, Cuda)                                        \
  static constexpr auto HIPBLAS_##Hip = CUBLAS_##Cuda;
GPU_ESTIMATE_HIPBLAS(STATUS_SUCCESS, STATUS_SUCCESS)
GPU_ESTIMATE_HIPBLAS(STATUS_NOT_INITIALIZED, STATUS_NOT_INITIALIZED)
GPU_ESTIMATE_HIPBLAS(STATUS_ALLOC_FAILED, STATUS_ALLOC_FAILED)
GPU_ESTIMATE_HIPBLAS(STATUS_INVALID_VALUE, STATUS_INVALID_VALUE)
GPU_ESTIMATE_HIPBLAS(STATUS_MAPPING_ERROR, STATUS_MAPPING_ERROR)
GPU_ESTIMATE_HIPBLAS(STATUS_EXECUTION_FAILED, STATUS_EXECUTION_FAILED)
GPU_ESTIMATE_HIPBLAS(STATUS_INTERNAL_ERROR, STATUS_INTERNAL_ERROR)
GPU_ESTIMATE_HIPBLAS(STATUS_NOT_SUPPORTED, STATUS_NOT_SUPPORTED)
GPU_ESTIMATE_HIPBLAS(STATUS_ARCH_MISMATCH, STATUS_ARCH_MISMATCH)
GPU_ESTIMATE_HIPBLAS(OP_N, OP_N)
GPU_ESTIMATE_HIPBLAS(OP_T, OP_T)
GPU_ESTIMATE_HIPBLAS(OP_C, OP_C)
GPU_ESTIMATE_HIPBLAS(FILL_MODE_UPPER, FILL_MODE_UPPER)
GPU_ESTIMATE_HIPBLAS(FILL_MODE_LOWER, FILL_MODE_LOWER)
GPU_ESTIMATE_HIPBLAS(DIAG_NON_UNIT, DIAG_NON_UNIT)
GPU_ESTIMATE_HIPBLAS(DIAG_UNIT, DIAG_UNIT)
GPU_ESTIMATE_HIPBLAS(SIDE_LEFT, SIDE_LEFT)
GPU_ESTIMATE_HIPBLAS(SIDE_RIGHT, SIDE_RIGHT)
GPU_ESTIMATE_HIPBLAS(POINTER_MODE_HOST, POINTER_MODE_HOST)
GPU_ESTIMATE_HIPBLAS(POINTER_MODE_DEVICE, POINTER_MODE_DEVICE)
GPU_ESTIMATE_HIPBLAS(ATOMICS_ALLOWED, ATOMICS_ALLOWED)
GPU_ESTIMATE_HIPBLAS(ATOMICS_NOT_ALLOWED, ATOMICS_NOT_ALLOWED)
GPU_ESTIMATE_HIPBLAS(GEMM_DEFAULT, GEMM_DEFAULT)
GPU_ESTIMATE_HIPBLAS(COMPUTE_16F, COMPUTE_16F)
GPU_ESTIMATE_HIPBLAS(COMPUTE_32F, COMPUTE_32F)
GPU_ESTIMATE_HIPBLAS(COMPUTE_64F, COMPUTE_64F)
GPU_ESTIMATE_HIPBLAS(COMPUTE_32I, COMPUTE_32I)
#undef GPU_ESTIMATE_HIPBLAS

#define GPU_ESTIMATE_BLAS(Name, Symbol, Roc)                                   \
  extern "C" decltype(cublas##Name) hipblas##Name __asm__(#Symbol);
#include "../gpu_estimate/hip/blas_functions.h"
GPU_ESTIMATE_BLAS(Create, cublasCreate_v2, )
GPU_ESTIMATE_BLAS(Destroy, cublasDestroy_v2, )
GPU_ESTIMATE_BLAS(SetStream, cublasSetStream_v2, )
GPU_ESTIMATE_BLAS(GetStream, cublasGetStream_v2, )
GPU_ESTIMATE_BLAS(SetPointerMode, cublasSetPointerMode_v2, )
GPU_ESTIMATE_BLAS(GetPointerMode, cublasGetPointerMode_v2, )
GPU_ESTIMATE_BLAS(SetAtomicsMode, cublasSetAtomicsMode, )
GPU_ESTIMATE_BLAS(SetVector, cublasSetVector, )
GPU_ESTIMATE_BLAS(GetVector, cublasGetVector, )
GPU_ESTIMATE_BLAS(SetMatrix, cublasSetMatrix, )
GPU_ESTIMATE_BLAS(GetMatrix, cublasGetMatrix, )
GPU_ESTIMATE_BLAS(SgetrfBatched, cublasSgetrfBatched, )
GPU_ESTIMATE_BLAS(SgetriBatched, cublasSgetriBatched, )
GPU_ESTIMATE_BLAS(SgetrsBatched, cublasSgetrsBatched, )
GPU_ESTIMATE_BLAS(DgetrfBatched, cublasDgetrfBatched, )
GPU_ESTIMATE_BLAS(DgetriBatched, cublasDgetriBatched, )
GPU_ESTIMATE_BLAS(DgetrsBatched, cublasDgetrsBatched, )
GPU_ESTIMATE_BLAS(CgetrfBatched, cublasCgetrfBatched, )
GPU_ESTIMATE_BLAS(CgetriBatched, cublasCgetriBatched, )
GPU_ESTIMATE_BLAS(CgetrsBatched, cublasCgetrsBatched, )
GPU_ESTIMATE_BLAS(ZgetrfBatched, cublasZgetrfBatched, )
GPU_ESTIMATE_BLAS(ZgetriBatched, cublasZgetriBatched, )
GPU_ESTIMATE_BLAS(ZgetrsBatched, cublasZgetrsBatched, )
#undef GPU_ESTIMATE_BLAS
typedef unsigned short hipblasHalf;
extern "C" hipblasStatus_t
hipblasHgemm(hipblasHandle_t, hipblasOperation_t, hipblasOperation_t, int, int,
             int, const hipblasHalf *, const hipblasHalf *, int,
             const hipblasHalf *, int, const hipblasHalf *, hipblasHalf *,
             int) __asm__("cublasHgemm");
struct __half; // hip_fp16.h
static inline hipblasStatus_t
hipblasHgemm(hipblasHandle_t handle, hipblasOperation_t ta,
             hipblasOperation_t tb, int m, int n, int k, const __half *alpha,
             const __half *a, int lda, const __half *b, int ldb,
             const __half *beta, __half *c, int ldc) {
  return hipblasHgemm(
      handle, ta, tb, m, n, k, reinterpret_cast<const hipblasHalf *>(alpha),
      reinterpret_cast<const hipblasHalf *>(a), lda,
      reinterpret_cast<const hipblasHalf *>(b), ldb,
      reinterpret_cast<const hipblasHalf *>(beta),
      reinterpret_cast<hipblasHalf *>(c), ldc);
}
extern "C" hipblasStatus_t
hipblasGemmEx(hipblasHandle_t, hipblasOperation_t, hipblasOperation_t, int, int,
              int, const void *, const void *, hipDataType, int, const void *,
              hipDataType, int, const void *, void *, hipDataType, int,
              hipblasComputeType_t, hipblasGemmAlgo_t) __asm__("cublasGemmEx");
extern "C" hipblasStatus_t hipblasGemmStridedBatchedEx(
    hipblasHandle_t, hipblasOperation_t, hipblasOperation_t, int, int, int,
    const void *, const void *, hipDataType, int, long long, const void *,
    hipDataType, int, long long, const void *, void *, hipDataType, int,
    long long, int, hipblasComputeType_t,
    hipblasGemmAlgo_t) __asm__("cublasGemmStridedBatchedEx");

static inline const char *hipblasStatusToString(hipblasStatus_t status) {
  return cublasGetStatusName(status);
}

#endif
