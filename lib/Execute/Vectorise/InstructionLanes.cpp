#include "InstructionLanes.h"

#include "CollectiveLanes.h"
#include "LaneLoop.h"
#include "LoweredCalls.h"
#include "RecordLanes.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

namespace {
/// How the lanes of a load or store access memory.
enum class Access : uint8_t { Consecutive, Anywhere, ByLane };
} // namespace

/// How the lanes of a load or store whose pointer is not uniform access memory.
/// Where the host has no instruction with a mask for that, LLVM would make a
/// branch for each lane, and code that takes minutes to compile.
static Access accessOf(const LaneBuilder &B, Instruction &I) {
  auto Has = [&](StringRef Feature) {
    return B.request().HostFeatures.contains(Feature);
  };
  bool IsSimple = isa<LoadInst>(I) ? cast<LoadInst>(I).isSimple()
                                   : cast<StoreInst>(I).isSimple();
  Type *T = getLoadStoreType(&I);
  uint64_t Bytes = B.layout().getTypeStoreSize(T);
  bool IsWord = Bytes == 4 || Bytes == 8;
  // The elements of a vector of bits, or of 12 bytes, are not where those of an
  // array are.
  bool IsArray = isPowerOf2_64(Bytes) && Bytes <= 8 &&
                 B.layout().getTypeSizeInBits(T) == 8 * Bytes;
  if (!IsSimple || !IsArray)
    return Access::ByLane;
  Shape S = B.shapeOf(getLoadStorePointerOperand(&I));
  if (S.K == Shape::Affine && uint64_t(S.Stride) == Bytes)
    return Has("+avx512bw") || (IsWord && Has("+avx")) ? Access::Consecutive
                                                       : Access::ByLane;
  return IsWord && Has("+avx512f") ? Access::Anywhere : Access::ByLane;
}

static void emitLoad(LaneBuilder &B, LoadInst &Load) {
  Value *From = Load.getPointerOperand();
  Type *T = Load.getType(), *All = B.laneType(T);
  uint64_t Bytes = B.layout().getTypeStoreSize(T).getFixedValue();
  Align A = std::min(Load.getAlign(), Align(PowerOf2Ceil(Bytes)));
  Value *Now = nullptr, *None = PoisonValue::get(All);
  switch (accessOf(B, Load)) {
  case Access::Consecutive:
    Now = B.CreateMaskedLoad(All, B.scalar(From), A, B.Mask, None);
    break;
  case Access::Anywhere:
    Now = B.CreateMaskedGather(All, B.lanes(From), A, B.Mask, None);
    break;
  case Access::ByLane:
    return emitForEachLane(B, Load);
  }
  B.keep(Load, Now, /*IsLanes=*/true);
}

static void emitStore(LaneBuilder &B, StoreInst &Store) {
  Value *To = Store.getPointerOperand(), *What = Store.getValueOperand();
  Shape S = B.shapeOf(To);
  uint64_t Bytes = B.layout().getTypeStoreSize(What->getType()).getFixedValue();
  Align A = std::min(Store.getAlign(), Align(PowerOf2Ceil(Bytes)));
  if (S.K == Shape::Uniform) {
    // The last lane's value stays.
    Value *Last = nullptr;
    if (B.isUniform(What)) {
      Last = B.scalar(What);
    } else {
      Value *Lane =
          B.CreateSub(ConstantInt::get(B.getIntNTy(B.width()), B.width() - 1),
                      B.CreateBinaryIntrinsic(Intrinsic::ctlz, B.bitsOf(B.Mask),
                                              B.getTrue()));
      Last = B.CreateExtractElement(B.lanes(What), Lane);
    }
    auto *One = cast<StoreInst>(Store.clone());
    One->setOperand(0, Last);
    One->setOperand(1, B.scalar(To));
    One->dropUnknownNonDebugMetadata();
    B.Insert(One);
    return;
  }
  switch (accessOf(B, Store)) {
  case Access::Consecutive:
    B.CreateMaskedStore(B.lanes(What), B.scalar(To), A, B.Mask);
    break;
  case Access::Anywhere:
    B.CreateMaskedScatter(B.lanes(What), B.lanes(To), A, B.Mask);
    break;
  case Access::ByLane:
    emitForEachLane(B, Store);
  }
}

/// Intrinsics with vector instructions of the host; false for others.
static bool emitIntrinsic(LaneBuilder &B, IntrinsicInst &Call) {
  Intrinsic::ID Id = Call.getIntrinsicID();
  if (Call.isAssumeLikeIntrinsic())
    return true;
  Type *All =
      B.laneType(Call.getType()->isVoidTy() ? B.getInt1Ty() : Call.getType());
  auto *Element = Call.arg_size() ? Call.getArgOperand(0)->getType() : nullptr;
  SmallVector<Value *> Operands;
  switch (Id) {
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
    for (Value *A : Call.args())
      Operands.push_back(B.lanes(A));
    B.keep(Call, B.CreateIntrinsic(Id, {B.laneType(Element)}, Operands),
           /*IsLanes=*/true);
    return true;
  // Calls of the host's library, for active lanes only.
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::ldexp:
  case Intrinsic::frexp:
    return false;
  default:
    break;
  }
  if (!isTriviallyVectorizable(Id))
    return false;
  SmallVector<Type *> Overloads;
  if (isVectorIntrinsicWithOverloadTypeAtArg(Id, -1))
    Overloads.push_back(All);
  for (auto [Number, A] : enumerate(Call.args())) {
    bool StaysScalar = isVectorIntrinsicWithScalarOpAtArg(Id, unsigned(Number));
    if (StaysScalar && !B.isUniform(A))
      return false;
    Operands.push_back(StaysScalar ? B.scalar(A) : B.lanes(A));
    if (isVectorIntrinsicWithOverloadTypeAtArg(Id, int(Number)))
      Overloads.push_back(Operands.back()->getType());
  }
  CallInst *Now = B.CreateCall(
      Intrinsic::getDeclaration(B.New->getParent(), Id, Overloads), Operands);
  if (isa<FPMathOperator>(Call))
    Now->copyFastMathFlags(&Call);
  B.keep(Call, Now, /*IsLanes=*/true);
  return true;
}

static void emitCall(LaneBuilder &B, CallInst &Call) {
  StringRef Name = calleeName(Call);
  if (Name == "ge.collective")
    return emitCollective(B, Call);
  if (Name == "ge.barrier")
    return emitBarrier(B, Call);
  if (Name.starts_with("ge.trace.") || Name.starts_with("ge.race."))
    return emitRecord(B, Call);
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
      Intrinsic && emitIntrinsic(B, *Intrinsic))
    return;
  emitForEachLane(B, Call);
}

static void emitLanes(LaneBuilder &B, Instruction &I) {
  Value *Now = nullptr;
  if (auto *Op = dyn_cast<BinaryOperator>(&I)) {
    Value *Left = B.lanes(Op->getOperand(0)),
          *Right = B.lanes(Op->getOperand(1));
    // The host must not trap for lanes that do not execute this.
    if (Op->isIntDivRem() && !isa<Constant>(Op->getOperand(1)))
      Right =
          B.CreateSelect(B.Mask, Right, ConstantInt::get(Right->getType(), 1));
    Now = B.CreateBinOp(Op->getOpcode(), Left, Right);
  } else if (isa<UnaryOperator>(I)) {
    Now = B.CreateUnOp(Instruction::UnaryOps(I.getOpcode()),
                       B.lanes(I.getOperand(0)));
  } else if (auto *Cast = dyn_cast<CastInst>(&I)) {
    Now = B.CreateCast(Cast->getOpcode(), B.lanes(I.getOperand(0)),
                       B.laneType(I.getType()));
  } else if (auto *Compare = dyn_cast<CmpInst>(&I)) {
    Now = B.CreateCmp(Compare->getPredicate(), B.lanes(I.getOperand(0)),
                      B.lanes(I.getOperand(1)));
  } else if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Value *If = Select->getCondition();
    Now = B.blend(B.isUniform(If) ? B.scalar(If) : B.lanes(If),
                  B.lanes(Select->getTrueValue()),
                  B.lanes(Select->getFalseValue()));
  } else if (isa<FreezeInst>(I)) {
    Now = B.CreateFreeze(B.lanes(I.getOperand(0)));
  } else if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
    auto Operand = [&](Value *V) {
      return B.isUniform(V) ? B.scalar(V) : B.lanes(V);
    };
    SmallVector<Value *> Indices;
    for (Value *Index : Gep->indices())
      Indices.push_back(Operand(Index));
    Now = B.CreateGEP(Gep->getSourceElementType(),
                      Operand(Gep->getPointerOperand()), Indices);
    if (!Now->getType()->isVectorTy())
      Now = B.splat(Now);
  } else if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
    Now = B.CreateExtractValue(B.lanes(I.getOperand(0)), Extract->getIndices());
  } else if (auto *Insert = dyn_cast<InsertValueInst>(&I)) {
    Now = B.CreateInsertValue(B.lanes(I.getOperand(0)),
                              B.lanes(I.getOperand(1)), Insert->getIndices());
  } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
    return emitLoad(B, *Load);
  } else if (auto *Call = dyn_cast<CallInst>(&I)) {
    return emitCall(B, *Call);
  } else {
    return emitForEachLane(B, I);
  }
  if (auto *Made = dyn_cast<Instruction>(Now);
      Made && Made->getOpcode() == I.getOpcode())
    Made->copyIRFlags(&I);
  B.keep(I, Now, /*IsLanes=*/true);
}

void emitInstruction(LaneBuilder &B, Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return emitStore(B, *Store);
  if (auto *Call = dyn_cast<CallInst>(&I);
      Call && (!isPure(*Call) || hasOneResult(*Call)))
    return emitCall(B, *Call);
  if (auto *Fence = dyn_cast<FenceInst>(&I)) {
    B.Insert(Fence->clone());
    return;
  }
  Shape S = B.shapeOf(&I);
  if (S.K == Shape::Varying)
    return emitLanes(B, I);
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    B.keep(I, B.arrayOfLanes(*A, S.Stride), /*IsLanes=*/false);
    return;
  }
  Instruction *One = I.clone();
  if (S.K == Shape::Affine) {
    // The first lane may not be active.
    One->dropPoisonGeneratingFlags();
    if (I.getOpcode() == Instruction::Or) {
      One->deleteValue();
      One = BinaryOperator::CreateAdd(I.getOperand(0), I.getOperand(1));
    } else if (isa<ZExtInst>(I)) {
      One->deleteValue();
      One = CastInst::Create(Instruction::SExt, I.getOperand(0), I.getType());
    }
  }
  for (Use &U : One->operands())
    U.set(B.scalar(U.get()));
  One->dropUnknownNonDebugMetadata();
  B.Insert(One);
  One->setDebugLoc(I.getDebugLoc());
  B.keep(I, One, /*IsLanes=*/false);
}

} // namespace gpuestimate
