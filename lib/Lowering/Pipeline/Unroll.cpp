#include "Unroll.h"

#include "Analyses.h"
#include "LoopCopies.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace gpuestimate {

namespace {

/// Instructions of a loop that is unrolled so that its results can sink.
constexpr uint64_t MaxUnrolledToSink = 16 * 1024;

/// Fully unrolls an innermost loop; false when it stays a loop.
bool unroll(llvm::Loop &L, llvm::Function &F,
            llvm::FunctionAnalysisManager &FAM) {
  unsigned Trips =
      constantTrips(L, FAM.getResult<llvm::ScalarEvolutionAnalysis>(F));
  return Trips != 0 && uint64_t(Trips) * bodySize(L) <= MaxUnrolledToSink &&
         unrollBy(Trips, L, F, FAM);
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

/// The bits of V that are 0: what LLVM knows of them, and of counters by their
/// ranges.
llvm::APInt zeroBits(llvm::Value *V, llvm::ScalarEvolution &SE,
                     const llvm::DataLayout &DL, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 4;
  llvm::Value *A, *B;
  if (Depth < MaxDepth &&
      llvm::PatternMatch::match(
          V, llvm::PatternMatch::m_Or(llvm::PatternMatch::m_Value(A),
                                      llvm::PatternMatch::m_Value(B))))
    return zeroBits(A, SE, DL, Depth + 1) & zeroBits(B, SE, DL, Depth + 1);
  llvm::APInt Zero = llvm::computeKnownBits(V, DL).Zero;
  llvm::APInt Largest = SE.getUnsignedRangeMax(SE.getSCEV(V));
  Zero.setHighBits(Largest.countl_zero());
  return Zero;
}

/// Marks the `or`s of integers without common bits as sums again. InstCombine
/// makes `(row | 8) | p` of `(row + p) + 8` in the copies of a body and forgets
/// that p is less than 8, so that neighbouring addresses look unrelated.
void markDisjoint(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) {
  const llvm::DataLayout &DL = F.getParent()->getDataLayout();
  auto &SE = FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (llvm::Instruction &I : llvm::instructions(F)) {
    auto *Or = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&I);
    if (!Or || Or->isDisjoint() || !Or->getType()->isIntegerTy() ||
        !(zeroBits(Or->getOperand(0), SE, DL) |
          zeroBits(Or->getOperand(1), SE, DL))
             .isAllOnes())
      continue;
    Or->setIsDisjoint(true);
    SE.forgetValue(Or);
    Changed = true;
  }
  if (Changed)
    FAM.invalidate(F, llvm::PreservedAnalyses::none());
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
    if (F.isDeclaration() ||
        Managers.FAM.getResult<llvm::LoopAnalysis>(F).empty())
      continue;
    markDisjoint(F, Managers.FAM);
    if (!findWideLoads(F, Managers.FAM).first)
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

} // namespace gpuestimate
