/// \file
/// Divisions of 64 bits with a short path. Compilers divide in 32 bits where
/// dividend and divisor have no high words (LLVM's BypassSlowDivision, nvcc
/// too), which takes a quarter of the instructions. The two paths compute one
/// quotient, but a phi of two does not say so to what follows an address.
#ifndef GPU_ESTIMATE_LIB_PTX_BYPASSEDDIVISIONS_H
#define GPU_ESTIMATE_LIB_PTX_BYPASSEDDIVISIONS_H

#include "llvm/IR/Function.h"

namespace gpuestimate {

/// Replaces each quotient and remainder of two paths, of which one divides the
/// low words where both operands are below 2^32, by one division of 64 bits in
/// front of the branch. The operation table prices such a division with its
/// short path.
void mergeBypassedDivisions(llvm::Function &F);

} // namespace gpuestimate

#endif
