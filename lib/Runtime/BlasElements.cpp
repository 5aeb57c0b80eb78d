#include "BlasElements.h"

#include <algorithm>
#include <cblas.h>
#include <cmath>

namespace gpuestimate {

const char *nameOf(cudaDataType Type) {
  switch (Type) {
  case CUDA_R_16F:
    return "f16";
  case CUDA_R_16BF:
    return "bf16";
  case CUDA_R_32F:
    return "f32";
  case CUDA_R_64F:
    return "f64";
  case CUDA_C_32F:
    return "cf32";
  case CUDA_C_64F:
    return "cf64";
  case CUDA_R_8I:
    return "i8";
  case CUDA_R_32I:
    return "i32";
  default:
    return "";
  }
}

double load(const void *Array, cudaDataType Type, int64_t Index) {
  switch (Type) {
  case CUDA_R_16F:
    return static_cast<const _Float16 *>(Array)[Index];
  case CUDA_R_16BF:
    return float(static_cast<const __bf16 *>(Array)[Index]);
  case CUDA_R_32F:
    return static_cast<const float *>(Array)[Index];
  case CUDA_R_64F:
    return static_cast<const double *>(Array)[Index];
  case CUDA_R_8I:
    return static_cast<const int8_t *>(Array)[Index];
  case CUDA_R_32I:
    return static_cast<const int32_t *>(Array)[Index];
  default:
    return 0;
  }
}

void store(void *Array, cudaDataType Type, int64_t Index, double Value) {
  switch (Type) {
  case CUDA_R_16F:
    static_cast<_Float16 *>(Array)[Index] = _Float16(float(Value));
    break;
  case CUDA_R_16BF:
    static_cast<__bf16 *>(Array)[Index] = __bf16(float(Value));
    break;
  case CUDA_R_32F:
    static_cast<float *>(Array)[Index] = Value;
    break;
  case CUDA_R_64F:
    static_cast<double *>(Array)[Index] = Value;
    break;
  case CUDA_R_32I:
    static_cast<int32_t *>(Array)[Index] = std::nearbyint(Value);
    break;
  default:
    break;
  }
}

bool isReal(cudaDataType Type) {
  return Type == CUDA_R_16F || Type == CUDA_R_16BF || Type == CUDA_R_32F ||
         Type == CUDA_R_64F || Type == CUDA_R_8I || Type == CUDA_R_32I;
}

unsigned elementBytes(cudaDataType Type) {
  return Type == CUDA_R_64F                          ? 8
         : Type == CUDA_R_32F || Type == CUDA_R_32I  ? 4
         : Type == CUDA_R_16F || Type == CUDA_R_16BF ? 2
                                                     : 1;
}

Matrix Matrix::offset(int64_t Elements) const {
  Matrix Result = *this;
  Result.Data =
      static_cast<const char *>(Data) + Elements * int64_t(elementBytes(Type));
  return Result;
}

std::vector<double> Matrix::widen(int Rows, int Columns) const {
  std::vector<double> Result(size_t(Rows) * Columns);
  for (int64_t J = 0; J != Columns; ++J)
    for (int64_t I = 0; I != Rows; ++I)
      Result[I + J * Rows] = load(
          Data, Type, Op == CUBLAS_OP_N ? I + J * Leading : J + I * Leading);
  return Result;
}

std::vector<double> product(int M, int N, int K, const Matrix &A,
                            const Matrix &B) {
  std::vector<double> WideA = A.widen(M, K), WideB = B.widen(K, N);
  std::vector<double> Result(size_t(M) * N);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, M, N, K, 1,
              WideA.data(), std::max(1, M), WideB.data(), std::max(1, K), 0,
              Result.data(), std::max(1, M));
  return Result;
}

void gemmMixed(int M, int N, int K, double Alpha, const Matrix &A,
               const Matrix &B, double Beta, void *C, cudaDataType Type,
               int LdC) {
  std::vector<double> Product = product(M, N, K, A, B);
  for (int J = 0; J != N; ++J)
    for (int I = 0; I != M; ++I) {
      int64_t Place = I + int64_t(J) * LdC;
      double Old = Beta == 0 ? 0 : Beta * load(C, Type, Place);
      store(C, Type, Place, Alpha * Product[I + size_t(J) * M] + Old);
    }
}

cudaDataType scalarType(cublasComputeType_t Compute) {
  switch (Compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return CUDA_R_16F;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return CUDA_R_64F;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return CUDA_R_32I;
  default:
    return CUDA_R_32F;
  }
}

} // namespace gpuestimate
