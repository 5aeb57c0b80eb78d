#include "ScalarParts.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace gpuestimate {

static void addParts(Type *T, uint64_t Offset, const DataLayout &Layout,
                     SmallVectorImpl<ScalarPart> &Parts) {
  if (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *Fields = Layout.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      addParts(S->getElementType(I),
               Offset + Fields->getElementOffset(I).getFixedValue(), Layout,
               Parts);
    return;
  }
  Type *Element = nullptr;
  uint64_t Count = 0, Step = 0;
  if (auto *A = dyn_cast<ArrayType>(T)) {
    Element = A->getElementType();
    Count = A->getNumElements();
    Step = Layout.getTypeAllocSize(Element);
  } else if (auto *V = dyn_cast<FixedVectorType>(T)) {
    Element = V->getElementType();
    Count = V->getNumElements();
    Step = Layout.getTypeSizeInBits(Element).getFixedValue() / 8;
  }
  if (!Element) {
    Parts.push_back({Offset, T, unsigned(Layout.getTypeStoreSize(T))});
    return;
  }
  for (uint64_t I = 0; I < Count; ++I)
    addParts(Element, Offset + I * Step, Layout, Parts);
}

SmallVector<ScalarPart, 4> scalarParts(Type *T, const DataLayout &Layout) {
  SmallVector<ScalarPart, 4> Parts;
  if (T->isSized())
    addParts(T, 0, Layout, Parts);
  return Parts;
}

} // namespace gpuestimate
