#include "PhaseTests.h"

#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuestimate {

bool testsPhase(const Instruction &I) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
    StringRef Name = Intrinsic->getCalledFunction()->getName();
    return Name.starts_with("llvm.nvvm.mbarrier.t") && Name.contains("wait");
  }
  return any_of(InlineAssembly(I).instructions(), [](const PtxInstruction &P) {
    return P.Opcode == "mbarrier" && (P.has("test_wait") || P.has("try_wait"));
  });
}

} // namespace gpuestimate
