#include "InliningPlan.h"

#include "PreparedFunction.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gpuestimate {
namespace {

/// Instructions beyond which no further call is inlined.
constexpr unsigned MaxFunctionSize = 20000;

using FunctionSet = llvm::SmallPtrSet<const llvm::GlobalValue *, 16>;

const llvm::Function *definedCallee(const llvm::CallBase &Call) {
  const llvm::Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isDeclaration() ? Callee : nullptr;
}

/// Adds F and its direct and indirect callees.
void addReached(const llvm::Function &F, FunctionSet &Reached) {
  if (!Reached.insert(&F).second)
    return;
  llvm::SmallVector<const llvm::Function *> Work{&F};
  while (!Work.empty())
    for (const llvm::BasicBlock &BB : *Work.pop_back_val())
      for (const llvm::Instruction &I : BB)
        if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
          if (const llvm::Function *Callee = definedCallee(*Call);
              Callee && Reached.insert(Callee).second)
            Work.push_back(Callee);
}

/// Does one of the functions store to a global variable by name?
bool setsGlobal(const FunctionSet &Callees) {
  for (const llvm::GlobalValue *F : Callees)
    for (const llvm::BasicBlock &BB : llvm::cast<llvm::Function>(*F))
      for (const llvm::Instruction &I : BB)
        if (const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I))
          if (llvm::isa<llvm::GlobalVariable>(
                  llvm::getUnderlyingObject(Store->getPointerOperand())))
            return true;
  return false;
}

/// Can a call outside the loops affect them through arrays only?
bool canStay(const llvm::CallBase &Call, const llvm::Function &Callee) {
  if (!Call.use_empty())
    return false;
  for (const llvm::Value *Argument : Call.args())
    if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(Argument)))
      return false;
  FunctionSet Within;
  addReached(Callee, Within);
  return !setsGlobal(Within);
}

llvm::SmallPtrSet<const llvm::Function *, 8> recursiveIn(llvm::Module &M) {
  llvm::SmallPtrSet<const llvm::Function *, 8> Recursive;
  llvm::CallGraph Graph(M);
  for (auto Scc = llvm::scc_begin(&Graph); !Scc.isAtEnd(); ++Scc)
    if (Scc.hasCycle())
      for (llvm::CallGraphNode *Node : *Scc)
        Recursive.insert(Node->getFunction());
  return Recursive;
}

} // namespace

InliningPlan::InliningPlan(const llvm::Function &F,
                           llvm::ArrayRef<SourceLocation> Asked) {
  const llvm::DominatorTree Dominators(const_cast<llvm::Function &>(F));
  const llvm::LoopInfo Loops(Dominators);
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> Inside;
  for (const llvm::Loop *L : Loops.getLoopsInPreorder())
    if (const SourceLocation Start = locate(L->getStartLoc());
        llvm::any_of(Asked, [&](const SourceLocation &Place) {
          return isSameLocation(Place, Start);
        }))
      Inside.insert(L->block_begin(), L->block_end());
  Reached.insert(&F);
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB)
      if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        if (const llvm::Function *Callee = definedCallee(*Call)) {
          if (!Inside.empty() && !Inside.contains(&BB) &&
              canStay(*Call, *Callee))
            KeptCalls.push_back(Call);
          else
            addReached(*Callee, Reached);
        }
}

void InliningPlan::inlineInto(llvm::Function &Clone,
                              llvm::ValueToValueMapTy &CloneOf) const {
  llvm::SmallPtrSet<const llvm::Value *, 8> KeptClones;
  for (const llvm::CallBase *Call : KeptCalls)
    KeptClones.insert(CloneOf.lookup(Call));
  const auto Recursive = recursiveIn(*Clone.getParent());
  unsigned Size = Clone.getInstructionCount();
  llvm::DenseMap<const llvm::Function *, unsigned> Sizes; // of callees
  for (bool Changed = true; Changed;) {
    Changed = false;
    llvm::SmallVector<llvm::CallBase *> Calls;
    for (llvm::BasicBlock &BB : Clone)
      for (llvm::Instruction &I : BB)
        if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
          if (const llvm::Function *Callee = definedCallee(*Call))
            if (!KeptClones.contains(Call) && !Recursive.contains(Callee) &&
                Callee->getFunctionType() == Call->getFunctionType())
              Calls.push_back(Call);
    for (llvm::CallBase *Call : Calls) {
      llvm::Function &Callee = *Call->getCalledFunction();
      auto [CalleeSize, New] = Sizes.try_emplace(&Callee);
      if (New)
        CalleeSize->second = Callee.getInstructionCount();
      unsigned Added = CalleeSize->second;
      if (Size + Added > MaxFunctionSize || Callee.isPresplitCoroutine() ||
          !llvm::isInlineViable(Callee).isSuccess())
        continue;
      llvm::InlineFunctionInfo Info;
      if (!llvm::InlineFunction(*Call, Info).isSuccess())
        continue;
      Size += Added;
      Changed = true;
    }
  }
}

} // namespace gpuestimate
