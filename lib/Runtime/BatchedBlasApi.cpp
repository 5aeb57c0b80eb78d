/// \file
/// cuBLAS's factorisations of batches of small matrices, on the CPU. Arrays of
/// pointers are read where they are: memory of the device is the host's.
#include "BlasCalls.h"
#include "BlasFactorisations.h"

using namespace gpuestimate;

namespace {

template <class T> struct ValueOf {
  using Type = T;
};
template <> struct ValueOf<cuComplex> {
  using Type = std::complex<float>;
};
template <> struct ValueOf<cuDoubleComplex> {
  using Type = std::complex<double>;
};
template <class T> using V = typename ValueOf<T>::Type;

template <class T> constexpr const char *TypeName = "f32";
template <> constexpr const char *TypeName<double> = "f64";
template <> constexpr const char *TypeName<cuComplex> = "cf32";
template <> constexpr const char *TypeName<cuDoubleComplex> = "cf64";

template <class T> ColumnMatrix<V<T>> matrix(T *Data, int Leading) {
  return {reinterpret_cast<V<T> *>(Data), Leading};
}
template <class T> ColumnMatrix<const V<T>> matrix(const T *Data, int Leading) {
  return {reinterpret_cast<const V<T> *>(Data), Leading};
}

const int *pivotsOf(const int *All, int64_t Matrix, int N) {
  return All ? All + Matrix * N : nullptr;
}

} // namespace

/// The start of a function: sizes are recorded, then checked.
#define BATCHED_CALL(T, IsValid, ...)                                          \
  BlasCall Library(__func__, Handle, {TypeName<T>, TypeName<T>, TypeName<T>},  \
                   {__VA_ARGS__, {"batch", Count}});                           \
  if (Library.state() != CUBLAS_STATUS_SUCCESS)                                \
    return Library.state();                                                    \
  if (!(IsValid) || Count < 0)                                                 \
  return CUBLAS_STATUS_INVALID_VALUE

#define BATCHED_FUNCTIONS(Letter, T)                                           \
  cublasStatus_t cublas##Letter##getrfBatched(                                 \
      cublasHandle_t Handle, int N, T *const A[], int LdA, int *Pivots,        \
      int *Info, int Count) {                                                  \
    BATCHED_CALL(T, N >= 0 && LdA >= N, {"n", N});                             \
    for (int64_t I = 0; I < Count; ++I)                                        \
      Info[I] = factoriseLu(N, matrix<T>(A[I], LdA),                           \
                            const_cast<int *>(pivotsOf(Pivots, I, N)));        \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##getrsBatched(                                 \
      cublasHandle_t Handle, cublasOperation_t Op, int N, int Columns,         \
      const T *const A[], int LdA, const int *Pivots, T *const B[], int LdB,   \
      int *Info, int Count) {                                                  \
    BATCHED_CALL(T, N >= 0 && Columns >= 0 && LdA >= N && LdB >= N, {"n", N},  \
                 {"columns", Columns});                                        \
    SolveOp How = Op == CUBLAS_OP_N   ? SolveOp::Plain                         \
                  : Op == CUBLAS_OP_T ? SolveOp::Transposed                    \
                                      : SolveOp::Adjoint;                      \
    for (int64_t I = 0; I < Count; ++I)                                        \
      solveLu<V<T>>(How, N, Columns, matrix<T>(A[I], LdA),                     \
                    pivotsOf(Pivots, I, N), matrix<T>(B[I], LdB));             \
    *Info = 0;                                                                 \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##getriBatched(                                 \
      cublasHandle_t Handle, int N, const T *const A[], int LdA,               \
      const int *Pivots, T *const C[], int LdC, int *Info, int Count) {        \
    BATCHED_CALL(T, N >= 0 && LdA >= N && LdC >= N, {"n", N});                 \
    for (int64_t I = 0; I < Count; ++I) {                                      \
      Info[I] = 0;                                                             \
      for (int K = N - 1; K >= 0; --K)                                         \
        if (matrix<T>(A[I], LdA)(K, K) == V<T>(0))                             \
          Info[I] = K + 1;                                                     \
      if (Info[I] == 0)                                                        \
        invertLu<V<T>>(N, matrix<T>(A[I], LdA), pivotsOf(Pivots, I, N),        \
                       matrix<T>(C[I], LdC));                                  \
    }                                                                          \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##matinvBatched(                                \
      cublasHandle_t Handle, int N, const T *const A[], int LdA, T *const C[], \
      int LdC, int *Info, int Count) {                                         \
    BATCHED_CALL(T, N >= 0 && N <= 32 && LdA >= N && LdC >= N, {"n", N});      \
    std::vector<V<T>> Factors(size_t(N) * N);                                  \
    std::vector<int> Pivots(N);                                                \
    for (int64_t I = 0; I < Count; ++I) {                                      \
      ColumnMatrix<V<T>> F{Factors.data(), N};                                 \
      for (int Column = 0; Column < N; ++Column)                               \
        for (int Row = 0; Row < N; ++Row)                                      \
          F(Row, Column) = matrix<T>(A[I], LdA)(Row, Column);                  \
      Info[I] = factoriseLu(N, F, Pivots.data());                              \
      if (Info[I] == 0)                                                        \
        invertLu<V<T>>(N, {Factors.data(), N}, Pivots.data(),                  \
                       matrix<T>(C[I], LdC));                                  \
    }                                                                          \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##gelsBatched(                                  \
      cublasHandle_t Handle, cublasOperation_t Op, int M, int N, int Columns,  \
      T *const A[], int LdA, T *const C[], int LdC, int *Info,                 \
      int *InfoOfMatrix, int Count) {                                          \
    if (Op != CUBLAS_OP_N || M < N) /* as in cuBLAS */                         \
      return CUBLAS_STATUS_NOT_SUPPORTED;                                      \
    BATCHED_CALL(T, N >= 0 && Columns >= 0 && LdA >= M && LdC >= M, {"m", M},  \
                 {"n", N}, {"columns", Columns});                              \
    for (int64_t I = 0; I < Count; ++I) {                                      \
      int Dependent = solveLeastSquares<V<T>>(                                 \
          M, N, Columns, matrix<T>(A[I], LdA), matrix<T>(C[I], LdC));          \
      if (InfoOfMatrix)                                                        \
        InfoOfMatrix[I] = Dependent;                                           \
    }                                                                          \
    *Info = 0;                                                                 \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }

extern "C" {
BATCHED_FUNCTIONS(S, float)
BATCHED_FUNCTIONS(D, double)
BATCHED_FUNCTIONS(C, cuComplex)
BATCHED_FUNCTIONS(Z, cuDoubleComplex)
} // extern "C"
