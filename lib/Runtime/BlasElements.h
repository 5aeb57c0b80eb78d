/// \file
/// Matrices of the types of elements that cuBLAS and cuBLASLt take.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_BLASELEMENTS_H
#define GPU_ESTIMATE_LIB_RUNTIME_BLASELEMENTS_H

#include "gpu_estimate/blas_host.h"
#include <cstdint>
#include <vector>

namespace gpuestimate {

/// The type as RunLibraryCall names it: "f16"; "" for types without a name.
const char *nameOf(cudaDataType Type);
unsigned elementBytes(cudaDataType Type);
/// Is it a real type that load() and store() know?
bool isReal(cudaDataType Type);

/// An element of an array; halves and bytes widen exactly.
double load(const void *Array, cudaDataType Type, int64_t Index);
/// Rounds to the type.
void store(void *Array, cudaDataType Type, int64_t Index, double Value);

/// The type of alpha and beta of a product.
cudaDataType scalarType(cublasComputeType_t Compute);

/// A matrix of one of the types, by columns.
struct Matrix {
  const void *Data = nullptr;
  cudaDataType Type = CUDA_R_32F;
  int64_t Leading = 0;
  cublasOperation_t Op = CUBLAS_OP_N;

  Matrix offset(int64_t Elements) const;
  /// Op(matrix) as Rows x Columns numbers, by columns.
  std::vector<double> widen(int Rows, int Columns) const;
};

/// The product of Op(A), M x K, and Op(B), K x N, by columns. Products are
/// summed in double precision, which is at least as exact as a GPU's sum in
/// single precision.
std::vector<double> product(int M, int N, int K, const Matrix &A,
                            const Matrix &B);

/// C = Alpha * Op(A) * Op(B) + Beta * C, rounded once.
void gemmMixed(int M, int N, int K, double Alpha, const Matrix &A,
               const Matrix &B, double Beta, void *C, cudaDataType Type,
               int LdC);

} // namespace gpuestimate

#endif
