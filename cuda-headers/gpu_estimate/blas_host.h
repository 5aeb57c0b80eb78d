/// \file
/// cuBLAS's host interface, as far as programs with kernels of their own use
/// it.

#ifndef GPU_ESTIMATE_CUDA_BLAS_HOST_H
#define GPU_ESTIMATE_CUDA_BLAS_HOST_H

#include "complex.h"
#include "library_types.h"
#include "runtime.h"

#if defined(__cplusplus)
struct __half;
#endif

// The SDK's guard, which programs test.
#define CUBLAS_API_H_

typedef struct cublasContext *cublasHandle_t;
typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2
} cublasOperation_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1
} cublasFillMode_t;
typedef enum {
  CUBLAS_DIAG_NON_UNIT = 0,
  CUBLAS_DIAG_UNIT = 1
} cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_POINTER_MODE_HOST = 0,
  CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;

typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_ATOMICS_NOT_ALLOWED = 0,
  CUBLAS_ATOMICS_ALLOWED = 1
} cublasAtomicsMode_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

GPU_ESTIMATE_C_BEGIN
cublasStatus_t cublasGetStream(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasGetPointerMode(cublasHandle_t, cublasPointerMode_t *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t);
const char *cublasGetStatusName(cublasStatus_t);
const char *cublasGetStatusString(cublasStatus_t);
cublasStatus_t cublasCreate(cublasHandle_t *);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetVersion(cublasHandle_t, int *);
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);

cublasStatus_t cublasSaxpy(cublasHandle_t, int, const float *, const float *,
                           int, float *, int);
cublasStatus_t cublasScopy(cublasHandle_t, int, const float *, int, float *,
                           int);
cublasStatus_t cublasSscal(cublasHandle_t, int, const float *, float *, int);
cublasStatus_t cublasSgemv(cublasHandle_t, cublasOperation_t, int, int,
                           const float *, const float *, int, const float *,
                           int, const float *, float *, int);
cublasStatus_t cublasSgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int, int, int, const float *, const float *, int,
                           const float *, int, const float *, float *, int);
cublasStatus_t cublasSgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int, int, const float *, const float *, int,
                           const float *, const float *, int, float *, int);
cublasStatus_t cublasSdot(cublasHandle_t, int, const float *, int,
                          const float *, int, float *);
cublasStatus_t cublasSnrm2(cublasHandle_t, int, const float *, int, float *);
cublasStatus_t cublasSasum(cublasHandle_t, int, const float *, int, float *);
cublasStatus_t cublasIsamax(cublasHandle_t, int, const float *, int, int *);

cublasStatus_t cublasDaxpy(cublasHandle_t, int, const double *, const double *,
                           int, double *, int);
cublasStatus_t cublasDcopy(cublasHandle_t, int, const double *, int, double *,
                           int);
cublasStatus_t cublasDscal(cublasHandle_t, int, const double *, double *, int);
cublasStatus_t cublasDgemv(cublasHandle_t, cublasOperation_t, int, int,
                           const double *, const double *, int, const double *,
                           int, const double *, double *, int);
cublasStatus_t cublasDgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int, int, int, const double *, const double *, int,
                           const double *, int, const double *, double *, int);
cublasStatus_t cublasDgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int, int, const double *, const double *, int,
                           const double *, const double *, int, double *, int);
cublasStatus_t cublasDdot(cublasHandle_t, int, const double *, int,
                          const double *, int, double *);
cublasStatus_t cublasDnrm2(cublasHandle_t, int, const double *, int, double *);
cublasStatus_t cublasDasum(cublasHandle_t, int, const double *, int, double *);
cublasStatus_t cublasIdamax(cublasHandle_t, int, const double *, int, int *);

cublasStatus_t cublasCaxpy(cublasHandle_t, int, const cuComplex *,
                           const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCcopy(cublasHandle_t, int, const cuComplex *, int,
                           cuComplex *, int);
cublasStatus_t cublasCscal(cublasHandle_t, int, const cuComplex *, cuComplex *,
                           int);
cublasStatus_t cublasCgemv(cublasHandle_t, cublasOperation_t, int, int,
                           const cuComplex *, const cuComplex *, int,
                           const cuComplex *, int, const cuComplex *,
                           cuComplex *, int);
cublasStatus_t cublasCgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int, int, int, const cuComplex *, const cuComplex *,
                           int, const cuComplex *, int, const cuComplex *,
                           cuComplex *, int);
cublasStatus_t cublasCgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int, int, const cuComplex *, const cuComplex *, int,
                           const cuComplex *, const cuComplex *, int,
                           cuComplex *, int);

cublasStatus_t cublasZaxpy(cublasHandle_t, int, const cuDoubleComplex *,
                           const cuDoubleComplex *, int, cuDoubleComplex *,
                           int);
cublasStatus_t cublasZcopy(cublasHandle_t, int, const cuDoubleComplex *, int,
                           cuDoubleComplex *, int);
cublasStatus_t cublasZscal(cublasHandle_t, int, const cuDoubleComplex *,
                           cuDoubleComplex *, int);
cublasStatus_t cublasZgemv(cublasHandle_t, cublasOperation_t, int, int,
                           const cuDoubleComplex *, const cuDoubleComplex *,
                           int, const cuDoubleComplex *, int,
                           const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int, int, int, const cuDoubleComplex *,
                           const cuDoubleComplex *, int,
                           const cuDoubleComplex *, int,
                           const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int, int, const cuDoubleComplex *,
                           const cuDoubleComplex *, int,
                           const cuDoubleComplex *, const cuDoubleComplex *,
                           int, cuDoubleComplex *, int);

cublasStatus_t cublasSswap(cublasHandle_t, int, float *, int, float *, int);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t, cublasOperation_t,
                                         cublasOperation_t, int, int, int,
                                         const float *, const float *, int,
                                         long long, const float *, int,
                                         long long, const float *, float *, int,
                                         long long, int);
cublasStatus_t cublasSgemmBatched(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int, int, int,
                                  const float *, const float *const[], int,
                                  const float *const[], int, const float *,
                                  float *const[], int, int);

cublasStatus_t cublasDswap(cublasHandle_t, int, double *, int, double *, int);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t, cublasOperation_t,
                                         cublasOperation_t, int, int, int,
                                         const double *, const double *, int,
                                         long long, const double *, int,
                                         long long, const double *, double *,
                                         int, long long, int);
cublasStatus_t cublasDgemmBatched(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int, int, int,
                                  const double *, const double *const[], int,
                                  const double *const[], int, const double *,
                                  double *const[], int, int);

cublasStatus_t cublasCswap(cublasHandle_t, int, cuComplex *, int, cuComplex *,
                           int);
cublasStatus_t cublasCgemmStridedBatched(cublasHandle_t, cublasOperation_t,
                                         cublasOperation_t, int, int, int,
                                         const cuComplex *, const cuComplex *,
                                         int, long long, const cuComplex *, int,
                                         long long, const cuComplex *,
                                         cuComplex *, int, long long, int);
cublasStatus_t cublasCgemmBatched(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int, int, int,
                                  const cuComplex *, const cuComplex *const[],
                                  int, const cuComplex *const[], int,
                                  const cuComplex *, cuComplex *const[], int,
                                  int);

cublasStatus_t cublasZswap(cublasHandle_t, int, cuDoubleComplex *, int,
                           cuDoubleComplex *, int);
cublasStatus_t cublasZgemmStridedBatched(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const cuDoubleComplex *, const cuDoubleComplex *, int, long long,
    const cuDoubleComplex *, int, long long, const cuDoubleComplex *,
    cuDoubleComplex *, int, long long, int);
cublasStatus_t cublasZgemmBatched(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int, int, int,
                                  const cuDoubleComplex *,
                                  const cuDoubleComplex *const[], int,
                                  const cuDoubleComplex *const[], int,
                                  const cuDoubleComplex *,
                                  cuDoubleComplex *const[], int, int);

cublasStatus_t cublasSger(cublasHandle_t, int, int, const float *,
                          const float *, int, const float *, int, float *, int);
cublasStatus_t cublasStrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           cublasOperation_t, cublasDiagType_t, int, int,
                           const float *, const float *, int, float *, int);

cublasStatus_t cublasDger(cublasHandle_t, int, int, const double *,
                          const double *, int, const double *, int, double *,
                          int);
cublasStatus_t cublasDtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           cublasOperation_t, cublasDiagType_t, int, int,
                           const double *, const double *, int, double *, int);

// Symmetric, Hermitian, triangular and diagonal matrices.
cublasStatus_t cublasSsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           int, int, const float *, const float *, int,
                           const float *, float *, int);
cublasStatus_t cublasSsyr2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                            int, int, const float *, const float *, int,
                            const float *, int, const float *, float *, int);
cublasStatus_t cublasSsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           int, int, const float *, const float *, int,
                           const float *, int, const float *, float *, int);
cublasStatus_t cublasStrmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           cublasOperation_t, cublasDiagType_t, int, int,
                           const float *, const float *, int, const float *,
                           int, float *, int);
cublasStatus_t cublasStrmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, const float *, int, float *,
                           int);
cublasStatus_t cublasStrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, const float *, int, float *,
                           int);
cublasStatus_t cublasSdgmm(cublasHandle_t, cublasSideMode_t, int, int,
                           const float *, int, const float *, int, float *,
                           int);
cublasStatus_t cublasSsymv(cublasHandle_t, cublasFillMode_t, int, const float *,
                           const float *, int, const float *, int,
                           const float *, float *, int);
cublasStatus_t cublasDsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           int, int, const double *, const double *, int,
                           const double *, double *, int);
cublasStatus_t cublasDsyr2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                            int, int, const double *, const double *, int,
                            const double *, int, const double *, double *, int);
cublasStatus_t cublasDsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           int, int, const double *, const double *, int,
                           const double *, int, const double *, double *, int);
cublasStatus_t cublasDtrmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           cublasOperation_t, cublasDiagType_t, int, int,
                           const double *, const double *, int, const double *,
                           int, double *, int);
cublasStatus_t cublasDtrmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, const double *, int, double *,
                           int);
cublasStatus_t cublasDtrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, const double *, int, double *,
                           int);
cublasStatus_t cublasDdgmm(cublasHandle_t, cublasSideMode_t, int, int,
                           const double *, int, const double *, int, double *,
                           int);
cublasStatus_t cublasDsymv(cublasHandle_t, cublasFillMode_t, int,
                           const double *, const double *, int, const double *,
                           int, const double *, double *, int);
cublasStatus_t cublasCsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           int, int, const cuComplex *, const cuComplex *, int,
                           const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCsyr2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                            int, int, const cuComplex *, const cuComplex *, int,
                            const cuComplex *, int, const cuComplex *,
                            cuComplex *, int);
cublasStatus_t cublasCsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           int, int, const cuComplex *, const cuComplex *, int,
                           const cuComplex *, int, const cuComplex *,
                           cuComplex *, int);
cublasStatus_t cublasCtrmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           cublasOperation_t, cublasDiagType_t, int, int,
                           const cuComplex *, const cuComplex *, int,
                           const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCtrmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, const cuComplex *, int,
                           cuComplex *, int);
cublasStatus_t cublasCtrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, const cuComplex *, int,
                           cuComplex *, int);
cublasStatus_t cublasCdgmm(cublasHandle_t, cublasSideMode_t, int, int,
                           const cuComplex *, int, const cuComplex *, int,
                           cuComplex *, int);
cublasStatus_t cublasCherk(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           int, int, const float *, const cuComplex *, int,
                           const float *, cuComplex *, int);
cublasStatus_t cublasChemm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           int, int, const cuComplex *, const cuComplex *, int,
                           const cuComplex *, int, const cuComplex *,
                           cuComplex *, int);
cublasStatus_t cublasCtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           cublasOperation_t, cublasDiagType_t, int, int,
                           const cuComplex *, const cuComplex *, int,
                           cuComplex *, int);
cublasStatus_t cublasZsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           int, int, const cuDoubleComplex *,
                           const cuDoubleComplex *, int,
                           const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZsyr2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                            int, int, const cuDoubleComplex *,
                            const cuDoubleComplex *, int,
                            const cuDoubleComplex *, int,
                            const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           int, int, const cuDoubleComplex *,
                           const cuDoubleComplex *, int,
                           const cuDoubleComplex *, int,
                           const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZtrmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           cublasOperation_t, cublasDiagType_t, int, int,
                           const cuDoubleComplex *, const cuDoubleComplex *,
                           int, const cuDoubleComplex *, int, cuDoubleComplex *,
                           int);
cublasStatus_t cublasZtrmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, const cuDoubleComplex *, int,
                           cuDoubleComplex *, int);
cublasStatus_t cublasZtrsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, const cuDoubleComplex *, int,
                           cuDoubleComplex *, int);
cublasStatus_t cublasZdgmm(cublasHandle_t, cublasSideMode_t, int, int,
                           const cuDoubleComplex *, int,
                           const cuDoubleComplex *, int, cuDoubleComplex *,
                           int);
cublasStatus_t cublasZherk(cublasHandle_t, cublasFillMode_t, cublasOperation_t,
                           int, int, const double *, const cuDoubleComplex *,
                           int, const double *, cuDoubleComplex *, int);
cublasStatus_t cublasZhemm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           int, int, const cuDoubleComplex *,
                           const cuDoubleComplex *, int,
                           const cuDoubleComplex *, int,
                           const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                           cublasOperation_t, cublasDiagType_t, int, int,
                           const cuDoubleComplex *, const cuDoubleComplex *,
                           int, cuDoubleComplex *, int);

// Factorisations of batches of small matrices.
#define GE_BATCHED(Letter, T)                                                  \
  cublasStatus_t cublas##Letter##getrfBatched(cublasHandle_t, int, T *const[], \
                                              int, int *, int *, int);         \
  cublasStatus_t cublas##Letter##getrsBatched(                                 \
      cublasHandle_t, cublasOperation_t, int, int, const T *const[], int,      \
      const int *, T *const[], int, int *, int);                               \
  cublasStatus_t cublas##Letter##getriBatched(                                 \
      cublasHandle_t, int, const T *const[], int, const int *, T *const[],     \
      int, int *, int);                                                        \
  cublasStatus_t cublas##Letter##matinvBatched(cublasHandle_t, int,            \
                                               const T *const[], int,          \
                                               T *const[], int, int *, int);   \
  cublasStatus_t cublas##Letter##gelsBatched(                                  \
      cublasHandle_t, cublasOperation_t, int, int, int, T *const[], int,       \
      T *const[], int, int *, int *, int);
GE_BATCHED(S, float)
GE_BATCHED(D, double)
GE_BATCHED(C, cuComplex)
GE_BATCHED(Z, cuDoubleComplex)
#undef GE_BATCHED

cublasStatus_t cublasIsamin(cublasHandle_t, int, const float *, int, int *);
cublasStatus_t cublasIdamin(cublasHandle_t, int, const double *, int, int *);
cublasStatus_t cublasSnrm2_64(cublasHandle_t, long long, const float *,
                              long long, float *);
cublasStatus_t cublasDnrm2_64(cublasHandle_t, long long, const double *,
                              long long, double *);
cublasStatus_t cublasDotEx(cublasHandle_t, int, const void *, cudaDataType, int,
                           const void *, cudaDataType, int, void *,
                           cudaDataType, cudaDataType);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t,
                            cublasOperation_t, int, int, int, const void *,
                            const void *, cudaDataType, int, const void *,
                            cudaDataType, int, const void *, void *,
                            cudaDataType, int, cublasComputeType_t,
                            cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const void *, const void *, cudaDataType, int, long long, const void *,
    cudaDataType, int, long long, const void *, void *, cudaDataType, int,
    long long, int, cublasComputeType_t, cublasGemmAlgo_t);
#if defined(__cplusplus)
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int, int, int, const __half *, const __half *, int,
                           const __half *, int, const __half *, __half *, int);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t,
                                         cublasOperation_t, int, int, int,
                                         const __half *, const __half *, int,
                                         long long, const __half *, int,
                                         long long, const __half *, __half *,
                                         int, long long, int);
cublasStatus_t cublasHgemmBatched(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int, int, int,
                                  const __half *, const __half *const[], int,
                                  const __half *const[], int, const __half *,
                                  __half *const[], int, int);
#endif
GPU_ESTIMATE_C_END

#if defined(__cplusplus)
// Toolkit 10 named the type of the computation as that of the data.
static inline cublasComputeType_t gpuEstimateComputeType(cudaDataType type) {
  switch (type) {
  case CUDA_R_16F:
    return CUBLAS_COMPUTE_16F;
  case CUDA_R_64F:
  case CUDA_C_64F:
    return CUBLAS_COMPUTE_64F;
  case CUDA_R_32I:
    return CUBLAS_COMPUTE_32I;
  default:
    return CUBLAS_COMPUTE_32F;
  }
}
static inline cublasStatus_t
cublasGemmEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb,
             int m, int n, int k, const void *alpha, const void *a,
             cudaDataType aType, int lda, const void *b, cudaDataType bType,
             int ldb, const void *beta, void *c, cudaDataType cType, int ldc,
             cudaDataType compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, ta, tb, m, n, k, alpha, a, aType, lda, b, bType,
                      ldb, beta, c, cType, ldc, gpuEstimateComputeType(compute),
                      algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
    int n, int k, const void *alpha, const void *a, cudaDataType aType, int lda,
    long long strideA, const void *b, cudaDataType bType, int ldb,
    long long strideB, const void *beta, void *c, cudaDataType cType, int ldc,
    long long strideC, int count, cudaDataType compute,
    cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, ta, tb, m, n, k, alpha, a, aType,
                                    lda, strideA, b, bType, ldb, strideB, beta,
                                    c, cType, ldc, strideC, count,
                                    gpuEstimateComputeType(compute), algorithm);
}
#endif

#endif
