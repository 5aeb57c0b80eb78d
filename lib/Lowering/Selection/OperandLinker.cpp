#include "OperandLinker.h"

#include "gpu-estimate/Model/Kernel/LoopTree.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

int OperandLinker::commonLoop(unsigned OpA, unsigned OpB) const {
  return gpuestimate::commonLoop(Model.Loops, Builder.loopOf(OpA),
                                 Builder.loopOf(OpB));
}

void OperandLinker::addOperand(unsigned User, unsigned Producing, bool Carried,
                               std::vector<Operand> &Out) {
  if (!Carried && Producing >= User)
    return; // only through an irreducible cycle
  if (Carried && commonLoop(User, Producing) == -1)
    return;
  if (Linked.insert({Producing, Carried}).second)
    Out.push_back({Producing, Carried});
}

bool OperandLinker::isCarriedTo(unsigned User, const llvm::PHINode &Phi,
                                unsigned Incoming) const {
  const llvm::Loop *L = A.LI.getLoopFor(Phi.getParent());
  const auto *Definition =
      llvm::dyn_cast<llvm::Instruction>(Phi.getIncomingValue(Incoming));
  if (!L || L->getHeader() != Phi.getParent() ||
      !L->contains(Phi.getIncomingBlock(Incoming)) || !Definition ||
      !L->contains(Definition))
    return false;
  // A user after the loop is in no cycle of it; a user in an inner loop is.
  return isInLoop(Model.Loops, Builder.loopOf(User), R.loopIndex(L));
}

void OperandLinker::linkTo(const llvm::Value *V, unsigned User,
                           std::vector<Operand> &Out) {
  llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
  // Each value with: is it of the previous iteration?
  llvm::SmallVector<std::pair<const llvm::Value *, bool>> Work{{V, false}};
  while (!Work.empty() && spendWork()) {
    auto [Value, Carried] = Work.pop_back_val();
    const auto *I = llvm::dyn_cast<llvm::Instruction>(Value);
    if (!I || !Seen.insert(I).second)
      continue;
    if (std::optional<unsigned> Producer = Builder.producer(*I)) {
      // Operand::Carried refers to the innermost loop around both operations;
      // a value carried by an outer loop only is available at once.
      bool IsCarried = Carried && commonLoop(User, *Producer) != -1 &&
                       A.LI.getLoopFor(I->getParent());
      addOperand(User, *Producer, IsCarried, Out);
    } else if (const auto *Phi = llvm::dyn_cast<llvm::PHINode>(I)) {
      for (unsigned N = Phi->getNumIncomingValues(); N-- > 0;)
        Work.push_back(
            {Phi->getIncomingValue(N), Carried || isCarriedTo(User, *Phi, N)});
    } else if (const llvm::Instruction *Earlier = Selection.sameAddress(*I)) {
      Work.push_back({Earlier, Carried});
    } else if (!llvm::isa<llvm::LoadInst>(I)) {
      // A free load has no operands; another free instruction passes on its
      // own.
      for (const llvm::Value *Operand : llvm::reverse(I->operands()))
        Work.push_back({Operand, Carried});
    }
  }
}

void OperandLinker::linkToBarrier(unsigned User, std::vector<Operand> &Out) {
  auto Barriers = BarriersOfBlock.find(Builder.blockOf(User));
  if (Barriers == BarriersOfBlock.end())
    return;
  auto *Next = llvm::lower_bound(Barriers->second, User);
  if (Next != Barriers->second.begin())
    addOperand(User, *std::prev(Next), false, Out);
}

void OperandLinker::run() {
  for (const auto &[Index, BB] : Builder.barriers())
    BarriersOfBlock[Builder.blockOf(Index)].push_back(Index);
  for (unsigned User = 0; User < Model.Operations.size() && spendWork();
       ++User) {
    std::vector<Operand> Out;
    Linked.clear();
    const OperationBuilder::PendingOperands &Pending = Builder.pending(User);
    for (const Operand &Direct : Pending.Operations)
      addOperand(User, Direct.Producer, Direct.Carried, Out);
    for (const llvm::Value *V : Pending.Values)
      linkTo(V, User, Out);
    Operation &Op = Model.Operations[User];
    if (Op.access())
      linkToBarrier(User, Out);
    Op.Operands = std::move(Out);
  }
}

} // namespace gpuestimate
