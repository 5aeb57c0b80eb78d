/// \file
/// The vector form of single instructions other than branches.
///
/// An instruction whose result is uniform or affine stays one scalar
/// instruction, one whose result varies becomes one of vectors. Loads and
/// stores are masked by the active lanes: of consecutive elements, of any
/// (gather and scatter), or lane by lane (LaneLoop.h). Example: `z = x + y`
/// with z varying, x uniform is `add <16 x i32> splat(x), y`.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_INSTRUCTIONLANES_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_INSTRUCTIONLANES_H

#include "LaneBuilder.h"

namespace gpuestimate {

/// Builds the instruction for the lanes of B.Mask and keeps its value.
void emitInstruction(LaneBuilder &B, llvm::Instruction &I);

} // namespace gpuestimate

#endif
