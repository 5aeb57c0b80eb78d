/// \file
/// What each operation waits for: through free instructions to the operations
/// behind them, and around loops through header phis.
#include "Operations.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

int Operations::commonLoop(unsigned OpA, unsigned OpB) const {
  auto Inside = [&](int Inner, int Outer) {
    for (; Inner != Outer; Inner = Model.Loops[Inner].Parent)
      if (Inner == -1)
        return false;
    return true;
  };
  int L = LoopOfBlock[BlockOf[OpA]], Other = LoopOfBlock[BlockOf[OpB]];
  while (L != -1 && !Inside(Other, L))
    L = Model.Loops[L].Parent;
  return L;
}

void Operations::addOperand(unsigned User, unsigned Producing, bool Carried,
                            std::vector<Operand> &Out) {
  if (!Carried && Producing >= User)
    return; // only through an irreducible cycle
  if (Carried && commonLoop(User, Producing) == -1)
    return;
  if (Linked.insert({Producing, Carried}).second)
    Out.push_back({Producing, Carried});
}

/// Does an incoming value of Phi come around the loop of User? Only what the
/// loop makes does, and only as the loop that the user is in sees it.
bool Operations::isCarriedTo(unsigned User, const llvm::PHINode &Phi,
                             unsigned Incoming) const {
  const llvm::Loop *L = A.LI.getLoopFor(Phi.getParent());
  const auto *From =
      llvm::dyn_cast<llvm::Instruction>(Phi.getIncomingValue(Incoming));
  if (!L || L->getHeader() != Phi.getParent() ||
      !L->contains(Phi.getIncomingBlock(Incoming)) || !From ||
      !L->contains(From))
    return false;
  // A user that is behind the loop is in no cycle of it; one that is deeper is.
  for (int X = LoopOfBlock[BlockOf[User]]; X != -1; X = Model.Loops[X].Parent)
    if (X == R.loopIndex(L))
      return true;
  return false;
}

void Operations::linkTo(const llvm::Value *V, unsigned User,
                        std::vector<Operand> &Out) {
  llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
  // With each value: is it one of the previous iteration?
  llvm::SmallVector<std::pair<const llvm::Value *, bool>> Work{{V, false}};
  while (!Work.empty() && spendWork()) {
    auto [At, Carried] = Work.pop_back_val();
    const auto *I = llvm::dyn_cast<llvm::Instruction>(At);
    if (!I || !Seen.insert(I).second)
      continue;
    if (auto Made = Producer.find(I); Made != Producer.end()) {
      // "Carried" is about the innermost loop around both; when the way here
      // went around an outer loop only, the value is simply there.
      bool Around = Carried && commonLoop(User, Made->second) != -1 &&
                    A.LI.getLoopFor(I->getParent());
      addOperand(User, Made->second, Around, Out);
    } else if (const auto *Phi = llvm::dyn_cast<llvm::PHINode>(I)) {
      for (unsigned N = Phi->getNumIncomingValues(); N-- > 0;)
        Work.push_back(
            {Phi->getIncomingValue(N), Carried || isCarriedTo(User, *Phi, N)});
    } else if (const llvm::Instruction *Earlier = P.sameAddress(*I)) {
      Work.push_back({Earlier, Carried});
    } else if (!llvm::isa<llvm::LoadInst>(I)) {
      // A free read waits for nothing; any other free instruction for its
      // inputs.
      for (const llvm::Value *Operand : llvm::reverse(I->operands()))
        Work.push_back({Operand, Carried});
    }
  }
}

/// Memory is read and written behind the last barrier on the way.
void Operations::linkToBarrier(unsigned User, std::vector<Operand> &Out) {
  auto Here = BarriersOfBlock.find(BlockOf[User]);
  if (Here == BarriersOfBlock.end())
    return;
  auto *Next = llvm::lower_bound(Here->second, User);
  if (Next != Here->second.begin())
    addOperand(User, *std::prev(Next), false, Out);
}

void Operations::link() {
  for (const auto &[Index, BB] : Barriers)
    BarriersOfBlock[BlockOf[Index]].push_back(Index);
  for (unsigned User = 0; User < Model.Operations.size() && spendWork();
       ++User) {
    std::vector<Operand> Out;
    Linked.clear();
    for (const Operand &Direct : Waits[User].Direct)
      addOperand(User, Direct.Producer, Direct.Carried, Out);
    for (const llvm::Value *V : Waits[User].Values)
      linkTo(V, User, Out);
    Operation &Op = Model.Operations[User];
    if (Op.Access >= 0)
      linkToBarrier(User, Out);
    Op.Operands = std::move(Out);
  }
}

} // namespace gpuestimate
