/// \file
/// cuBLASXt: products of matrices in the host's memory.

#ifndef GPU_ESTIMATE_CUDA_BLAS_XT_HOST_H
#define GPU_ESTIMATE_CUDA_BLAS_XT_HOST_H

#include "blas_host.h"

// The SDK's guard, which programs test.
#define CUBLAS_XT_H_

typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum {
  CUBLASXT_PINNING_DISABLED = 0,
  CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;

GPU_ESTIMATE_C_BEGIN
cublasStatus_t cublasXtCreate(cublasXtHandle_t *);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t, int, int[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t, int);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t, int *);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t,
                                         cublasXtPinnedMemMode_t);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t,
                                         cublasXtPinnedMemMode_t *);
cublasStatus_t cublasXtSgemm(cublasXtHandle_t, cublasOperation_t,
                             cublasOperation_t, size_t, size_t, size_t,
                             const float *, const float *, size_t,
                             const float *, size_t, const float *, float *,
                             size_t);
cublasStatus_t cublasXtDgemm(cublasXtHandle_t, cublasOperation_t,
                             cublasOperation_t, size_t, size_t, size_t,
                             const double *, const double *, size_t,
                             const double *, size_t, const double *, double *,
                             size_t);
cublasStatus_t cublasXtCgemm(cublasXtHandle_t, cublasOperation_t,
                             cublasOperation_t, size_t, size_t, size_t,
                             const cuComplex *, const cuComplex *, size_t,
                             const cuComplex *, size_t, const cuComplex *,
                             cuComplex *, size_t);
cublasStatus_t cublasXtZgemm(cublasXtHandle_t, cublasOperation_t,
                             cublasOperation_t, size_t, size_t, size_t,
                             const cuDoubleComplex *, const cuDoubleComplex *,
                             size_t, const cuDoubleComplex *, size_t,
                             const cuDoubleComplex *, cuDoubleComplex *,
                             size_t);
GPU_ESTIMATE_C_END

#endif
