#include "LoopCopies.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace gpuestimate {

uint64_t bodySize(const llvm::Loop &L) {
  llvm::SmallPtrSet<const llvm::Instruction *, 32> AddressArithmetic;
  auto OnlyAddresses = [&](const llvm::Instruction &I) {
    if (llvm::isa<llvm::GetElementPtrInst>(I))
      return true;
    if (!I.getType()->isIntegerTy() || llvm::isa<llvm::PHINode>(I) ||
        I.mayReadOrWriteMemory() || I.use_empty())
      return false;
    return llvm::all_of(I.users(), [&](const llvm::User *U) {
      return AddressArithmetic.contains(llvm::cast<llvm::Instruction>(U));
    });
  };
  uint64_t Size = 0;
  for (const llvm::BasicBlock *BB : L.blocks())
    for (const llvm::Instruction &I : llvm::reverse(*BB))
      if (OnlyAddresses(I))
        AddressArithmetic.insert(&I);
      else if (!llvm::isa<llvm::PHINode, llvm::CastInst>(I) &&
               !I.isDebugOrPseudoInst())
        ++Size;
  return Size;
}

bool unrollBy(unsigned Count, llvm::Loop &L, llvm::Function &F,
              llvm::FunctionAnalysisManager &FAM) {
  llvm::UnrollLoopOptions Options{};
  Options.Count = Count;
  Options.Force = true;
  Options.ForgetAllSCEV = true;
  return llvm::UnrollLoop(
             &L, Options, &FAM.getResult<llvm::LoopAnalysis>(F),
             &FAM.getResult<llvm::ScalarEvolutionAnalysis>(F),
             &FAM.getResult<llvm::DominatorTreeAnalysis>(F),
             &FAM.getResult<llvm::AssumptionAnalysis>(F),
             &FAM.getResult<llvm::TargetIRAnalysis>(F),
             &FAM.getResult<llvm::OptimizationRemarkEmitterAnalysis>(F),
             /*PreserveLCSSA=*/true) != llvm::LoopUnrollResult::Unmodified;
}

unsigned constantTrips(const llvm::Loop &L, llvm::ScalarEvolution &SE) {
  llvm::BasicBlock *Latch = L.getLoopLatch();
  if (!L.isLoopSimplifyForm() || L.getExitingBlock() != Latch)
    return 0;
  return SE.getSmallConstantTripCount(&L, Latch);
}

} // namespace gpuestimate
