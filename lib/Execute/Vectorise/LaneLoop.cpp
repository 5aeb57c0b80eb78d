#include "LaneLoop.h"

#include "Execute/Device/ThreadContext.h"
#include "LaneForm.h"

using namespace llvm;

namespace gpuestimate {

/// Functions that take the context find their thread in it.
static void setThread(LaneBuilder &B, Value *Lane) {
  Value *Number = B.CreateAdd(B.First, Lane);
  auto Member = [&](size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), B.Thread, Offset);
  };
  auto Size = [&](unsigned Axis) {
    return B.CreateLoad(B.getInt32Ty(),
                        Member(offsetof(ThreadContext, BlockSize) + 4 * Axis));
  };
  Value *Row = B.CreateUDiv(Number, Size(0));
  Value *Index[] = {B.CreateURem(Number, Size(0)), B.CreateURem(Row, Size(1)),
                    B.CreateUDiv(Row, Size(1))};
  for (unsigned Axis = 0; Axis < 3; ++Axis)
    B.CreateStore(Index[Axis],
                  Member(offsetof(ThreadContext, Thread) + 4 * Axis),
                  /*isVolatile=*/true);
  Value *LanesOfWarp = B.getInt32(LanesOfAWarp);
  B.CreateStore(B.CreateURem(Number, LanesOfWarp),
                Member(offsetof(ThreadContext, Lane)));
  B.CreateStore(B.CreateUDiv(Number, LanesOfWarp),
                Member(offsetof(ThreadContext, Warp)));
}

/// The type of an element of an array of lanes: a byte for a bit.
static Type *elementInMemory(Type *T) {
  return T->isIntegerTy(1) ? Type::getInt8Ty(T->getContext()) : T;
}

/// Do values of the type lie in memory without unused bits?
static bool fillsMemory(const DataLayout &Layout, Type *T) {
  return T->isIntegerTy(1) ||
         (!T->isStructTy() &&
          Layout.getTypeStoreSizeInBits(T) == Layout.getTypeSizeInBits(T) &&
          Layout.getTypeStoreSize(T) == Layout.getTypeAllocSize(T));
}

/// The lanes of a value of type T whose members lie in arrays.
static Value *lanesInMemory(LaneBuilder &B, Type *T, ArrayRef<Type *> Members,
                            ArrayRef<AllocaInst *> Arrays) {
  SmallVector<Value *> Whole;
  for (auto [Number, R] : enumerate(Members)) {
    Value *V = B.CreateLoad(B.laneType(elementInMemory(R)), Arrays[Number]);
    if (R->isIntegerTy(1))
      V = B.CreateTrunc(V, B.laneType(R));
    Whole.push_back(V);
  }
  Value *Now = Whole[0];
  if (T->isStructTy()) {
    Now = PoisonValue::get(B.laneType(T));
    for (auto [Number, V] : enumerate(Whole))
      Now = B.CreateInsertValue(Now, V, unsigned(Number));
  }
  return Now;
}

namespace {
/// An operand of a loop over the lanes: one value, or an array.
struct LaneOperand {
  Value *Scalar;
  AllocaInst *Array;
};
} // namespace

/// V for all lanes, or an array of its lanes; nothing, and a refusal, if its
/// type has no array.
static std::optional<LaneOperand> operandOfLanes(LaneBuilder &B, Value *V) {
  if (isa<Function>(V) || isa<MetadataAsValue>(V) || B.isUniform(V))
    return LaneOperand{B.scalar(V), nullptr};
  if (!fillsMemory(B.layout(), V->getType())) {
    B.refuse("a type without a vector form");
    return std::nullopt;
  }
  Value *All = B.lanes(V);
  if (V->getType()->isIntegerTy(1))
    All = B.CreateZExt(All, B.laneType(B.getInt8Ty()));
  AllocaInst *Array = B.slot(All->getType(), "operand");
  B.CreateStore(All, Array);
  return LaneOperand{nullptr, Array};
}

void emitForEachLane(LaneBuilder &B, Instruction &I) {
  SmallVector<LaneOperand> Operands;
  for (Value *V : I.operand_values())
    if (std::optional<LaneOperand> O = operandOfLanes(B, V))
      Operands.push_back(*O);
    else
      return;
  Type *T = I.getType();
  SmallVector<Type *> Results;
  SmallVector<AllocaInst *> ResultArrays;
  if (auto *S = dyn_cast<StructType>(T))
    append_range(Results, S->elements());
  else if (!T->isVoidTy())
    Results.push_back(T);
  for (Type *R : Results) {
    if (!fillsMemory(B.layout(), R)) {
      B.refuse("a type without a vector form");
      return;
    }
    ResultArrays.push_back(B.slot(B.laneType(elementInMemory(R)), "result"));
  }
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Body = BasicBlock::Create(B.getContext(), "lane", B.New, B.Exit),
             *After =
                 BasicBlock::Create(B.getContext(), "lanes.end", B.New, B.Exit);
  Type *Bits = B.getIntNTy(B.width());
  Value *All = B.bitsOf(B.Mask);
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *Left = B.CreatePHI(Bits, 2);
  Left->addIncoming(All, Before);
  Value *Lane =
      B.CreateZExt(B.CreateBinaryIntrinsic(Intrinsic::cttz, Left, B.getTrue()),
                   B.getInt64Ty());
  auto Place = [&](AllocaInst *Array, Type *Element) {
    return B.CreateInBoundsGEP(Element, Array, Lane);
  };
  Instruction *One = I.clone();
  for (auto [Number, O] : enumerate(Operands)) {
    Value *V = O.Scalar;
    if (O.Array) {
      Type *Own = I.getOperand(unsigned(Number))->getType();
      V = B.CreateLoad(elementInMemory(Own),
                       Place(O.Array, elementInMemory(Own)));
      if (Own->isIntegerTy(1))
        V = B.CreateTrunc(V, Own);
    }
    One->setOperand(unsigned(Number), V);
  }
  One->dropUnknownNonDebugMetadata();
  if (auto *Call = dyn_cast<CallInst>(&I);
      Call && Call->arg_size() &&
      Call->getArgOperand(0) == B.request().Thread.Context)
    setThread(B, B.CreateTrunc(Lane, B.getInt32Ty()));
  B.Insert(One);
  One->setDebugLoc(I.getDebugLoc());
  for (auto [Number, R] : enumerate(Results)) {
    Value *V =
        T->isStructTy() ? B.CreateExtractValue(One, unsigned(Number)) : One;
    if (R->isIntegerTy(1))
      V = B.CreateZExt(V, B.getInt8Ty());
    B.CreateStore(V, Place(ResultArrays[Number], elementInMemory(R)));
  }
  Value *Rest = B.CreateAnd(Left, B.CreateSub(Left, ConstantInt::get(Bits, 1)));
  Left->addIncoming(Rest, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpNE(Rest, ConstantInt::get(Bits, 0)), Body, After);
  B.SetInsertPoint(After);
  if (Results.empty() || I.use_empty())
    return;
  B.keep(I, lanesInMemory(B, T, Results, ResultArrays), /*IsLanes=*/true);
}

} // namespace gpuestimate
