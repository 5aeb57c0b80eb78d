/// \file
/// Instructions between the threads of a warp or a block, and fences (PTX ISA,
/// "Parallel Synchronization and Communication").
#ifndef GPU_ESTIMATE_LIB_PTX_WARP_H
#define GPU_ESTIMATE_LIB_PTX_WARP_H

#include "Operands.h"

namespace gpuestimate {

/// Appends the code of a shuffle, vote, match, redux, barrier, fence or sleep.
/// False if I is none, or LLVM has no intrinsic for its form.
bool translateWarpInstruction(llvm::IRBuilder<> &B, PtxOperands &Operands,
                              const PtxInstruction &I);

} // namespace gpuestimate

#endif
