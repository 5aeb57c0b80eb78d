#include "GlobalAddresses.h"
#include "Program.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace gpuestimate {

static constexpr unsigned SharedSpace = 3;

GlobalAddresses::GlobalAddresses(
    const Module &M, DeviceMemory &Memory,
    function_ref<uint64_t(const GlobalVariable &)> Given)
    : Layout(M.getDataLayout()), Memory(Memory) {
  std::vector<const GlobalVariable *> Dynamic;
  for (const GlobalVariable &G : M.globals()) {
    if (!G.getValueType()->isSized())
      continue;
    uint64_t Size = Layout.getTypeAllocSize(G.getValueType());
    if (G.getAddressSpace() != SharedSpace) {
      uint64_t Address = Given(G);
      if (!Address) {
        BufferData Data;
        Data.Size = Size;
        Address = Memory.allocate(G.getName().str(), Data);
      }
      Addresses[&G] = Address;
      continue;
    }
    if (Size == 0 || (G.isDeclaration() && Size <= 1)) {
      Dynamic.push_back(&G);
      continue;
    }
    SharedBytes = alignTo(SharedBytes, G.getAlign().valueOrOne());
    Addresses[&G] = SharedBase + SharedBytes;
    SharedBytes += Size;
  }
  SharedBytes = alignTo(SharedBytes, 16);
  for (const GlobalVariable *G : Dynamic)
    Addresses[G] = SharedBase + SharedBytes;
  // Initialisers may contain addresses of other variables.
  for (const GlobalVariable &G : M.globals())
    if (G.getAddressSpace() != SharedSpace && G.hasInitializer() &&
        Addresses.contains(&G) && !Given(G))
      initialise(Addresses[&G], G.getInitializer());
}

void GlobalAddresses::initialise(uint64_t Address, const Constant *C) {
  if (C->isNullValue() || isa<UndefValue>(C))
    return;
  if (const auto *Data = dyn_cast<ConstantDataSequential>(C)) {
    StringRef Bytes = Data->getRawDataValues();
    Memory.write(Address, Bytes.data(), Bytes.size());
    return;
  }
  Type *T = C->getType();
  if (isa<ConstantAggregate>(C) && !T->isVectorTy()) {
    for (unsigned I = 0; I < C->getNumOperands(); ++I) {
      uint64_t Offset =
          T->isStructTy()
              ? Layout.getStructLayout(cast<StructType>(T))
                    ->getElementOffset(I)
                    .getFixedValue()
              : I * Layout.getTypeAllocSize(T->getArrayElementType())
                        .getFixedValue();
      initialise(Address + Offset, cast<Constant>(C->getOperand(I)));
    }
    return;
  }
  SmallVector<uint64_t> Bits;
  if (!cells(C, Bits))
    return;
  SmallVector<Leaf, 4> Leaves = leavesOf(T, Layout);
  for (unsigned I = 0; I < Leaves.size() && I < Bits.size(); ++I) {
    uint8_t Bytes[8];
    support::endian::write64le(Bytes, Bits[I]);
    Memory.write(Address + Leaves[I].Offset, Bytes, Leaves[I].Bytes);
  }
}

bool GlobalAddresses::cells(const Constant *C,
                            SmallVectorImpl<uint64_t> &Cells) const {
  if (isa<UndefValue, ConstantPointerNull, ConstantAggregateZero,
          ConstantTokenNone>(C)) {
    Cells.append(cellsOf(C->getType()), 0);
    return true;
  }
  if (const auto *G = dyn_cast<GlobalVariable>(C)) {
    auto Entry = Addresses.find(G);
    Cells.push_back(Entry == Addresses.end() ? 0 : Entry->second);
    return Entry != Addresses.end();
  }
  if (isa<Function>(C)) { // its address; calls through it are refused
    Cells.push_back(0);
    return true;
  }
  if (const auto *Number = dyn_cast<ConstantInt>(C)) {
    Cells.push_back(Number->getValue().extractBitsAsZExtValue(
        std::min(64u, Number->getBitWidth()), 0));
    return Number->getBitWidth() <= 64;
  }
  if (const auto *Number = dyn_cast<ConstantFP>(C)) {
    APInt Bits = Number->getValueAPF().bitcastToAPInt();
    Cells.push_back(
        Bits.extractBitsAsZExtValue(std::min(64u, Bits.getBitWidth()), 0));
    return Bits.getBitWidth() <= 64;
  }
  if (isa<ConstantDataSequential, ConstantAggregate>(C)) {
    unsigned Count = isa<ConstantDataSequential>(C)
                         ? cast<ConstantDataSequential>(C)->getNumElements()
                         : C->getNumOperands();
    for (unsigned I = 0; I < Count; ++I)
      if (!cells(C->getAggregateElement(I), Cells))
        return false;
    return true;
  }
  const auto *E = dyn_cast<ConstantExpr>(C);
  if (!E)
    return false;
  if (const auto *Gep = dyn_cast<GEPOperator>(E)) {
    APInt Offset(Layout.getIndexTypeSizeInBits(E->getType()), 0);
    if (!Gep->accumulateConstantOffset(Layout, Offset) ||
        !cells(cast<Constant>(Gep->getPointerOperand()), Cells))
      return false;
    Cells.back() += Offset.getSExtValue();
    return true;
  }
  if (E->isCast())
    return cells(E->getOperand(0), Cells);
  if (const Constant *Folded = ConstantFoldConstant(E, Layout); Folded != E)
    return cells(Folded, Cells);
  SmallVector<uint64_t> First, Second;
  if (E->getNumOperands() != 2 || !cells(E->getOperand(0), First) ||
      !cells(E->getOperand(1), Second))
    return false;
  if (E->getOpcode() != Instruction::Add && E->getOpcode() != Instruction::Sub)
    return false;
  Cells.push_back(E->getOpcode() == Instruction::Add ? First[0] + Second[0]
                                                     : First[0] - Second[0]);
  return true;
}

} // namespace gpuestimate
