#include "CollectiveLanes.h"

#include "LoweredCalls.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

/// The result of each lane of a shuffle, as completeCollective() has it: the
/// lower half is the value, bit 32 whether the source is valid.
static Value *emitShuffle(LaneBuilder &B, CallInst &Call, Value *Group) {
  Type *Ints = B.laneType(B.getInt32Ty()), *Longs = B.laneType(B.getInt64Ty());
  auto Splat = [&](uint32_t N) { return ConstantInt::get(Ints, N); };
  Value *Own = B.CreateTrunc(B.lanes(Call.getArgOperand(3)), Ints);
  Value *By = B.CreateAnd(B.lanes(Call.getArgOperand(4)), Splat(31)),
        *Control = B.lanes(Call.getArgOperand(5)),
        *Clamp = B.CreateAnd(Control, Splat(31)),
        *Segment = B.CreateAnd(B.CreateLShr(Control, Splat(8)), Splat(31));
  Value *Lane = B.spread(B.getInt32(0), 1),
        *FirstLane = B.CreateAnd(Lane, Segment),
        *LastLane =
            B.CreateOr(FirstLane, B.CreateAnd(Clamp, B.CreateNot(Segment)));
  Value *Source = nullptr;
  CollectiveKind Kind = collectiveKind(Call);
  if (Kind == CollectiveKind::ShuffleUp)
    Source = B.CreateSub(Lane, By);
  else if (Kind == CollectiveKind::ShuffleDown)
    Source = B.CreateAdd(Lane, By);
  else if (Kind == CollectiveKind::ShuffleXor)
    Source = B.CreateXor(Lane, By);
  else
    Source = B.CreateOr(FirstLane, B.CreateAnd(By, B.CreateNot(Segment)));
  Value *IsValid = Kind == CollectiveKind::ShuffleUp
                       ? B.CreateICmpSGE(Source, LastLane)
                       : B.CreateICmpSLE(Source, LastLane);
  Source = B.CreateSelect(IsValid, Source, Lane);
  Value *Theirs = nullptr;
  if (auto *Known = dyn_cast<Constant>(Source)) {
    SmallVector<int> Indices;
    for (unsigned L = 0; L < B.width(); ++L)
      Indices.push_back(int(
          cast<ConstantInt>(Known->getAggregateElement(L))->getZExtValue()));
    Theirs = B.CreateShuffleVector(Own, Indices);
  } else {
    AllocaInst *All = B.slot(Ints, "shuffle");
    B.CreateStore(Own, All);
    Theirs =
        B.CreateMaskedGather(Ints, B.CreateGEP(B.getInt32Ty(), All, Source),
                             Align(4), B.Mask, PoisonValue::get(Ints));
  }
  // The value of a lane that takes no part is undefined; here it is the own.
  Value *TakesPart =
      B.CreateTrunc(B.CreateLShr(B.CreateVectorSplat(B.width(), Group), Source),
                    B.laneType(B.getInt1Ty()));
  Value *Result = B.CreateZExt(B.CreateSelect(TakesPart, Theirs, Own), Longs);
  return B.CreateOr(Result, B.CreateShl(B.CreateZExt(IsValid, Longs),
                                        ConstantInt::get(Longs, 32)));
}

/// The result of all lanes of a vote or reduction; null for another operation.
static Value *emitVote(LaneBuilder &B, CallInst &Call, Value *Group) {
  using enum CollectiveKind;
  CollectiveKind Kind = collectiveKind(Call);
  Type *Bits = Group->getType();
  Value *Values = B.lanes(Call.getArgOperand(3));
  auto Long = [&](Value *V) { return B.CreateZExt(V, B.getInt64Ty()); };
  auto True = [&] {
    Value *IsTrue =
        B.CreateICmpNE(Values, Constant::getNullValue(Values->getType()));
    return B.CreateAnd(B.CreateBitCast(IsTrue, Bits), Group);
  };
  Value *None = ConstantInt::get(Bits, 0);
  auto Reduce = [&](Intrinsic::ID Id, uint32_t Neutral) {
    Type *Ints = B.laneType(B.getInt32Ty());
    Value *Part = B.CreateBitCast(Group, B.laneType(B.getInt1Ty()));
    Value *All = B.CreateSelect(Part, B.CreateTrunc(Values, Ints),
                                ConstantInt::get(Ints, Neutral));
    return Long(B.CreateUnaryIntrinsic(Id, All));
  };
  switch (Kind) {
  case VoteAll:
    return Long(B.CreateICmpEQ(True(), Group));
  case VoteAny:
    return Long(B.CreateICmpNE(True(), None));
  case VoteUniform: {
    Value *Those = True();
    return Long(
        B.CreateOr(B.CreateICmpEQ(Those, None), B.CreateICmpEQ(Those, Group)));
  }
  case Ballot:
    return Long(True());
  case ActiveMask:
    return Long(Group);
  case Sync:
    return B.getInt64(0);
  case AddReduce:
    return Reduce(Intrinsic::vector_reduce_add, 0);
  case UnsignedMin:
    return Reduce(Intrinsic::vector_reduce_umin, UINT32_MAX);
  case UnsignedMax:
    return Reduce(Intrinsic::vector_reduce_umax, 0);
  case SignedMin:
    return Reduce(Intrinsic::vector_reduce_smin, INT32_MAX);
  case SignedMax:
    return Reduce(Intrinsic::vector_reduce_smax, uint32_t(INT32_MIN));
  case AndReduce:
    return Reduce(Intrinsic::vector_reduce_and, UINT32_MAX);
  case OrReduce:
    return Reduce(Intrinsic::vector_reduce_or, 0);
  case XorReduce:
    return Reduce(Intrinsic::vector_reduce_xor, 0);
  default:
    return nullptr;
  }
}

/// The call i64 ge.collective.lanes(context, kind, active lanes, masks, values,
/// B, C) with arrays by lane. The results replace the values; the first lane's
/// returns.
static void callCollective(LaneBuilder &B, CallInst &Call) {
  auto Array = [&](Value *V) {
    AllocaInst *A = B.slot(B.laneType(V->getType()), "collective");
    B.CreateStore(B.lanes(V), A);
    return A;
  };
  Value *Arrays[4];
  for (unsigned I = 0; I < 4; ++I)
    Arrays[I] = Array(Call.getArgOperand(2 + I));
  FunctionCallee Run = B.New->getParent()->getOrInsertFunction(
      "ge.collective.lanes", B.getInt64Ty(), B.getPtrTy(), B.getInt32Ty(),
      B.getInt64Ty(), B.getPtrTy(), B.getPtrTy(), B.getPtrTy(), B.getPtrTy());
  Value *FirstResult =
      B.CreateCall(Run, {B.Thread, Call.getArgOperand(1),
                         B.CreateZExt(B.bitsOf(B.Mask), B.getInt64Ty()),
                         Arrays[0], Arrays[1], Arrays[2], Arrays[3]});
  if (Call.use_empty())
    return;
  if (B.isUniform(&Call))
    B.keep(Call, FirstResult, /*IsLanes=*/false);
  else
    B.keep(Call, B.CreateLoad(B.laneType(B.getInt64Ty()), Arrays[1]),
           /*IsLanes=*/true);
}

void emitCollective(LaneBuilder &B, CallInst &Call) {
  Value *Named = Call.getArgOperand(2);
  if (B.isUniform(Named)) {
    Value *Group = B.bitsOf(B.Mask);
    Value *Members = B.CreateTrunc(B.scalar(Named), Group->getType());
    Value *IsAnyone = B.CreateICmpEQ(B.scalar(Named), B.getInt64(0));
    Group = B.CreateSelect(IsAnyone, Group, B.CreateAnd(Group, Members));
    switch (collectiveKind(Call)) {
    case CollectiveKind::ShuffleUp:
    case CollectiveKind::ShuffleDown:
    case CollectiveKind::ShuffleXor:
    case CollectiveKind::ShuffleIndex:
      B.keep(Call, emitShuffle(B, Call, Group), /*IsLanes=*/true);
      return;
    default:
      if (Value *Result = emitVote(B, Call, Group)) {
        bool IsUniform = B.isUniform(&Call);
        B.keep(Call, IsUniform ? Result : B.splat(Result), !IsUniform);
        return;
      }
    }
  }
  callCollective(B, Call);
}

void emitBarrier(LaneBuilder &B, CallInst &Call) {
  auto Count = [&](Value *Of) {
    return B.CreateZExtOrTrunc(
        B.CreateUnaryIntrinsic(Intrinsic::ctpop, B.bitsOf(Of)), B.getInt32Ty());
  };
  Value *Predicate = B.lanes(Call.getArgOperand(3));
  Value *True = B.CreateSelect(
      B.Mask,
      B.CreateICmpNE(Predicate, Constant::getNullValue(Predicate->getType())),
      Constant::getNullValue(B.Mask->getType()));
  FunctionCallee Run = B.New->getParent()->getOrInsertFunction(
      "ge.barrier.lanes", B.getInt64Ty(), B.getPtrTy(), B.getInt32Ty(),
      B.getInt32Ty(), B.getInt32Ty(), B.getInt32Ty(), B.getInt32Ty());
  B.keep(Call,
         B.CreateCall(Run, {B.Thread, B.scalar(Call.getArgOperand(1)),
                            B.scalar(Call.getArgOperand(2)), Count(True),
                            B.scalar(Call.getArgOperand(4)), Count(B.Mask)}),
         /*IsLanes=*/false);
}

} // namespace gpuestimate
