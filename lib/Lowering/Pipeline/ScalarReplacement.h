/// \file
/// LLVM's SROA in linear time.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_SCALARREPLACEMENT_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_SCALARREPLACEMENT_H

#include "llvm/IR/PassManager.h"

namespace gpuestimate {

/// SROA for functions of any size. A slot that is not written at once, such as
/// the fields of a __half2 that clang stores one by one, seems to carry its
/// value around the loop, and LLVM then searches a block from its beginning for
/// the first access to it: slots x instructions of a block. With many slots,
/// long blocks are therefore cut into pieces while SROA runs.
class ScalarReplacement : public llvm::PassInfoMixin<ScalarReplacement> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace gpuestimate

#endif
