/// \file
/// The basic blocks of a kernel's instructions, for the register estimate. LLVM
/// sinks a sum that only one side of a branch uses behind the branch, which
/// extends the live ranges of its operands. A device compiler short of
/// registers adds where the operands are.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_PLACEMENT_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_PLACEMENT_H

#include "Lowering/Pipeline/Analyses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace gpuestimate {

/// Instructions by block, operands before their users.
using Placement = llvm::DenseMap<const llvm::BasicBlock *,
                                 std::vector<const llvm::Instruction *>>;

/// The placement of the IR.
Placement originalPlacement(const llvm::Function &F);

/// Hoists arithmetic, and loads from shared and constant memory that no store
/// in between can change, to the block of their operands, in groups that use
/// each other or a value without other readers, where that lowers the register
/// pressure (Words: 32-bit registers of a value) behind that block. False when
/// nothing was moved.
bool hoist(Placement &Placed, const KernelAnalyses &A, const llvm::Function &F,
           llvm::function_ref<unsigned(const llvm::Instruction &)> Words);

} // namespace gpuestimate

#endif
