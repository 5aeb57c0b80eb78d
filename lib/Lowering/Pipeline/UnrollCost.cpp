#include "UnrollCost.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <algorithm>

namespace gpuestimate {

namespace {

/// Copies of a loop of unknown trip count, and the loop over the rest.
constexpr uint64_t CopiesOfInnerLoop = 4 + 1;
/// Cost up to which the copies of such a loop are made.
constexpr uint64_t MaxCopiesOfInnerLoop = 405;
/// The test and the branch back, which the copies of a body share.
constexpr uint64_t SharedByCopies = 2;

const llvm::AllocaInst *privateArray(const llvm::Value *Address) {
  return llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(Address));
}

uint64_t costOf(const llvm::Instruction &I) {
  if (llvm::isa<llvm::PHINode, llvm::BitCastInst, llvm::AddrSpaceCastInst,
                llvm::TruncInst, llvm::PtrToIntInst, llvm::IntToPtrInst,
                llvm::FreezeInst, llvm::AllocaInst>(I) ||
      I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd())
    return 0;
  if (const auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I))
    return Gep->hasAllZeroIndices() || (Gep->hasAllConstantIndices() &&
                                        !privateArray(Gep->getPointerOperand()))
               ? 0
               : 1;
  if (const llvm::Value *Address = llvm::getLoadStorePointerOperand(&I))
    return privateArray(Address) ? 0 : 1;
  switch (I.getOpcode()) {
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
    return 4;
  default:
    break;
  }
  if (llvm::isa<llvm::IntrinsicInst>(I))
    return llvm::isAssumeLikeIntrinsic(&I) ? 0 : 1;
  if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
    return 1 + Call->arg_size();
  return 1;
}

/// Does I select an element of a private array by a value that changes in L?
bool indexesPrivateArray(const llvm::Instruction &I, const llvm::Loop &L) {
  const auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I);
  return Gep && !Gep->hasAllConstantIndices() &&
         llvm::any_of(
             Gep->indices(),
             [&](const llvm::Value *V) { return !L.isLoopInvariant(V); }) &&
         privateArray(Gep->getPointerOperand());
}

uint64_t iteration(const llvm::Loop &L) {
  uint64_t Cost = 0;
  for (const llvm::BasicBlock *BB : L.blocks())
    for (const llvm::Instruction &I : *BB)
      Cost += costOf(I);
  for (const llvm::Loop *Inner : L) {
    uint64_t Once = iteration(*Inner);
    if (Once * (CopiesOfInnerLoop - 1) < MaxCopiesOfInnerLoop)
      Cost += Once * (CopiesOfInnerLoop - 1);
  }
  return Cost - std::min(Cost, SharedByCopies);
}

} // namespace

UnrollCost unrollCost(const llvm::Loop &L) {
  UnrollCost Cost;
  Cost.Iteration = iteration(L);
  for (const llvm::BasicBlock *BB : L.blocks())
    for (const llvm::Instruction &I : *BB)
      Cost.IndexesPrivateArray |= indexesPrivateArray(I, L);
  return Cost;
}

} // namespace gpuestimate
