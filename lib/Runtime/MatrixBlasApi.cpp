/// \file
/// cuBLAS's functions of symmetric, Hermitian, triangular and diagonal
/// matrices, on the host's BLAS.
#include "BlasCalls.h"
#include <algorithm>
#include <cblas.h>
#include <complex>

using namespace gpuestimate;

namespace {

CBLAS_TRANSPOSE transposeOf(cublasOperation_t Op) {
  return Op == CUBLAS_OP_N   ? CblasNoTrans
         : Op == CUBLAS_OP_T ? CblasTrans
                             : CblasConjTrans;
}
CBLAS_UPLO halfOf(cublasFillMode_t Fill) {
  return Fill == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}
CBLAS_SIDE sideOf(cublasSideMode_t Side) {
  return Side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}
CBLAS_DIAG diagonalOf(cublasDiagType_t Diagonal) {
  return Diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

template <class T> struct BlasType {
  using Value = T;
  static constexpr const char *Name = sizeof(T) == 4 ? "f32" : "f64";
};
template <> struct BlasType<cuComplex> {
  using Value = std::complex<float>;
  static constexpr const char *Name = "cf32";
};
template <> struct BlasType<cuDoubleComplex> {
  using Value = std::complex<double>;
  static constexpr const char *Name = "cf64";
};

template <class T>
void copyMatrix(int M, int N, const T *A, int LdA, T *C, int LdC) {
  if (A != C)
    for (int J = 0; J < N; ++J)
      std::copy_n(A + int64_t(J) * LdA, M, C + int64_t(J) * LdC);
}

/// C = diag(X) A, or A diag(X).
template <class T>
void scaleRows(bool OnLeft, int M, int N, const T *Data, int LdA, const T *X,
               int IncX, T *Result, int LdC) {
  using Value = typename BlasType<T>::Value;
  auto *A = reinterpret_cast<const Value *>(Data);
  auto *D = reinterpret_cast<const Value *>(X);
  auto *C = reinterpret_cast<Value *>(Result);
  int Count = OnLeft ? M : N;
  int64_t First = IncX < 0 ? int64_t(1 - Count) * IncX : 0;
  for (int64_t J = 0; J < N; ++J)
    for (int64_t I = 0; I < M; ++I)
      C[I + J * LdC] = A[I + J * LdA] * D[First + (OnLeft ? I : J) * IncX];
}

} // namespace

#define MATRIX_CALL(T, ...)                                                    \
  BlasCall Library(__func__, Handle,                                           \
                   {BlasType<T>::Name, BlasType<T>::Name, BlasType<T>::Name},  \
                   {__VA_ARGS__});                                             \
  if (Library.state() != CUBLAS_STATUS_SUCCESS)                                \
  return Library.state()

/// Scalar: `*` where the host's BLAS takes values, nothing where it takes
/// addresses.
#define MATRIX_FUNCTIONS(Letter, Small, T, Scalar)                             \
  cublasStatus_t cublas##Letter##syrk(                                         \
      cublasHandle_t Handle, cublasFillMode_t Fill, cublasOperation_t Op,      \
      int N, int K, const T *Alpha, const T *A, int LdA, const T *Beta, T *C,  \
      int LdC) {                                                               \
    MATRIX_CALL(T, {"n", N}, {"k", K});                                        \
    cblas_##Small##syrk(CblasColMajor, halfOf(Fill), transposeOf(Op), N, K,    \
                        Scalar Alpha, A, LdA, Scalar Beta, C, LdC);            \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##syr2k(                                        \
      cublasHandle_t Handle, cublasFillMode_t Fill, cublasOperation_t Op,      \
      int N, int K, const T *Alpha, const T *A, int LdA, const T *B, int LdB,  \
      const T *Beta, T *C, int LdC) {                                          \
    MATRIX_CALL(T, {"n", N}, {"k", K});                                        \
    cblas_##Small##syr2k(CblasColMajor, halfOf(Fill), transposeOf(Op), N, K,   \
                         Scalar Alpha, A, LdA, B, LdB, Scalar Beta, C, LdC);   \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##symm(                                         \
      cublasHandle_t Handle, cublasSideMode_t Side, cublasFillMode_t Fill,     \
      int M, int N, const T *Alpha, const T *A, int LdA, const T *B, int LdB,  \
      const T *Beta, T *C, int LdC) {                                          \
    MATRIX_CALL(T, {"m", M}, {"n", N},                                         \
                {"k", Side == CUBLAS_SIDE_LEFT ? M : N});                      \
    cblas_##Small##symm(CblasColMajor, sideOf(Side), halfOf(Fill), M, N,       \
                        Scalar Alpha, A, LdA, B, LdB, Scalar Beta, C, LdC);    \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##trmm(                                         \
      cublasHandle_t Handle, cublasSideMode_t Side, cublasFillMode_t Fill,     \
      cublasOperation_t Op, cublasDiagType_t Diagonal, int M, int N,           \
      const T *Alpha, const T *A, int LdA, const T *B, int LdB, T *C,          \
      int LdC) {                                                               \
    MATRIX_CALL(T, {"m", M}, {"n", N},                                         \
                {"k", Side == CUBLAS_SIDE_LEFT ? M : N});                      \
    copyMatrix(M, N, B, LdB, C, LdC);                                          \
    cblas_##Small##trmm(CblasColMajor, sideOf(Side), halfOf(Fill),             \
                        transposeOf(Op), diagonalOf(Diagonal), M, N,           \
                        Scalar Alpha, A, LdA, C, LdC);                         \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##trmv(                                         \
      cublasHandle_t Handle, cublasFillMode_t Fill, cublasOperation_t Op,      \
      cublasDiagType_t Diagonal, int N, const T *A, int LdA, T *X, int IncX) { \
    MATRIX_CALL(T, {"m", N}, {"n", N});                                        \
    cblas_##Small##trmv(CblasColMajor, halfOf(Fill), transposeOf(Op),          \
                        diagonalOf(Diagonal), N, A, LdA, X, IncX);             \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##trsv(                                         \
      cublasHandle_t Handle, cublasFillMode_t Fill, cublasOperation_t Op,      \
      cublasDiagType_t Diagonal, int N, const T *A, int LdA, T *X, int IncX) { \
    MATRIX_CALL(T, {"m", N}, {"n", N});                                        \
    cblas_##Small##trsv(CblasColMajor, halfOf(Fill), transposeOf(Op),          \
                        diagonalOf(Diagonal), N, A, LdA, X, IncX);             \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##dgmm(                                         \
      cublasHandle_t Handle, cublasSideMode_t Side, int M, int N, const T *A,  \
      int LdA, const T *X, int IncX, T *C, int LdC) {                          \
    MATRIX_CALL(T, {"m", M}, {"n", N});                                        \
    scaleRows(Side == CUBLAS_SIDE_LEFT, M, N, A, LdA, X, IncX, C, LdC);        \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }

#define REAL_MATRIX_FUNCTIONS(Letter, Small, T)                                \
  cublasStatus_t cublas##Letter##symv(                                         \
      cublasHandle_t Handle, cublasFillMode_t Fill, int N, const T *Alpha,     \
      const T *A, int LdA, const T *X, int IncX, const T *Beta, T *Y,          \
      int IncY) {                                                              \
    MATRIX_CALL(T, {"m", N}, {"n", N});                                        \
    cblas_##Small##symv(CblasColMajor, halfOf(Fill), N, *Alpha, A, LdA, X,     \
                        IncX, *Beta, Y, IncY);                                 \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }

#define COMPLEX_MATRIX_FUNCTIONS(Letter, Small, T, Real)                       \
  cublasStatus_t cublas##Letter##herk(                                         \
      cublasHandle_t Handle, cublasFillMode_t Fill, cublasOperation_t Op,      \
      int N, int K, const Real *Alpha, const T *A, int LdA, const Real *Beta,  \
      T *C, int LdC) {                                                         \
    MATRIX_CALL(T, {"n", N}, {"k", K});                                        \
    cblas_##Small##herk(CblasColMajor, halfOf(Fill), transposeOf(Op), N, K,    \
                        *Alpha, A, LdA, *Beta, C, LdC);                        \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##hemm(                                         \
      cublasHandle_t Handle, cublasSideMode_t Side, cublasFillMode_t Fill,     \
      int M, int N, const T *Alpha, const T *A, int LdA, const T *B, int LdB,  \
      const T *Beta, T *C, int LdC) {                                          \
    MATRIX_CALL(T, {"m", M}, {"n", N},                                         \
                {"k", Side == CUBLAS_SIDE_LEFT ? M : N});                      \
    cblas_##Small##hemm(CblasColMajor, sideOf(Side), halfOf(Fill), M, N,       \
                        Alpha, A, LdA, B, LdB, Beta, C, LdC);                  \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##trsm(                                         \
      cublasHandle_t Handle, cublasSideMode_t Side, cublasFillMode_t Fill,     \
      cublasOperation_t Op, cublasDiagType_t Diagonal, int M, int N,           \
      const T *Alpha, const T *A, int LdA, T *B, int LdB) {                    \
    MATRIX_CALL(T, {"m", M}, {"n", N});                                        \
    cblas_##Small##trsm(CblasColMajor, sideOf(Side), halfOf(Fill),             \
                        transposeOf(Op), diagonalOf(Diagonal), M, N, Alpha, A, \
                        LdA, B, LdB);                                          \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }

extern "C" {

MATRIX_FUNCTIONS(S, s, float, *)
MATRIX_FUNCTIONS(D, d, double, *)
MATRIX_FUNCTIONS(C, c, cuComplex, )
MATRIX_FUNCTIONS(Z, z, cuDoubleComplex, )
REAL_MATRIX_FUNCTIONS(S, s, float)
REAL_MATRIX_FUNCTIONS(D, d, double)
COMPLEX_MATRIX_FUNCTIONS(C, c, cuComplex, float)
COMPLEX_MATRIX_FUNCTIONS(Z, z, cuDoubleComplex, double)

} // extern "C"

// The names that NVIDIA's header gives to functions of today's interface.
#define MATRIX_V2(Name) GPU_ESTIMATE_ALIAS(cublas##Name##_v2, cublas##Name)
#define MATRIX_V2_OF_ALL_TYPES(Letter)                                         \
  MATRIX_V2(Letter##syrk);                                                     \
  MATRIX_V2(Letter##syr2k);                                                    \
  MATRIX_V2(Letter##symm);                                                     \
  MATRIX_V2(Letter##trmm);                                                     \
  MATRIX_V2(Letter##trmv);                                                     \
  MATRIX_V2(Letter##trsv)
MATRIX_V2_OF_ALL_TYPES(S);
MATRIX_V2_OF_ALL_TYPES(D);
MATRIX_V2_OF_ALL_TYPES(C);
MATRIX_V2_OF_ALL_TYPES(Z);
MATRIX_V2(Ssymv);
MATRIX_V2(Dsymv);
MATRIX_V2(Cherk);
MATRIX_V2(Zherk);
MATRIX_V2(Chemm);
MATRIX_V2(Zhemm);
MATRIX_V2(Ctrsm);
MATRIX_V2(Ztrsm);
