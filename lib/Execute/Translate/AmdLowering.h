/// \file
/// Replaces what the kernels of an AMD GPU call and the host's target lacks:
/// intrinsics of AMDGPU and statements of its assembler.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_AMDLOWERING_H
#define GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_AMDLOWERING_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace gpuestimate {

class CallLowering;

class AmdLowering {
public:
  using Builder = llvm::IRBuilder<>;

  explicit AmdLowering(CallLowering &Calls) : Calls(Calls) {}

  /// The value in place of the intrinsic llvm.amdgcn.NAME; null if it has none
  /// (void), or if CallLowering::fail() says that it cannot be executed.
  llvm::Value *lower(llvm::CallBase &Call, llvm::StringRef Name, Builder &B);
  /// The same for inline assembly with this text.
  llvm::Value *lowerAssembly(llvm::CallBase &Call, llvm::StringRef Text,
                             Builder &B);

private:
  llvm::Value *exchange(llvm::CallBase &Call, llvm::StringRef Name, Builder &B);
  /// The value of the lane with this number, where all lanes take part.
  llvm::Value *valueOfLane(llvm::Value *V, llvm::Value *Lane, Builder &B);

  CallLowering &Calls;
};

} // namespace gpuestimate

#endif
