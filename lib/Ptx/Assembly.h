/// \file
/// Instructions that LLVM IR has no word for, as inline assembly: tensor cores,
/// bulk copies, barriers in shared memory, textures. The lowering prices them
/// by their mnemonic, and names those that it does not know.
#ifndef GPU_ESTIMATE_LIB_PTX_ASSEMBLY_H
#define GPU_ESTIMATE_LIB_PTX_ASSEMBLY_H

#include "Operands.h"

namespace gpuestimate {

/// Appends I as one statement of inline assembly. Its first operand is the
/// result unless the instruction is one that has none. HasSideEffects is false
/// for a statement that may be removed or moved.
void emitAssembly(llvm::IRBuilder<> &B, PtxOperands &Operands,
                  const PtxInstruction &I, bool HasSideEffects = true);

} // namespace gpuestimate

#endif
