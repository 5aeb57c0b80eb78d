/// \file
/// Copies of a loop's body, made by LLVM's loop unroller.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_LOOPCOPIES_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_LOOPCOPIES_H

#include "llvm/IR/PassManager.h"
#include <cstdint>

namespace llvm {
class Function;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace gpuestimate {

/// Number of instructions of L without those that only compute addresses, which
/// become the immediate offset of an access.
uint64_t bodySize(const llvm::Loop &L);

/// The constant trip count of a loop that its latch alone leaves, or 0.
unsigned constantTrips(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Unrolls L by Count, which is its trip count for a complete unrolling; false
/// when L stays as it is. Invalidates the analyses of LoopInfo's users only:
/// after the last change the caller invalidates FAM.
bool unrollBy(unsigned Count, llvm::Loop &L, llvm::Function &F,
              llvm::FunctionAnalysisManager &FAM);

} // namespace gpuestimate

#endif
