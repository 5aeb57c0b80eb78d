/// \file
/// cuBLAS's host interface, as far as programs with kernels of their own use
/// it.

#ifndef GPU_ESTIMATE_CUDA_BLAS_HOST_H
#define GPU_ESTIMATE_CUDA_BLAS_HOST_H

#include "complex.h"
#include "runtime.h"

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

GPU_ESTIMATE_C_BEGIN
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
GPU_ESTIMATE_C_END

#endif
