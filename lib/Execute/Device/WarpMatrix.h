/// \file
/// Matrix instructions whose fragments the PTX ISA lays out over the lanes of a
/// warp: mma, wgmma, ldmatrix, stmatrix, movmatrix. (wmma's fragments are
/// opaque: MatrixFunctions.h.) Lane l has group g = l / 4 and place t = l % 4.
///
/// A register of E elements (32 bits, or one real of 64) holds of a factor with
/// M rows, or of the other one, whose rows are columns,
///   row g + 8 (r % 2) (M = 8: row g), columns E t + j + 4 E (r / 2)
/// for register r and element j < E; and of a sum
///   row g + 8 (i / 2 % 2), column 2 t + i % 2 + 8 (i / 4)
/// for element i. wgmma's sum has 16 rows for each of four warps.
///
/// Sums are those of single precision after each product; the hardware adds
/// several products at once, so that last bits may differ.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_DEVICE_WARPMATRIX_H
#define GPU_ESTIMATE_LIB_EXECUTE_DEVICE_WARPMATRIX_H

#include "gpu-estimate/Ptx/MatrixName.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpuestimate {

enum class WarpMatrixOperation : uint8_t {
  Load,         ///< ldmatrix
  Store,        ///< stmatrix
  Transpose,    ///< movmatrix
  Multiply,     ///< mma
  GroupMultiply ///< wgmma.mma_async, of one of the four warps
};

/// An instruction, as its mnemonic says it.
struct WarpMatrixInstruction {
  WarpMatrixOperation Operation = WarpMatrixOperation::Multiply;
  MatrixShape Shape;
  MatrixType A = MatrixType::F16, B = MatrixType::F16, C = MatrixType::F32,
             D = MatrixType::F32;
  uint8_t Matrices = 1;                  ///< of ldmatrix and stmatrix
  bool IsTransposed = false;             ///< `.trans`
  bool Saturates = false, IsAnd = false; ///< `.satfinite`; of single bits

  /// Parses "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", or the name of
  /// LLVM's intrinsic without "llvm.nvvm.", which leaves types out. Nothing for
  /// what is not executed.
  static std::optional<WarpMatrixInstruction> parse(llvm::StringRef Name);

  /// Words of 32 bits of a lane.
  unsigned wordsOfA() const, wordsOfB() const, wordsOfC() const,
      wordsOfD() const;
  bool operator==(const WarpMatrixInstruction &) const = default;
};

/// The instruction, kept as long as the process lives, where compiled code
/// finds it.
const WarpMatrixInstruction *keep(const WarpMatrixInstruction &I);

/// What a lane passes. A and B are registers, or of wgmma descriptors of shared
/// memory; of ldmatrix and stmatrix A is an address and B the registers.
struct WarpMatrixOperands {
  const WarpMatrixInstruction *Instruction = nullptr;
  const void *A = nullptr, *B = nullptr, *C = nullptr;
  void *D = nullptr;
  const char *Shared = nullptr; ///< of the block
  uint32_t Warp = 0;            ///< of wgmma: which of the four
  uint32_t Flags = 0;           ///< of wgmma, below
};

/// Bits of WarpMatrixOperands::Flags.
namespace groupflags {
inline constexpr uint32_t Accumulates = 1, NegatesA = 2, NegatesB = 4,
                          TransposesA = 8, TransposesB = 16, AInRegisters = 32;
} // namespace groupflags

/// Executes for all 32 lanes of a warp.
void executeWarpMatrix(llvm::ArrayRef<const WarpMatrixOperands *> Lanes);

/// The offset of a byte in memory that the copy engine and wgmma swizzle: the
/// 16-byte parts of rows of Row bytes (32, 64 or 128) change places by the bits
/// of the address above (PTX ISA, "Swizzling modes").
inline uint64_t swizzledAddress(uint64_t Address, unsigned Row) {
  uint64_t Mask = Row / 16 - 1;
  return Row < 32 ? Address : Address ^ ((Address >> 7 & Mask) << 4);
}

} // namespace gpuestimate

#endif
