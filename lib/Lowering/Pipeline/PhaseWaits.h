/// \file
/// Loops that test an mbarrier until its phase has ended, and what they do
/// between the tests: count, yield, sleep ever longer (libcu++'s back-off).
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_PHASEWAITS_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_PHASEWAITS_H

#include "llvm/IR/Module.h"

namespace gpuestimate {

/// Takes each test of an mbarrier for one that succeeds: the evaluation prices
/// the wait by what it waits for, the copy or the other warps, and how often a
/// warp asks meanwhile costs nothing that others miss. Code that runs after a
/// failed test goes away with the optimisation.
void assumePhasesEnded(llvm::Module &M);

} // namespace gpuestimate

#endif
