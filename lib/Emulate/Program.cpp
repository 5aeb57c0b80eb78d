#include "Program.h"
#include "Dispatch.h"
#include "gpu-estimate/Emulate/Emulate.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuestimate {

unsigned cellsOf(const Type *T) {
  if (T->isVoidTy() || T->isTokenTy() || T->isMetadataTy())
    return 0;
  if (const auto *V = dyn_cast<FixedVectorType>(T))
    return V->getNumElements();
  if (const auto *A = dyn_cast<ArrayType>(T))
    return A->getNumElements() * cellsOf(A->getElementType());
  if (const auto *S = dyn_cast<StructType>(T)) {
    unsigned Sum = 0;
    for (const Type *E : S->elements())
      Sum += cellsOf(E);
    return Sum;
  }
  return 1;
}

static void addLeaves(Type *T, uint64_t Offset, const DataLayout &Layout,
                      SmallVectorImpl<Leaf> &Leaves) {
  if (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *Fields = Layout.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      addLeaves(S->getElementType(I),
                Offset + Fields->getElementOffset(I).getFixedValue(), Layout,
                Leaves);
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
    Leaves.push_back({Offset, T, unsigned(Layout.getTypeStoreSize(T))});
    return;
  }
  for (uint64_t I = 0; I < Count; ++I)
    addLeaves(Element, Offset + I * Step, Layout, Leaves);
}

SmallVector<Leaf, 4> leavesOf(Type *T, const DataLayout &Layout) {
  SmallVector<Leaf, 4> Leaves;
  if (!T->isSized())
    return Leaves;
  addLeaves(T, 0, Layout, Leaves);
  return Leaves;
}

CellFormat formatOf(const Type *T) {
  const Type *S = T->getScalarType();
  return S->isHalfTy()     ? CellFormat::Half
         : S->isBFloatTy() ? CellFormat::BFloat
         : S->isFloatTy()  ? CellFormat::Float
         : S->isDoubleTy() ? CellFormat::Double
                           : CellFormat::Integer;
}

unsigned bitsOf(const Type *T, const DataLayout &) {
  const Type *S = T->getScalarType();
  if (S->isPointerTy())
    return 64;
  unsigned Bits = S->getPrimitiveSizeInBits().getFixedValue();
  return Bits ? Bits : 64;
}

namespace {

class Decoder {
public:
  Decoder(const Function &F, const GlobalAddresses &Globals)
      : F(F), Globals(Globals), Layout(Globals.layout()) {}

  Expected<std::unique_ptr<Program>> run() {
    P->F = &F;
    for (const Argument &A : F.args()) {
      P->Arguments.push_back(P->Cells);
      allocateCells(&A);
    }
    for (const llvm::BasicBlock &BB : F) {
      Number[&BB] = P->Blocks.size();
      P->Blocks.emplace_back().BB = &BB;
      for (const Instruction &I : BB)
        if (!allocateCells(&I))
          return refuse(I, "a value of this type is not emulated");
    }
    findLoops();
    for (DecodedBlock &B : P->Blocks)
      if (Error E = decodeBlock(B))
        return E;
    return std::move(P);
  }

private:
  static Error refuse(const Instruction &I, const Twine &Reason);
  /// Cells for a value; false when it has a type of more than 64 bits.
  bool allocateCells(const Value *V);
  Expected<unsigned> operand(const Value *V, const Instruction &User);
  void findLoops();
  Error decodeBlock(DecodedBlock &B);
  Error decodeInstruction(const Instruction &I, DecodedBlock &B);
  Error decodeEdges(DecodedBlock &B);
  bool isCounted(const Instruction &I) const {
    return I.getType()->isIntegerTy(1);
  }

  const Function &F;
  const GlobalAddresses &Globals;
  const DataLayout &Layout;
  std::unique_ptr<Program> P = std::make_unique<Program>();
  DenseMap<const Value *, unsigned> FirstCell;
  DenseMap<const llvm::BasicBlock *, unsigned> Number;
  DenseMap<const llvm::BasicBlock *, SmallPtrSet<const llvm::BasicBlock *, 8>>
      Bodies;
};

} // namespace

Error Decoder::refuse(const Instruction &I, const Twine &Reason) {
  return make_error<EmulationUnsupported>(Reason.str(), &I);
}

bool Decoder::allocateCells(const Value *V) {
  for (const Leaf &L : leavesOf(V->getType(), Layout))
    if (L.Type->isSized() && L.Bytes > 8)
      return false;
  FirstCell[V] = P->Cells;
  P->Cells += cellsOf(V->getType());
  return true;
}

Expected<unsigned> Decoder::operand(const Value *V, const Instruction &User) {
  if (auto Entry = FirstCell.find(V); Entry != FirstCell.end())
    return Entry->second;
  const auto *C = dyn_cast<Constant>(V);
  SmallVector<uint64_t> Bits;
  if (!C || !Globals.cells(C, Bits))
    return refuse(User, "an operand is not emulated");
  FirstCell[V] = P->Cells;
  for (uint64_t B : Bits)
    P->Constants.push_back({P->Cells++, B});
  return FirstCell[V];
}

void Decoder::findLoops() {
  auto &Mutable = const_cast<Function &>(F);
  DominatorTree Dominators(Mutable);
  LoopInfo Loops(Dominators);
  for (const llvm::Loop *L : Loops.getLoopsInPreorder()) {
    P->Blocks[Number[L->getHeader()]].HeaderOf = P->Loops.size();
    P->Loops.push_back(L->getHeader());
    Bodies[L->getHeader()].insert(L->block_begin(), L->block_end());
  }
  PostDominatorTree PostDominators(Mutable);
  for (DecodedBlock &B : P->Blocks) {
    const DomTreeNode *N = PostDominators.getNode(B.BB);
    const DomTreeNode *IPDom = N ? N->getIDom() : nullptr;
    if (IPDom && IPDom->getBlock())
      B.Reconvergence = Number[IPDom->getBlock()];
  }
}

Error Decoder::decodeBlock(DecodedBlock &B) {
  for (const Instruction &I : *B.BB)
    if (!isa<PHINode>(I) && !I.isDebugOrPseudoInst() &&
        !I.isLifetimeStartOrEnd())
      if (Error E = decodeInstruction(I, B))
        return E;
  return decodeEdges(B);
}

Error Decoder::decodeEdges(DecodedBlock &B) {
  for (const llvm::BasicBlock *Successor : successors(B.BB)) {
    Edge &E = B.Edges.emplace_back();
    E.Target = Number[Successor];
    int Loop = P->Blocks[E.Target].HeaderOf;
    if (Loop >= 0 && !Bodies[Successor].contains(B.BB))
      E.Enters = Loop;
    for (const PHINode &Phi : Successor->phis()) {
      Expected<unsigned> Source =
          operand(Phi.getIncomingValueForBlock(B.BB), Phi);
      if (!Source)
        return Source.takeError();
      E.Copies.push_back({FirstCell[&Phi], *Source, cellsOf(Phi.getType())});
    }
  }
  return Error::success();
}

Error Decoder::decodeInstruction(const Instruction &I, DecodedBlock &B) {
  Decoded &D = B.Code.emplace_back();
  D.I = &I;
  D.Opcode = I.getOpcode();
  D.Result = FirstCell[&I];
  D.Cells = cellsOf(I.getType());
  D.ResultFormat = formatOf(I.getType());
  D.ResultBits = bitsOf(I.getType(), Layout);
  const auto *Call = dyn_cast<CallBase>(&I);
  for (const Use &U : Call ? Call->args() : I.operands()) {
    if (isa<llvm::BasicBlock, MetadataAsValue>(U.get())) {
      D.Operands.push_back(0);
      continue;
    }
    Expected<unsigned> Cell = operand(U.get(), I);
    if (!Cell)
      return Cell.takeError();
    D.Operands.push_back(*Cell);
  }
  const Type *First = Call && Call->arg_size()
                          ? Call->getArgOperand(0)->getType()
                      : !Call && I.getNumOperands() ? I.getOperand(0)->getType()
                                                    : nullptr;
  if (First && !First->isLabelTy() && !First->isMetadataTy()) {
    D.Format = formatOf(First);
    D.Bits = bitsOf(First, Layout);
  }
  if (isCounted(I)) {
    D.Counter = P->Conditions.size();
    P->Conditions.push_back(&I);
  }
  bool Accesses = isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I);
  if (Call) {
    findCallHandler(*Call, D);
    Accesses = isAccessCall(D);
  } else if (!I.isTerminator()) {
    D.Handler = findInstructionHandler(I);
  }
  D.CountsCondition = isCounted(I) && !Accesses;
  if (Accesses) {
    D.Counter = P->Accesses.size();
    P->Accesses.push_back(&I);
  }
  return Error::success();
}

Expected<std::unique_ptr<Program>>
Program::decode(const Function &F, const GlobalAddresses &Globals) {
  return Decoder(F, Globals).run();
}

} // namespace gpuestimate
