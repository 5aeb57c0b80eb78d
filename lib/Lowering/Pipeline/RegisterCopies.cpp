#include "RegisterCopies.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace gpuestimate {

/// All registers of a thread. nvcc 13 has no local memory up to 512 bytes, the
/// largest structure that was tried.
static constexpr uint64_t MaxBytes = 255 * 4;

/// The type of all elements of an array or structure; null if they differ.
static Type *elementType(Type *T) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return elementType(Array->getElementType());
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct)
    return T;
  Type *First = nullptr;
  for (Type *Member : Struct->elements()) {
    Type *Of = elementType(Member);
    if (!Of || (First && Of != First))
      return nullptr;
    First = Of;
  }
  return First;
}

/// The vector that fills Slot: of its own elements, or of integers if they have
/// several types.
static FixedVectorType *vectorFor(const AllocaInst &Slot, uint64_t Bytes) {
  Type *Element = elementType(Slot.getAllocatedType());
  if (!Element || !VectorType::isValidElementType(Element))
    Element = Type::getIntNTy(Slot.getContext(), Bytes % 4 == 0 ? 32 : 8);
  uint64_t Bits = Slot.getDataLayout().getTypeSizeInBits(Element);
  return Bits % 8 == 0 && Bytes * 8 % Bits == 0
             ? FixedVectorType::get(Element, Bytes * 8 / Bits)
             : nullptr;
}

/// Adds the copies of all Bytes at Pointer, and those that clear them; false if
/// something else touches them.
static bool collectCopies(Value &Pointer, uint64_t Bytes,
                          SmallSetVector<MemIntrinsic *, 8> &Copies) {
  for (User *U : Pointer.users()) {
    if (auto *Address = dyn_cast<GetElementPtrInst>(U)) {
      if (!Address->hasAllZeroIndices() ||
          !collectCopies(*Address, Bytes, Copies))
        return false;
      continue;
    }
    auto *Mark = dyn_cast<IntrinsicInst>(U);
    if (Mark && Mark->isLifetimeStartOrEnd())
      continue;
    auto *Copy = dyn_cast<MemIntrinsic>(U);
    auto *Length = Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
    if (!Length || Length->getValue() != Bytes || Copy->isVolatile() ||
        (isa<MemSetInst>(Copy) &&
         !match(cast<MemSetInst>(Copy)->getValue(), PatternMatch::m_Zero())))
      return false;
    Copies.insert(Copy);
  }
  return true;
}

static void replaceByAccesses(MemIntrinsic &Copy, FixedVectorType &Vector) {
  IRBuilder<> Builder(&Copy);
  Value *Moved = Constant::getNullValue(&Vector);
  if (auto *Transfer = dyn_cast<MemTransferInst>(&Copy))
    Moved = Builder.CreateAlignedLoad(&Vector, Transfer->getRawSource(),
                                      Transfer->getSourceAlign());
  Builder.CreateAlignedStore(Moved, Copy.getRawDest(), Copy.getDestAlign());
  Copy.eraseFromParent();
}

PreservedAnalyses RegisterCopies::run(Function &F, FunctionAnalysisManager &) {
  SmallVector<AllocaInst *> Slots;
  for (Instruction &I : F.getEntryBlock())
    if (auto *Slot = dyn_cast<AllocaInst>(&I))
      Slots.push_back(Slot);
  bool Changed = false;
  for (AllocaInst *Slot : Slots) {
    std::optional<TypeSize> Size =
        Slot->getAllocationSize(Slot->getDataLayout());
    SmallSetVector<MemIntrinsic *, 8> Copies;
    if (!Size || Size->isScalable() || *Size > MaxBytes ||
        !collectCopies(*Slot, *Size, Copies))
      continue;
    FixedVectorType *Vector = vectorFor(*Slot, *Size);
    if (!Vector)
      continue;
    for (MemIntrinsic *Copy : Copies)
      replaceByAccesses(*Copy, *Vector);
    Changed |= !Copies.empty();
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace gpuestimate
