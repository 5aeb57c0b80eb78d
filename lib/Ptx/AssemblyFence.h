/// \file
/// An empty inline assembly that returns its operand: optimisations do not look
/// into it, so that what `asm` computes is neither folded nor merged.
#ifndef GPU_ESTIMATE_LIB_PTX_ASSEMBLYFENCE_H
#define GPU_ESTIMATE_LIB_PTX_ASSEMBLYFENCE_H

#include "llvm/IR/IRBuilder.h"

namespace gpuestimate {

/// V behind a fence. V is no pointer. A fence that is convergent as the
/// assembly is keeps its place in branches and loops, too.
llvm::Value *createAssemblyFence(llvm::IRBuilder<> &B, llvm::Value *V,
                                 bool IsConvergent);

} // namespace gpuestimate

#endif
