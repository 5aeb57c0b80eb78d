#include "IrLoopNest.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

const llvm::DILocalVariable *declaredVariable(llvm::Value *Address) {
  const llvm::DILocalVariable *Variable = nullptr;
  for (const llvm::DbgDeclareInst *D : llvm::findDbgDeclares(Address))
    Variable = D->getVariable();
  for (const llvm::DbgVariableRecord *D : llvm::findDVRDeclares(Address))
    Variable = D->getVariable();
  return Variable;
}

IrLoopNest::IrLoopNest(llvm::Function &F, const HostLoopNest &Nest)
    : F(F), Nest(Nest), DT(F), LI(DT), Loops(Nest.Loops.size()) {
  for (const llvm::Loop *L : LI.getLoopsInPreorder()) {
    llvm::DebugLoc Start = L->getStartLoc();
    if (!Start)
      continue;
    for (size_t I = 0; I < Loops.size(); ++I)
      if (!Loops[I] && Nest.Loops[I].Location.Line == Start.getLine() &&
          Nest.Loops[I].Location.Column == Start.getCol())
        Loops[I] = L;
  }
}

static std::string lineOf(const llvm::BasicBlock &BB) {
  const llvm::DebugLoc &Location = BB.getTerminator()->getDebugLoc();
  return Location ? " at line " + std::to_string(Location.getLine()) : "";
}

std::string IrLoopNest::obstacle(unsigned Index) const {
  const llvm::Loop *L = Loops[Index];
  if (!L)
    return "the compiler generates no loop for it";
  llvm::SmallVector<llvm::BasicBlock *> Exiting;
  L->getExitingBlocks(Exiting);
  for (const llvm::BasicBlock *BB : Exiting)
    if (BB != L->getHeader())
      return "it has a second exit" + lineOf(*BB) +
             " (break, return, goto, or a second condition), so its "
             "iterations must run in order";
  if (Exiting.empty())
    return "it has no exit condition";
  if (!L->getLoopLatch() || !L->getLoopPredecessor())
    return "it has several entries or several back edges";
  return "";
}

bool IrLoopNest::isPerfect(unsigned Outer, unsigned Inner,
                           llvm::ArrayRef<ReductionUpdate> Shared) const {
  const llvm::Loop *In = Loops[Inner];
  auto isShared = [&](llvm::Value *Address) {
    const llvm::DILocalVariable *Variable = declaredVariable(Address);
    return Variable && llvm::any_of(Shared, [&](const ReductionUpdate &U) {
             return llvm::any_of(
                 U.Variables, [&](const ReductionUpdate::Variable &V) {
                   if (V.Line)
                     return V.Name == Variable->getName() &&
                            V.Line == Variable->getLine();
                   // The name may be that of an IR value, without its number.
                   return llvm::StringRef(V.Name).rtrim("0123456789") ==
                          Variable->getName().rtrim("0123456789");
                 });
           });
  };
  for (llvm::BasicBlock *BB : Loops[Outer]->blocks()) {
    if (In->contains(BB))
      continue;
    for (llvm::Instruction &I : *BB) {
      if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I)) {
        if (!llvm::isa<llvm::AllocaInst>(Store->getPointerOperand()) ||
            isShared(Store->getPointerOperand()))
          return false;
      } else if (I.mayWriteToMemory() && !I.isDebugOrPseudoInst() &&
                 !I.isLifetimeStartOrEnd()) {
        return false;
      }
    }
    // Another inner loop is work outside Inner.
    for (const llvm::Loop *Sub : *Loops[Outer])
      if (Sub != In && Sub->contains(BB) && !Sub->contains(In))
        return false;
  }
  return true;
}

/// Does I access no memory except local scalar variables?
static bool isLocal(const llvm::Instruction &I) {
  auto isVariable = [](const llvm::Value *Place) {
    const auto *Local = llvm::dyn_cast<llvm::AllocaInst>(Place);
    return Local && Local->getAllocatedType()->isSingleValueType();
  };
  if (const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I))
    return isVariable(Store->getPointerOperand());
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I))
    return isVariable(Load->getPointerOperand());
  return I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() ||
         !(I.mayReadOrWriteMemory() || I.mayHaveSideEffects());
}

bool IrLoopNest::follows(const llvm::BasicBlock *After) const {
  const llvm::Loop *L = Loops[0];
  for (unsigned Steps = 0; After && L && Steps < 16; ++Steps) {
    if (After == L->getHeader())
      return true;
    for (const llvm::Instruction &I : *After)
      if (!isLocal(I))
        return false;
    After = After->getUniqueSuccessor();
  }
  return false;
}

} // namespace gpuestimate
