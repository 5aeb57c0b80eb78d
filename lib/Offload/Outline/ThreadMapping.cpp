#include "ThreadMapping.h"

#include "Captures.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gpuestimate {

/// How a loop changes one counter per iteration.
struct Step {
  llvm::Value *Value; ///< what is added, available before the loop
  llvm::Use *Operand; ///< the operand in the loop
  bool Negative;      ///< it is subtracted
};

/// The step of the counter that Store writes.
static llvm::Expected<Step> stepOf(llvm::StoreInst &Store,
                                   llvm::IRBuilder<> &Builder) {
  llvm::Value *Address = Store.getPointerOperand();
  auto isOld = [&](llvm::Value *V) {
    auto *Load = llvm::dyn_cast<llvm::LoadInst>(V);
    return Load && Load->getPointerOperand() == Address;
  };
  llvm::Use *Operand = nullptr;
  bool Negative = false;
  if (auto *Sum =
          llvm::dyn_cast<llvm::BinaryOperator>(Store.getValueOperand())) {
    if (Sum->getOpcode() == llvm::Instruction::Add ||
        Sum->getOpcode() == llvm::Instruction::Sub) {
      Negative = Sum->getOpcode() == llvm::Instruction::Sub;
      if (isOld(Sum->getOperand(0)))
        Operand = &Sum->getOperandUse(1);
      else if (!Negative && isOld(Sum->getOperand(1)))
        Operand = &Sum->getOperandUse(0);
    }
  } else if (auto *Next = llvm::dyn_cast<llvm::GetElementPtrInst>(
                 Store.getValueOperand());
             Next && Next->getNumIndices() == 1 &&
             isOld(Next->getPointerOperand())) {
    Operand = &Next->getOperandUse(1);
  }
  llvm::Value *Added = Operand ? Operand->get() : nullptr;
  if (auto *Load = llvm::dyn_cast_or_null<llvm::LoadInst>(Added)) {
    // A variable that the loop does not change.
    llvm::Value *Variable = Load->getPointerOperand();
    if (llvm::isa<llvm::AllocaInst>(Variable))
      return Step{Builder.CreateLoad(Load->getType(), Variable, "step"),
                  Operand, Negative};
    Added = nullptr;
  }
  if (!Added || !llvm::isa<llvm::Constant>(Added))
    return refusal("its step does not add a constant or a variable to "
                   "its counter");
  return Step{Added, Operand, Negative};
}

/// `i != n` is true for threads beyond the end; a comparison by order is not.
/// Sets Exit to the block behind the loop.
static llvm::Error testByOrder(const llvm::Loop &Original,
                               llvm::BasicBlock &Header, bool Down,
                               llvm::BasicBlock *&Exit) {
  auto *Test = llvm::dyn_cast<llvm::BranchInst>(Header.getTerminator());
  if (!Test || !Test->isConditional())
    return refusal("its condition is not in the loop header");
  auto *OldTest =
      llvm::cast<llvm::BranchInst>(Original.getHeader()->getTerminator());
  for (unsigned I = 0; I < 2; ++I)
    if (!Original.contains(OldTest->getSuccessor(I)))
      Exit = Test->getSuccessor(I);
  if (auto *Compare = llvm::dyn_cast<llvm::ICmpInst>(Test->getCondition());
      Compare && Compare->getPredicate() == llvm::CmpInst::ICMP_NE)
    Compare->setPredicate(
        Compare->getOperand(0)->getType()->isPointerTy()
            ? (Down ? llvm::CmpInst::ICMP_UGT : llvm::CmpInst::ICMP_ULT)
            : (Down ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_SLT));
  return llvm::Error::success();
}

/// Adds Index steps to the counter that Store advances, before the loop.
static void moveStart(llvm::StoreInst &Store, const Step &By,
                      llvm::Value *Index, llvm::IRBuilder<> &Builder) {
  llvm::Value *Address = Store.getPointerOperand();
  llvm::Type *Type = Store.getValueOperand()->getType();
  llvm::Value *Old = Builder.CreateLoad(Type, Address);
  llvm::Value *Far = Builder.CreateMul(
      Builder.CreateZExtOrTrunc(Index, By.Value->getType()), By.Value, "",
      /*NUW=*/false, /*NSW=*/true);
  llvm::Value *Start =
      Type->isPointerTy()
          ? Builder.CreateGEP(
                llvm::cast<llvm::GetElementPtrInst>(Store.getValueOperand())
                    ->getSourceElementType(),
                Old, Far)
      : By.Negative ? Builder.CreateNSWSub(Old, Far)
                    : Builder.CreateNSWAdd(Old, Far);
  Builder.CreateStore(Start, Address);
}

llvm::Error mapLoopToThreads(const llvm::Loop &Original,
                             const ClonedLoop &Clone, unsigned Dimension,
                             bool Strided) {
  llvm::BasicBlock *Before = Clone.Predecessor, *Header = Clone.Header,
                   *Latch = Clone.Latch;
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
  // One instruction per statement: see ThreadIndices.
  llvm::Value *Thread = read(Threads[Dimension]);
  llvm::Value *Size = read(Sizes[Dimension]);
  llvm::Value *FirstIndex = Builder.CreateMul(read(Blocks[Dimension]), Size, "",
                                              /*NUW=*/true, /*NSW=*/true);
  llvm::Value *Index = Builder.CreateAdd(FirstIndex, Thread, "index",
                                         /*NUW=*/true, /*NSW=*/true);

  bool Any = false, Down = false;
  for (llvm::Instruction &I : *Latch) {
    auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I);
    if (!Store)
      continue;
    llvm::Expected<Step> By = stepOf(*Store, Builder);
    if (!By)
      return By.takeError();
    const auto &[Step, Operand, Negative] = *By;
    auto *Constant = llvm::dyn_cast<llvm::ConstantInt>(Step);
    Down = Negative != (Constant && Constant->isNegative());
    moveStart(*Store, *By, Index, Builder);
    if (Strided) {
      llvm::Value *GridSize = read(GridSizes[Dimension]);
      llvm::Value *Threads =
          Builder.CreateMul(read(Sizes[Dimension]), GridSize, "threads",
                            /*NUW=*/true, /*NSW=*/true);
      Operand->set(Builder.CreateMul(
          Builder.CreateZExtOrTrunc(Threads, Step->getType()), Step, "stride",
          /*NUW=*/false, /*NSW=*/true));
    }
    Any = true;
  }
  if (!Any)
    return refusal("its step changes no counter");

  llvm::BasicBlock *Exit = nullptr;
  if (llvm::Error E = testByOrder(Original, *Header, Down, Exit))
    return E;
  if (Strided)
    return llvm::Error::success();
  Latch->getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(Exit, Latch);
  return llvm::Error::success();
}

} // namespace gpuestimate
