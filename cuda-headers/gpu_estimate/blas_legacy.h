/// \file
/// cuBLAS's first interface, that of <cublas.h>: no handle, options as
/// characters, scalars by value, results returned. Each function calls the one
/// of its name that takes a handle (cuBLAS, "Using the cuBLAS Legacy API").
/// They are overloads, so that only C++ has them.

#ifndef GPU_ESTIMATE_CUDA_BLAS_LEGACY_H
#define GPU_ESTIMATE_CUDA_BLAS_LEGACY_H

#include "blas_host.h"

#if defined(__cplusplus)

/// What the calls of a program share.
struct gpuEstimateLegacyBlas {
  cublasHandle_t handle = nullptr;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
};
inline gpuEstimateLegacyBlas &gpuEstimateBlas() {
  static gpuEstimateLegacyBlas shared;
  return shared;
}

inline cublasOperation_t gpuEstimateOperation(char op) {
  return op == 'N' || op == 'n'   ? CUBLAS_OP_N
         : op == 'T' || op == 't' ? CUBLAS_OP_T
                                  : CUBLAS_OP_C;
}
inline cublasFillMode_t gpuEstimateFill(char fill) {
  return fill == 'U' || fill == 'u' ? CUBLAS_FILL_MODE_UPPER
                                    : CUBLAS_FILL_MODE_LOWER;
}
inline cublasSideMode_t gpuEstimateSide(char side) {
  return side == 'R' || side == 'r' ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
}
inline cublasDiagType_t gpuEstimateDiagonal(char diagonal) {
  return diagonal == 'U' || diagonal == 'u' ? CUBLAS_DIAG_UNIT
                                            : CUBLAS_DIAG_NON_UNIT;
}

inline cublasStatus_t cublasInit() {
  auto &blas = gpuEstimateBlas();
  return blas.handle ? CUBLAS_STATUS_SUCCESS : cublasCreate(&blas.handle);
}
inline cublasStatus_t cublasShutdown() {
  auto &blas = gpuEstimateBlas();
  cublasStatus_t status = cublasDestroy(blas.handle);
  blas.handle = nullptr;
  return status;
}
/// The status of the last call that failed, once.
inline cublasStatus_t cublasGetError() {
  auto &blas = gpuEstimateBlas();
  cublasStatus_t status = blas.status;
  blas.status = CUBLAS_STATUS_SUCCESS;
  return status;
}
inline cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  return cublasSetStream(gpuEstimateBlas().handle, stream);
}
inline cublasStatus_t cublasAlloc(int count, int elementBytes, void **pointer) {
  return cudaMalloc(pointer, size_t(count) * elementBytes)
             ? CUBLAS_STATUS_ALLOC_FAILED
             : CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasFree(void *pointer) {
  return cudaFree(pointer) ? CUBLAS_STATUS_INTERNAL_ERROR
                           : CUBLAS_STATUS_SUCCESS;
}

#define GPU_ESTIMATE_BLAS_CALL(NAME, ...)                                      \
  do {                                                                         \
    cublasStatus_t status = NAME(gpuEstimateBlas().handle, __VA_ARGS__);       \
    if (status)                                                                \
      gpuEstimateBlas().status = status;                                       \
  } while (false)

// Of all four types.
#define GPU_ESTIMATE_BLAS_COMMON(L, T)                                         \
  inline void cublas##L##axpy(int n, T alpha, const T *x, int incx, T *y,      \
                              int incy) {                                      \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##axpy, n, &alpha, x, incx, y, incy);      \
  }                                                                            \
  inline void cublas##L##copy(int n, const T *x, int incx, T *y, int incy) {   \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##copy, n, x, incx, y, incy);              \
  }                                                                            \
  inline void cublas##L##scal(int n, T alpha, T *x, int incx) {                \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##scal, n, &alpha, x, incx);               \
  }                                                                            \
  inline void cublas##L##swap(int n, T *x, int incx, T *y, int incy) {         \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##swap, n, x, incx, y, incy);              \
  }                                                                            \
  inline void cublas##L##gemv(char op, int m, int n, T alpha, const T *a,      \
                              int lda, const T *x, int incx, T beta, T *y,     \
                              int incy) {                                      \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##gemv, gpuEstimateOperation(op), m, n,    \
                           &alpha, a, lda, x, incx, &beta, y, incy);           \
  }                                                                            \
  inline void cublas##L##trmv(char fill, char op, char diagonal, int n,        \
                              const T *a, int lda, T *x, int incx) {           \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##trmv, gpuEstimateFill(fill),             \
                           gpuEstimateOperation(op),                           \
                           gpuEstimateDiagonal(diagonal), n, a, lda, x, incx); \
  }                                                                            \
  inline void cublas##L##trsv(char fill, char op, char diagonal, int n,        \
                              const T *a, int lda, T *x, int incx) {           \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##trsv, gpuEstimateFill(fill),             \
                           gpuEstimateOperation(op),                           \
                           gpuEstimateDiagonal(diagonal), n, a, lda, x, incx); \
  }                                                                            \
  inline void cublas##L##gemm(char opA, char opB, int m, int n, int k,         \
                              T alpha, const T *a, int lda, const T *b,        \
                              int ldb, T beta, T *c, int ldc) {                \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##gemm, gpuEstimateOperation(opA),         \
                           gpuEstimateOperation(opB), m, n, k, &alpha, a, lda, \
                           b, ldb, &beta, c, ldc);                             \
  }                                                                            \
  inline void cublas##L##symm(char side, char fill, int m, int n, T alpha,     \
                              const T *a, int lda, const T *b, int ldb,        \
                              T beta, T *c, int ldc) {                         \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##symm, gpuEstimateSide(side),             \
                           gpuEstimateFill(fill), m, n, &alpha, a, lda, b,     \
                           ldb, &beta, c, ldc);                                \
  }                                                                            \
  inline void cublas##L##syrk(char fill, char op, int n, int k, T alpha,       \
                              const T *a, int lda, T beta, T *c, int ldc) {    \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##syrk, gpuEstimateFill(fill),             \
                           gpuEstimateOperation(op), n, k, &alpha, a, lda,     \
                           &beta, c, ldc);                                     \
  }                                                                            \
  inline void cublas##L##syr2k(char fill, char op, int n, int k, T alpha,      \
                               const T *a, int lda, const T *b, int ldb,       \
                               T beta, T *c, int ldc) {                        \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##syr2k, gpuEstimateFill(fill),            \
                           gpuEstimateOperation(op), n, k, &alpha, a, lda, b,  \
                           ldb, &beta, c, ldc);                                \
  }                                                                            \
  /* In place: the later interface writes another matrix. */                   \
  inline void cublas##L##trmm(char side, char fill, char op, char diagonal,    \
                              int m, int n, T alpha, const T *a, int lda,      \
                              T *b, int ldb) {                                 \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##trmm, gpuEstimateSide(side),             \
                           gpuEstimateFill(fill), gpuEstimateOperation(op),    \
                           gpuEstimateDiagonal(diagonal), m, n, &alpha, a,     \
                           lda, b, ldb, b, ldb);                               \
  }                                                                            \
  inline void cublas##L##trsm(char side, char fill, char op, char diagonal,    \
                              int m, int n, T alpha, const T *a, int lda,      \
                              T *b, int ldb) {                                 \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##trsm, gpuEstimateSide(side),             \
                           gpuEstimateFill(fill), gpuEstimateOperation(op),    \
                           gpuEstimateDiagonal(diagonal), m, n, &alpha, a,     \
                           lda, b, ldb);                                       \
  }

// Of real numbers only, as far as the interface with handles has them.
#define GPU_ESTIMATE_BLAS_REAL(L, INDEX, T)                                    \
  inline T cublas##L##dot(int n, const T *x, int incx, const T *y, int incy) { \
    T result = 0;                                                              \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##dot, n, x, incx, y, incy, &result);      \
    return result;                                                             \
  }                                                                            \
  inline T cublas##L##nrm2(int n, const T *x, int incx) {                      \
    T result = 0;                                                              \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##nrm2, n, x, incx, &result);              \
    return result;                                                             \
  }                                                                            \
  inline T cublas##L##asum(int n, const T *x, int incx) {                      \
    T result = 0;                                                              \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##asum, n, x, incx, &result);              \
    return result;                                                             \
  }                                                                            \
  inline int cublasI##INDEX##amax(int n, const T *x, int incx) {               \
    int result = 0;                                                            \
    GPU_ESTIMATE_BLAS_CALL(cublasI##INDEX##amax, n, x, incx, &result);         \
    return result;                                                             \
  }                                                                            \
  inline int cublasI##INDEX##amin(int n, const T *x, int incx) {               \
    int result = 0;                                                            \
    GPU_ESTIMATE_BLAS_CALL(cublasI##INDEX##amin, n, x, incx, &result);         \
    return result;                                                             \
  }                                                                            \
  inline void cublas##L##ger(int m, int n, T alpha, const T *x, int incx,      \
                             const T *y, int incy, T *a, int lda) {            \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##ger, m, n, &alpha, x, incx, y, incy, a,  \
                           lda);                                               \
  }                                                                            \
  inline void cublas##L##symv(char fill, int n, T alpha, const T *a, int lda,  \
                              const T *x, int incx, T beta, T *y, int incy) {  \
    GPU_ESTIMATE_BLAS_CALL(cublas##L##symv, gpuEstimateFill(fill), n, &alpha,  \
                           a, lda, x, incx, &beta, y, incy);                   \
  }

GPU_ESTIMATE_BLAS_COMMON(S, float)
GPU_ESTIMATE_BLAS_COMMON(D, double)
GPU_ESTIMATE_BLAS_COMMON(C, cuComplex)
GPU_ESTIMATE_BLAS_COMMON(Z, cuDoubleComplex)
GPU_ESTIMATE_BLAS_REAL(S, s, float)
GPU_ESTIMATE_BLAS_REAL(D, d, double)

#undef GPU_ESTIMATE_BLAS_REAL
#undef GPU_ESTIMATE_BLAS_COMMON
#undef GPU_ESTIMATE_BLAS_CALL

#endif

#endif
