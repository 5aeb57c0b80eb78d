/// \file
/// Instructions between the threads of a warp or a block, and fences (PTX ISA,
/// "Parallel Synchronization and Communication").
#ifndef GPU_ESTIMATE_LIB_PTX_WARP_H
#define GPU_ESTIMATE_LIB_PTX_WARP_H

#include "InstructionTranslator.h"

namespace gpuestimate {

/// Each form appends the call of an intrinsic. False if LLVM has none for it.
class PtxWarp : public PtxInstructionTranslator {
public:
  using PtxInstructionTranslator::PtxInstructionTranslator;

  bool shuffle();
  bool vote();
  bool match();
  bool reduce();
  bool barrier();
  bool fence();
  bool sleep();

private:
  bool writeResult(llvm::Value *V);
};

} // namespace gpuestimate

#endif
