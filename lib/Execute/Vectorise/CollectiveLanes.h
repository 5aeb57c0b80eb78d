/// \file
/// Collectives and barriers of vectors of lanes.
///
/// Operations whose lanes name the same mask become vector code. Example: with
/// all lanes active, `__shfl_down_sync(~0u, x, 16)` is a shufflevector of x,
/// and
/// `__ballot_sync(~0u, x > 0)` is the comparison's bits. Others are one call of
/// the scheduler with an array for each operand.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_COLLECTIVELANES_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_COLLECTIVELANES_H

#include "LaneBuilder.h"

namespace gpuestimate {

/// A call of ge.collective.
void emitCollective(LaneBuilder &B, llvm::CallInst &Call);

/// A call of ge.barrier: one of ge.barrier.lanes(context, number, expected,
/// true predicates, does it wait, active lanes).
void emitBarrier(LaneBuilder &B, llvm::CallInst &Call);

} // namespace gpuestimate

#endif
