#include "Unroll.h"

#include "Analyses.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
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

bool hasUnrollPragma(const llvm::Loop &L) {
  llvm::MDNode *Id = L.getLoopID();
  return Id && (llvm::GetUnrollMetadata(Id, "llvm.loop.unroll.enable") ||
                llvm::GetUnrollMetadata(Id, "llvm.loop.unroll.full"));
}

namespace {

/// Loop levels that are unrolled here; LLVM's own pass gets deeper nests.
constexpr unsigned MaxLevels = 8;

/// Number of instructions of L without those that only compute addresses, which
/// become the immediate offset of an access.
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

/// Makes Count copies of the body of L; false when L stays as it is.
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

/// The constant trip count of a loop that its latch alone leaves, or 0.
unsigned constantTrips(const llvm::Loop &L, llvm::ScalarEvolution &SE) {
  llvm::BasicBlock *Latch = L.getLoopLatch();
  if (!L.isLoopSimplifyForm() || L.getExitingBlock() != Latch)
    return 0;
  return SE.getSmallConstantTripCount(&L, Latch);
}

/// Fully unrolls an innermost loop; false when it stays a loop.
bool unroll(llvm::Loop &L, llvm::Function &F,
            llvm::FunctionAnalysisManager &FAM) {
  unsigned Trips =
      constantTrips(L, FAM.getResult<llvm::ScalarEvolutionAnalysis>(F));
  return Trips != 0 &&
         uint64_t(Trips) * bodySize(L) <= MaxUnrolledInstructions &&
         unrollBy(Trips, L, F, FAM);
}

/// Unrolls the innermost loops of F that have a pragma; was there one?
bool unrollInnermost(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<llvm::LoopAnalysis>(F);
  bool Changed = false;
  for (llvm::Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost() && hasUnrollPragma(*L))
      Changed |= unroll(*L, F, FAM);
  if (Changed)
    FAM.invalidate(F, llvm::PreservedAnalyses::none());
  return Changed;
}

/// Removes the pragma of a loop without a constant trip count. With an upper
/// bound of at most eight, clang would unroll the loop with its tests; nvcc
/// treats it as a loop without a pragma.
void dropPragma(llvm::Loop &L, llvm::ScalarEvolution &SE) {
  if (!hasUnrollPragma(L) || SE.getSmallConstantTripCount(&L))
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
  llvm::LoopPassManager LoopPasses;
  LoopPasses.addPass(llvm::LoopRotatePass());
  LoopPasses.addPass(llvm::IndVarSimplifyPass());
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(LoopPasses)));
  return Passes;
}

/// Does L only compute values, from registers and constant memory?
bool isPure(const llvm::Loop &L) {
  for (const llvm::BasicBlock *BB : L.blocks())
    for (const llvm::Instruction &I : *BB) {
      const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I);
      bool FromConstant = Load && Load->isSimple() &&
                          Load->getPointerAddressSpace() == addrspace::Constant;
      if (I.mayHaveSideEffects() || (I.mayReadFromMemory() && !FromConstant))
        return false;
    }
  return true;
}

/// The nearest block that dominates whatever uses the results of L in the end:
/// stores, other effects and branches that are not those of other pure loops.
/// Null if there is none.
llvm::BasicBlock *findUses(const llvm::Loop &L, const llvm::LoopInfo &LI,
                           const llvm::DominatorTree &DT) {
  llvm::BasicBlock *Uses = nullptr;
  llvm::SmallPtrSet<const llvm::Value *, 32> Visited;
  llvm::SmallVector<const llvm::Value *> Work;
  for (const llvm::BasicBlock *BB : L.blocks())
    for (const llvm::Instruction &I : *BB)
      Work.push_back(&I);
  while (!Work.empty()) {
    const llvm::Value *V = Work.pop_back_val();
    for (const llvm::User *U : V->users()) {
      const auto *I = llvm::cast<llvm::Instruction>(U);
      if (L.contains(I) || !Visited.insert(I).second)
        continue;
      if (!spendWork())
        return nullptr;
      const llvm::Loop *Around = LI.getLoopFor(I->getParent());
      bool IsLoopControl = I->isTerminator() && Around && isPure(*Around);
      if (!I->mayHaveSideEffects() && !I->isTerminator() &&
          !I->mayReadFromMemory())
        Work.push_back(I);
      else if (!IsLoopControl)
        Uses = Uses ? DT.findNearestCommonDominator(
                          Uses, const_cast<llvm::BasicBlock *>(I->getParent()))
                    : const_cast<llvm::BasicBlock *>(I->getParent());
    }
  }
  return Uses;
}

/// Does a branch after L decide whether its results are needed?
bool isSinkable(const llvm::Loop &L, const llvm::LoopInfo &LI,
                const llvm::DominatorTree &DT,
                const llvm::PostDominatorTree &PDT) {
  const llvm::BasicBlock *Exit = L.getExitBlock();
  if (!Exit || !isPure(L))
    return false;
  const llvm::BasicBlock *Uses = findUses(L, LI, DT);
  return Uses && DT.properlyDominates(Exit, Uses) &&
         !PDT.dominates(Uses, Exit) &&
         LI.getLoopFor(Uses) == LI.getLoopFor(Exit);
}

/// The first innermost loop of F that isSinkable(), or null.
llvm::Loop *findSinkable(llvm::Function &F,
                         llvm::FunctionAnalysisManager &FAM) {
  const auto &LI = FAM.getResult<llvm::LoopAnalysis>(F);
  if (LI.empty())
    return nullptr;
  const auto &DT = FAM.getResult<llvm::DominatorTreeAnalysis>(F);
  const auto &PDT = FAM.getResult<llvm::PostDominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
  for (llvm::Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost() && SE.getSmallConstantTripCount(L) &&
        isSinkable(*L, LI, DT, PDT))
      return L;
  return nullptr;
}

/// Iterations of L whose loads from shared memory one 16-byte load holds, or 1.
unsigned iterationsOfWideLoad(const llvm::Loop &L, llvm::ScalarEvolution &SE) {
  constexpr unsigned WidestLoad = 16;
  const llvm::DataLayout &DL = L.getHeader()->getModule()->getDataLayout();
  unsigned Iterations = 1;
  for (llvm::Instruction &I : *L.getHeader()) {
    auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I);
    if (!Load || !Load->isSimple() ||
        Load->getPointerAddressSpace() != addrspace::Shared)
      continue;
    uint64_t Bytes = DL.getTypeStoreSize(Load->getType());
    const auto *Address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(
        SE.getSCEV(Load->getPointerOperand()));
    const auto *Stride =
        Address && Address->getLoop() == &L
            ? llvm::dyn_cast<llvm::SCEVConstant>(Address->getStepRecurrence(SE))
            : nullptr;
    if ((Bytes == 4 || Bytes == 8) && Stride &&
        Stride->getAPInt().getSExtValue() == int64_t(Bytes))
      Iterations = std::max<unsigned>(Iterations, WidestLoad / Bytes);
  }
  return Iterations;
}

/// The first innermost loop of F that is unrolled for wide loads, and by how
/// much; null if there is none.
std::pair<llvm::Loop *, unsigned>
findWideLoads(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) {
  // A loop of a larger body is not unrolled (setUnrollFactors).
  constexpr unsigned MaxInstructions = 200;
  const auto &LI = FAM.getResult<llvm::LoopAnalysis>(F);
  if (LI.empty())
    return {nullptr, 1};
  auto &SE = FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
  for (llvm::Loop *L : LI.getLoopsInPreorder()) {
    if (L->getNumBlocks() != 1)
      continue;
    unsigned Count = iterationsOfWideLoad(*L, SE);
    unsigned Trips = Count > 1 ? SE.getSmallConstantTripCount(L) : 0;
    if (Trips > Count && Trips % Count == 0 &&
        Count * bodySize(*L) <= MaxInstructions)
      return {L, Count};
  }
  return {nullptr, 1};
}

/// The form in which LLVM unrolls loops.
llvm::FunctionPassManager canonicalLoops() {
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::LoopSimplifyPass());
  Passes.addPass(llvm::LCSSAPass());
  return Passes;
}

} // namespace

void unrollForWideLoads(llvm::Module &M, llvm::TargetMachine *TM) {
  AnalysisManagers Managers(TM);
  llvm::FunctionPassManager Canonical = canonicalLoops();
  for (llvm::Function &F : M) {
    if (F.isDeclaration() || !findWideLoads(F, Managers.FAM).first)
      continue;
    Managers.FAM.invalidate(F, Canonical.run(F, Managers.FAM));
    for (;;) {
      auto [L, Count] = findWideLoads(F, Managers.FAM);
      if (!L || !unrollBy(Count, *L, F, Managers.FAM))
        break;
      Managers.FAM.invalidate(F, llvm::PreservedAnalyses::none());
    }
  }
}

void unrollToSink(llvm::Module &M, llvm::TargetMachine *TM) {
  AnalysisManagers Managers(TM);
  llvm::FunctionPassManager Canonical = canonicalLoops();
  for (llvm::Function &F : M) {
    if (F.isDeclaration() || !findSinkable(F, Managers.FAM))
      continue;
    Managers.FAM.invalidate(F, Canonical.run(F, Managers.FAM));
    while (llvm::Loop *L = findSinkable(F, Managers.FAM)) {
      if (!unroll(*L, F, Managers.FAM))
        break;
      Managers.FAM.invalidate(F, llvm::PreservedAnalyses::none());
    }
  }
}

void unrollByPragma(llvm::Module &M, llvm::TargetMachine *TM) {
  AnalysisManagers Managers(TM);
  for (llvm::Function &F : M) {
    if (F.isDeclaration())
      continue;
    auto &LI = Managers.FAM.getResult<llvm::LoopAnalysis>(F);
    if (llvm::none_of(LI.getLoopsInPreorder(),
                      [](const llvm::Loop *L) { return hasUnrollPragma(*L); }))
      continue;
    for (unsigned Level = 0; Level < MaxLevels; ++Level) {
      cleanup().run(F, Managers.FAM);
      if (!unrollInnermost(F, Managers.FAM))
        break;
    }
    auto &SE = Managers.FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
    for (llvm::Loop *L :
         Managers.FAM.getResult<llvm::LoopAnalysis>(F).getLoopsInPreorder())
      dropPragma(*L, SE);
  }
}

} // namespace gpuestimate
