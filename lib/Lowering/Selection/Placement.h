/// \file
/// In which basic block the instructions of a kernel stand, for the estimate of
/// its registers. LLVM sinks a sum that only one side of a branch needs behind
/// the branch, so that all that it adds stays alive until there. A device
/// compiler, which is about to run out of registers, adds where the operands
/// are.
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

/// As the IR has them.
Placement placedAsWritten(const llvm::Function &F);

/// Moves arithmetic, and loads from shared and constant memory that nothing
/// stored between can change, up to the block of their operands where that
/// leaves fewer 32-bit registers (Words of a value) alive behind this block:
/// groups of instructions that use each other or a value that nobody else
/// reads. False when there was nothing to move.
bool hoist(Placement &Placed, const KernelAnalyses &A, const llvm::Function &F,
           llvm::function_ref<unsigned(const llvm::Instruction &)> Words);

} // namespace gpuestimate

#endif
