/// \file
/// In raw code, spreading a loop over threads is small: its variables start as
/// many steps further as the thread's index says, and the way back is cut.
///
///   for (i = lo; i < hi; i += s) body
///   i = lo; i += s * index; if (i < hi) body
///
/// A thread that walks several iterations keeps the way back, and steps over
/// those of all threads of the grid:
///
///   i = lo + s * index; for (; i < hi; i += s * threads) body
///
/// The loop's own test is the guard of the threads beyond its end. That holds
/// for loops that count down, whose bounds depend on outer ones, or whose step
/// is a variable.
#include "Outliner.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gpuestimate {

/// What the step adds to the place that Store writes.
llvm::Expected<Outliner::Step> Outliner::stepOf(llvm::StoreInst &Store,
                                                llvm::IRBuilder<> &Builder) {
  llvm::Value *Place = Store.getPointerOperand();
  auto isOld = [&](llvm::Value *V) {
    auto *Load = llvm::dyn_cast<llvm::LoadInst>(V);
    return Load && Load->getPointerOperand() == Place;
  };
  llvm::Use *In = nullptr;
  bool Negative = false;
  if (auto *Sum =
          llvm::dyn_cast<llvm::BinaryOperator>(Store.getValueOperand())) {
    if (Sum->getOpcode() == llvm::Instruction::Add ||
        Sum->getOpcode() == llvm::Instruction::Sub) {
      Negative = Sum->getOpcode() == llvm::Instruction::Sub;
      if (isOld(Sum->getOperand(0)))
        In = &Sum->getOperandUse(1);
      else if (!Negative && isOld(Sum->getOperand(1)))
        In = &Sum->getOperandUse(0);
    }
  } else if (auto *Next = llvm::dyn_cast<llvm::GetElementPtrInst>(
                 Store.getValueOperand());
             Next && Next->getNumIndices() == 1 &&
             isOld(Next->getPointerOperand())) {
    In = &Next->getOperandUse(1);
  }
  llvm::Value *Added = In ? In->get() : nullptr;
  if (auto *Load = llvm::dyn_cast_or_null<llvm::LoadInst>(Added)) {
    // A variable that the loop leaves alone.
    llvm::Value *From = Load->getPointerOperand();
    if (llvm::isa<llvm::AllocaInst>(From))
      return Step{Builder.CreateLoad(Load->getType(), From, "step"), In,
                  Negative};
    Added = nullptr;
  }
  if (!Added || !llvm::isa<llvm::Constant>(Added))
    return refusal("its step is not the addition of a constant or of a "
                   "variable");
  return Step{Added, In, Negative};
}

llvm::Error Outliner::spread(unsigned Dimension) {
  const llvm::Loop &L = *Code.loop(Shape.Mapped[Dimension]);
  llvm::Value *MappedHeader = Map[L.getHeader()];
  llvm::Value *MappedLatch = Map[L.getLoopLatch()];
  auto *Header = llvm::cast<llvm::BasicBlock>(MappedHeader);
  auto *Latch = llvm::cast<llvm::BasicBlock>(MappedLatch);
  llvm::BasicBlock *Before = Entry;
  if (&L != &Root) {
    llvm::Value *Mapping = Map[L.getLoopPredecessor()];
    Before = llvm::cast<llvm::BasicBlock>(Mapping);
  }
  llvm::IRBuilder<> Builder(Before->getContext());
  if (llvm::Instruction *Branch = Before->getTerminator())
    Builder.SetInsertPoint(Branch);
  else
    Builder.SetInsertPoint(Before);

  static constexpr llvm::Intrinsic::ID Threads[] = {
      llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x,
      llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
      llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z};
  static constexpr llvm::Intrinsic::ID Blocks[] = {
      llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
      llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
      llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  static constexpr llvm::Intrinsic::ID Sizes[] = {
      llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x,
      llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y,
      llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z};
  static constexpr llvm::Intrinsic::ID GridSizes[] = {
      llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
      llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
      llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
  auto read = [&](llvm::Intrinsic::ID Id) -> llvm::Value * {
    return Builder.CreateIntrinsic(Id, {}, {});
  };
  // One instruction a statement: see ThreadPlace.
  llvm::Value *Thread = read(Threads[Dimension]);
  llvm::Value *Size = read(Sizes[Dimension]);
  llvm::Value *FirstOfBlock =
      Builder.CreateMul(read(Blocks[Dimension]), Size, "",
                        /*NUW=*/true, /*NSW=*/true);
  llvm::Value *Index = Builder.CreateAdd(FirstOfBlock, Thread, "index",
                                         /*NUW=*/true, /*NSW=*/true);

  bool Any = false, Down = false;
  for (llvm::Instruction &I : *Latch) {
    auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I);
    if (!Store)
      continue;
    llvm::Expected<Step> By = stepOf(*Store, Builder);
    if (!By)
      return By.takeError();
    const auto &[Step, In, Negative] = *By;
    auto *Constant = llvm::dyn_cast<llvm::ConstantInt>(Step);
    Down = Negative != (Constant && Constant->isNegative());
    llvm::Value *Place = Store->getPointerOperand();
    llvm::Type *Type = Store->getValueOperand()->getType();
    llvm::Value *Old = Builder.CreateLoad(Type, Place);
    llvm::Value *Far = Builder.CreateMul(
        Builder.CreateZExtOrTrunc(Index, Step->getType()), Step, "",
        /*NUW=*/false, /*NSW=*/true);
    llvm::Value *Start =
        Type->isPointerTy()
            ? Builder.CreateGEP(
                  llvm::cast<llvm::GetElementPtrInst>(Store->getValueOperand())
                      ->getSourceElementType(),
                  Old, Far)
        : Negative ? Builder.CreateNSWSub(Old, Far)
                   : Builder.CreateNSWAdd(Old, Far);
    Builder.CreateStore(Start, Place);
    if (Result.Strided) {
      llvm::Value *GridSize = read(GridSizes[Dimension]);
      llvm::Value *Threads =
          Builder.CreateMul(read(Sizes[Dimension]), GridSize, "threads",
                            /*NUW=*/true, /*NSW=*/true);
      In->set(Builder.CreateMul(
          Builder.CreateZExtOrTrunc(Threads, Step->getType()), Step, "stride",
          /*NUW=*/false, /*NSW=*/true));
    }
    Any = true;
  }
  if (!Any)
    return refusal("it counts nothing");

  // `i != n` would let the threads beyond the end go on.
  auto *Test = llvm::dyn_cast<llvm::BranchInst>(Header->getTerminator());
  if (!Test || !Test->isConditional())
    return refusal("its condition is not at its head");
  llvm::BasicBlock *Exit = nullptr;
  auto *OldTest = llvm::cast<llvm::BranchInst>(L.getHeader()->getTerminator());
  for (unsigned I = 0; I < 2; ++I)
    if (!L.contains(OldTest->getSuccessor(I)))
      Exit = Test->getSuccessor(I);
  if (auto *Compare = llvm::dyn_cast<llvm::ICmpInst>(Test->getCondition());
      Compare && Compare->getPredicate() == llvm::CmpInst::ICMP_NE)
    Compare->setPredicate(
        Compare->getOperand(0)->getType()->isPointerTy()
            ? (Down ? llvm::CmpInst::ICMP_UGT : llvm::CmpInst::ICMP_ULT)
            : (Down ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_SLT));
  if (Result.Strided)
    return llvm::Error::success();
  Latch->getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(Exit, Latch);
  return llvm::Error::success();
}

} // namespace gpuestimate
