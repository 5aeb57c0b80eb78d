/// \file
/// Instructions that the machine executes as one and LLVM IR says with many, or
/// with a call of the executor. An estimate would count the many; only code
/// that is to run on the host gets them.
#ifndef GPU_ESTIMATE_LIB_PTX_EXECUTEDFORMS_H
#define GPU_ESTIMATE_LIB_PTX_EXECUTEDFORMS_H

#include "Operands.h"

namespace gpuestimate {

/// Appends code that computes what I does. False if I is none of these
/// instructions. Operations on barriers, copies and matrices become calls of
/// functions that the executor has, "ptx.mbarrier.init" for one.
bool translateForExecution(llvm::IRBuilder<> &B, PtxOperands &Operands,
                           const PtxInstruction &I);

} // namespace gpuestimate

#endif
