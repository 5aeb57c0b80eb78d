/// \file
/// The table from IR instructions to machine instructions.
///
/// A key names an instruction with its type ("fadd.f32", "udiv.i64"), an
/// intrinsic or library function by its own name ("llvm.nvvm.barrier0",
/// "__nv_expf"), or a PTX mnemonic from inline assembly ("ptx:cp.async"). A
/// key that ends in '*' stands for every name that starts so; the longest
/// match wins. The steps of a row are issued in order, each waiting for the
/// one before.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPTABLE_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPTABLE_H

#include "gpu-estimate/Model/Machine/OpClass.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpuestimate {

struct OpStep {
  OpClass Class = OpClass::Count_; ///< Count_ marks an unused step
  uint8_t Count = 1;               ///< machine instructions
  uint8_t Chain = 1;               ///< those in a dependent sequence
  /// Not a floating-point operation of the source (a comparison in the fp64
  /// pipe).
  bool NoFlop = false;
};

struct OpRow {
  llvm::StringLiteral Key;
  OpStep Steps[8] = {};
  llvm::StringLiteral Note = "";

  llvm::ArrayRef<OpStep> steps() const {
    unsigned N = 0;
    while (N < std::size(Steps) && Steps[N].Class != OpClass::Count_)
      ++N;
    return {Steps, N};
  }
};

/// One part of the table with its heading for the reference page.
struct OpSection {
  llvm::StringLiteral Title;
  llvm::ArrayRef<OpRow> Rows;
};

llvm::ArrayRef<OpSection> opTable();

/// The row for a key, or null. A row without steps is free. A variant such as
/// "ftz:" (denormals are flushed to zero) or "zero:" (see DivisionOperands) is
/// a prefix of the key ("sm_50:": compute capability 5 and 6, "amdgpu:": any
/// GPU of AMD); the first variant that has a row for the key wins.
const OpRow *findOpRow(llvm::StringRef Key,
                       llvm::ArrayRef<llvm::StringLiteral> Variants = {});

/// Floating-point operations of one instruction of a class per value of the
/// packed vector: 0, 1 or 2 (FMA).
unsigned flopsOf(OpClass Class);

// The parts, one file each.
llvm::ArrayRef<OpRow> instructionRows();
llvm::ArrayRef<OpRow> intrinsicRows();
llvm::ArrayRef<OpRow> libraryRows();
llvm::ArrayRef<OpRow> assemblyRows();
llvm::ArrayRef<OpRow> amdgpuRows();

} // namespace gpuestimate

#endif
