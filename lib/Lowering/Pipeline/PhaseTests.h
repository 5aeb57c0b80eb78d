/// \file
/// Tests of mbarriers, as intrinsics and as inline assembly.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_PHASETESTS_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_PHASETESTS_H

#include "llvm/IR/Instruction.h"

namespace gpuestimate {

/// Whether I asks if a phase of an mbarrier has ended: mbarrier.test_wait or
/// mbarrier.try_wait.
bool testsPhase(const llvm::Instruction &I);

} // namespace gpuestimate

#endif
