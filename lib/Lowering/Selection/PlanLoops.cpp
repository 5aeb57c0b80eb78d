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

/// About what ptxas predicates rather than jumps over.
static constexpr unsigned MostPredicated = 10;

std::optional<unsigned>
Plan::sizeToPredicate(const llvm::BasicBlock &BB) const {
  unsigned Count = 0;
  for (const llvm::Instruction &I : BB) {
    if (isDead(I) || I.isTerminator() || isFree(I) ||
        llvm::isa<llvm::PHINode, llvm::CastInst>(I))
      continue;
    const auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
    if (Call && (Call->isConvergent() || !llvm::isa<llvm::IntrinsicInst>(Call)))
      return std::nullopt;
    if (I.getOpcode() == llvm::Instruction::FDiv || I.isIntDivRem())
      return std::nullopt;
    if (++Count > MostPredicated)
      return std::nullopt;
  }
  return Count;
}

std::optional<Plan::StraightCode>
Plan::predicatedSides(const llvm::BasicBlock &BB, unsigned Most) const {
  const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(BB.getTerminator());
  if (!Branch || Branch->isUnconditional())
    return std::nullopt;
  auto Side = [&](unsigned Which) -> std::optional<StraightCode> {
    const llvm::BasicBlock *S = Branch->getSuccessor(Which);
    if (S->getSinglePredecessor() != &BB)
      return std::nullopt;
    return straightened(*S, Most);
  };
  const llvm::BasicBlock *S0 = Branch->getSuccessor(0),
                         *S1 = Branch->getSuccessor(1);
  std::optional<StraightCode> One = Side(0), Other = Side(1);
  if (One && One->Next == S1)
    return One;
  if (Other && Other->Next == S0)
    return Other;
  if (One && Other && One->Next == Other->Next &&
      One->Size + Other->Size <= Most)
    return StraightCode{One->Next, One->Size + Other->Size};
  return std::nullopt;
}

std::optional<Plan::StraightCode> Plan::straightened(const llvm::BasicBlock &BB,
                                                     unsigned Most) const {
  std::optional<unsigned> Size = sizeToPredicate(BB);
  if (!Size || *Size > Most)
    return std::nullopt;
  if (const llvm::BasicBlock *Next = BB.getSingleSuccessor())
    return StraightCode{Next, *Size};
  // The condition counts, so that a nest of empty blocks has an end, too.
  unsigned Own = *Size + 1;
  if (Own > Most)
    return std::nullopt;
  std::optional<StraightCode> Inner = predicatedSides(BB, Most - Own);
  if (!Inner)
    return std::nullopt;
  return StraightCode{Inner->Next, Own + Inner->Size};
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
    // Leaving the kernel is a (predicated) EXIT of its own.
    bool Leaves = llvm::isa<llvm::ReturnInst>(S0->getTerminator()) ||
                  llvm::isa<llvm::ReturnInst>(S1->getTerminator());
    if (!Leaves && predicatedSides(BB, MostPredicated))
      Replaced[Branch] = "br.predicated";
    else if (A.UI.isDivergent(Branch) && !Leaves)
      Replaced[Branch] = "br.diverging";
  }
}

} // namespace gpuestimate
