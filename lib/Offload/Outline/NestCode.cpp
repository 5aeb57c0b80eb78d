#include "Outline.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

NestCode::NestCode(llvm::Function &F, const HostNest &Nest)
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
  const llvm::DebugLoc &At = BB.getTerminator()->getDebugLoc();
  return At ? " at line " + std::to_string(At.getLine()) : "";
}

std::string NestCode::obstacle(unsigned Index) const {
  const llvm::Loop *L = Loops[Index];
  if (!L)
    return "the compiler makes no loop of it";
  llvm::SmallVector<llvm::BasicBlock *> Exiting;
  L->getExitingBlocks(Exiting);
  for (const llvm::BasicBlock *BB : Exiting)
    if (BB != L->getHeader())
      return "it is left in its middle" + lineOf(*BB) +
             " (break, return, goto, or a second condition), so its "
             "iterations must run one after the other";
  if (Exiting.empty())
    return "its condition is not at its head";
  if (!L->getLoopLatch() || !L->getLoopPredecessor())
    return "control enters or repeats it in more than one place";
  return "";
}

bool NestCode::isPerfect(unsigned Outer, unsigned Inner,
                         llvm::ArrayRef<LoopUpdate> Shared) const {
  const llvm::Loop *In = Loops[Inner];
  auto isShared = [&](const llvm::Value *Place) {
    llvm::StringRef Name = Place->getName();
    Name.consume_back(".addr");
    return llvm::any_of(Shared, [&](const LoopUpdate &U) {
      return llvm::any_of(U.Variables, [&](const LoopUpdate::Variable &V) {
        return Name.rtrim("0123456789") ==
               llvm::StringRef(V.Name).rtrim("0123456789");
      });
    });
  };
  for (const llvm::BasicBlock *BB : Loops[Outer]->blocks()) {
    if (In->contains(BB))
      continue;
    for (const llvm::Instruction &I : *BB) {
      if (const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I)) {
        if (!llvm::isa<llvm::AllocaInst>(Store->getPointerOperand()) ||
            isShared(Store->getPointerOperand()))
          return false;
      } else if (I.mayWriteToMemory() && !I.isDebugOrPseudoInst() &&
                 !I.isLifetimeStartOrEnd()) {
        return false;
      }
    }
    // Work of its own beside the inner loop belongs to a thread of its own.
    for (const llvm::Loop *Sub : *Loops[Outer])
      if (Sub != In && Sub->contains(BB) && !Sub->contains(In))
        return false;
  }
  return true;
}

/// Leaves memory that a nest could use as it is, and reads none.
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

bool NestCode::follows(const llvm::BasicBlock *After) const {
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
