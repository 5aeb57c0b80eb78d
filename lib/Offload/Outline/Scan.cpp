/// \file
/// A loop in which each iteration applies an operator to what the ones before
/// it have found becomes a scan in one pass (Merrill and Garland, "Single-pass
/// Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016):
///
///   1. the thread's own part: its iteration run with the operator's identity
///      as what came before, and with nothing stored
///   2. the scan of all threads' parts (ScanThreads.cpp)
///   3. the iteration as it is written, with what really came before
#include "Scan.h"
#include "Offload/Dependence/DependencesInternal.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gpuestimate {

namespace {

class ScanMaker {
public:
  ScanMaker(OutlinedNest &Nest, const LoopUpdate &Update)
      : Kernel(*Nest.Kernel), Marks(Nest.Scan), Update(Update),
        Operator(Nest.Scan.Operator), At(Nest.At) {}

  llvm::Error run();

private:
  llvm::Error findMemory();
  llvm::Error follow();
  void copy();
  llvm::Error checkReads();
  void keepValues();
  llvm::Error refuse(const llvm::Twine &Why) const {
    return llvm::createStringError("it is a scan by '" + Update.Operator +
                                   "' (" + Update.Text + "), but " + Why);
  }
  llvm::AllocaInst *slot(llvm::Type *Type, llvm::Constant *First = nullptr) {
    llvm::IRBuilder<> Builder(&*Kernel.getEntryBlock().begin());
    llvm::AllocaInst *Slot = Builder.CreateAlloca(Type);
    if (First)
      Builder.CreateStore(First, Slot);
    return Slot;
  }
  void promote();
  llvm::Value *copyOf(const llvm::Value *V) const {
    return V ? static_cast<llvm::Value *>(Map.lookup(V)) : nullptr;
  }

  llvm::Function &Kernel;
  ScanMarks &Marks;
  const LoopUpdate &Update;
  CombineOperator &Operator;
  llvm::DebugLoc At;
  llvm::LoadInst *MemoryBefore = nullptr;             ///< of a scan in memory
  llvm::SmallPtrSet<const llvm::Value *, 16> Tainted; ///< follow from before
  llvm::SmallVector<llvm::BasicBlock *> Region;       ///< the iteration
  llvm::ValueToValueMapTy Map;                        ///< to its copy
};

} // namespace

void ScanMaker::promote() {
  llvm::FunctionAnalysisManager Analyses;
  llvm::PassBuilder().registerFunctionAnalyses(Analyses);
  llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(Kernel, Analyses);
}

/// `a[i] = a[i - 1] + x`: from here on a variable that starts as the load and
/// ends as what is stored.
llvm::Error ScanMaker::findMemory() {
  auto isAt = [](const llvm::Instruction &I, const SourceLocation &Where) {
    return I.getDebugLoc() && I.getDebugLoc().getLine() == Where.Line &&
           I.getDebugLoc().getCol() == Where.Column;
  };
  llvm::TargetLibraryInfoImpl Library;
  llvm::StoreInst *After = nullptr;
  for (llvm::BasicBlock &BB : Kernel)
    for (llvm::Instruction &I : BB) {
      auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I);
      auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I);
      if (Load && isAt(I, Update.Before))
        MemoryBefore = Load;
      if (Store && isAt(I, Update.Location))
        After = Store;
    }
  if (!MemoryBefore || !After ||
      operatorBetween(MemoryBefore, After->getValueOperand(), /*Strict=*/false,
                      llvm::TargetLibraryInfo(Library)) != Update.Operator)
    return refuse("it is not in the loop's own code");
  Operator = {Update.Operator, MemoryBefore->getType(), Update.Unsigned};
  llvm::IRBuilder<> Builder(Kernel.getEntryBlock().getTerminator());
  Marks.begin(Builder, Operator.Type);
  llvm::AllocaInst *Own = slot(Operator.Type);
  Builder.CreateStore(Marks.Before, Own);
  MemoryBefore->replaceAllUsesWith(Marks.Before);
  new llvm::StoreInst(After->getValueOperand(), Own, After->getNextNode());
  for (llvm::BasicBlock &BB : Kernel)
    if (auto *Return = llvm::dyn_cast<llvm::ReturnInst>(BB.getTerminator())) {
      Builder.SetInsertPoint(Return);
      Marks.end(Builder, Builder.CreateLoad(Operator.Type, Own));
    }
  promote();
  return llvm::Error::success();
}

/// What is computed from what came before; it must not decide what is added.
llvm::Error ScanMaker::follow() {
  llvm::SmallVector<const llvm::Value *> Work{Marks.Before};
  bool Chooses = Update.Operator == "min" || Update.Operator == "max";
  while (!Work.empty())
    for (const llvm::User *U : Work.pop_back_val()->users()) {
      if (U == Marks.After || !Tainted.insert(U).second)
        continue;
      const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(U);
      const auto *Choice = llvm::dyn_cast<llvm::SelectInst>(U);
      if (Branch || llvm::isa<llvm::SwitchInst>(U) ||
          (Choice && !Chooses && Tainted.contains(Choice->getCondition())))
        return refuse("its course depends on what came before");
      Work.push_back(U);
    }
  return llvm::Error::success();
}

/// The iteration once more, for the thread's own part.
void ScanMaker::copy() {
  for (llvm::BasicBlock &BB : Kernel)
    if (&BB != &Kernel.getEntryBlock())
      Region.push_back(&BB);
  Map[Marks.Before] = Operator.identity();
  llvm::SmallVector<llvm::BasicBlock *> Copies;
  for (llvm::BasicBlock *BB : Region) {
    Copies.push_back(llvm::CloneBasicBlock(BB, Map, ".part", &Kernel));
    Map[BB] = Copies.back();
  }
  llvm::remapInstructionsInBlocks(Copies, Map);
  for (llvm::BasicBlock *BB : Copies) {
    BB->moveBefore(Region.front());
    for (llvm::Instruction &I : llvm::make_early_inc_range(*BB)) {
      auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I);
      if (Store && !llvm::isa<llvm::AllocaInst>(
                       llvm::getUnderlyingObject(Store->getPointerOperand())))
        I.eraseFromParent();
    }
  }
  // What nobody needs now.
  llvm::Value *First = copyOf(MemoryBefore);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (llvm::BasicBlock *BB : Copies)
      for (llvm::Instruction &I :
           llvm::make_early_inc_range(llvm::reverse(*BB)))
        if (&I != First && llvm::isInstructionTriviallyDead(&I)) {
          I.eraseFromParent();
          Changed = true;
        }
  }
}

/// The copy stores nothing, so it must not read what the iteration stores.
llvm::Error ScanMaker::checkReads() {
  for (llvm::BasicBlock *BB : Region)
    for (llvm::Instruction &I : *BB) {
      auto *Load = llvm::dyn_cast_or_null<llvm::LoadInst>(copyOf(&I));
      if (I.mayWriteToMemory() && !llvm::isa<llvm::StoreInst>(I) &&
          &I != Marks.After)
        return refuse("the iteration calls what may write");
      if (!Load || &I == MemoryBefore)
        continue;
      if (Tainted.contains(&I))
        return refuse("what it adds depends on what came before");
      const llvm::Value *Object =
          llvm::getUnderlyingObject(Load->getPointerOperand());
      for (llvm::BasicBlock *Other : Region)
        for (llvm::Instruction &J : *Other) {
          auto *Store = llvm::dyn_cast<llvm::StoreInst>(&J);
          if (Store && !llvm::isa<llvm::AllocaInst>(Object) &&
              llvm::getUnderlyingObject(Store->getPointerOperand()) == Object &&
              llvm::isPotentiallyReachable(Store, &I))
            return refuse("what it adds is read from an array that the "
                          "iteration has written before");
        }
    }
  return llvm::Error::success();
}

/// What the first run has computed is not computed or read again.
void ScanMaker::keepValues() {
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Instruction *>> Pairs;
  for (llvm::BasicBlock *BB : Region)
    for (llvm::Instruction &I : *BB) {
      auto *Copy = llvm::dyn_cast_or_null<llvm::Instruction>(copyOf(&I));
      if (!Copy || Tainted.contains(&I) || I.getType()->isVoidTy())
        continue;
      bool Needed = llvm::any_of(I.users(), [&](const llvm::User *U) {
        return Tainted.contains(U) || !copyOf(U) ||
               llvm::cast<llvm::Instruction>(U)->isTerminator();
      });
      if (Needed)
        Pairs.push_back({&I, Copy});
    }
  for (auto [I, Copy] : Pairs) {
    llvm::AllocaInst *Slot = slot(I->getType());
    new llvm::StoreInst(Copy, Slot,
                        &*(llvm::isa<llvm::PHINode>(Copy)
                               ? Copy->getParent()->getFirstInsertionPt()
                               : std::next(Copy->getIterator())));
    I->replaceAllUsesWith(new llvm::LoadInst(
        I->getType(), Slot, "kept", &*I->getParent()->getFirstInsertionPt()));
  }
}

llvm::Error ScanMaker::run() {
  if (!Marks.Before)
    if (llvm::Error E = findMemory())
      return E;
  if (llvm::Error E = follow())
    return E;
  // The test of the loop's bound belongs to the iteration.
  llvm::BasicBlock *Entry = &Kernel.getEntryBlock();
  llvm::SplitBlock(Entry, Entry->getTerminator());
  copy();
  if (llvm::Error E = checkReads())
    return E;
  // The scan's own load: of the very first iteration alone.
  if (MemoryBefore) {
    auto *Copy = llvm::cast<llvm::Instruction>(copyOf(MemoryBefore));
    Marks.First = slot(Operator.Type, Operator.identity());
    llvm::IRBuilder<> Builder(Entry->getTerminator());
    Builder.SetCurrentDebugLocation(At);
    ThreadPlace Thread(Builder);
    llvm::Value *IsFirst = Builder.CreateICmpEQ(
        Builder.CreateOr(Thread.Index, blockIndex(Builder)),
        Builder.getInt32(0));
    llvm::Instruction *Then =
        llvm::SplitBlockAndInsertIfThen(IsFirst, Copy, /*Unreachable=*/false);
    Copy->moveBefore(Then);
    new llvm::StoreInst(Copy, Marks.First, Then);
    MemoryBefore->eraseFromParent();
  }
  keepValues();
  auto *CopiedAfter = llvm::cast<llvm::CallInst>(copyOf(Marks.After));
  llvm::BasicBlock *Met = CopiedAfter->getParent();
  llvm::Value *Part = CopiedAfter->getArgOperand(0);
  Met->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> Builder(Met);
  Builder.SetCurrentDebugLocation(At);
  llvm::Value *First = Marks.First;
  if (MemoryBefore)
    First = Builder.CreateLoad(Operator.Type, First);
  llvm::Value *Before =
      scanThreads(Builder, Operator, Part, First, Marks.Words);
  auto *Into = llvm::cast<llvm::BranchInst>(Entry->getTerminator());
  llvm::BasicBlock *Head = Into->getSuccessor(0);
  Builder.CreateBr(Head);
  for (llvm::PHINode &Phi : Head->phis())
    Phi.replaceIncomingBlockWith(Entry, Builder.GetInsertBlock());
  Into->setSuccessor(0, llvm::cast<llvm::BasicBlock>(copyOf(Head)));
  Marks.Before->replaceAllUsesWith(Before);
  Marks.Before->eraseFromParent();
  Marks.After->eraseFromParent();
  CopiedAfter->eraseFromParent();
  promote();
  return llvm::Error::success();
}

llvm::Error makeScan(OutlinedNest &Nest, const LoopUpdate &Update) {
  return ScanMaker(Nest, Update).run();
}

} // namespace gpuestimate
