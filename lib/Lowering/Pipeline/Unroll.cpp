#include "Unroll.h"

#include "Analyses.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace gpuestimate {

bool wantsUnrolling(const llvm::Loop &L) {
  llvm::MDNode *Id = L.getLoopID();
  return Id && (llvm::GetUnrollMetadata(Id, "llvm.loop.unroll.enable") ||
                llvm::GetUnrollMetadata(Id, "llvm.loop.unroll.full"));
}

namespace {

/// Deeper nests are left to LLVM's own pass.
constexpr unsigned MostLevels = 8;

/// Instructions of L that are executed as such. What only makes addresses is
/// left out: it becomes the offset of an access.
uint64_t bodySize(const llvm::Loop &L) {
  llvm::SmallPtrSet<const llvm::Instruction *, 32> OfAddresses;
  auto OnlyAddresses = [&](const llvm::Instruction &I) {
    if (llvm::isa<llvm::GetElementPtrInst>(I))
      return true;
    if (!I.getType()->isIntegerTy() || llvm::isa<llvm::PHINode>(I) ||
        I.mayReadOrWriteMemory() || I.use_empty())
      return false;
    return llvm::all_of(I.users(), [&](const llvm::User *U) {
      return OfAddresses.contains(llvm::cast<llvm::Instruction>(U));
    });
  };
  uint64_t Size = 0;
  for (const llvm::BasicBlock *BB : L.blocks())
    for (const llvm::Instruction &I : llvm::reverse(*BB))
      if (OnlyAddresses(I))
        OfAddresses.insert(&I);
      else if (!llvm::isa<llvm::PHINode, llvm::CastInst>(I) &&
               !I.isDebugOrPseudoInst())
        ++Size;
  return Size;
}

/// One innermost loop; false when it stays.
bool unroll(llvm::Loop &L, llvm::Function &F,
            llvm::FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
  llvm::BasicBlock *Latch = L.getLoopLatch();
  if (!L.isLoopSimplifyForm() || L.getExitingBlock() != Latch)
    return false;
  unsigned Trips = SE.getSmallConstantTripCount(&L, Latch);
  if (Trips == 0 || uint64_t(Trips) * bodySize(L) > MostUnrolled)
    return false;
  llvm::UnrollLoopOptions Options{};
  Options.Count = Trips;
  Options.Force = true;
  Options.ForgetAllSCEV = true;
  return llvm::UnrollLoop(
             &L, Options, &FAM.getResult<llvm::LoopAnalysis>(F), &SE,
             &FAM.getResult<llvm::DominatorTreeAnalysis>(F),
             &FAM.getResult<llvm::AssumptionAnalysis>(F),
             &FAM.getResult<llvm::TargetIRAnalysis>(F),
             &FAM.getResult<llvm::OptimizationRemarkEmitterAnalysis>(F),
             /*PreserveLCSSA=*/true) != llvm::LoopUnrollResult::Unmodified;
}

/// The innermost loops of F that are wanted unrolled: were there any, and can
/// more follow?
bool unrollInnermost(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<llvm::LoopAnalysis>(F);
  bool Changed = false;
  for (llvm::Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost() && wantsUnrolling(*L))
      Changed |= unroll(*L, F, FAM);
  if (Changed)
    FAM.invalidate(F, llvm::PreservedAnalyses::none());
  return Changed;
}

/// Where only an upper bound of the trip count is known, clang lays out that
/// many iterations behind tests if it is at most eight. nvcc does not: such a
/// loop is unrolled as one without a pragma is.
void dropDemand(llvm::Loop &L, llvm::ScalarEvolution &SE) {
  if (!wantsUnrolling(L) || SE.getSmallConstantTripCount(&L))
    return;
  L.setLoopID(llvm::makePostTransformationMetadata(
      L.getHeader()->getContext(), L.getLoopID(),
      {"llvm.loop.unroll.enable", "llvm.loop.unroll.full"}, {}));
}

llvm::FunctionPassManager cleanup() {
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  Passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(llvm::SimplifyCFGPass());
  Passes.addPass(llvm::InstCombinePass());
  Passes.addPass(llvm::LoopSimplifyPass());
  Passes.addPass(llvm::LCSSAPass());
  llvm::LoopPassManager OfLoops;
  OfLoops.addPass(llvm::LoopRotatePass());
  OfLoops.addPass(llvm::IndVarSimplifyPass());
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(OfLoops)));
  return Passes;
}

} // namespace

void unrollOnDemand(llvm::Module &M, llvm::TargetMachine *TM) {
  AnalysisManagers Managers(TM);
  for (llvm::Function &F : M) {
    if (F.isDeclaration())
      continue;
    auto &LI = Managers.FAM.getResult<llvm::LoopAnalysis>(F);
    if (llvm::none_of(LI.getLoopsInPreorder(),
                      [](const llvm::Loop *L) { return wantsUnrolling(*L); }))
      continue;
    for (unsigned Level = 0; Level < MostLevels; ++Level) {
      cleanup().run(F, Managers.FAM);
      if (!unrollInnermost(F, Managers.FAM))
        break;
    }
    auto &SE = Managers.FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
    for (llvm::Loop *L :
         Managers.FAM.getResult<llvm::LoopAnalysis>(F).getLoopsInPreorder())
      dropDemand(*L, SE);
  }
}

} // namespace gpuestimate
