/// \file
/// Selects that a loop's own branch decides.
///
/// A loop with a second exit in its latch,
///
///   while (first <= last) { ...; if (end - first < stride) return; first +=
///   stride; }
///
/// leaves the optimiser as `first += end - first < stride ? 0 : stride` in
/// front of the branch on the same condition. The loop goes on only where the
/// condition does not hold, so that the next iteration sees `first + stride`,
/// and SCEV finds a closed form for `first`.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_BACKEDGESELECTS_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_BACKEDGESELECTS_H

#include "llvm/IR/PassManager.h"

namespace gpuestimate {

/// Replaces such selects by the side that the back edge takes, where nothing
/// but a header phi uses the value.
class BackEdgeSelects : public llvm::PassInfoMixin<BackEdgeSelects> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace gpuestimate

#endif
