/// \file
/// The scan over all threads of a grid in one pass (Merrill and Garland,
/// "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016).
/// Warps scan their values by shuffles, and the first warp scans the sums of
/// the warps in shared memory. Then it publishes the block's sum, reads the
/// words of the 32 preceding blocks and combines them back to the nearest known
/// prefix. The number of repetitions of this look-back is unknown before the
/// kernel runs; the code does it once.
#include "ScanTransform.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gpuestimate {

namespace {

class GridScan {
public:
  GridScan(llvm::IRBuilder<> &Builder, const AssociativeOperator &Operator,
           llvm::Value *Words)
      : Builder(Builder), Operator(Operator), Words(Words),
        Kernel(*Builder.GetInsertBlock()->getParent()) {}

  llvm::Value *before(llvm::Value *Part, llvm::Value *Start);

private:
  llvm::Value *scanWarp(const ThreadIndices &Thread, llvm::Value *V);
  llvm::Value *lookBack(const ThreadIndices &Thread, llvm::Value *Sum,
                        llvm::Value *First);
  void publish(llvm::Value *Block, llvm::Value *State, llvm::Value *V);
  llvm::IntegerType *wordType() const {
    return Builder.getIntNTy(scanWordBytes(Operator) * 4);
  }

  llvm::IRBuilder<> &Builder;
  const AssociativeOperator &Operator;
  llvm::Value *Words; ///< one for each block
  llvm::Function &Kernel;
};

} // namespace

unsigned scanWordBytes(const AssociativeOperator &Operator) {
  return Operator.Type->getPrimitiveSizeInBits() > 32 ? 16 : 8;
}

llvm::Value *GridScan::scanWarp(const ThreadIndices &Thread, llvm::Value *V) {
  for (unsigned Distance = 1; Distance < WarpSize; Distance *= 2) {
    llvm::Value *Sum = Operator.apply(
        Builder, emitShuffle(Builder, ShuffleDirection::Up, V, Distance), V);
    V = Builder.CreateSelect(
        Builder.CreateICmpUGE(Thread.Lane, Builder.getInt32(Distance)), Sum, V);
  }
  return V;
}

/// Stores a look-back word: V and its state, 1 for the block's sum and 2 for
/// its inclusive prefix.
void GridScan::publish(llvm::Value *Block, llvm::Value *State, llvm::Value *V) {
  llvm::IntegerType *Word = wordType();
  auto *Pair = llvm::FixedVectorType::get(Word, 2);
  unsigned Bits = Operator.Type->getPrimitiveSizeInBits();
  llvm::Value *Raw = Builder.CreateZExt(
      Builder.CreateBitCast(V, Builder.getIntNTy(Bits)), Word);
  llvm::Value *Both =
      Builder.CreateInsertElement(llvm::PoisonValue::get(Pair),
                                  Builder.CreateZExt(State, Word), uint64_t(0));
  Both = Builder.CreateInsertElement(Both, Raw, uint64_t(1));
  Builder
      .CreateAlignedStore(Both, Builder.CreateInBoundsGEP(Pair, Words, Block),
                          llvm::Align(Word->getBitWidth() / 4))
      ->setVolatile(true);
}

/// Look-back by the first warp: the prefix of the block, in lane 0.
llvm::Value *GridScan::lookBack(const ThreadIndices &Thread, llvm::Value *Sum,
                                llvm::Value *First) {
  llvm::LLVMContext &Context = Kernel.getContext();
  auto block = [&](const char *Name) {
    return llvm::BasicBlock::Create(Context, Name, &Kernel);
  };
  llvm::BasicBlock *Publish = block("publish"), *Look = block("look"),
                   *Read = block("read"), *Seen = block("seen"),
                   *Tell = block("tell"), *Told = block("told");
  llvm::Value *Block = linearBlockIndex(Builder);
  llvm::Value *IsFirst = Builder.CreateICmpEQ(Thread.Lane, Builder.getInt32(0));
  Builder.CreateCondBr(IsFirst, Publish, Look);
  Builder.SetInsertPoint(Publish);
  publish(Block, Builder.getInt32(1), Sum);
  Builder.CreateBr(Look);

  Builder.SetInsertPoint(Look);
  llvm::Value *Before = Builder.CreateSub(
      Builder.CreateSub(Block, Builder.getInt32(1)), Thread.Lane, "before");
  llvm::IntegerType *Word = wordType();
  auto *Pair = llvm::FixedVectorType::get(Word, 2);
  Builder.CreateCondBr(Builder.CreateICmpSGE(Before, Builder.getInt32(0)), Read,
                       Seen);
  Builder.SetInsertPoint(Read);
  llvm::LoadInst *Word2 = Builder.CreateAlignedLoad(
      Pair, Builder.CreateInBoundsGEP(Pair, Words, Before),
      llvm::Align(Word->getBitWidth() / 4), /*isVolatile=*/true);
  llvm::Value *State = Builder.CreateTrunc(
      Builder.CreateExtractElement(Word2, uint64_t(0)), Builder.getInt32Ty());
  unsigned Bits = Operator.Type->getPrimitiveSizeInBits();
  llvm::Value *Part = Builder.CreateBitCast(
      Builder.CreateTrunc(Builder.CreateExtractElement(Word2, uint64_t(1)),
                          Builder.getIntNTy(Bits)),
      Operator.Type);
  Builder.CreateBr(Seen);
  Builder.SetInsertPoint(Seen);
  llvm::PHINode *SeenState = Builder.CreatePHI(Builder.getInt32Ty(), 2);
  llvm::PHINode *SeenPart = Builder.CreatePHI(Operator.Type, 2);
  SeenState->addIncoming(State, Read);
  SeenState->addIncoming(Builder.getInt32(2), Look);
  SeenPart->addIncoming(Part, Read);
  SeenPart->addIncoming(Operator.identity(), Look);
  llvm::Value *KnownPrefixes = Builder.CreateIntrinsic(
      llvm::Intrinsic::nvvm_vote_ballot_sync, {},
      {Builder.getInt32(~0u),
       Builder.CreateICmpEQ(SeenState, Builder.getInt32(2))});
  llvm::Value *Nearest = Builder.CreateBinaryIntrinsic(
      llvm::Intrinsic::cttz, KnownPrefixes, Builder.getFalse());
  llvm::Value *V =
      Builder.CreateSelect(Builder.CreateICmpULE(Thread.Lane, Nearest),
                           SeenPart, Operator.identity());
  for (unsigned Distance = WarpSize / 2; Distance > 0; Distance /= 2)
    V = Operator.apply(
        Builder, emitShuffle(Builder, ShuffleDirection::Down, V, Distance), V);
  V = Builder.CreateSelect(Builder.CreateICmpEQ(Block, Builder.getInt32(0)),
                           First, V, "prefix");
  Builder.CreateCondBr(IsFirst, Tell, Told);
  Builder.SetInsertPoint(Tell);
  publish(Block, Builder.getInt32(2), Operator.apply(Builder, V, Sum));
  Builder.CreateBr(Told);
  Builder.SetInsertPoint(Told);
  return V;
}

/// The exclusive prefix of the thread.
llvm::Value *GridScan::before(llvm::Value *Part, llvm::Value *Start) {
  llvm::LLVMContext &Context = Kernel.getContext();
  auto block = [&](const char *Name) {
    return llvm::BasicBlock::Create(Context, Name, &Kernel);
  };
  llvm::BasicBlock *Keep = block("keep"), *Meet = block("meet"),
                   *First = block("first"), *Store = block("store"),
                   *Go = block("go");
  llvm::Type *Type = Operator.Type;
  llvm::GlobalVariable *Sums =
      sharedArray(Kernel, Type, MaxWarpsPerBlock, "sums");
  llvm::GlobalVariable *Prefix = sharedArray(Kernel, Type, 1, "prefix");
  auto at = [&](llvm::Value *Index) {
    return Builder.CreateInBoundsGEP(Sums->getValueType(), Sums,
                                     {Builder.getInt32(0), Index});
  };
  ThreadIndices Thread(Builder);
  llvm::Value *InWarp = scanWarp(Thread, Part);
  Builder.CreateCondBr(
      Builder.CreateICmpEQ(Thread.Lane, Builder.getInt32(WarpSize - 1)), Keep,
      Meet);
  Builder.SetInsertPoint(Keep);
  Builder.CreateStore(InWarp, at(Thread.Warp));
  Builder.CreateBr(Meet);

  Builder.SetInsertPoint(Meet);
  emitBarrier(Builder);
  Builder.CreateCondBr(Builder.CreateICmpEQ(Thread.Warp, Builder.getInt32(0)),
                       First, Go);
  Builder.SetInsertPoint(First);
  llvm::Value *UniformSplit = Builder.CreateLoad(Type, at(Thread.Lane));
  llvm::Value *Sum =
      Builder.CreateSelect(Builder.CreateICmpULT(Thread.Lane, Thread.Warps),
                           UniformSplit, Operator.identity());
  Sum = scanWarp(Thread, Sum);
  Builder.CreateStore(Sum, at(Thread.Lane));
  llvm::Value *Whole =
      emitShuffle(Builder, ShuffleDirection::From, Sum, WarpSize - 1);
  llvm::Value *BlockPrefix = lookBack(Thread, Whole, Start);
  Builder.CreateCondBr(Builder.CreateICmpEQ(Thread.Lane, Builder.getInt32(0)),
                       Store, Go);
  Builder.SetInsertPoint(Store);
  Builder.CreateStore(BlockPrefix, Prefix);
  Builder.CreateBr(Go);

  Builder.SetInsertPoint(Go);
  emitBarrier(Builder);
  llvm::BasicBlock *Later = block("later"), *Join = block("join");
  Builder.CreateCondBr(Builder.CreateICmpEQ(Thread.Warp, Builder.getInt32(0)),
                       Join, Later);
  Builder.SetInsertPoint(Later);
  llvm::Value *Before = Builder.CreateLoad(
      Type, at(Builder.CreateSub(Thread.Warp, Builder.getInt32(1))));
  Builder.CreateBr(Join);
  Builder.SetInsertPoint(Join);
  llvm::PHINode *PrecedingWarps = Builder.CreatePHI(Type, 2);
  PrecedingWarps->addIncoming(Operator.identity(), Go);
  PrecedingWarps->addIncoming(Before, Later);
  llvm::Value *Neighbour =
      emitShuffle(Builder, ShuffleDirection::Up, InWarp, 1);
  llvm::Value *WarpPrefix = Builder.CreateSelect(
      Builder.CreateICmpEQ(Thread.Lane, Builder.getInt32(0)),
      Operator.identity(), Neighbour);
  return Operator.apply(
      Builder,
      Operator.apply(Builder, Builder.CreateLoad(Type, Prefix), PrecedingWarps),
      WarpPrefix);
}

llvm::Value *emitGridScan(llvm::IRBuilder<> &Builder,
                          const AssociativeOperator &Operator,
                          llvm::Value *Part, llvm::Value *First,
                          llvm::Value *Words) {
  return GridScan(Builder, Operator, Words).before(Part, First);
}

} // namespace gpuestimate
