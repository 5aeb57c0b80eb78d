/// \file
/// Intrinsics of NVPTX that LLVM 19 does not know, as the PTX instruction that
/// they stand for. Their names and operands are those of LLVM's
/// IntrinsicsNVVM.td.
#ifndef GPU_ESTIMATE_LIB_FOREIGNIR_NEWERINTRINSICS_H
#define GPU_ESTIMATE_LIB_FOREIGNIR_NEWERINTRINSICS_H

#include "llvm/IR/Function.h"

namespace gpuestimate {

/// Replaces the calls of F, a declaration that LLVM 19 does not know, with
/// inline assembly: `llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(p, v)` with
/// `stmatrix.sync.aligned.m8n8.x1.shared.b16 [p], {v}`. One without a form of
/// its own becomes its name and its operands, so that it is priced by its
/// mnemonic, or is an assumption with its name. Leaves F as it is if it is no
/// intrinsic of NVPTX.
void replaceWithAssembly(llvm::Function &F);

} // namespace gpuestimate

#endif
