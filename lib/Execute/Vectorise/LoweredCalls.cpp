#include "LoweredCalls.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuestimate {

StringRef calleeName(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? Callee->getName() : "";
}

CollectiveKind collectiveKind(const Instruction &Collective) {
  return CollectiveKind(
      cast<ConstantInt>(Collective.getOperand(1))->getZExtValue());
}

bool isWaitForMemory(const Instruction &I) {
  StringRef Name = calleeName(I);
  return Name == "ge.spin" || Name == "ge.grid_sync" ||
         Name.starts_with("ge.mbarrier");
}

bool waitsForMemory(const Function &F) {
  return any_of(instructions(F), isWaitForMemory);
}

static bool isWait(const Instruction &I) {
  StringRef Name = calleeName(I);
  return Name == "ge.collective" || Name == "ge.barrier" || isWaitForMemory(I);
}

bool waitsForThreads(const Function &F) {
  return any_of(instructions(F), isWait);
}

bool waitsInLoops(Function &F) {
  if (!waitsForThreads(F))
    return false;
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  return any_of(F, [&](const BasicBlock &BB) {
    return Loops.getLoopFor(&BB) && any_of(BB, isWait);
  });
}

bool hasOneResult(const Instruction &I) {
  StringRef Name = calleeName(I);
  if (Name == "ge.barrier")
    return true;
  if (Name != "ge.collective" || !isa<Constant>(I.getOperand(2)))
    return false;
  using enum CollectiveKind;
  return is_contained({VoteAll, VoteAny, VoteUniform, Ballot, ActiveMask,
                       AddReduce, UnsignedMin, UnsignedMax, SignedMin,
                       SignedMax, AndReduce, OrReduce, XorReduce, Sync,
                       FirstLane},
                      collectiveKind(I));
}

bool isPure(const CallBase &Call) {
  if (Call.getType()->isVoidTy())
    return false;
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return Intrinsic->doesNotAccessMemory();
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && !Call.getType()->isPointerTy() &&
         none_of(Call.args(), [](const Value *Argument) {
           return Argument->getType()->isPointerTy();
         });
}

} // namespace gpuestimate
