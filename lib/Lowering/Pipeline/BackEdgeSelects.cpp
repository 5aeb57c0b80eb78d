#include "BackEdgeSelects.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace gpuestimate {

namespace {

/// The branch that closes a loop.
struct BackEdge {
  const llvm::Value *Condition;
  bool TakenIf; ///< the value of Condition with which the loop goes on
};

/// How many instructions a select may lie behind the phi.
constexpr unsigned MaxSelectDepth = 4;

std::optional<BackEdge> backEdge(const llvm::Loop &L) {
  const llvm::BasicBlock *Latch = L.getLoopLatch();
  const auto *Branch =
      Latch ? llvm::dyn_cast<llvm::BranchInst>(Latch->getTerminator())
            : nullptr;
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return std::nullopt;
  return BackEdge{Branch->getCondition(),
                  Branch->getSuccessor(0) == L.getHeader()};
}

/// Replaces the selects that Edge decides in V, which Edge alone uses, and in
/// the operands that V alone uses.
bool simplify(llvm::Value *V, const BackEdge &Edge, unsigned Depth = 0) {
  auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (!I || !I->hasOneUse() || Depth > MaxSelectDepth)
    return false;
  if (auto *Select = llvm::dyn_cast<llvm::SelectInst>(I);
      Select && Select->getCondition() == Edge.Condition) {
    Select->replaceAllUsesWith(Edge.TakenIf ? Select->getTrueValue()
                                            : Select->getFalseValue());
    Select->eraseFromParent();
    return true;
  }
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst,
                 llvm::GetElementPtrInst>(I))
    return false;
  bool Changed = false;
  for (llvm::Use &Operand : I->operands())
    Changed |= simplify(Operand.get(), Edge, Depth + 1);
  return Changed;
}

} // namespace

llvm::PreservedAnalyses
BackEdgeSelects::run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) {
  bool Changed = false;
  for (llvm::Loop *L :
       FAM.getResult<llvm::LoopAnalysis>(F).getLoopsInPreorder())
    if (std::optional<BackEdge> Edge = backEdge(*L))
      for (llvm::PHINode &Phi : L->getHeader()->phis())
        Changed |=
            simplify(Phi.getIncomingValueForBlock(L->getLoopLatch()), *Edge);
  if (!Changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses Kept;
  Kept.preserveSet<llvm::CFGAnalyses>();
  return Kept;
}

} // namespace gpuestimate
