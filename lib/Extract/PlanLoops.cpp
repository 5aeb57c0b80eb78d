/// \file
/// What a loop pays for being one, and which branches stay branches.
#include "Plan.h"

#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

bool Plan::isCountedTest(const llvm::ICmpInst &Test,
                         const llvm::Loop *L) const {
  if (!Test.getOperand(0)->getType()->isIntOrPtrTy())
    return false;
  bool Pointers = Test.getOperand(0)->getType()->isPointerTy();
  PointerValue X, Y;
  for (unsigned N = 0; N < 2; ++N) {
    PointerValue &P = N ? Y : X;
    P = Pointers ? V.pointer(Test.getOperand(N))
                 : PointerValue{nullptr, V.of(Test.getOperand(N))};
  }
  if (X.Base != Y.Base)
    return false;
  Expr D = X.Offset - Y.Offset, Counter = V.counter(L);
  ExprContext &Ctx = Counter.context();
  llvm::StringMap<Expr> Next, First;
  Next[Counter.name()] = Counter + 1;
  First[Counter.name()] = Ctx.constant(0);
  std::optional<double> Step = (Ctx.substitute(D, Next) - D).asConstant();
  return Step && *Step != 0 && V.isInvariant(Ctx.substitute(D, First), L);
}

void Plan::findOverhead() {
  for (llvm::Loop *L : A.LI.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock *> Exiting;
    L->getExitingBlocks(Exiting);
    // Only a loop that is counted by a constant step is unrolled without
    // keeping its tests.
    if (Exiting.size() != 1)
      continue;
    const auto *Branch =
        llvm::dyn_cast<llvm::BranchInst>(Exiting[0]->getTerminator());
    const auto *Test =
        Branch && Branch->isConditional()
            ? llvm::dyn_cast<llvm::ICmpInst>(Branch->getCondition())
            : nullptr;
    if (!Test || !L->contains(Test) || !isCountedTest(*Test, L))
      continue;
    Overhead.insert(Branch);
    if (!Test->hasOneUse())
      continue;
    Overhead.insert(Test);
    const llvm::BasicBlock *Latch = L->getLoopLatch();
    for (const llvm::PHINode &Phi : L->getHeader()->phis()) {
      const auto *Next = Latch ? llvm::dyn_cast<llvm::Instruction>(
                                     Phi.getIncomingValueForBlock(Latch))
                               : nullptr;
      if (!Next || !L->contains(Next))
        continue;
      auto OnlyCounts = [&](const llvm::Instruction &I) {
        return llvm::all_of(I.users(), [&](const llvm::User *U) {
          const auto *By = llvm::cast<llvm::Instruction>(U);
          return By == Test || By == &Phi || By == Next || isDead(*By);
        });
      };
      if (OnlyCounts(*Next) && OnlyCounts(Phi))
        Overhead.insert(Next);
    }
  }
}

bool Plan::isShort(const llvm::BasicBlock &BB) const {
  // About what ptxas predicates rather than jump over.
  constexpr unsigned Most = 10;
  unsigned Count = 0;
  for (const llvm::Instruction &I : BB) {
    if (isDead(I) || I.isTerminator() || isFree(I) ||
        llvm::isa<llvm::PHINode, llvm::CastInst>(I))
      continue;
    const auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
    if (Call && (Call->isConvergent() || !llvm::isa<llvm::IntrinsicInst>(Call)))
      return false;
    if (I.getOpcode() == llvm::Instruction::FDiv || I.isIntDivRem())
      return false;
    if (++Count > Most)
      return false;
  }
  return true;
}

void Plan::planBranches() {
  for (const llvm::BasicBlock &BB : F) {
    const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(BB.getTerminator());
    if (!Branch)
      continue;
    if (Branch->isUnconditional()) {
      Free.insert(Branch);
      continue;
    }
    const llvm::Loop *L = A.LI.getLoopFor(&BB);
    const llvm::BasicBlock *S0 = Branch->getSuccessor(0),
                           *S1 = Branch->getSuccessor(1);
    if (L && (!L->contains(S0) || !L->contains(S1)))
      continue; // a loop's exit stays a branch
    auto OneSided = [&](const llvm::BasicBlock *Side,
                        const llvm::BasicBlock *Join) {
      return Side->getSinglePredecessor() == &BB &&
             Side->getSingleSuccessor() == Join && isShort(*Side);
    };
    const llvm::BasicBlock *J0 = S0->getSingleSuccessor(),
                           *J1 = S1->getSingleSuccessor();
    // Leaving the kernel is a (predicated) EXIT of its own.
    bool Leaves = llvm::isa<llvm::ReturnInst>(S0->getTerminator()) ||
                  llvm::isa<llvm::ReturnInst>(S1->getTerminator());
    bool Predicated =
        !Leaves && (OneSided(S0, S1) || OneSided(S1, S0) ||
                    (J0 && J0 == J1 && OneSided(S0, J0) && OneSided(S1, J1) &&
                     S0->size() + S1->size() <= 10));
    if (Predicated)
      Replaced[Branch] = "br.predicated";
    else if (A.UI.isDivergent(Branch) && !Leaves)
      Replaced[Branch] = "br.diverging";
  }
}

} // namespace gpuestimate
