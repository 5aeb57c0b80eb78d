/// \file
/// The arithmetic intrinsics of NVPTX, such as llvm.nvvm.fma.rz.f, as
/// instructions and intrinsics that the host's target has. Names have words:
/// the operation, the rounding, flags and letters of types.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_ARITHMETICLOWERING_H
#define GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_ARITHMETICLOWERING_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace gpuestimate {

/// The value of the call of "llvm.nvvm.NAME"; null where it is not executed.
llvm::Value *lowerArithmetic(llvm::CallBase &Call, llvm::StringRef Name,
                             llvm::IRBuilder<> &B);

} // namespace gpuestimate

#endif
