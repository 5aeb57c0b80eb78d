/// \file
/// Instructions of tensor cores (PTX ISA, "Warp Level Matrix Instructions").
#ifndef GPU_ESTIMATE_LIB_PTX_MATRIX_H
#define GPU_ESTIMATE_LIB_PTX_MATRIX_H

#include "Operands.h"

namespace gpuestimate {

/// Appends the intrinsic of a wmma, mma or ldmatrix instruction. False if I is
/// none, or LLVM has no intrinsic for its types and shape.
bool translateMatrixInstruction(llvm::IRBuilder<> &B, PtxOperands &Operands,
                                const PtxInstruction &I);

} // namespace gpuestimate

#endif
