#include "LaneBuilder.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

LaneBuilder::LaneBuilder(const LaneVectorRequest &Request,
                         const LaneShapes &Shapes, unsigned Width)
    : IRBuilder<>(Request.Kernel->getContext()), Request(Request),
      Shapes(Shapes), Layout(Request.Kernel->getParent()->getDataLayout()),
      Width(Width) {}

Type *LaneBuilder::laneType(Type *T) const {
  if (auto *S = dyn_cast<StructType>(T)) {
    SmallVector<Type *> Elements;
    for (Type *E : S->elements())
      Elements.push_back(laneType(E));
    return StructType::get(Context, Elements);
  }
  return FixedVectorType::get(T, Width);
}

AllocaInst *LaneBuilder::slot(Type *T, const Twine &Name) {
  return new AllocaInst(T, 0, Name, EntryEnd->getIterator());
}

Value *LaneBuilder::scalar(Value *V) {
  if (isa<Constant>(V) || isa<MetadataAsValue>(V))
    return V;
  if (isa<Argument>(V))
    return Arguments.lookup(V);
  Value *&Here = Scalars[V];
  if (!Here) {
    AllocaInst *From = ScalarSlots.lookup(V);
    Here = CreateLoad(V->getType(), From);
  }
  return Here;
}

Value *LaneBuilder::splat(Value *V) {
  auto *S = dyn_cast<StructType>(V->getType());
  if (!S)
    return CreateVectorSplat(Width, V);
  Value *All = PoisonValue::get(laneType(S));
  for (unsigned E = 0; E < S->getNumElements(); ++E)
    All = CreateInsertValue(All, splat(CreateExtractValue(V, E)), E);
  return All;
}

Value *LaneBuilder::spread(Value *Base, int64_t Stride) {
  bool IsPointer = Base->getType()->isPointerTy();
  Type *T = IsPointer ? getInt64Ty() : Base->getType();
  SmallVector<Constant *> Offsets;
  for (unsigned L = 0; L < Width; ++L)
    Offsets.push_back(ConstantInt::get(T, uint64_t(Stride) * L, false));
  Constant *Offset = ConstantVector::get(Offsets);
  return IsPointer ? CreateGEP(getInt8Ty(), Base, Offset)
                   : CreateAdd(CreateVectorSplat(Width, Base), Offset);
}

Value *LaneBuilder::lanes(Value *V) {
  if (isa<Constant>(V))
    return splat(V);
  if (isa<Argument>(V) && ArgumentLanes.count(V))
    return ArgumentLanes.lookup(V);
  if (Value *Here = Lanes.lookup(V))
    return Here;
  Shape S = shapeOf(V);
  Value *All = nullptr;
  if (S.K == Shape::Uniform)
    All = splat(scalar(V));
  else if (S.K == Shape::Affine)
    All = spread(scalar(V), S.Stride);
  else
    All = CreateLoad(laneType(V->getType()), LaneSlots.lookup(V));
  Lanes[V] = All;
  return All;
}

Value *LaneBuilder::blend(Value *Where, Value *True, Value *False) {
  auto *S = dyn_cast<StructType>(True->getType());
  if (!S || !Where->getType()->isVectorTy())
    return CreateSelect(Where, True, False);
  Value *All = PoisonValue::get(S);
  for (unsigned E = 0; E < S->getNumElements(); ++E)
    All = CreateInsertValue(
        All,
        blend(Where, CreateExtractValue(True, E), CreateExtractValue(False, E)),
        E);
  return All;
}

Value *LaneBuilder::bitsOf(Value *Of) {
  return CreateBitCast(Of, getIntNTy(Width));
}

Value *LaneBuilder::isAny(Value *Of) {
  return CreateICmpNE(bitsOf(Of), ConstantInt::get(getIntNTy(Width), 0));
}

/// Is the value used in another block, or by a phi there?
static bool leavesBlock(const Instruction &I) {
  return any_of(I.uses(), [&](const Use &U) {
    const auto *User = cast<Instruction>(U.getUser());
    const BasicBlock *Where = User->getParent();
    if (const auto *Phi = dyn_cast<PHINode>(User))
      Where = Phi->getIncomingBlock(U);
    return Where != I.getParent();
  });
}

AllocaInst *LaneBuilder::arrayOfLanes(AllocaInst &A, int64_t Stride) {
  return new AllocaInst(ArrayType::get(getInt8Ty(), uint64_t(Stride) * Width),
                        A.getAddressSpace(), nullptr, A.getAlign(), A.getName(),
                        EntryEnd->getIterator());
}

void LaneBuilder::makeSlots(Instruction &I) {
  if (I.getType()->isVoidTy())
    return;
  Type *Kept = isVarying(&I) ? laneType(I.getType()) : I.getType();
  if (isa<PHINode>(I))
    PhiSlots[&I] = slot(Kept, I.getName() + ".in");
  if (leavesBlock(I))
    (isVarying(&I) ? LaneSlots : ScalarSlots)[&I] = slot(Kept, I.getName());
}

void LaneBuilder::keep(Instruction &I, Value *Now, bool IsLanes) {
  (IsLanes ? Lanes : Scalars)[&I] = Now;
  if (leavesBlock(I))
    CreateStore(Now, (IsLanes ? LaneSlots : ScalarSlots).lookup(&I));
}

} // namespace gpuestimate
