#include "Joins.h"

namespace gpuestimate {

/// A join of two cases of a switch is reached from these two cases only, so
/// that a test for one of them decides (`if (i == 0) ... else if (i == 15) ...`
/// with a common statement at both ends).
static Join findSwitchJoin(const llvm::PHINode &Phi,
                           const llvm::SwitchInst &Switch,
                           const KernelAnalyses &A) {
  const llvm::BasicBlock *Block = Phi.getParent(), *IDom = Switch.getParent();
  if (A.LI.getLoopFor(IDom) != A.LI.getLoopFor(Block))
    return {};
  for (unsigned I = 0; I < 2; ++I) {
    const llvm::BasicBlock *Incoming = Phi.getIncomingBlock(I);
    for (const auto &Case : Switch.cases()) {
      llvm::BasicBlockEdge Edge(IDom, Case.getCaseSuccessor());
      if (!Edge.isSingleEdge() || Incoming == IDom ||
          !A.DT.dominates(Edge, Incoming))
        continue;
      return {Switch.getCondition(), Phi.getIncomingValue(I),
              Phi.getIncomingValue(1 - I), Case.getCaseValue()};
    }
  }
  return {};
}

Join findJoin(const llvm::PHINode &Phi, const KernelAnalyses &A) {
  if (Phi.getNumIncomingValues() != 2)
    return {};
  const llvm::BasicBlock *Block = Phi.getParent();
  const auto *Node = A.DT.getNode(Block);
  if (!Node || !Node->getIDom())
    return {};
  const llvm::BasicBlock *IDom = Node->getIDom()->getBlock();
  if (const auto *Switch =
          llvm::dyn_cast<llvm::SwitchInst>(IDom->getTerminator()))
    return findSwitchJoin(Phi, *Switch, A);
  const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(IDom->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return {};
  // A value may only be selected by a branch of its own iteration.
  if (A.LI.getLoopFor(IDom) != A.LI.getLoopFor(Block))
    return {};
  Join J;
  J.Condition = Branch->getCondition();
  for (unsigned I = 0; I < 2; ++I) {
    const llvm::BasicBlock *Incoming = Phi.getIncomingBlock(I);
    for (unsigned S = 0; S < 2; ++S) {
      llvm::BasicBlockEdge Edge(IDom, Branch->getSuccessor(S));
      bool IsDirect = Incoming == IDom && Branch->getSuccessor(S) == Block;
      if (IsDirect || (Incoming != IDom && A.DT.dominates(Edge, Incoming)))
        (S == 0 ? J.IfTrue : J.IfFalse) = Phi.getIncomingValue(I);
    }
  }
  return J.IfTrue && J.IfFalse ? J : Join{};
}

Likelihood likelihood(const Join &J) {
  return J.Case ? equalityWithConstant() : likelihood(J.Condition);
}

} // namespace gpuestimate
