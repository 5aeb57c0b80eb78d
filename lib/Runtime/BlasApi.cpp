/// \file
/// cuBLAS: vectors, matrix times vector, matrix times matrix, on the CPU by the
/// host's BLAS. Matrices are stored by columns in both; scalars are read
/// through their pointers, which are the host's in either pointer mode.
#include "BlasCalls.h"
#include "BlasElements.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <complex>
#include <cstring>

using namespace gpuestimate;

namespace {

template <class T> constexpr cudaDataType DataType = CUDA_R_32F;
template <> constexpr cudaDataType DataType<double> = CUDA_R_64F;
template <> constexpr cudaDataType DataType<cuComplex> = CUDA_C_32F;
template <> constexpr cudaDataType DataType<cuDoubleComplex> = CUDA_C_64F;

template <class T> ElementTypes typesOf(cublasHandle_t Handle) {
  const char *Name = nameOf(DataType<T>);
  bool Rounds = Handle && Handle->MathMode == CUBLAS_TF32_TENSOR_OP_MATH &&
                (DataType<T> == CUDA_R_32F || DataType<T> == CUDA_C_32F);
  return {Name, Name, Rounds ? "tf32" : Name};
}

#define LIBRARY_CALL(Types, ...)                                               \
  BlasCall Library(__func__, Handle, Types, {__VA_ARGS__});                    \
  if (Library.state() != CUBLAS_STATUS_SUCCESS)                                \
  return Library.state()

CBLAS_TRANSPOSE transpose(cublasOperation_t Op) {
  return Op == CUBLAS_OP_N   ? CblasNoTrans
         : Op == CUBLAS_OP_T ? CblasTrans
                             : CblasConjTrans;
}

// BLAS of four types under one name.
void gemm(cublasOperation_t TA, cublasOperation_t TB, int M, int N, int K,
          const float *Alpha, const float *A, int LdA, const float *B, int LdB,
          const float *Beta, float *C, int LdC) {
  cblas_sgemm(CblasColMajor, transpose(TA), transpose(TB), M, N, K, *Alpha, A,
              LdA, B, LdB, *Beta, C, LdC);
}
void gemm(cublasOperation_t TA, cublasOperation_t TB, int M, int N, int K,
          const double *Alpha, const double *A, int LdA, const double *B,
          int LdB, const double *Beta, double *C, int LdC) {
  cblas_dgemm(CblasColMajor, transpose(TA), transpose(TB), M, N, K, *Alpha, A,
              LdA, B, LdB, *Beta, C, LdC);
}
void gemm(cublasOperation_t TA, cublasOperation_t TB, int M, int N, int K,
          const cuComplex *Alpha, const cuComplex *A, int LdA,
          const cuComplex *B, int LdB, const cuComplex *Beta, cuComplex *C,
          int LdC) {
  cblas_cgemm(CblasColMajor, transpose(TA), transpose(TB), M, N, K, Alpha, A,
              LdA, B, LdB, Beta, C, LdC);
}
void gemm(cublasOperation_t TA, cublasOperation_t TB, int M, int N, int K,
          const cuDoubleComplex *Alpha, const cuDoubleComplex *A, int LdA,
          const cuDoubleComplex *B, int LdB, const cuDoubleComplex *Beta,
          cuDoubleComplex *C, int LdC) {
  cblas_zgemm(CblasColMajor, transpose(TA), transpose(TB), M, N, K, Alpha, A,
              LdA, B, LdB, Beta, C, LdC);
}

cublasStatus_t copyMatrix(int Rows, int Columns, int ElementBytes,
                          const void *From, int FromLeading, void *To,
                          int ToLeading, cudaMemcpyKind Kind) {
  cudaError_t Error = cudaMemcpy2D(To, size_t(ToLeading) * ElementBytes, From,
                                   size_t(FromLeading) * ElementBytes,
                                   size_t(Rows) * ElementBytes, Columns, Kind);
  return Error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

} // namespace

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t *Result) {
  ApiCall Call(__func__);
  if (!Call.hasDevice())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  Call.record(RunCall{});
  *Result = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t Handle) {
  delete Handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t Handle, cudaStream_t Stream) {
  if (!Handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  Handle->Stream = Stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream(cublasHandle_t Handle, cudaStream_t *Result) {
  if (!Handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *Result = Handle->Stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t Handle,
                                    cublasPointerMode_t Mode) {
  if (!Handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  Handle->PointerMode = Mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetPointerMode(cublasHandle_t Handle,
                                    cublasPointerMode_t *Result) {
  if (!Handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *Result = Handle->PointerMode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int *Result) {
  *Result = 120600;
  return CUBLAS_STATUS_SUCCESS;
}

// Sums are exact enough for each of the modes.
cublasStatus_t cublasSetMathMode(cublasHandle_t Handle, cublasMath_t Mode) {
  if (!Handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  Handle->MathMode = Mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusName(cublasStatus_t State) {
  switch (State) {
  case CUBLAS_STATUS_SUCCESS:
    return "CUBLAS_STATUS_SUCCESS";
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case CUBLAS_STATUS_INVALID_VALUE:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case CUBLAS_STATUS_MAPPING_ERROR:
    return "CUBLAS_STATUS_MAPPING_ERROR";
  case CUBLAS_STATUS_NOT_SUPPORTED:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  default:
    return "CUBLAS_STATUS_INTERNAL_ERROR";
  }
}

const char *cublasGetStatusString(cublasStatus_t State) {
  return cublasGetStatusName(State);
}

cublasStatus_t cublasSetMatrix(int Rows, int Columns, int ElementBytes,
                               const void *From, int FromLeading, void *To,
                               int ToLeading) {
  return copyMatrix(Rows, Columns, ElementBytes, From, FromLeading, To,
                    ToLeading, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int Rows, int Columns, int ElementBytes,
                               const void *From, int FromLeading, void *To,
                               int ToLeading) {
  return copyMatrix(Rows, Columns, ElementBytes, From, FromLeading, To,
                    ToLeading, cudaMemcpyDeviceToHost);
}
// A vector is a row of a matrix: its increment is the leading dimension.
cublasStatus_t cublasSetVector(int Count, int ElementBytes, const void *From,
                               int FromStep, void *To, int ToStep) {
  return copyMatrix(1, Count, ElementBytes, From, FromStep, To, ToStep,
                    cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int Count, int ElementBytes, const void *From,
                               int FromStep, void *To, int ToStep) {
  return copyMatrix(1, Count, ElementBytes, From, FromStep, To, ToStep,
                    cudaMemcpyDeviceToHost);
}

// The functions that all four types have. Scalar gives what BLAS takes for a
// scalar: a number, or a pointer to a complex one.
#define BLAS_OF_ALL_TYPES(Letter, Small, T, Scalar)                            \
  cublasStatus_t cublas##Letter##axpy(cublasHandle_t Handle, int N,            \
                                      const T *Alpha, const T *X, int IncX,    \
                                      T *Y, int IncY) {                        \
    LIBRARY_CALL(typesOf<T>(Handle), {"n", N});                                \
    cblas_##Small##axpy(N, Scalar Alpha, X, IncX, Y, IncY);                    \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##copy(cublasHandle_t Handle, int N,            \
                                      const T *X, int IncX, T *Y, int IncY) {  \
    LIBRARY_CALL(typesOf<T>(Handle), {"n", N});                                \
    cblas_##Small##copy(N, X, IncX, Y, IncY);                                  \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##swap(cublasHandle_t Handle, int N, T *X,      \
                                      int IncX, T *Y, int IncY) {              \
    LIBRARY_CALL(typesOf<T>(Handle), {"n", N});                                \
    cblas_##Small##swap(N, X, IncX, Y, IncY);                                  \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##scal(cublasHandle_t Handle, int N,            \
                                      const T *Alpha, T *X, int IncX) {        \
    LIBRARY_CALL(typesOf<T>(Handle), {"n", N});                                \
    cblas_##Small##scal(N, Scalar Alpha, X, IncX);                             \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##gemv(                                         \
      cublasHandle_t Handle, cublasOperation_t Op, int M, int N,               \
      const T *Alpha, const T *A, int LdA, const T *X, int IncX,               \
      const T *Beta, T *Y, int IncY) {                                         \
    LIBRARY_CALL(typesOf<T>(Handle), {"m", M}, {"n", N});                      \
    cblas_##Small##gemv(CblasColMajor, transpose(Op), M, N, Scalar Alpha, A,   \
                        LdA, X, IncX, Scalar Beta, Y, IncY);                   \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##gemm(                                         \
      cublasHandle_t Handle, cublasOperation_t TA, cublasOperation_t TB,       \
      int M, int N, int K, const T *Alpha, const T *A, int LdA, const T *B,    \
      int LdB, const T *Beta, T *C, int LdC) {                                 \
    LIBRARY_CALL(typesOf<T>(Handle), {"m", M}, {"n", N}, {"k", K});            \
    gemm(TA, TB, M, N, K, Alpha, A, LdA, B, LdB, Beta, C, LdC);                \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##gemmStridedBatched(                           \
      cublasHandle_t Handle, cublasOperation_t TA, cublasOperation_t TB,       \
      int M, int N, int K, const T *Alpha, const T *A, int LdA,                \
      long long StrideA, const T *B, int LdB, long long StrideB,               \
      const T *Beta, T *C, int LdC, long long StrideC, int Count) {            \
    LIBRARY_CALL(typesOf<T>(Handle), {"m", M}, {"n", N}, {"k", K},             \
                 {"batch", Count});                                            \
    for (int64_t I = 0; I < Count; ++I)                                        \
      gemm(TA, TB, M, N, K, Alpha, A + I * StrideA, LdA, B + I * StrideB, LdB, \
           Beta, C + I * StrideC, LdC);                                        \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##gemmBatched(                                  \
      cublasHandle_t Handle, cublasOperation_t TA, cublasOperation_t TB,       \
      int M, int N, int K, const T *Alpha, const T *const A[], int LdA,        \
      const T *const B[], int LdB, const T *Beta, T *const C[], int LdC,       \
      int Count) {                                                             \
    LIBRARY_CALL(typesOf<T>(Handle), {"m", M}, {"n", N}, {"k", K},             \
                 {"batch", Count});                                            \
    for (int I = 0; I < Count; ++I)                                            \
      gemm(TA, TB, M, N, K, Alpha, A[I], LdA, B[I], LdB, Beta, C[I], LdC);     \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##geam(                                         \
      cublasHandle_t Handle, cublasOperation_t TA, cublasOperation_t TB,       \
      int M, int N, const T *Alpha, const T *A, int LdA, const T *Beta,        \
      const T *B, int LdB, T *C, int LdC) {                                    \
    LIBRARY_CALL(typesOf<T>(Handle), {"m", M}, {"n", N});                      \
    addMatrices(TA, TB, M, N, Alpha, A, LdA, Beta, B, LdB, C, LdC);            \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }

} // extern "C"

namespace {

/// The value type behind CUDA's type.
template <class T> struct Value {
  using Type = T;
};
template <> struct Value<cuComplex> {
  using Type = std::complex<float>;
};
template <> struct Value<cuDoubleComplex> {
  using Type = std::complex<double>;
};

double conjugate(double X) { return X; }
float conjugate(float X) { return X; }
template <class T> std::complex<T> conjugate(std::complex<T> X) {
  return std::conj(X);
}

template <class T>
void addMatrices(cublasOperation_t TA, cublasOperation_t TB, int M, int N,
                 const T *Alpha, const T *A, int LdA, const T *Beta, const T *B,
                 int LdB, T *C, int LdC) {
  using V = typename Value<T>::Type;
  auto element = [](const T *X, int Ld, cublasOperation_t Op, int I, int J) {
    V E = reinterpret_cast<const V *>(
        X)[Op == CUBLAS_OP_N ? I + int64_t(J) * Ld : J + int64_t(I) * Ld];
    return Op == CUBLAS_OP_C ? conjugate(E) : E;
  };
  V WeightA = *reinterpret_cast<const V *>(Alpha);
  V WeightB = *reinterpret_cast<const V *>(Beta);
  // A matrix with the weight zero need not exist.
  for (int J = 0; J < N; ++J)
    for (int I = 0; I < M; ++I) {
      V Sum = V(0);
      if (WeightA != V(0))
        Sum += WeightA * element(A, LdA, TA, I, J);
      if (WeightB != V(0))
        Sum += WeightB * element(B, LdB, TB, I, J);
      reinterpret_cast<V *>(C)[I + int64_t(J) * LdC] = Sum;
    }
}

template <class T> int smallestPlace(int N, const T *X, int Inc) {
  int Best = 0;
  for (int I = 1; I < N; ++I)
    if (std::fabs(X[int64_t(I) * Inc]) < std::fabs(X[int64_t(Best) * Inc]))
      Best = I;
  return N > 0 ? Best + 1 : 0;
}

// Sums of single precision: one after the other, as some libraries do it, they
// end at 2^24 terms. The GPU adds in a tree, which double precision comes close
// to.

double exactDot(int N, const float *X, int IncX, const float *Y, int IncY) {
  auto First = [N](int Inc) { return Inc < 0 ? int64_t(1 - N) * Inc : 0; };
  X += First(IncX);
  Y += First(IncY);
  double Sum = 0;
  for (int64_t I = 0; I < N; ++I)
    Sum += double(X[I * IncX]) * Y[I * IncY];
  return Sum;
}

float dotOf(int N, const float *X, int IncX, const float *Y, int IncY) {
  return float(exactDot(N, X, IncX, Y, IncY));
}
double dotOf(int N, const double *X, int IncX, const double *Y, int IncY) {
  return cblas_ddot(N, X, IncX, Y, IncY);
}

float nrm2Of(int N, const float *X, int Inc) {
  // The squares may be too large for single precision.
  return Inc <= 0 ? 0 : float(std::sqrt(exactDot(N, X, Inc, X, Inc)));
}
double nrm2Of(int N, const double *X, int Inc) {
  return cblas_dnrm2(N, X, Inc);
}

float asumOf(int N, const float *X, int Inc) {
  double Sum = 0;
  for (int64_t I = 0; Inc > 0 && I < N; ++I)
    Sum += std::fabs(X[I * Inc]);
  return float(Sum);
}
double asumOf(int N, const double *X, int Inc) {
  return cblas_dasum(N, X, Inc);
}

} // namespace

extern "C" {

BLAS_OF_ALL_TYPES(S, s, float, *)
BLAS_OF_ALL_TYPES(D, d, double, *)
BLAS_OF_ALL_TYPES(C, c, cuComplex, )
BLAS_OF_ALL_TYPES(Z, z, cuDoubleComplex, )

// The functions of real numbers alone. Indices count from 1.
#define BLAS_OF_REAL_TYPES(Letter, Small, T)                                   \
  cublasStatus_t cublas##Letter##dot(cublasHandle_t Handle, int N, const T *X, \
                                     int IncX, const T *Y, int IncY,           \
                                     T *Result) {                              \
    LIBRARY_CALL(typesOf<T>(Handle), {"n", N});                                \
    *Result = dotOf(N, X, IncX, Y, IncY);                                      \
    Library.returnResult(Handle, sizeof(T));                                   \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##nrm2(cublasHandle_t Handle, int N,            \
                                      const T *X, int Inc, T *Result) {        \
    LIBRARY_CALL(typesOf<T>(Handle), {"n", N});                                \
    *Result = nrm2Of(N, X, Inc);                                               \
    Library.returnResult(Handle, sizeof(T));                                   \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##nrm2_64(cublasHandle_t Handle, long long N,   \
                                         const T *X, long long Inc,            \
                                         T *Result) {                          \
    if (N > INT32_MAX || Inc > INT32_MAX)                                      \
      return CUBLAS_STATUS_NOT_SUPPORTED;                                      \
    return cublas##Letter##nrm2(Handle, N, X, Inc, Result);                    \
  }                                                                            \
  cublasStatus_t cublas##Letter##asum(cublasHandle_t Handle, int N,            \
                                      const T *X, int Inc, T *Result) {        \
    LIBRARY_CALL(typesOf<T>(Handle), {"n", N});                                \
    *Result = asumOf(N, X, Inc);                                               \
    Library.returnResult(Handle, sizeof(T));                                   \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublasI##Small##amax(cublasHandle_t Handle, int N,            \
                                      const T *X, int Inc, int *Result) {      \
    LIBRARY_CALL(typesOf<T>(Handle), {"n", N});                                \
    *Result = N > 0 ? int(cblas_i##Small##amax(N, X, Inc)) + 1 : 0;            \
    Library.returnResult(Handle, sizeof(int));                                 \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublasI##Small##amin(cublasHandle_t Handle, int N,            \
                                      const T *X, int Inc, int *Result) {      \
    LIBRARY_CALL(typesOf<T>(Handle), {"n", N});                                \
    *Result = smallestPlace(N, X, Inc);                                        \
    Library.returnResult(Handle, sizeof(int));                                 \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##ger(cublasHandle_t Handle, int M, int N,      \
                                     const T *Alpha, const T *X, int IncX,     \
                                     const T *Y, int IncY, T *A, int LdA) {    \
    LIBRARY_CALL(typesOf<T>(Handle), {"m", M}, {"n", N});                      \
    cblas_##Small##ger(CblasColMajor, M, N, *Alpha, X, IncX, Y, IncY, A, LdA); \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublas##Letter##trsm(                                         \
      cublasHandle_t Handle, cublasSideMode_t Side, cublasFillMode_t Fill,     \
      cublasOperation_t Op, cublasDiagType_t Diagonal, int M, int N,           \
      const T *Alpha, const T *A, int LdA, T *B, int LdB) {                    \
    LIBRARY_CALL(typesOf<T>(Handle), {"m", M}, {"n", N});                      \
    cblas_##Small##trsm(                                                       \
        CblasColMajor, Side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight,      \
        Fill == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper,              \
        transpose(Op),                                                         \
        Diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit, M, N, *Alpha, \
        A, LdA, B, LdB);                                                       \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }

BLAS_OF_REAL_TYPES(S, s, float)
BLAS_OF_REAL_TYPES(D, d, double)

// Several types of elements.

cublasStatus_t cublasDotEx(cublasHandle_t Handle, int N, const void *X,
                           cudaDataType XType, int IncX, const void *Y,
                           cudaDataType YType, int IncY, void *Result,
                           cudaDataType ResultType, cudaDataType) {
  if (!isReal(XType) || !isReal(YType) || !isReal(ResultType))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  ElementTypes Types{nameOf(XType), nameOf(ResultType), nameOf(ResultType)};
  LIBRARY_CALL(Types, {"n", N});
  double Sum = 0;
  for (int64_t I = 0; I < N; ++I)
    Sum += load(X, XType, I * IncX) * load(Y, YType, I * IncY);
  store(Result, ResultType, 0, Sum);
  Library.returnResult(Handle, elementBytes(ResultType));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t Handle, cublasOperation_t TA, cublasOperation_t TB, int M,
    int N, int K, const void *Alpha, const void *A, cudaDataType AType, int LdA,
    long long StrideA, const void *B, cudaDataType BType, int LdB,
    long long StrideB, const void *Beta, void *C, cudaDataType CType, int LdC,
    long long StrideC, int Count, cublasComputeType_t Compute,
    cublasGemmAlgo_t) {
  if (!isReal(AType) || !isReal(BType) || !isReal(CType))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  cudaDataType Scalar = scalarType(Compute);
  bool Rounds = Compute == CUBLAS_COMPUTE_32F_FAST_TF32 ||
                (Handle && Handle->MathMode == CUBLAS_TF32_TENSOR_OP_MATH);
  ElementTypes Types{nameOf(AType), nameOf(CType),
                     Rounds ? "tf32" : nameOf(Scalar)};
  LIBRARY_CALL(Types, {"m", M}, {"n", N}, {"k", K}, {"batch", Count});
  Matrix MA{A, AType, LdA, TA}, MB{B, BType, LdB, TB}, MC{C, CType, LdC};
  for (int64_t I = 0; I < Count; ++I)
    gemmMixed(M, N, K, load(Alpha, Scalar, 0), MA.offset(I * StrideA),
              MB.offset(I * StrideB), load(Beta, Scalar, 0),
              const_cast<void *>(MC.offset(I * StrideC).Data), CType, LdC);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasGemmEx(cublasHandle_t Handle, cublasOperation_t TA, cublasOperation_t TB,
             int M, int N, int K, const void *Alpha, const void *A,
             cudaDataType AType, int LdA, const void *B, cudaDataType BType,
             int LdB, const void *Beta, void *C, cudaDataType CType, int LdC,
             cublasComputeType_t Compute, cublasGemmAlgo_t Algorithm) {
  return cublasGemmStridedBatchedEx(Handle, TA, TB, M, N, K, Alpha, A, AType,
                                    LdA, 0, B, BType, LdB, 0, Beta, C, CType,
                                    LdC, 0, 1, Compute, Algorithm);
}

cublasStatus_t cublasHgemmStridedBatched(
    cublasHandle_t Handle, cublasOperation_t TA, cublasOperation_t TB, int M,
    int N, int K, const __half *Alpha, const __half *A, int LdA,
    long long StrideA, const __half *B, int LdB, long long StrideB,
    const __half *Beta, __half *C, int LdC, long long StrideC, int Count) {
  return cublasGemmStridedBatchedEx(
      Handle, TA, TB, M, N, K, Alpha, A, CUDA_R_16F, LdA, StrideA, B,
      CUDA_R_16F, LdB, StrideB, Beta, C, CUDA_R_16F, LdC, StrideC, Count,
      CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemm(cublasHandle_t Handle, cublasOperation_t TA,
                           cublasOperation_t TB, int M, int N, int K,
                           const __half *Alpha, const __half *A, int LdA,
                           const __half *B, int LdB, const __half *Beta,
                           __half *C, int LdC) {
  return cublasHgemmStridedBatched(Handle, TA, TB, M, N, K, Alpha, A, LdA, 0, B,
                                   LdB, 0, Beta, C, LdC, 0, 1);
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t Handle, cublasOperation_t TA,
                                  cublasOperation_t TB, int M, int N, int K,
                                  const __half *Alpha, const __half *const A[],
                                  int LdA, const __half *const B[], int LdB,
                                  const __half *Beta, __half *const C[],
                                  int LdC, int Count) {
  ElementTypes Types{"f16", "f16", "f16"};
  LIBRARY_CALL(Types, {"m", M}, {"n", N}, {"k", K}, {"batch", Count});
  for (int I = 0; I < Count; ++I)
    gemmMixed(M, N, K, load(Alpha, CUDA_R_16F, 0), {A[I], CUDA_R_16F, LdA, TA},
              {B[I], CUDA_R_16F, LdB, TB}, load(Beta, CUDA_R_16F, 0), C[I],
              CUDA_R_16F, LdC);
  return CUBLAS_STATUS_SUCCESS;
}

} // extern "C"

// The names that NVIDIA's header gives to functions of today's interface.
#define V2(Name) GPU_ESTIMATE_ALIAS(Name##_v2, Name)
V2(cublasCreate);
V2(cublasDestroy);
V2(cublasSetStream);
V2(cublasGetStream);
V2(cublasGetVersion);
V2(cublasSetPointerMode);
V2(cublasGetPointerMode);
V2(cublasSetWorkspace);
V2(cublasIsamax);
V2(cublasIdamax);
V2(cublasIsamin);
V2(cublasIdamin);
#define V2_OF_ALL_TYPES(Letter)                                                \
  V2(cublas##Letter##axpy);                                                    \
  V2(cublas##Letter##copy);                                                    \
  V2(cublas##Letter##swap);                                                    \
  V2(cublas##Letter##scal);                                                    \
  V2(cublas##Letter##gemv);                                                    \
  V2(cublas##Letter##gemm)
V2_OF_ALL_TYPES(S);
V2_OF_ALL_TYPES(D);
V2_OF_ALL_TYPES(C);
V2_OF_ALL_TYPES(Z);
#define V2_OF_REAL_TYPES(Letter)                                               \
  V2(cublas##Letter##dot);                                                     \
  V2(cublas##Letter##nrm2);                                                    \
  V2(cublas##Letter##nrm2_64);                                                 \
  V2(cublas##Letter##asum);                                                    \
  V2(cublas##Letter##ger);                                                     \
  V2(cublas##Letter##trsm)
V2_OF_REAL_TYPES(S);
V2_OF_REAL_TYPES(D);
