/// \file
/// What the name of a matrix instruction says: its shape and the types of its
/// elements. The mnemonics of PTX ("mma.sync.aligned.m16n8k16.row.col.f32...")
/// and LLVM's intrinsics ("llvm.nvvm.wmma.m16n16k16.load.a.row.f16") are words
/// between dots, and use the same words.
#ifndef GPU_ESTIMATE_PTX_MATRIXNAME_H
#define GPU_ESTIMATE_PTX_MATRIXNAME_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpuestimate {

/// The type of a matrix element (PTX ISA, "Matrix Data-types").
enum class MatrixType : uint8_t {
  F16,
  BF16,
  TF32, ///< a float of which ten bits of the mantissa count
  F32,
  F64,
  E4M3,
  E5M2,
  S8,
  U8,
  S4,
  U4,
  B1,
  S32
};

/// The type that a word spells, such as "bf16"; nothing for other words.
std::optional<MatrixType> matrixTypeNamed(llvm::StringRef Word);

/// The types among the words of Name, in their order.
llvm::SmallVector<MatrixType, 4> matrixTypesIn(llvm::StringRef Name);

/// Bits of an element in memory: 32 of TF32.
unsigned bitsOf(MatrixType Type);

/// D = A B + C, with A of M x K, B of K x N, C and D of M x N elements.
struct MatrixShape {
  unsigned M = 0, N = 0, K = 0;

  /// The shape that a word spells: "m16n8k16", or "m8n8" without K (ldmatrix),
  /// which leaves K = 0. Nothing for other words.
  static std::optional<MatrixShape> parse(llvm::StringRef Word);
  /// The first shape among the words of Name.
  static std::optional<MatrixShape> find(llvm::StringRef Name);

  bool operator==(const MatrixShape &) const = default;
};

} // namespace gpuestimate

#endif
