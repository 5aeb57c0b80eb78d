/// \file
/// Warp matrix operations (wmma). A fragment is opaque to programs, so that its
/// layout is the executor's own: element i of a matrix, counted by rows, lies
/// in lane i % 32 at place i / 32.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_DEVICE_MATRIXFUNCTIONS_H
#define GPU_ESTIMATE_LIB_EXECUTE_DEVICE_MATRIXFUNCTIONS_H

#include "gpu-estimate/Ptx/MatrixName.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpuestimate {

/// A product of fragments, as its name says it.
struct MatrixProduct {
  MatrixShape Shape;
  MatrixType Operands = MatrixType::F16, C = MatrixType::F32,
             D = MatrixType::F32;
  bool Saturates = false;

  /// As an operand of compiled code, and back.
  uint64_t encode() const;
  static MatrixProduct decode(uint64_t Code);
};

/// What one lane passes to a multiplication: its parts of the matrices.
struct MatrixOperands {
  uint64_t Product = 0; ///< MatrixProduct::encode()
  const void *A = nullptr, *B = nullptr, *C = nullptr;
  void *D = nullptr;
};

/// Multiplies for all 32 lanes of a warp.
void multiplyMatrices(llvm::ArrayRef<const MatrixOperands *> Lanes);
/// Adds the functions for loads and stores of fragments.
void addMatrixFunctions(llvm::StringMap<void *> &Table);

} // namespace gpuestimate

#endif
