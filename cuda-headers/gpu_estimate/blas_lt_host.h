/// \file
/// cuBLASLt's host interface: matrix products with their epilogues. Values of
/// enumerations and sizes of structures are the SDK's.

#ifndef GPU_ESTIMATE_CUDA_BLAS_LT_HOST_H
#define GPU_ESTIMATE_CUDA_BLAS_LT_HOST_H

#include "blas_host.h"
#include "blas_lt_enums.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cublasLtContext *cublasLtHandle_t;

// Descriptors may be on the stack of the program.
typedef struct {
  uint64_t data[8];
} cublasLtMatrixLayoutOpaque_t;
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef struct {
  uint64_t data[32];
} cublasLtMatmulDescOpaque_t;
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatmulPreferenceOpaque_t;
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatrixTransformDescOpaque_t;
typedef cublasLtMatrixTransformDescOpaque_t *cublasLtMatrixTransformDesc_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

typedef enum {
  CUBLASLT_ORDER_COL = 0,
  CUBLASLT_ORDER_ROW = 1,
  CUBLASLT_ORDER_COL32 = 2,
  CUBLASLT_ORDER_COL4_4R2_8C = 3,
  CUBLASLT_ORDER_COL32_2R_4R4 = 4
} cublasLtOrder_t;
typedef enum {
  CUBLASLT_POINTER_MODE_HOST = 0,
  CUBLASLT_POINTER_MODE_DEVICE = 1,
  CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} cublasLtPointerMode_t;
typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
  CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7,
  CUBLASLT_MATRIX_LAYOUT_BATCH_MODE = 8
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_TRANSC = 5,
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
  CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,
  CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,
  CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,
  CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,
  CUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32,
  CUBLASLT_MATMUL_DESC_C_SCALE_MODE = 33,
  CUBLASLT_MATMUL_DESC_D_SCALE_MODE = 34,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE = 35,
  CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER = 36,
  CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE = 37,
  CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR = 38
} cublasLtMatmulDescAttributes_t;
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_RELU_AUX = 130,
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  CUBLASLT_EPILOGUE_DRELU = 136,
  CUBLASLT_EPILOGUE_DRELU_BGRAD = 152,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
  CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
  CUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} cublasLtMatmulPreferenceAttributes_t;

#if defined(__cplusplus)
extern "C" {
#endif

cublasStatus_t cublasLtCreate(cublasLtHandle_t *Result);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t Handle);
const char *cublasLtGetStatusName(cublasStatus_t Status);
const char *cublasLtGetStatusString(cublasStatus_t Status);
size_t cublasLtGetVersion(void);
size_t cublasLtGetCudartVersion(void);

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t Layout,
                                                 size_t Size, cudaDataType Type,
                                                 uint64_t Rows,
                                                 uint64_t Columns,
                                                 int64_t Leading);
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *Result,
                                          cudaDataType Type, uint64_t Rows,
                                          uint64_t Columns, int64_t Leading);
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t Layout);
cublasStatus_t
cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t Layout,
                                 cublasLtMatrixLayoutAttribute_t Attribute,
                                 const void *Value, size_t Bytes);
cublasStatus_t
cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t Layout,
                                 cublasLtMatrixLayoutAttribute_t Attribute,
                                 void *Value, size_t Bytes, size_t *Written);

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t Desc,
                                               size_t Size,
                                               cublasComputeType_t Compute,
                                               cudaDataType Scale);
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *Result,
                                        cublasComputeType_t Compute,
                                        cudaDataType Scale);
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t Desc);
cublasStatus_t
cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t Desc,
                               cublasLtMatmulDescAttributes_t Attribute,
                               const void *Value, size_t Bytes);
cublasStatus_t
cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t Desc,
                               cublasLtMatmulDescAttributes_t Attribute,
                               void *Value, size_t Bytes, size_t *Written);

cublasStatus_t
cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t Preference,
                                      size_t Size);
cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *Result);
cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t Preference);
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t Preference,
    cublasLtMatmulPreferenceAttributes_t Attribute, const void *Value,
    size_t Bytes);
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(
    cublasLtMatmulPreference_t Preference,
    cublasLtMatmulPreferenceAttributes_t Attribute, void *Value, size_t Bytes,
    size_t *Written);

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t Handle, cublasLtMatmulDesc_t Desc,
    cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
    cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
    cublasLtMatmulPreference_t Preference, int Wanted,
    cublasLtMatmulHeuristicResult_t Results[], int *Found);
cublasStatus_t
cublasLtMatmulAlgoCheck(cublasLtHandle_t Handle, cublasLtMatmulDesc_t Desc,
                        cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
                        cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
                        const cublasLtMatmulAlgo_t *Algorithm,
                        cublasLtMatmulHeuristicResult_t *Result);
cublasStatus_t
cublasLtMatmul(cublasLtHandle_t Handle, cublasLtMatmulDesc_t Desc,
               const void *Alpha, const void *A, cublasLtMatrixLayout_t LayoutA,
               const void *B, cublasLtMatrixLayout_t LayoutB, const void *Beta,
               const void *C, cublasLtMatrixLayout_t LayoutC, void *D,
               cublasLtMatrixLayout_t LayoutD,
               const cublasLtMatmulAlgo_t *Algorithm, void *Workspace,
               size_t WorkspaceBytes, cudaStream_t Stream);

#if defined(__cplusplus)
}
#endif

static inline cublasStatus_t
cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t Layout, cudaDataType Type,
                         uint64_t Rows, uint64_t Columns, int64_t Leading) {
  return cublasLtMatrixLayoutInit_internal(Layout, sizeof(*Layout), Type, Rows,
                                           Columns, Leading);
}
static inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t Desc,
                                                    cublasComputeType_t Compute,
                                                    cudaDataType Scale) {
  return cublasLtMatmulDescInit_internal(Desc, sizeof(*Desc), Compute, Scale);
}
static inline cublasStatus_t
cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t Preference) {
  return cublasLtMatmulPreferenceInit_internal(Preference, sizeof(*Preference));
}

typedef void (*cublasLtLoggerCallback_t)(int, const char *, const char *);

// Not emulated: they fail when they are called.
GPU_ESTIMATE_C_BEGIN
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t, cublasComputeType_t,
                                      cudaDataType_t, cudaDataType_t,
                                      cudaDataType_t, cudaDataType_t,
                                      cudaDataType_t, int,
                                      cublasLtMatmulAlgo_t *);
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t, cublasComputeType_t,
                                        cudaDataType_t, cudaDataType_t,
                                        cudaDataType_t, cudaDataType_t,
                                        cudaDataType_t, int, int[], int *);
cublasStatus_t
cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *,
                                  cublasLtMatmulAlgoCapAttributes_t, void *,
                                  size_t, size_t *);
cublasStatus_t
cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *,
                                     cublasLtMatmulAlgoConfigAttributes_t,
                                     void *, size_t, size_t *);
cublasStatus_t
cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *,
                                     cublasLtMatmulAlgoConfigAttributes_t,
                                     const void *, size_t);
cublasStatus_t
cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *,
                                  cudaDataType_t);
cublasStatus_t
    cublasLtMatrixTransformDescDestroy(cublasLtMatrixTransformDesc_t);
cublasStatus_t
cublasLtMatrixTransformDescSetAttribute(cublasLtMatrixTransformDesc_t,
                                        cublasLtMatrixTransformDescAttributes_t,
                                        const void *, size_t);
cublasStatus_t
cublasLtMatrixTransformDescGetAttribute(cublasLtMatrixTransformDesc_t,
                                        cublasLtMatrixTransformDescAttributes_t,
                                        void *, size_t, size_t *);
cublasStatus_t
cublasLtMatrixTransform(cublasLtHandle_t, cublasLtMatrixTransformDesc_t,
                        const void *, const void *, cublasLtMatrixLayout_t,
                        const void *, const void *, cublasLtMatrixLayout_t,
                        void *, cublasLtMatrixLayout_t, cudaStream_t);
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *);
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t);
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t);
cublasStatus_t cublasLtLoggerSetLevel(int);
cublasStatus_t cublasLtLoggerSetMask(int);
cublasStatus_t cublasLtLoggerForceDisable(void);
GPU_ESTIMATE_C_END
#endif
