#include "ScalarReplacement.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuestimate {

static constexpr uint64_t ManySlots = 256;
static constexpr uint64_t PieceSize = 256;
/// Instructions that LLVM searches in the time of a unit of work.
static constexpr uint64_t SearchedPerUnit = 256;

/// Cuts blocks into pieces of PieceSize instructions; was any longer?
static bool cutBlocks(Function &F) {
  bool Changed = false;
  for (llvm::BasicBlock &BB : F) { // the rest of a cut block comes next
    uint64_t Size = 0;
    for (Instruction &I :
         make_range(BB.getFirstNonPHIOrDbgOrAlloca(), std::prev(BB.end())))
      if (++Size > PieceSize) {
        SplitBlock(&BB, &I);
        Changed = true;
        break;
      }
  }
  return Changed;
}

/// Instructions of the longest block of F, without those of the stack slots.
static uint64_t longestBlock(Function &F) {
  uint64_t Longest = 0;
  for (llvm::BasicBlock &BB : F)
    Longest = std::max<uint64_t>(
        Longest, std::distance(BB.getFirstNonPHIOrDbgOrAlloca(), BB.end()));
  return Longest;
}

PreservedAnalyses ScalarReplacement::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  SROAPass Sroa(SROAOptions::ModifyCFG);
  uint64_t Slots = count_if(instructions(F), IsaPred<AllocaInst>);
  bool Cut = Slots > ManySlots && cutBlocks(F);
  if (!spendWork(Slots * longestBlock(F) / SearchedPerUnit))
    return PreservedAnalyses::none();
  if (!Cut)
    return Sroa.run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  Sroa.run(F, FAM);
  for (llvm::BasicBlock &BB : make_early_inc_range(F))
    MergeBlockIntoPredecessor(&BB);
  return PreservedAnalyses::none();
}

} // namespace gpuestimate
