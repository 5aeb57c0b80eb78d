/// \file
/// Warp matrix operations (wmma). A fragment is opaque to programs, so that its
/// layout is the executor's own: element i of a matrix, counted by rows, lies
/// in lane i % 32 at place i / 32.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_DEVICE_MATRIXFUNCTIONS_H
#define GPU_ESTIMATE_LIB_EXECUTE_DEVICE_MATRIXFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpuestimate {

/// The type of a matrix element.
enum class MatrixType : uint8_t { F16, F32, F64, BF16, TF32, S8, U8, S32 };
std::optional<MatrixType> parseMatrixType(llvm::StringRef Name);

/// D = A B + C, with A of M x K and B of K x N elements.
struct MatrixShape {
  uint8_t M = 0, N = 0, K = 0;
  MatrixType Operands = MatrixType::F16, C = MatrixType::F32,
             D = MatrixType::F32;
  uint8_t Saturates = 0;

  /// As an operand of compiled code, and back.
  uint64_t encode() const;
  static MatrixShape decode(uint64_t Code);
  /// Parses "m16n16k16".
  static std::optional<MatrixShape> parse(llvm::StringRef Text);
};

/// What one lane passes to a multiplication: its parts of the matrices.
struct MatrixOperands {
  uint64_t Shape = 0;
  const void *A = nullptr, *B = nullptr, *C = nullptr;
  void *D = nullptr;
};

/// Multiplies for all 32 lanes of a warp.
void multiplyMatrices(llvm::ArrayRef<const MatrixOperands *> Lanes);
/// Adds the functions for loads and stores of fragments.
void addMatrixFunctions(llvm::StringMap<void *> &Table);

} // namespace gpuestimate

#endif
