/// \file
/// A loop over the active lanes, for what has no vector form: atomic
/// operations, functions of the host's library, accesses that the host has no
/// masked instruction for.
///
/// Operands and results of lanes lie in arrays. Example:
/// `r = atomicAdd(&sum, x)` with x varying becomes
///
///   operand[0 .. 15] = x
///   for each lane of the mask, from the lowest
///     result[lane] = atomicrmw add sum, operand[lane]
///   r = result[0 .. 15]
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANELOOP_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANELOOP_H

#include "LaneBuilder.h"

namespace gpuestimate {

/// Executes the instruction in each active lane, in their order.
void emitForEachLane(LaneBuilder &B, llvm::Instruction &I);

} // namespace gpuestimate

#endif
