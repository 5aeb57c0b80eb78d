/// \file
/// cuSPARSE's host interface: the generic one (vectors, CSR, CSC and COO
/// matrices, products, triangular solves, conversions), and of the older one
/// conversions of indices and incomplete factorisation. Values of enumerations
/// are the SDK's.

#ifndef GPU_ESTIMATE_CUDA_SPARSE_HOST_H
#define GPU_ESTIMATE_CUDA_SPARSE_HOST_H

#include "complex.h"
#include "library_types.h"
#include "runtime.h"

#include <stddef.h>
#include <stdint.h>

// The SDK's guard, which programs test.
#define CUSPARSE_H_

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum {
  CUSPARSE_POINTER_MODE_HOST = 0,
  CUSPARSE_POINTER_MODE_DEVICE = 1
} cusparsePointerMode_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum {
  CUSPARSE_FILL_MODE_LOWER = 0,
  CUSPARSE_FILL_MODE_UPPER = 1
} cusparseFillMode_t;
typedef enum {
  CUSPARSE_DIAG_TYPE_NON_UNIT = 0,
  CUSPARSE_DIAG_TYPE_UNIT = 1
} cusparseDiagType_t;
typedef enum {
  CUSPARSE_INDEX_BASE_ZERO = 0,
  CUSPARSE_INDEX_BASE_ONE = 1
} cusparseIndexBase_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum {
  CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
  CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
  CUSPARSE_INDEX_16U = 1,
  CUSPARSE_INDEX_32I = 2,
  CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum {
  CUSPARSE_SPMAT_FILL_MODE = 0,
  CUSPARSE_SPMAT_DIAG_TYPE = 1
} cusparseSpMatAttribute_t;
typedef enum {
  CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0
} cusparseSparseToDenseAlg_t;
typedef enum {
  CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0
} cusparseDenseToSparseAlg_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4
} cusparseSpMVAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;

GPU_ESTIMATE_C_BEGIN
cusparseStatus_t cusparseCreate(cusparseHandle_t *);
cusparseStatus_t cusparseDestroy(cusparseHandle_t);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int *);
const char *cusparseGetErrorName(cusparseStatus_t);
const char *cusparseGetErrorString(cusparseStatus_t);
cusparseStatus_t cusparseSetStream(cusparseHandle_t, cudaStream_t);
cusparseStatus_t cusparseGetStream(cusparseHandle_t, cudaStream_t *);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t,
                                        cusparsePointerMode_t);

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t, cusparseMatrixType_t);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t,
                                         cusparseIndexBase_t);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t, cusparseFillMode_t);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t, cusparseDiagType_t);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t, const int *, int, int,
                                  int *, cusparseIndexBase_t);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t, const int *, int, int,
                                  int *, cusparseIndexBase_t);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t);
#define GPU_ESTIMATE_CSRILU02(Letter, T)                                       \
  cusparseStatus_t cusparse##Letter##csrilu02_bufferSize(                      \
      cusparseHandle_t, int, int, const cusparseMatDescr_t, T *, const int *,  \
      const int *, csrilu02Info_t, int *);                                     \
  cusparseStatus_t cusparse##Letter##csrilu02_analysis(                        \
      cusparseHandle_t, int, int, const cusparseMatDescr_t, const T *,         \
      const int *, const int *, csrilu02Info_t, cusparseSolvePolicy_t,         \
      void *);                                                                 \
  cusparseStatus_t cusparse##Letter##csrilu02(                                 \
      cusparseHandle_t, int, int, const cusparseMatDescr_t, T *, const int *,  \
      const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
GPU_ESTIMATE_CSRILU02(S, float)
GPU_ESTIMATE_CSRILU02(D, double)
#undef GPU_ESTIMATE_CSRILU02

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *, int64_t, int64_t,
                                     void *, void *, cusparseIndexType_t,
                                     cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *, int64_t, void *,
                                     cudaDataType);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *, int64_t,
                                          const void *, cudaDataType);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t, void *);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *, int64_t, int64_t,
                                     int64_t, void *, cudaDataType,
                                     cusparseOrder_t);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *, int64_t,
                                          int64_t, int64_t, const void *,
                                          cudaDataType, cusparseOrder_t);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *, int64_t, int64_t,
                                   int64_t, void *, void *, void *,
                                   cusparseIndexType_t, cusparseIndexType_t,
                                   cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *, int64_t,
                                        int64_t, int64_t, const void *,
                                        const void *, const void *,
                                        cusparseIndexType_t,
                                        cusparseIndexType_t,
                                        cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *, int64_t, int64_t,
                                   int64_t, void *, void *, void *,
                                   cusparseIndexType_t, cusparseIndexType_t,
                                   cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *, int64_t, int64_t,
                                   int64_t, void *, void *, void *,
                                   cusparseIndexType_t, cusparseIndexBase_t,
                                   cudaDataType);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t, void *, void *,
                                        void *);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t, void *, void *,
                                        void *);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t, int64_t *,
                                      int64_t *, int64_t *);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t,
                                           cusparseSpMatAttribute_t, void *,
                                           size_t);

cusparseStatus_t cusparseAxpby(cusparseHandle_t, const void *,
                               cusparseConstSpVecDescr_t, const void *,
                               cusparseDnVecDescr_t);
cusparseStatus_t cusparseGather(cusparseHandle_t, cusparseConstDnVecDescr_t,
                                cusparseSpVecDescr_t);
cusparseStatus_t cusparseScatter(cusparseHandle_t, cusparseConstSpVecDescr_t,
                                 cusparseDnVecDescr_t);
cusparseStatus_t
cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                        cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                        const void *, cusparseDnVecDescr_t, cudaDataType,
                        cusparseSpMVAlg_t, size_t *);
cusparseStatus_t
cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void *,
                        cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                        const void *, cusparseDnVecDescr_t, cudaDataType,
                        cusparseSpMVAlg_t, void *);
cusparseStatus_t cusparseSpMV(cusparseHandle_t, cusparseOperation_t,
                              const void *, cusparseConstSpMatDescr_t,
                              cusparseConstDnVecDescr_t, const void *,
                              cusparseDnVecDescr_t, cudaDataType,
                              cusparseSpMVAlg_t, void *);
cusparseStatus_t cusparseSpMM_bufferSize(
    cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
    cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void *,
    cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, size_t *);
cusparseStatus_t cusparseSpMM_preprocess(
    cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
    cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void *,
    cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, void *);
cusparseStatus_t cusparseSpMM(cusparseHandle_t, cusparseOperation_t,
                              cusparseOperation_t, const void *,
                              cusparseConstSpMatDescr_t,
                              cusparseConstDnMatDescr_t, const void *,
                              cusparseDnMatDescr_t, cudaDataType,
                              cusparseSpMMAlg_t, void *);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t);
cusparseStatus_t
cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                        cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                        cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                        cusparseSpSVDescr_t, size_t *);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t,
                                       const void *, cusparseConstSpMatDescr_t,
                                       cusparseConstDnVecDescr_t,
                                       cusparseDnVecDescr_t, cudaDataType,
                                       cusparseSpSVAlg_t, cusparseSpSVDescr_t,
                                       void *);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t, cusparseOperation_t,
                                    const void *, cusparseConstSpMatDescr_t,
                                    cusparseConstDnVecDescr_t,
                                    cusparseDnVecDescr_t, cudaDataType,
                                    cusparseSpSVAlg_t, cusparseSpSVDescr_t);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t,
                                                  cusparseConstSpMatDescr_t,
                                                  cusparseDnMatDescr_t,
                                                  cusparseSparseToDenseAlg_t,
                                                  size_t *);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t,
                                       cusparseConstSpMatDescr_t,
                                       cusparseDnMatDescr_t,
                                       cusparseSparseToDenseAlg_t, void *);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t,
                                                  cusparseConstDnMatDescr_t,
                                                  cusparseSpMatDescr_t,
                                                  cusparseDenseToSparseAlg_t,
                                                  size_t *);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t,
                                                cusparseConstDnMatDescr_t,
                                                cusparseSpMatDescr_t,
                                                cusparseDenseToSparseAlg_t,
                                                void *);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t,
                                               cusparseConstDnMatDescr_t,
                                               cusparseSpMatDescr_t,
                                               cusparseDenseToSparseAlg_t,
                                               void *);
GPU_ESTIMATE_C_END

#endif
