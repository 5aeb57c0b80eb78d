#include "PhaseWaits.h"

#include "PhaseTests.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuestimate {

/// What I computes of constants; null for other instructions.
static Value *constantOf(Instruction &I, const DataLayout &Layout) {
  if (Value *Fenced = fencedByAssembly(I))
    return isa<Constant>(Fenced) ? Fenced : nullptr;
  return ConstantFoldInstruction(&I, Layout);
}

/// Replaces I, and the instructions that constants remain of then: a fence
/// between the test and its use would hide the value from the optimisation.
static void replace(Instruction &I, Value *By, const DataLayout &Layout) {
  SmallVector<std::pair<Instruction *, Value *>> Pending = {{&I, By}};
  while (!Pending.empty()) {
    auto [Old, New] = Pending.pop_back_val();
    SmallVector<Instruction *> Users;
    for (User *U : Old->users())
      if (auto *Next = dyn_cast<Instruction>(U))
        Users.push_back(Next);
    Old->replaceAllUsesWith(New);
    for (Instruction *Next : Users)
      if (!Next->use_empty())
        if (Value *Constant = constantOf(*Next, Layout))
          Pending.push_back({Next, Constant});
  }
}

void assumePhasesEnded(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.getType()->isIntegerTy() && testsPhase(I))
        replace(I, ConstantInt::get(I.getType(), 1), M.getDataLayout());
}

} // namespace gpuestimate
