/// \file
/// Tests of the address space of a generic pointer (isspacep), which the
/// device's compiler answers where it knows the object: `__isShared(&tile)`.
/// libcu++ asks so at each use of a barrier, and LLVM 19 does not answer.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_SPACETESTS_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_SPACETESTS_H

#include "llvm/IR/PassManager.h"

namespace gpuestimate {

/// Replaces tests of pointers to known objects by constants.
class FoldSpaceTests : public llvm::PassInfoMixin<FoldSpaceTests> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace gpuestimate

#endif
