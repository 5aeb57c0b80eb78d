/// \file
/// What each instruction of PTX means here, a row for each opcode. Three
/// readers share it: the translation to LLVM IR, code that executes on the
/// host, and the reference page (docs/operations.md), which sets the costs of
/// the operation table beside it.
#ifndef GPU_ESTIMATE_PTX_INSTRUCTIONTABLE_H
#define GPU_ESTIMATE_PTX_INSTRUCTIONTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpuestimate {

class PtxInstructionTranslation;

struct PtxInstructionRow {
  /// Appends code; false if the form cannot say the instruction.
  using Form = bool (*)(const PtxInstructionTranslation &);

  enum OperandTypes : uint8_t {
    AnyType,
    BitsOnly, ///< no real types: `or.f32` is no instruction
  };
  enum Properties : uint8_t {
    /// It may be executed where its guard is false, and its result be dropped.
    Pure = 1,
    NoResult = 2, ///< the first operand is a source
  };

  llvm::StringLiteral Opcode;
  unsigned Operands = 0; ///< at least, with the result
  OperandTypes Types = AnyType;
  uint8_t Has = 0; ///< Properties
  /// What it is in LLVM IR, in words. What has no word there stays one
  /// statement of inline assembly, which the operation table prices by its
  /// mnemonic.
  llvm::StringLiteral InIr = "";
  /// One instruction of the machine, as clang would write it. Null: none.
  Form Estimated = nullptr;
  /// Where Estimated cannot say it: many instructions of LLVM, or a call of the
  /// executor. An estimate would count the many, so only code that is to run on
  /// the host gets them. Null: such code cannot be executed.
  Form Executed = nullptr;

  bool isPure() const { return Has & Pure; }
  bool hasNoResult() const { return Has & NoResult; }
};

/// Sorted by opcode. Branches, calls and returns have no rows: they end blocks,
/// which PtxFunctionTranslator makes.
llvm::ArrayRef<PtxInstructionRow> ptxInstructionTable();

/// The row of an opcode; null if there is none.
const PtxInstructionRow *findPtxInstruction(llvm::StringRef Opcode);

} // namespace gpuestimate

#endif
