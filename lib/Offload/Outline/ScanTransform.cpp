/// \file
/// Transforms a loop in which each iteration applies an operator to the result
/// of the previous one to a single-pass scan (Merrill and Garland, "Single-pass
/// Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016):
///
///   1. each thread computes its part: a copy of the iteration that starts from
///      the operator's identity and stores nothing
///   2. the scan over the parts of all threads (GridScan.cpp)
///   3. the original iteration, which starts from the result of the scan
#include "ScanTransform.h"
#include "Offload/Dependence/DependenceQuery.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gpuestimate {

namespace {

class ScanTransform {
public:
  ScanTransform(OutlinedKernel &Nest, const ReductionUpdate &Update)
      : Kernel(*Nest.Kernel), Marks(Nest.Scan), Update(Update),
        Operator(Nest.Scan.Operator), Location(Nest.Location) {}

  llvm::Error run();

private:
  llvm::Error findMemory();
  llvm::Error follow();
  void copy();
  llvm::Error checkReads();
  void keepValues();
  llvm::Error refuse(const llvm::Twine &Reason) const {
    return llvm::createStringError("it is a scan by '" + Update.Operator +
                                   "' (" + Update.Text + "), but " + Reason);
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
  ScanPlaceholders &Marks;
  const ReductionUpdate &Update;
  AssociativeOperator &Operator;
  llvm::DebugLoc Location;
  llvm::LoadInst *MemoryBefore = nullptr; ///< load of a scan in memory
  llvm::SmallPtrSet<const llvm::Value *, 16> Tainted; ///< depend on Before
  llvm::SmallVector<llvm::BasicBlock *> Region;       ///< the iteration
  llvm::ValueToValueMapTy Map;                        ///< to its copy
};

} // namespace

void ScanTransform::promote() {
  llvm::FunctionAnalysisManager Analyses;
  llvm::PassBuilder().registerFunctionAnalyses(Analyses);
  llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(Kernel, Analyses);
}

/// Replaces the memory of a scan such as `a[i] = a[i - 1] + x` by a variable
/// that starts with the loaded value and ends with the stored one.
llvm::Error ScanTransform::findMemory() {
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
      accumulationOperator(MemoryBefore, After->getValueOperand(),
                           /*Strict=*/false,
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

/// Finds all values that depend on the previous result. They must not control
/// which value is added.
llvm::Error ScanTransform::follow() {
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
        return refuse("its control flow depends on the previous result");
      Work.push_back(U);
    }
  return llvm::Error::success();
}

/// Copies the iteration to compute the thread's part.
void ScanTransform::copy() {
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
  // Remove dead code.
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

/// Checks that the copy, which stores nothing, reads nothing that the iteration
/// stores.
llvm::Error ScanTransform::checkReads() {
  for (llvm::BasicBlock *BB : Region)
    for (llvm::Instruction &I : *BB) {
      auto *Load = llvm::dyn_cast_or_null<llvm::LoadInst>(copyOf(&I));
      if (I.mayWriteToMemory() && !llvm::isa<llvm::StoreInst>(I) &&
          &I != Marks.After)
        return refuse("the iteration calls a function that may write memory");
      if (!Load || &I == MemoryBefore)
        continue;
      if (Tainted.contains(&I))
        return refuse("the added value depends on the previous result");
      const llvm::Value *Object =
          llvm::getUnderlyingObject(Load->getPointerOperand());
      for (llvm::BasicBlock *Other : Region)
        for (llvm::Instruction &J : *Other) {
          auto *Store = llvm::dyn_cast<llvm::StoreInst>(&J);
          if (Store && !llvm::isa<llvm::AllocaInst>(Object) &&
              llvm::getUnderlyingObject(Store->getPointerOperand()) == Object &&
              llvm::isPotentiallyReachable(Store, &I))
            return refuse("the added value is read from an array that the "
                          "iteration has written");
        }
    }
  return llvm::Error::success();
}

/// Reuses values of the copy in the original iteration.
void ScanTransform::keepValues() {
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

llvm::Error ScanTransform::run() {
  if (!Marks.Before)
    if (llvm::Error E = findMemory())
      return E;
  if (llvm::Error E = follow())
    return E;
  // The test of the loop bound belongs to the iteration.
  llvm::BasicBlock *Entry = &Kernel.getEntryBlock();
  llvm::SplitBlock(Entry, Entry->getTerminator());
  copy();
  if (llvm::Error E = checkReads())
    return E;
  // The load of a scan in memory is needed in the first iteration only.
  if (MemoryBefore) {
    auto *Copy = llvm::cast<llvm::Instruction>(copyOf(MemoryBefore));
    Marks.First = slot(Operator.Type, Operator.identity());
    llvm::IRBuilder<> Builder(Entry->getTerminator());
    Builder.SetCurrentDebugLocation(Location);
    ThreadIndices Thread(Builder);
    llvm::Value *IsFirst = Builder.CreateICmpEQ(
        Builder.CreateOr(Thread.Index, linearBlockIndex(Builder)),
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
  Builder.SetCurrentDebugLocation(Location);
  llvm::Value *First = Marks.First;
  if (MemoryBefore)
    First = Builder.CreateLoad(Operator.Type, First);
  llvm::Value *Before =
      emitGridScan(Builder, Operator, Part, First, Marks.Words);
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

void ScanPlaceholders::begin(llvm::IRBuilder<> &Builder, llvm::Type *Type) {
  Before = Builder.CreateCall(llvm::Function::Create(
      llvm::FunctionType::get(Type, false), llvm::GlobalValue::ExternalLinkage,
      "gpu_estimate.before", Builder.GetInsertBlock()->getModule()));
}

void ScanPlaceholders::end(llvm::IRBuilder<> &Builder, llvm::Value *Result) {
  After = Builder.CreateCall(
      llvm::Function::Create(
          llvm::FunctionType::get(Builder.getVoidTy(), {Result->getType()},
                                  false),
          llvm::GlobalValue::ExternalLinkage, "gpu_estimate.after",
          Builder.GetInsertBlock()->getModule()),
      {Result});
}

llvm::Error transformToScan(OutlinedKernel &Nest,
                            const ReductionUpdate &Update) {
  return ScanTransform(Nest, Update).run();
}

} // namespace gpuestimate
