/// \file
/// What each operation waits for: through free instructions to the operations
/// behind them, and around loops through header phis.
#include "Operations.h"

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
  for (const Operand &O : Out)
    if (O.Producer == Producing && O.Carried == Carried)
      return;
  Out.push_back({Producing, Carried});
}

void Operations::producers(const llvm::Value *Of, unsigned User, bool Carried,
                           std::vector<Operand> &Out,
                           llvm::SmallPtrSetImpl<const llvm::Value *> &Seen) {
  const auto *I = llvm::dyn_cast<llvm::Instruction>(Of);
  if (!I || !Seen.insert(I).second)
    return;
  if (auto At = Producer.find(I); At != Producer.end()) {
    // "Carried" is about the innermost loop around both; when the way here
    // went around an outer loop only, the value is simply there.
    bool Around = Carried;
    if (Carried) {
      int L = commonLoop(User, At->second);
      const llvm::Loop *Home = A.LI.getLoopFor(I->getParent());
      if (L == -1 || !Home)
        Around = false;
    }
    addOperand(User, At->second, Around, Out);
    return;
  }
  if (const auto *Phi = llvm::dyn_cast<llvm::PHINode>(I)) {
    const llvm::Loop *L = A.LI.getLoopFor(Phi->getParent());
    bool Header = L && L->getHeader() == Phi->getParent();
    for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N) {
      bool Back = Header && L->contains(Phi->getIncomingBlock(N));
      const auto *From =
          llvm::dyn_cast<llvm::Instruction>(Phi->getIncomingValue(N));
      // Around the loop only for what the loop makes, and only as the loop
      // that the user is in sees it.
      bool Around = Back && From && L->contains(From);
      int UserLoop = LoopOfBlock[BlockOf[User]];
      if (Around && UserLoop != R.loopIndex(L)) {
        // The user is deeper (or behind the loop): no cycle of its own loop.
        bool Deeper = false;
        for (int X = UserLoop; X != -1; X = Model.Loops[X].Parent)
          Deeper = Deeper || X == R.loopIndex(L);
        if (!Deeper)
          Around = false;
      }
      producers(Phi->getIncomingValue(N), User, Carried || Around, Out, Seen);
    }
    return;
  }
  if (const llvm::Instruction *Earlier = P.sameAddress(*I))
    return producers(Earlier, User, Carried, Out, Seen);
  // A free read waits for nothing; any other free instruction for its inputs.
  if (llvm::isa<llvm::LoadInst>(I))
    return;
  for (const llvm::Value *Operand : I->operands())
    producers(Operand, User, Carried, Out, Seen);
}

void Operations::link() {
  for (unsigned User = 0; User < Model.Operations.size(); ++User) {
    std::vector<Operand> Out;
    for (const Operand &Direct : Waits[User].Direct)
      addOperand(User, Direct.Producer, Direct.Carried, Out);
    for (const llvm::Value *Of : Waits[User].Values) {
      llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
      producers(Of, User, false, Out, Seen);
    }
    // Memory is read and written behind the last barrier on the way.
    Operation &Op = Model.Operations[User];
    if (Op.Access >= 0)
      for (auto It = Barriers.rbegin(); It != Barriers.rend(); ++It)
        if (It->first < User &&
            LoopOfBlock[BlockOf[It->first]] == LoopOfBlock[BlockOf[User]] &&
            (BlockOf[It->first] == BlockOf[User])) {
          addOperand(User, It->first, false, Out);
          break;
        }
    Op.Operands = std::move(Out);
  }
}

} // namespace gpuestimate
