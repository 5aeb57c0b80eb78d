#include "gpu-estimate/Resolve/BufferNames.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// Collects the buffers that a value is loaded from, along the use-def chains.
class BackwardSlice {
public:
  explicit BackwardSlice(const BufferNames &Names) : Names(Names) {}

  void add(const Value *V) { Work.push_back(V); }
  std::set<std::string> run() {
    while (!Work.empty()) {
      const Value *V = Work.pop_back_val();
      if (!Seen.insert(V).second)
        continue;
      const auto *I = dyn_cast<Instruction>(V);
      if (!I)
        continue;
      if (const Value *Pointer = pointerOf(*I))
        addObjects(Pointer);
      for (const Value *Operand : I->operands())
        Work.push_back(Operand);
    }
    return std::move(Buffers);
  }

private:
  static const Value *pointerOf(const Instruction &I) {
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return Load->getPointerOperand();
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
      return I.getOperand(0);
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && (Callee->getName().starts_with("llvm.nvvm.ld") ||
                      Callee->getName().starts_with("llvm.nvvm.atomic."))
               ? Call->getArgOperand(0)
               : nullptr;
  }
  /// Adds the objects that Pointer may point into.
  void addObjects(const Value *Pointer) {
    SmallVector<const Value *> Pointers{Pointer};
    SmallPtrSet<const Value *, 8> Visited;
    while (!Pointers.empty()) {
      const Value *P = Pointers.pop_back_val();
      if (!Visited.insert(P).second)
        continue;
      if (std::string Name = Names.of(P); !Name.empty()) {
        Buffers.insert(Name);
        continue;
      }
      if (const auto *U = dyn_cast<Operator>(P);
          U && isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator>(U))
        Pointers.push_back(U->getOperand(0));
      else if (const auto *Phi = dyn_cast<PHINode>(P))
        Pointers.append(Phi->value_op_begin(), Phi->value_op_end());
      else if (const auto *S = dyn_cast<SelectInst>(P))
        Pointers.append({S->getTrueValue(), S->getFalseValue()});
      else if (isa<AllocaInst, GlobalVariable>(P))
        addStores(P);
    }
  }
  /// Continues with the values that are stored to a shared or private object.
  void addStores(const Value *Object) {
    if (!Seen.insert(Object).second)
      return;
    SmallVector<const Value *> Pointers{Object};
    SmallPtrSet<const Value *, 8> Visited;
    while (!Pointers.empty()) {
      const Value *P = Pointers.pop_back_val();
      if (!Visited.insert(P).second)
        continue;
      for (const User *U : P->users()) {
        if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator, PHINode,
                SelectInst>(U))
          Pointers.push_back(U);
        else if (isa<Instruction>(U))
          Work.append(U->op_begin(), U->op_end());
      }
    }
  }

  const BufferNames &Names;
  SmallVector<const Value *> Work;
  SmallPtrSet<const Value *, 32> Seen;
  std::set<std::string> Buffers;
};

} // namespace

std::set<std::string> buffersInSlice(const BufferNames &Names, const Value *V) {
  BackwardSlice Slice(Names);
  Slice.add(V);
  return Slice.run();
}

std::set<std::string> buffersInLoopSlice(const BufferNames &Names,
                                         const llvm::BasicBlock *Header) {
  DominatorTree Dominators(const_cast<Function &>(Names.function()));
  LoopInfo Loops(Dominators);
  BackwardSlice Slice(Names);
  SmallVector<llvm::BasicBlock *> Exiting;
  if (const llvm::Loop *L = Loops.getLoopFor(Header))
    L->getExitingBlocks(Exiting);
  for (const llvm::BasicBlock *BB : Exiting)
    Slice.add(BB->getTerminator());
  return Slice.run();
}

} // namespace gpuestimate
