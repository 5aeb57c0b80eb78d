/// \file
/// Copies through private variables that only copies touch.
///
///   float4 next = a[i];   // a memcpy into a stack slot
///   ...
///   if (more) tile[t] = next;   // a memcpy from it
///
/// clang copies structures by memcpy. SROA leaves a slot that nothing but
/// memcpy and memset of all its bytes touches, since no access says what type
/// its value has, and clang's device code has local memory there. nvcc's front
/// end copies member by member, so that its slot becomes registers.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_REGISTERCOPIES_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_REGISTERCOPIES_H

#include "llvm/IR/PassManager.h"

namespace gpuestimate {

/// Makes loads and stores of a vector of such copies, which SROA then removes.
class RegisterCopies : public llvm::PassInfoMixin<RegisterCopies> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace gpuestimate

#endif
