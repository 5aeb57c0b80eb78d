#include "LaneShapes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuestimate {

/// CUDA's limit of a thread block.
static constexpr unsigned MaxBlockThreads = 1024;

LaneShapes::LaneShapes(const LaneVectorRequest &Request,
                       const UniformityInfo &Uniformity,
                       const BlockOrder &Order)
    : Request(Request), Uniformity(Uniformity), Order(Order),
      Layout(Request.Kernel->getParent()->getDataLayout()) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Order.blocks())
      for (Instruction &I : *BB) {
        if (I.getType()->isVoidTy())
          continue;
        Shape &Before = Shapes[&I];
        if (Before.K == Shape::Varying)
          continue;
        Shape Now = computeShape(I);
        if (Before.K == Shape::Affine && !(Now == Before))
          Now = {Shape::Varying};
        if (!(Now == Before)) {
          Shapes[&I] = Now;
          Changed = true;
        }
      }
  }
  for (auto &Entry : Shapes)
    if (Entry.second.K == Shape::Unknown)
      Entry.second = {Shape::Varying};
}

/// blockIdx.x * N + threadIdx.x, where N is blockDim.x or a constant that is no
/// larger than blocks may be: less than 2^31 (vectoriseLanes()).
bool LaneShapes::isGlobalIndex(const Value *V) const {
  const Value *X = Request.Thread.Thread[0];
  const auto *Sum = dyn_cast<BinaryOperator>(V);
  bool Adds = Sum && (Sum->getOpcode() == Instruction::Add ||
                      Sum->getOpcode() == Instruction::Or);
  if (!Adds || (Sum->getOperand(0) != X && Sum->getOperand(1) != X))
    return false;
  const auto *Product =
      dyn_cast<BinaryOperator>(Sum->getOperand(Sum->getOperand(0) == X));
  if (!Product)
    return false;
  auto Loads = [&](const Value *Operand, size_t Member) {
    const auto *Load = dyn_cast<LoadInst>(Operand);
    int64_t Offset = 0;
    return Load &&
           GetPointerBaseWithConstantOffset(Load->getPointerOperand(), Offset,
                                            Layout) == Request.Thread.Context &&
           Offset == int64_t(Member);
  };
  const Value *Left = Product->getOperand(0), *Right = Product->getOperand(1);
  if (!Loads(Left, offsetof(ThreadContext, Block)))
    std::swap(Left, Right);
  if (!Loads(Left, offsetof(ThreadContext, Block)))
    return false;
  const auto *Factor = dyn_cast<ConstantInt>(Right);
  if (Product->getOpcode() == Instruction::Shl)
    return Factor && Right == Product->getOperand(1) &&
           Factor->getValue().ule(Log2_32(MaxBlockThreads));
  return Product->getOpcode() == Instruction::Mul &&
         (Loads(Right, offsetof(ThreadContext, BlockSize)) ||
          (Factor && Factor->getValue().ule(MaxBlockThreads)));
}

/// Does an affine integer not wrap round from lane to lane, as a signed number?
bool LaneShapes::staysInRange(const Value *V,
                              SmallPtrSetImpl<const Value *> &Seen) const {
  if (!isa<Instruction>(V) || shapeOf(V).K == Shape::Uniform ||
      !Seen.insert(V).second)
    return true;
  const auto &I = cast<Instruction>(*V);
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    if (cast<OverflowingBinaryOperator>(I).hasNoSignedWrap())
      return true;
    break;
  case Instruction::SExt:
  case Instruction::ZExt:
    return true;
  case Instruction::PHI:
  case Instruction::Freeze:
    return all_of(I.operand_values(), [&](const Value *Operand) {
      return staysInRange(Operand, Seen);
    });
  default:
    break;
  }
  return isGlobalIndex(V) || computeKnownBits(V, Layout).isNonNegative();
}

Shape LaneShapes::shapeOf(const Value *V) const {
  if (const auto *A = dyn_cast<Argument>(V)) {
    if (A == Request.Thread.Linear)
      return Shape::affine(1);
    if (A == Request.Thread.Thread[0])
      return Request.LanesShareRows ? Shape::affine(1) : Shape{Shape::Varying};
    return Uniformity.isUniform(V) ? Shape{Shape::Uniform}
                                   : Shape{Shape::Varying};
  }
  if (!isa<Instruction>(V))
    return {Shape::Uniform};
  return Shapes.lookup(V);
}

Shape LaneShapes::shapeOfPhi(const PHINode &Phi,
                             ArrayRef<Shape> Operands) const {
  // Lanes enter a loop together and go round together.
  const Loop *L = Order.loops().getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent())
    return {Shape::Varying};
  Shape Common;
  for (unsigned N = 0; N < Operands.size(); ++N) {
    const BasicBlock *From = Phi.getIncomingBlock(N);
    if (Order.mayWait(From, Phi.getParent()))
      return {Shape::Varying};
    if (Operands[N].K == Shape::Unknown)
      continue;
    if (Operands[N].K == Shape::Uniform)
      return {Shape::Varying};
    if (Common.K != Shape::Unknown && !(Common == Operands[N]))
      return {Shape::Varying};
    Common = Operands[N];
  }
  return Common;
}

Shape LaneShapes::shapeOfAddress(const GetElementPtrInst &Gep,
                                 ArrayRef<Shape> Operands) const {
  for (unsigned N = 0; N < Operands.size(); ++N)
    if (Operands[N].K == Shape::Unknown)
      return {};
  int64_t Stride = Operands[0].Stride;
  unsigned N = 1;
  for (gep_type_iterator At = gep_type_begin(Gep), End = gep_type_end(Gep);
       At != End; ++At, ++N) {
    if (At.isStruct())
      continue;
    // A narrower index would be extended.
    if (Operands[N].K == Shape::Affine &&
        Gep.getOperand(N)->getType()->getIntegerBitWidth() < 64)
      return {Shape::Varying};
    Stride += Operands[N].Stride *
              int64_t(At.getSequentialElementStride(Layout).getFixedValue());
  }
  return Stride ? Shape::affine(Stride) : Shape{Shape::Varying};
}

// NOLINTNEXTLINE(readability-function-size): a case per opcode.
Shape LaneShapes::computeShape(const Instruction &I) const {
  if (Uniformity.isUniform(&I))
    return {Shape::Uniform};
  if (const auto *A = dyn_cast<AllocaInst>(&I)) {
    uint64_t Bytes = A->getAllocationSize(Layout)->getFixedValue();
    return Shape::affine(int64_t(alignTo(Bytes, A->getAlign())));
  }
  Type *T = I.getType();
  if (!T->isIntegerTy() && !T->isPointerTy())
    return {Shape::Varying};
  SmallVector<Shape, 4> Operands;
  for (const Value *Operand : I.operand_values()) {
    Operands.push_back(shapeOf(Operand));
    if (Operands.back().K == Shape::Varying)
      return Operands.back();
  }
  const Shape Varying = {Shape::Varying};
  auto Known = [&](unsigned N) { return Operands[N].K != Shape::Unknown; };
  auto Sum = [&](int64_t Stride) {
    return Stride ? Shape::affine(Stride) : Varying;
  };
  switch (I.getOpcode()) {
  case Instruction::PHI:
    return shapeOfPhi(cast<PHINode>(I), Operands);
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I).isDisjoint())
      return Varying;
    [[fallthrough]];
  case Instruction::Add:
    if (!Known(0) || !Known(1))
      return {};
    return Sum(Operands[0].Stride + Operands[1].Stride);
  case Instruction::Sub:
    if (!Known(0) || !Known(1))
      return {};
    return Sum(Operands[0].Stride - Operands[1].Stride);
  case Instruction::Mul:
  case Instruction::Shl: {
    if (!Known(0))
      return {};
    const auto *Factor = dyn_cast<ConstantInt>(I.getOperand(1));
    if (!Factor || Factor->getBitWidth() > 64 ||
        std::abs(Operands[0].Stride) > (int64_t(1) << 31))
      return Varying;
    int64_t By = Factor->getSExtValue();
    if (I.getOpcode() == Instruction::Shl)
      return By >= 0 && By < 31 ? Sum(Operands[0].Stride << By) : Varying;
    return std::abs(By) < (int64_t(1) << 31) ? Sum(Operands[0].Stride * By)
                                             : Varying;
  }
  case Instruction::ZExt:
    // Lanes that are not active may have a negative value.
    if (!Known(0))
      return {};
    if (T->getIntegerBitWidth() > 64 ||
        !(cast<ZExtInst>(I).hasNonNeg() || isGlobalIndex(I.getOperand(0)) ||
          computeKnownBits(I.getOperand(0), Layout).isNonNegative()))
      return Varying;
    return Operands[0];
  case Instruction::SExt: {
    SmallPtrSet<const Value *, 8> Seen;
    constexpr int64_t MaxStride = 1 << 16;
    return T->getIntegerBitWidth() <= 64 &&
                   std::abs(Operands[0].Stride) <= MaxStride &&
                   staysInRange(I.getOperand(0), Seen)
               ? Operands[0]
               : Varying;
  }
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr: {
    unsigned From =
                 unsigned(Layout.getTypeSizeInBits(I.getOperand(0)->getType())),
             To = unsigned(Layout.getTypeSizeInBits(T));
    bool Keeps = I.getOpcode() == Instruction::Trunc ? To >= 16 : From == To;
    return Keeps ? Operands[0] : Varying;
  }
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
    return Operands[0];
  case Instruction::Select:
    if (!Known(1) || !Known(2))
      return {};
    return Operands[0].K == Shape::Uniform && Operands[1] == Operands[2]
               ? Operands[1]
               : Varying;
  case Instruction::GetElementPtr:
    return shapeOfAddress(cast<GetElementPtrInst>(I), Operands);
  default:
    return Varying;
  }
}

} // namespace gpuestimate
