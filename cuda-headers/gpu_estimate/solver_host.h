/// \file
/// cuSOLVER's dense interface: factorisations, solutions, eigenvalues, singular
/// values.

#ifndef GPU_ESTIMATE_CUDA_SOLVER_HOST_H
#define GPU_ESTIMATE_CUDA_SOLVER_HOST_H

#include "blas_host.h"

// The SDK's guards, which programs test.
#define CUSOLVERDN_H_
#define CUSOLVER_COMMON_H_

typedef int cusolver_int_t;
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef enum {
  CUSOLVER_STATUS_SUCCESS = 0,
  CUSOLVER_STATUS_NOT_INITIALIZED = 1,
  CUSOLVER_STATUS_ALLOC_FAILED = 2,
  CUSOLVER_STATUS_INVALID_VALUE = 3,
  CUSOLVER_STATUS_ARCH_MISMATCH = 4,
  CUSOLVER_STATUS_MAPPING_ERROR = 5,
  CUSOLVER_STATUS_EXECUTION_FAILED = 6,
  CUSOLVER_STATUS_INTERNAL_ERROR = 7,
  CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSOLVER_STATUS_NOT_SUPPORTED = 9,
  CUSOLVER_STATUS_ZERO_PIVOT = 10,
  CUSOLVER_STATUS_INVALID_LICENSE = 11,
  CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED = 12,
  CUSOLVER_STATUS_IRS_PARAMS_INVALID = 13,
  CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC = 14,
  CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE = 15,
  CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER = 16,
  CUSOLVER_STATUS_IRS_INTERNAL_ERROR = 20,
  CUSOLVER_STATUS_IRS_NOT_SUPPORTED = 21,
  CUSOLVER_STATUS_IRS_OUT_OF_RANGE = 22,
  CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED = 25,
  CUSOLVER_STATUS_IRS_INFOS_NOT_DESTROYED = 26,
  CUSOLVER_STATUS_IRS_MATRIX_SINGULAR = 30,
  CUSOLVER_STATUS_INVALID_WORKSPACE = 31
} cusolverStatus_t;
typedef enum {
  CUSOLVER_EIG_TYPE_1 = 1,
  CUSOLVER_EIG_TYPE_2 = 2,
  CUSOLVER_EIG_TYPE_3 = 3
} cusolverEigType_t;
typedef enum {
  CUSOLVER_EIG_MODE_NOVECTOR = 0,
  CUSOLVER_EIG_MODE_VECTOR = 1
} cusolverEigMode_t;
typedef enum {
  CUSOLVER_EIG_RANGE_ALL = 1001,
  CUSOLVER_EIG_RANGE_I = 1002,
  CUSOLVER_EIG_RANGE_V = 1003
} cusolverEigRange_t;
typedef enum {
  CUSOLVER_ALG_0 = 0,
  CUSOLVER_ALG_1 = 1,
  CUSOLVER_ALG_2 = 2
} cusolverAlgMode_t;
typedef enum {
  CUSOLVERDN_GETRF = 0,
  CUSOLVERDN_POTRF = 1
} cusolverDnFunction_t;
typedef enum {
  CUSOLVER_DETERMINISTIC_RESULTS = 1,
  CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS = 2
} cusolverDeterministicMode_t;

GPU_ESTIMATE_C_BEGIN
cusolverStatus_t cusolverGetVersion(int *);
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t, cudaStream_t);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t, cudaStream_t *);
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t,
                                                cusolverDeterministicMode_t);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t,
                                         cusolverDnFunction_t,
                                         cusolverAlgMode_t);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t, double);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t, int);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t, int);
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t, syevjInfo_t,
                                           int *);
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t, syevjInfo_t,
                                             double *);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t, double);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t, int);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t, int);
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t, gesvdjInfo_t,
                                            int *);
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t, gesvdjInfo_t,
                                              double *);

cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t,
                                             cublasFillMode_t, int, float *,
                                             int, int *);
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t, cublasFillMode_t, int,
                                  float *, int, float *, int, int *);
cusolverStatus_t cusolverDnSpotrs(cusolverDnHandle_t, cublasFillMode_t, int,
                                  int, const float *, int, float *, int, int *);
cusolverStatus_t cusolverDnSpotrfBatched(cusolverDnHandle_t, cublasFillMode_t,
                                         int, float *[], int, int *, int);
cusolverStatus_t cusolverDnSpotrsBatched(cusolverDnHandle_t, cublasFillMode_t,
                                         int, int, float *[], int, float *[],
                                         int, int *, int);
cusolverStatus_t cusolverDnSpotri_bufferSize(cusolverDnHandle_t,
                                             cublasFillMode_t, int, float *,
                                             int, int *);
cusolverStatus_t cusolverDnSpotri(cusolverDnHandle_t, cublasFillMode_t, int,
                                  float *, int, float *, int, int *);
cusolverStatus_t cusolverDnSgetrf_bufferSize(cusolverDnHandle_t, int, int,
                                             float *, int, int *);
cusolverStatus_t cusolverDnSgetrf(cusolverDnHandle_t, int, int, float *, int,
                                  float *, int *, int *);
cusolverStatus_t cusolverDnSgetrs(cusolverDnHandle_t, cublasOperation_t, int,
                                  int, const float *, int, const int *, float *,
                                  int, int *);
cusolverStatus_t cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t, int, int,
                                             float *, int, int *);
cusolverStatus_t cusolverDnSgeqrf(cusolverDnHandle_t, int, int, float *, int,
                                  float *, float *, int, int *);
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t, int, int, int,
                                             const float *, int, const float *,
                                             int *);
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t, int, int, int, float *,
                                  int, const float *, float *, int, int *);
cusolverStatus_t cusolverDnSormqr_bufferSize(cusolverDnHandle_t,
                                             cublasSideMode_t,
                                             cublasOperation_t, int, int, int,
                                             const float *, int, const float *,
                                             const float *, int, int *);
cusolverStatus_t cusolverDnSormqr(cusolverDnHandle_t, cublasSideMode_t,
                                  cublasOperation_t, int, int, int,
                                  const float *, int, const float *, float *,
                                  int, float *, int, int *);
cusolverStatus_t cusolverDnSsyevd_bufferSize(cusolverDnHandle_t,
                                             cusolverEigMode_t,
                                             cublasFillMode_t, int,
                                             const float *, int, const float *,
                                             int *);
cusolverStatus_t cusolverDnSsyevd(cusolverDnHandle_t, cusolverEigMode_t,
                                  cublasFillMode_t, int, float *, int, float *,
                                  float *, int, int *);
cusolverStatus_t cusolverDnSsyevj_bufferSize(cusolverDnHandle_t,
                                             cusolverEigMode_t,
                                             cublasFillMode_t, int,
                                             const float *, int, const float *,
                                             int *, syevjInfo_t);
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t, cusolverEigMode_t,
                                  cublasFillMode_t, int, float *, int, float *,
                                  float *, int, int *, syevjInfo_t);
cusolverStatus_t
cusolverDnSsyevjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,
                                   cublasFillMode_t, int, const float *, int,
                                   const float *, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnSsyevjBatched(cusolverDnHandle_t, cusolverEigMode_t,
                                         cublasFillMode_t, int, float *, int,
                                         float *, float *, int, int *,
                                         syevjInfo_t, int);
cusolverStatus_t cusolverDnSsygvd_bufferSize(
    cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, const float *, int, const float *, int, const float *, int *);
cusolverStatus_t cusolverDnSsygvd(cusolverDnHandle_t, cusolverEigType_t,
                                  cusolverEigMode_t, cublasFillMode_t, int,
                                  float *, int, float *, int, float *, float *,
                                  int, int *);
cusolverStatus_t cusolverDnSgesvd_bufferSize(cusolverDnHandle_t, int, int,
                                             int *);
cusolverStatus_t cusolverDnSgesvd(cusolverDnHandle_t, signed char, signed char,
                                  int, int, float *, int, float *, float *, int,
                                  float *, int, float *, int, float *, int *);
cusolverStatus_t cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t,
                                              cusolverEigMode_t, int, int, int,
                                              const float *, int, const float *,
                                              const float *, int, const float *,
                                              int, int *, gesvdjInfo_t);
cusolverStatus_t cusolverDnSgesvdj(cusolverDnHandle_t, cusolverEigMode_t, int,
                                   int, int, float *, int, float *, float *,
                                   int, float *, int, float *, int, int *,
                                   gesvdjInfo_t);

cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t,
                                             cublasFillMode_t, int, double *,
                                             int, int *);
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t, cublasFillMode_t, int,
                                  double *, int, double *, int, int *);
cusolverStatus_t cusolverDnDpotrs(cusolverDnHandle_t, cublasFillMode_t, int,
                                  int, const double *, int, double *, int,
                                  int *);
cusolverStatus_t cusolverDnDpotrfBatched(cusolverDnHandle_t, cublasFillMode_t,
                                         int, double *[], int, int *, int);
cusolverStatus_t cusolverDnDpotrsBatched(cusolverDnHandle_t, cublasFillMode_t,
                                         int, int, double *[], int, double *[],
                                         int, int *, int);
cusolverStatus_t cusolverDnDpotri_bufferSize(cusolverDnHandle_t,
                                             cublasFillMode_t, int, double *,
                                             int, int *);
cusolverStatus_t cusolverDnDpotri(cusolverDnHandle_t, cublasFillMode_t, int,
                                  double *, int, double *, int, int *);
cusolverStatus_t cusolverDnDgetrf_bufferSize(cusolverDnHandle_t, int, int,
                                             double *, int, int *);
cusolverStatus_t cusolverDnDgetrf(cusolverDnHandle_t, int, int, double *, int,
                                  double *, int *, int *);
cusolverStatus_t cusolverDnDgetrs(cusolverDnHandle_t, cublasOperation_t, int,
                                  int, const double *, int, const int *,
                                  double *, int, int *);
cusolverStatus_t cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t, int, int,
                                             double *, int, int *);
cusolverStatus_t cusolverDnDgeqrf(cusolverDnHandle_t, int, int, double *, int,
                                  double *, double *, int, int *);
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t, int, int, int,
                                             const double *, int,
                                             const double *, int *);
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t, int, int, int, double *,
                                  int, const double *, double *, int, int *);
cusolverStatus_t
cusolverDnDormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t,
                            cublasOperation_t, int, int, int, const double *,
                            int, const double *, const double *, int, int *);
cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t, cublasSideMode_t,
                                  cublasOperation_t, int, int, int,
                                  const double *, int, const double *, double *,
                                  int, double *, int, int *);
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t,
                                             cusolverEigMode_t,
                                             cublasFillMode_t, int,
                                             const double *, int,
                                             const double *, int *);
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t, cusolverEigMode_t,
                                  cublasFillMode_t, int, double *, int,
                                  double *, double *, int, int *);
cusolverStatus_t
cusolverDnDsyevj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,
                            cublasFillMode_t, int, const double *, int,
                            const double *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnDsyevj(cusolverDnHandle_t, cusolverEigMode_t,
                                  cublasFillMode_t, int, double *, int,
                                  double *, double *, int, int *, syevjInfo_t);
cusolverStatus_t
cusolverDnDsyevjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,
                                   cublasFillMode_t, int, const double *, int,
                                   const double *, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnDsyevjBatched(cusolverDnHandle_t, cusolverEigMode_t,
                                         cublasFillMode_t, int, double *, int,
                                         double *, double *, int, int *,
                                         syevjInfo_t, int);
cusolverStatus_t cusolverDnDsygvd_bufferSize(
    cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, const double *, int, const double *, int, const double *, int *);
cusolverStatus_t cusolverDnDsygvd(cusolverDnHandle_t, cusolverEigType_t,
                                  cusolverEigMode_t, cublasFillMode_t, int,
                                  double *, int, double *, int, double *,
                                  double *, int, int *);
cusolverStatus_t cusolverDnDgesvd_bufferSize(cusolverDnHandle_t, int, int,
                                             int *);
cusolverStatus_t cusolverDnDgesvd(cusolverDnHandle_t, signed char, signed char,
                                  int, int, double *, int, double *, double *,
                                  int, double *, int, double *, int, double *,
                                  int *);
cusolverStatus_t cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t,
                                              cusolverEigMode_t, int, int, int,
                                              const double *, int,
                                              const double *, const double *,
                                              int, const double *, int, int *,
                                              gesvdjInfo_t);
cusolverStatus_t cusolverDnDgesvdj(cusolverDnHandle_t, cusolverEigMode_t, int,
                                   int, int, double *, int, double *, double *,
                                   int, double *, int, double *, int, int *,
                                   gesvdjInfo_t);

cusolverStatus_t cusolverDnCpotrf_bufferSize(cusolverDnHandle_t,
                                             cublasFillMode_t, int, cuComplex *,
                                             int, int *);
cusolverStatus_t cusolverDnCpotrf(cusolverDnHandle_t, cublasFillMode_t, int,
                                  cuComplex *, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCpotrs(cusolverDnHandle_t, cublasFillMode_t, int,
                                  int, const cuComplex *, int, cuComplex *, int,
                                  int *);
cusolverStatus_t cusolverDnCpotrfBatched(cusolverDnHandle_t, cublasFillMode_t,
                                         int, cuComplex *[], int, int *, int);
cusolverStatus_t cusolverDnCpotrsBatched(cusolverDnHandle_t, cublasFillMode_t,
                                         int, int, cuComplex *[], int,
                                         cuComplex *[], int, int *, int);
cusolverStatus_t cusolverDnCpotri_bufferSize(cusolverDnHandle_t,
                                             cublasFillMode_t, int, cuComplex *,
                                             int, int *);
cusolverStatus_t cusolverDnCpotri(cusolverDnHandle_t, cublasFillMode_t, int,
                                  cuComplex *, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgetrf_bufferSize(cusolverDnHandle_t, int, int,
                                             cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgetrf(cusolverDnHandle_t, int, int, cuComplex *,
                                  int, cuComplex *, int *, int *);
cusolverStatus_t cusolverDnCgetrs(cusolverDnHandle_t, cublasOperation_t, int,
                                  int, const cuComplex *, int, const int *,
                                  cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t, int, int,
                                             cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgeqrf(cusolverDnHandle_t, int, int, cuComplex *,
                                  int, cuComplex *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCungqr_bufferSize(cusolverDnHandle_t, int, int, int,
                                             const cuComplex *, int,
                                             const cuComplex *, int *);
cusolverStatus_t cusolverDnCungqr(cusolverDnHandle_t, int, int, int,
                                  cuComplex *, int, const cuComplex *,
                                  cuComplex *, int, int *);
cusolverStatus_t cusolverDnCunmqr_bufferSize(
    cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
    const cuComplex *, int, const cuComplex *, const cuComplex *, int, int *);
cusolverStatus_t cusolverDnCunmqr(cusolverDnHandle_t, cublasSideMode_t,
                                  cublasOperation_t, int, int, int,
                                  const cuComplex *, int, const cuComplex *,
                                  cuComplex *, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCheevd_bufferSize(cusolverDnHandle_t,
                                             cusolverEigMode_t,
                                             cublasFillMode_t, int,
                                             const cuComplex *, int,
                                             const float *, int *);
cusolverStatus_t cusolverDnCheevd(cusolverDnHandle_t, cusolverEigMode_t,
                                  cublasFillMode_t, int, cuComplex *, int,
                                  float *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCheevj_bufferSize(cusolverDnHandle_t,
                                             cusolverEigMode_t,
                                             cublasFillMode_t, int,
                                             const cuComplex *, int,
                                             const float *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnCheevj(cusolverDnHandle_t, cusolverEigMode_t,
                                  cublasFillMode_t, int, cuComplex *, int,
                                  float *, cuComplex *, int, int *,
                                  syevjInfo_t);
cusolverStatus_t
cusolverDnCheevjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,
                                   cublasFillMode_t, int, const cuComplex *,
                                   int, const float *, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnCheevjBatched(cusolverDnHandle_t, cusolverEigMode_t,
                                         cublasFillMode_t, int, cuComplex *,
                                         int, float *, cuComplex *, int, int *,
                                         syevjInfo_t, int);
cusolverStatus_t cusolverDnChegvd_bufferSize(
    cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, const cuComplex *, int, const cuComplex *, int, const float *, int *);
cusolverStatus_t cusolverDnChegvd(cusolverDnHandle_t, cusolverEigType_t,
                                  cusolverEigMode_t, cublasFillMode_t, int,
                                  cuComplex *, int, cuComplex *, int, float *,
                                  cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgesvd_bufferSize(cusolverDnHandle_t, int, int,
                                             int *);
cusolverStatus_t cusolverDnCgesvd(cusolverDnHandle_t, signed char, signed char,
                                  int, int, cuComplex *, int, float *,
                                  cuComplex *, int, cuComplex *, int,
                                  cuComplex *, int, float *, int *);
cusolverStatus_t cusolverDnCgesvdj_bufferSize(cusolverDnHandle_t,
                                              cusolverEigMode_t, int, int, int,
                                              const cuComplex *, int,
                                              const float *, const cuComplex *,
                                              int, const cuComplex *, int,
                                              int *, gesvdjInfo_t);
cusolverStatus_t cusolverDnCgesvdj(cusolverDnHandle_t, cusolverEigMode_t, int,
                                   int, int, cuComplex *, int, float *,
                                   cuComplex *, int, cuComplex *, int,
                                   cuComplex *, int, int *, gesvdjInfo_t);

cusolverStatus_t cusolverDnZpotrf_bufferSize(cusolverDnHandle_t,
                                             cublasFillMode_t, int,
                                             cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZpotrf(cusolverDnHandle_t, cublasFillMode_t, int,
                                  cuDoubleComplex *, int, cuDoubleComplex *,
                                  int, int *);
cusolverStatus_t cusolverDnZpotrs(cusolverDnHandle_t, cublasFillMode_t, int,
                                  int, const cuDoubleComplex *, int,
                                  cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZpotrfBatched(cusolverDnHandle_t, cublasFillMode_t,
                                         int, cuDoubleComplex *[], int, int *,
                                         int);
cusolverStatus_t cusolverDnZpotrsBatched(cusolverDnHandle_t, cublasFillMode_t,
                                         int, int, cuDoubleComplex *[], int,
                                         cuDoubleComplex *[], int, int *, int);
cusolverStatus_t cusolverDnZpotri_bufferSize(cusolverDnHandle_t,
                                             cublasFillMode_t, int,
                                             cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZpotri(cusolverDnHandle_t, cublasFillMode_t, int,
                                  cuDoubleComplex *, int, cuDoubleComplex *,
                                  int, int *);
cusolverStatus_t cusolverDnZgetrf_bufferSize(cusolverDnHandle_t, int, int,
                                             cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgetrf(cusolverDnHandle_t, int, int,
                                  cuDoubleComplex *, int, cuDoubleComplex *,
                                  int *, int *);
cusolverStatus_t cusolverDnZgetrs(cusolverDnHandle_t, cublasOperation_t, int,
                                  int, const cuDoubleComplex *, int,
                                  const int *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t, int, int,
                                             cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgeqrf(cusolverDnHandle_t, int, int,
                                  cuDoubleComplex *, int, cuDoubleComplex *,
                                  cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZungqr_bufferSize(cusolverDnHandle_t, int, int, int,
                                             const cuDoubleComplex *, int,
                                             const cuDoubleComplex *, int *);
cusolverStatus_t cusolverDnZungqr(cusolverDnHandle_t, int, int, int,
                                  cuDoubleComplex *, int,
                                  const cuDoubleComplex *, cuDoubleComplex *,
                                  int, int *);
cusolverStatus_t cusolverDnZunmqr_bufferSize(
    cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
    const cuDoubleComplex *, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZunmqr(cusolverDnHandle_t, cublasSideMode_t,
                                  cublasOperation_t, int, int, int,
                                  const cuDoubleComplex *, int,
                                  const cuDoubleComplex *, cuDoubleComplex *,
                                  int, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZheevd_bufferSize(cusolverDnHandle_t,
                                             cusolverEigMode_t,
                                             cublasFillMode_t, int,
                                             const cuDoubleComplex *, int,
                                             const double *, int *);
cusolverStatus_t cusolverDnZheevd(cusolverDnHandle_t, cusolverEigMode_t,
                                  cublasFillMode_t, int, cuDoubleComplex *, int,
                                  double *, cuDoubleComplex *, int, int *);
cusolverStatus_t
cusolverDnZheevj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,
                            cublasFillMode_t, int, const cuDoubleComplex *, int,
                            const double *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnZheevj(cusolverDnHandle_t, cusolverEigMode_t,
                                  cublasFillMode_t, int, cuDoubleComplex *, int,
                                  double *, cuDoubleComplex *, int, int *,
                                  syevjInfo_t);
cusolverStatus_t cusolverDnZheevjBatched_bufferSize(
    cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    const cuDoubleComplex *, int, const double *, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnZheevjBatched(cusolverDnHandle_t, cusolverEigMode_t,
                                         cublasFillMode_t, int,
                                         cuDoubleComplex *, int, double *,
                                         cuDoubleComplex *, int, int *,
                                         syevjInfo_t, int);
cusolverStatus_t cusolverDnZhegvd_bufferSize(
    cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    const double *, int *);
cusolverStatus_t cusolverDnZhegvd(cusolverDnHandle_t, cusolverEigType_t,
                                  cusolverEigMode_t, cublasFillMode_t, int,
                                  cuDoubleComplex *, int, cuDoubleComplex *,
                                  int, double *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgesvd_bufferSize(cusolverDnHandle_t, int, int,
                                             int *);
cusolverStatus_t cusolverDnZgesvd(cusolverDnHandle_t, signed char, signed char,
                                  int, int, cuDoubleComplex *, int, double *,
                                  cuDoubleComplex *, int, cuDoubleComplex *,
                                  int, cuDoubleComplex *, int, double *, int *);
cusolverStatus_t
cusolverDnZgesvdj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,
                             int, const cuDoubleComplex *, int, const double *,
                             const cuDoubleComplex *, int,
                             const cuDoubleComplex *, int, int *, gesvdjInfo_t);
cusolverStatus_t cusolverDnZgesvdj(cusolverDnHandle_t, cusolverEigMode_t, int,
                                   int, int, cuDoubleComplex *, int, double *,
                                   cuDoubleComplex *, int, cuDoubleComplex *,
                                   int, cuDoubleComplex *, int, int *,
                                   gesvdjInfo_t);

// The interface of 64 bits.
cusolverStatus_t cusolverDnXpotrf_bufferSize(
    cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t,
    cudaDataType, const void *, int64_t, cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t, cusolverDnParams_t,
                                  cublasFillMode_t, int64_t, cudaDataType,
                                  void *, int64_t, cudaDataType, void *, size_t,
                                  void *, size_t, int *);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t, cusolverDnParams_t,
                                  cublasFillMode_t, int64_t, int64_t,
                                  cudaDataType, const void *, int64_t,
                                  cudaDataType, void *, int64_t, int *);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t,
                                             cusolverDnParams_t, int64_t,
                                             int64_t, cudaDataType,
                                             const void *, int64_t,
                                             cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t, cusolverDnParams_t,
                                  int64_t, int64_t, cudaDataType, void *,
                                  int64_t, int64_t *, cudaDataType, void *,
                                  size_t, void *, size_t, int *);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t, cusolverDnParams_t,
                                  cublasOperation_t, int64_t, int64_t,
                                  cudaDataType, const void *, int64_t,
                                  const int64_t *, cudaDataType, void *,
                                  int64_t, int *);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t,
                                             cusolverDnParams_t, int64_t,
                                             int64_t, cudaDataType,
                                             const void *, int64_t,
                                             cudaDataType, const void *,
                                             cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t, cusolverDnParams_t,
                                  int64_t, int64_t, cudaDataType, void *,
                                  int64_t, cudaDataType, void *, cudaDataType,
                                  void *, size_t, void *, size_t, int *);
cusolverStatus_t
cusolverDnXsyevd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                            cusolverEigMode_t, cublasFillMode_t, int64_t,
                            cudaDataType, const void *, int64_t, cudaDataType,
                            const void *, cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t, cusolverDnParams_t,
                                  cusolverEigMode_t, cublasFillMode_t, int64_t,
                                  cudaDataType, void *, int64_t, cudaDataType,
                                  void *, cudaDataType, void *, size_t, void *,
                                  size_t, int *);
cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char, int64_t,
    int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *,
    cudaDataType, const void *, int64_t, cudaDataType, const void *, int64_t,
    cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t, cusolverDnParams_t,
                                  signed char, signed char, int64_t, int64_t,
                                  cudaDataType, void *, int64_t, cudaDataType,
                                  void *, cudaDataType, void *, int64_t,
                                  cudaDataType, void *, int64_t, cudaDataType,
                                  void *, size_t, void *, size_t, int *);
GPU_ESTIMATE_C_END

#endif
