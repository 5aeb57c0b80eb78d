#include "ThreadReduction.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

std::string AssociativeOperator::problem() const {
  bool Supported = Type->isIntegerTy(1) || Type->isIntegerTy(8) ||
                   Type->isIntegerTy(16) || Type->isIntegerTy(32) ||
                   Type->isIntegerTy(64) || Type->isHalfTy() ||
                   Type->isFloatTy() || Type->isDoubleTy();
  return Supported ? "" : "threads cannot exchange values of its type";
}

llvm::Constant *AssociativeOperator::identity() const {
  if (Type->isFloatingPointTy()) {
    if (Symbol == "+")
      return llvm::ConstantFP::getNegativeZero(Type);
    if (Symbol == "*")
      return llvm::ConstantFP::get(Type, 1);
    return llvm::ConstantFP::getInfinity(Type, /*Negative=*/Symbol == "max");
  }
  unsigned Bits = Type->getIntegerBitWidth();
  llvm::APInt Value(Bits, 0);
  if (Symbol == "*" || (Symbol == "&" && Truth))
    Value = llvm::APInt(Bits, 1);
  else if (Symbol == "&")
    Value = llvm::APInt::getAllOnes(Bits);
  else if (Symbol == "min")
    Value = Unsigned ? llvm::APInt::getMaxValue(Bits)
                     : llvm::APInt::getSignedMaxValue(Bits);
  else if (Symbol == "max" && !Unsigned)
    Value = llvm::APInt::getSignedMinValue(Bits);
  return llvm::ConstantInt::get(Type, Value);
}

llvm::Value *AssociativeOperator::apply(llvm::IRBuilder<> &Builder,
                                        llvm::Value *A, llvm::Value *B) const {
  bool Real = Type->isFloatingPointTy();
  if (Symbol == "+")
    return Real ? Builder.CreateFAdd(A, B) : Builder.CreateAdd(A, B);
  if (Symbol == "*")
    return Real ? Builder.CreateFMul(A, B) : Builder.CreateMul(A, B);
  if (Symbol == "&")
    return Builder.CreateAnd(A, B);
  if (Symbol == "|")
    return Builder.CreateOr(A, B);
  if (Symbol == "^")
    return Builder.CreateXor(A, B);
  bool Least = Symbol == "min";
  llvm::Intrinsic::ID Id =
      Real       ? (Least ? llvm::Intrinsic::minnum : llvm::Intrinsic::maxnum)
      : Unsigned ? (Least ? llvm::Intrinsic::umin : llvm::Intrinsic::umax)
                 : (Least ? llvm::Intrinsic::smin : llvm::Intrinsic::smax);
  return Builder.CreateBinaryIntrinsic(Id, A, B);
}

std::optional<llvm::AtomicRMWInst::BinOp>
AssociativeOperator::atomic(unsigned Sm) const {
  using Rmw = llvm::AtomicRMWInst;
  if (Type->isFloatingPointTy()) {
    unsigned Since = Type->isFloatTy() ? 20 : Type->isDoubleTy() ? 60 : 70;
    if (Symbol == "+" && Sm >= Since)
      return Rmw::FAdd;
    return std::nullopt;
  }
  if (!Type->isIntegerTy(32) && !Type->isIntegerTy(64))
    return std::nullopt;
  if (Symbol == "+")
    return Rmw::Add;
  if (Type->isIntegerTy(64) && Sm < 35)
    return std::nullopt;
  if (Symbol == "&")
    return Rmw::And;
  if (Symbol == "|")
    return Rmw::Or;
  if (Symbol == "^")
    return Rmw::Xor;
  if (Symbol == "min")
    return Unsigned ? Rmw::UMin : Rmw::Min;
  if (Symbol == "max")
    return Unsigned ? Rmw::UMax : Rmw::Max;
  return std::nullopt;
}

static llvm::Value *read(llvm::IRBuilder<> &Builder, llvm::Intrinsic::ID Id) {
  return Builder.CreateIntrinsic(Id, {}, {});
}

/// Does the kernel use more than one dimension of threads?
static bool usesSecondDimension(llvm::IRBuilder<> &Builder) {
  llvm::Function *Y = Builder.GetInsertBlock()->getModule()->getFunction(
      llvm::Intrinsic::getName(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y));
  return Y && llvm::any_of(Y->users(), [&](const llvm::User *U) {
           return llvm::cast<llvm::Instruction>(U)->getFunction() ==
                  Builder.GetInsertBlock()->getParent();
         });
}

ThreadIndices::ThreadIndices(llvm::IRBuilder<> &Builder) {
  namespace id = llvm::Intrinsic;
  bool Flat = !usesSecondDimension(Builder);
  Index = read(Builder, id::nvvm_read_ptx_sreg_tid_x);
  llvm::Value *X = read(Builder, id::nvvm_read_ptx_sreg_ntid_x);
  Threads = X;
  if (!Flat) {
    llvm::Value *Y = read(Builder, id::nvvm_read_ptx_sreg_ntid_y);
    // One instruction per statement: the compiler chooses the order in which
    // arguments are evaluated, and LLVM passes depend on instruction order.
    llvm::Value *Plane =
        Builder.CreateMul(Y, read(Builder, id::nvvm_read_ptx_sreg_tid_z));
    llvm::Value *Row =
        Builder.CreateAdd(read(Builder, id::nvvm_read_ptx_sreg_tid_y), Plane);
    Index = Builder.CreateAdd(Index, Builder.CreateMul(X, Row));
    llvm::Value *Planes = read(Builder, id::nvvm_read_ptx_sreg_ntid_z);
    Threads = Builder.CreateMul(Builder.CreateMul(X, Y), Planes);
  }
  Lane = Builder.CreateAnd(Index, WarpSize - 1, "lane");
  Warp = Builder.CreateLShr(Index, 5, "warp");
  Warps = Builder.CreateLShr(
      Builder.CreateAdd(Threads, Builder.getInt32(WarpSize - 1)), 5, "warps");
}

llvm::Value *linearBlockIndex(llvm::IRBuilder<> &Builder) {
  namespace id = llvm::Intrinsic;
  llvm::Value *X = read(Builder, id::nvvm_read_ptx_sreg_ctaid_x);
  if (!usesSecondDimension(Builder))
    return X;
  llvm::Value *Z = read(Builder, id::nvvm_read_ptx_sreg_ctaid_z);
  llvm::Value *Below =
      Builder.CreateMul(read(Builder, id::nvvm_read_ptx_sreg_nctaid_y), Z);
  llvm::Value *Plane =
      Builder.CreateAdd(read(Builder, id::nvvm_read_ptx_sreg_ctaid_y), Below);
  llvm::Value *Rows =
      Builder.CreateMul(read(Builder, id::nvvm_read_ptx_sreg_nctaid_x), Plane);
  return Builder.CreateAdd(X, Rows);
}

llvm::Value *emitShuffle(llvm::IRBuilder<> &Builder, ShuffleDirection Direction,
                         llvm::Value *V, unsigned Distance) {
  namespace id = llvm::Intrinsic;
  struct Instruction {
    id::ID Int, Float;
    unsigned Clamp; // the last lane to read from
  };
  static constexpr Instruction Instructions[] = {
      {id::nvvm_shfl_sync_down_i32, id::nvvm_shfl_sync_down_f32, 31},
      {id::nvvm_shfl_sync_up_i32, id::nvvm_shfl_sync_up_f32, 0},
      {id::nvvm_shfl_sync_idx_i32, id::nvvm_shfl_sync_idx_f32, 31}};
  const Instruction &Way = Instructions[static_cast<unsigned>(Direction)];
  auto word = [&](llvm::Value *Word, llvm::Intrinsic::ID Id) {
    return Builder.CreateIntrinsic(Id, {},
                                   {Builder.getInt32(0xffffffff), Word,
                                    Builder.getInt32(Distance),
                                    Builder.getInt32(Way.Clamp)});
  };
  llvm::Type *Type = V->getType();
  if (Type->isFloatTy())
    return word(V, Way.Float);
  if (Type->isIntegerTy(32))
    return word(V, Way.Int);
  unsigned Bits = Type->getPrimitiveSizeInBits();
  llvm::Value *Raw = Builder.CreateBitCast(V, Builder.getIntNTy(Bits));
  llvm::Value *Result = nullptr;
  if (Bits < 32) {
    Result = Builder.CreateTrunc(
        word(Builder.CreateZExt(Raw, Builder.getInt32Ty()), Way.Int),
        Raw->getType());
  } else { // two words
    llvm::Value *Low =
        word(Builder.CreateTrunc(Raw, Builder.getInt32Ty()), Way.Int);
    llvm::Value *High = word(
        Builder.CreateTrunc(Builder.CreateLShr(Raw, 32), Builder.getInt32Ty()),
        Way.Int);
    llvm::Value *Upper =
        Builder.CreateShl(Builder.CreateZExt(High, Raw->getType()), 32);
    Result = Builder.CreateOr(Builder.CreateZExt(Low, Raw->getType()), Upper);
  }
  return Builder.CreateBitCast(Result, Type);
}

llvm::GlobalVariable *sharedArray(llvm::Function &Kernel, llvm::Type *Element,
                                  unsigned Count, const llvm::Twine &Name) {
  constexpr unsigned SharedMemory = 3; // NVPTX address space
  llvm::Type *Type =
      Count == 1 ? Element : llvm::ArrayType::get(Element, Count);
  return new llvm::GlobalVariable(
      *Kernel.getParent(), Type, /*isConstant=*/false,
      llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(Type),
      Kernel.getName() + "::" + Name, nullptr,
      llvm::GlobalValue::NotThreadLocal, SharedMemory);
}

void emitBarrier(llvm::IRBuilder<> &Builder) {
  Builder.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
}

static llvm::Value *reduceWarp(llvm::IRBuilder<> &Builder,
                               const AssociativeOperator &Operator,
                               llvm::Value *V) {
  for (unsigned Distance = WarpSize / 2; Distance > 0; Distance /= 2)
    V = Operator.apply(
        Builder, V, emitShuffle(Builder, ShuffleDirection::Down, V, Distance));
  return V;
}

static void storeResult(llvm::IRBuilder<> &Builder, const ThreadReduction &R,
                        llvm::Value *V) {
  llvm::Type *Type = R.Operator.Type;
  switch (R.Into) {
  case ThreadReduction::Atomic:
    Builder.CreateAtomicRMW(*R.Operator.atomic(/*Sm=*/~0u), R.Out, V,
                            llvm::MaybeAlign(),
                            llvm::AtomicOrdering::Monotonic);
    break;
  case ThreadReduction::PerBlock:
    Builder.CreateStore(V, Builder.CreateInBoundsGEP(
                               Type, R.Out,
                               Builder.CreateZExt(linearBlockIndex(Builder),
                                                  Builder.getInt64Ty())));
    break;
  case ThreadReduction::Direct:
    Builder.CreateStore(
        R.Operator.apply(Builder, Builder.CreateLoad(Type, R.Out), V), R.Out);
    break;
  }
}

void reduceThreads(llvm::Function &Kernel,
                   llvm::ArrayRef<ThreadReduction> Results,
                   const llvm::DebugLoc &Location) {
  llvm::BasicBlock *Last = nullptr;
  for (llvm::BasicBlock &BB : Kernel)
    if (llvm::isa<llvm::ReturnInst>(BB.getTerminator()))
      Last = &BB;
  Last->getTerminator()->eraseFromParent();
  llvm::LLVMContext &Context = Kernel.getContext();
  auto block = [&](const char *Name) {
    return llvm::BasicBlock::Create(Context, Name, &Kernel);
  };
  llvm::BasicBlock *Keep = block("keep"), *Meet = block("meet"),
                   *First = block("first"), *Deliver = block("deliver"),
                   *Done = block("done");
  llvm::IRBuilder<> Builder(Last);
  Builder.SetCurrentDebugLocation(Location);
  ThreadIndices Thread(Builder);
  llvm::SmallVector<llvm::Value *> Values;
  llvm::SmallVector<llvm::GlobalVariable *> Words;
  for (const ThreadReduction &R : Results) {
    llvm::Type *Type = R.Operator.Type;
    Values.push_back(reduceWarp(Builder, R.Operator,
                                Builder.CreateLoad(Type, R.Own, "partial")));
    Words.push_back(sharedArray(Kernel, Type, MaxWarpsPerBlock, "partial"));
  }
  auto at = [&](size_t I, llvm::Value *Index) {
    return Builder.CreateInBoundsGEP(Words[I]->getValueType(), Words[I],
                                     {Builder.getInt32(0), Index});
  };
  llvm::Value *Zero = Builder.getInt32(0);
  llvm::Value *IsFirst = Builder.CreateICmpEQ(Thread.Lane, Zero);
  Builder.CreateCondBr(IsFirst, Keep, Meet);

  Builder.SetInsertPoint(Keep);
  for (size_t I = 0; I < Results.size(); ++I)
    Builder.CreateStore(Values[I], at(I, Thread.Warp));
  Builder.CreateBr(Meet);

  Builder.SetInsertPoint(Meet);
  emitBarrier(Builder);
  Builder.CreateCondBr(Builder.CreateICmpEQ(Thread.Warp, Zero), First, Done);

  Builder.SetInsertPoint(First);
  llvm::Value *HasWarp = Builder.CreateICmpULT(Thread.Lane, Thread.Warps);
  for (size_t I = 0; I < Results.size(); ++I) {
    const AssociativeOperator &Operator = Results[I].Operator;
    llvm::Value *Word = Builder.CreateLoad(Operator.Type, at(I, Thread.Lane));
    Values[I] =
        reduceWarp(Builder, Operator,
                   Builder.CreateSelect(HasWarp, Word, Operator.identity()));
  }
  Builder.CreateCondBr(IsFirst, Deliver, Done);

  Builder.SetInsertPoint(Deliver);
  for (size_t I = 0; I < Results.size(); ++I)
    storeResult(Builder, Results[I], Values[I]);
  Builder.CreateBr(Done);
  Builder.SetInsertPoint(Done);
  Builder.CreateRetVoid();
}

} // namespace gpuestimate
