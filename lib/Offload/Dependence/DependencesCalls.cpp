/// \file
/// What the analysed function calls becomes a part of it, as far as the loops
/// that are asked about need it.
#include "DependencesInternal.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gpuestimate {
namespace {

/// Above this many instructions nothing more is inlined: what is left stays a
/// call, and is reported as one.
constexpr unsigned LargestFunction = 20000;

using Functions = llvm::SmallPtrSet<const llvm::GlobalValue *, 16>;

const llvm::Function *definedCallee(const llvm::CallBase &Call) {
  const llvm::Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isDeclaration() ? Callee : nullptr;
}

/// Adds F and what it calls.
void addReached(const llvm::Function &F, Functions &Reached) {
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

/// Does one of the functions set a global variable by its name?
bool setsGlobal(const Functions &Of) {
  for (const llvm::GlobalValue *F : Of)
    for (const llvm::BasicBlock &BB : llvm::cast<llvm::Function>(*F))
      for (const llvm::Instruction &I : BB)
        if (const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I))
          if (llvm::isa<llvm::GlobalVariable>(
                  llvm::getUnderlyingObject(Store->getPointerOperand())))
            return true;
  return false;
}

/// Is a call outside the loops nothing that they could depend on, but for what
/// it leaves in arrays?
bool canStay(const llvm::CallBase &Call, const llvm::Function &Callee) {
  if (!Call.use_empty())
    return false;
  for (const llvm::Value *Argument : Call.args())
    if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(Argument)))
      return false;
  Functions Within;
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

CallsToInline::CallsToInline(const llvm::Function &F,
                             llvm::ArrayRef<SourceLocation> Asked) {
  const llvm::DominatorTree Dominators(const_cast<llvm::Function &>(F));
  const llvm::LoopInfo Loops(Dominators);
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> Inside;
  for (const llvm::Loop *L : Loops.getLoopsInPreorder())
    if (const SourceLocation Start = locate(L->getStartLoc());
        llvm::any_of(Asked, [&](const SourceLocation &Place) {
          return isSame(Place, Start);
        }))
      Inside.insert(L->block_begin(), L->block_end());
  Reached.insert(&F);
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB)
      if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        if (const llvm::Function *Callee = definedCallee(*Call)) {
          if (!Inside.empty() && !Inside.contains(&BB) &&
              canStay(*Call, *Callee))
            Left.push_back(Call);
          else
            addReached(*Callee, Reached);
        }
}

void CallsToInline::inlineInto(llvm::Function &Clone,
                               llvm::ValueToValueMapTy &CloneOf) const {
  llvm::SmallPtrSet<const llvm::Value *, 8> Stay;
  for (const llvm::CallBase *Call : Left)
    Stay.insert(CloneOf.lookup(Call));
  const auto Recursive = recursiveIn(*Clone.getParent());
  unsigned Size = Clone.getInstructionCount();
  llvm::DenseMap<const llvm::Function *, unsigned> Sizes; // of others
  for (bool Changed = true; Changed;) {
    Changed = false;
    llvm::SmallVector<llvm::CallBase *> Calls;
    for (llvm::BasicBlock &BB : Clone)
      for (llvm::Instruction &I : BB)
        if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
          if (const llvm::Function *Callee = definedCallee(*Call))
            if (!Stay.contains(Call) && !Recursive.contains(Callee) &&
                Callee->getFunctionType() == Call->getFunctionType())
              Calls.push_back(Call);
    for (llvm::CallBase *Call : Calls) {
      llvm::Function &Callee = *Call->getCalledFunction();
      auto [Known, New] = Sizes.try_emplace(&Callee);
      if (New)
        Known->second = Callee.getInstructionCount();
      unsigned More = Known->second;
      if (Size + More > LargestFunction || Callee.isPresplitCoroutine() ||
          !llvm::isInlineViable(Callee).isSuccess())
        continue;
      llvm::InlineFunctionInfo Info;
      if (!llvm::InlineFunction(*Call, Info).isSuccess())
        continue;
      Size += More;
      Changed = true;
    }
  }
}

} // namespace gpuestimate
