#include "Operations.h"

#include "OperandLinker.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/IR/Instructions.h"

namespace gpuestimate {

void Operations::build() {
  ClockWaits.resize(ClockLoops.size());
  for (const auto &[BB, Index] : B.R.blocks()) {
    B.startBlock(*BB, Index);
    if (BB == &B.F.getEntryBlock())
      emitPrologue();
    emitBlock(*BB);
    B.endBlock();
  }
  Memory.finishAsyncWaits();
  Bulk.finish();
  OperandLinker(B).run();
  B.reportDivisions();
}

void Operations::emitPrologue() {
  // Every kernel sets up its stack pointer and the constants of its addresses.
  const llvm::Instruction &First = B.F.getEntryBlock().front();
  B.appendRow(*findOpRow("prologue", B.variants()), First, {});
  B.removeProducer(First);
  Bulk.emitStart(First);
}

void Operations::emitBlock(const llvm::BasicBlock &BB) {
  for (const llvm::Instruction &I : BB) {
    if (!spendWork())
      return;
    if (I.isTerminator())
      B.startInductions(BB);
    if (!B.selection().isDead(I) && !B.selection().isFree(I))
      emit(I);
  }
}

void Operations::emit(const llvm::Instruction &I) {
  if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I)) {
    Calls.emit(*Call);
    return linkClockLoops(I);
  }
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(I))
    return Memory.emitAccess(I);
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(I))
    return Memory.emitAtomic(I);
  if (const auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I))
    return emitAddress(*Gep);
  if (const auto *Switch = llvm::dyn_cast<llvm::SwitchInst>(&I))
    return emitSwitch(*Switch);
  if (const auto *Fence = llvm::dyn_cast<llvm::FenceInst>(&I)) {
    // A fence of thread-block scope is part of the barrier beside it; fences
    // of device or system scope are instructions.
    llvm::SmallVector<llvm::StringRef> Scopes;
    I.getContext().getSyncScopeNames(Scopes);
    llvm::StringRef Scope = Scopes[Fence->getSyncScopeID()];
    if (!Scope.empty() && !Scope.starts_with("agent") &&
        !Scope.starts_with("system"))
      return;
  }
  if (llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst>(I)) {
    // A dynamic index is lowered to a chain of selects, usually, or to a store
    // and a load of local memory.
    unsigned IndexOperand = llvm::isa<llvm::ExtractElementInst>(I) ? 1 : 2;
    if (!llvm::isa<llvm::Constant>(I.getOperand(IndexOperand))) {
      const auto *Vector =
          llvm::dyn_cast<llvm::FixedVectorType>(I.getOperand(0)->getType());
      llvm::SmallVector<const llvm::Value *> Values(I.operand_values());
      unsigned Index = B.append(OpClass::Select, I, Values);
      Model.Operations[Index].Count = Vector ? Vector->getNumElements() : 4;
      Model.Operations[Index].Chain = Model.Operations[Index].Count;
      B.setProducer(I, Index);
      return;
    }
    if (B.selection().key(I) == I.getOpcodeName())
      return;
  }

  if (emitSharedQuotient(I))
    return;
  std::string Key = B.selection().key(I);
  const OpRow *Row = B.findRow(I, Key);
  if (!Row)
    return B.unmapped(I, Unknown::Instruction, "the instruction " + Key);
  llvm::SmallVector<const llvm::Value *> Values;
  if (const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(&I))
    Values.push_back(Branch->getCondition());
  else if (!llvm::isa<llvm::PHINode>(I))
    Values.append(I.value_op_begin(), I.value_op_end());
  B.appendRow(*Row, I, Values, B.selection().repeat(I));
}

/// The other one of a quotient and a remainder of the same operands, which has
/// been executed wherever I is; null if there is none.
static const llvm::Instruction *pairedDivision(const llvm::Instruction &I,
                                               const llvm::DominatorTree &DT) {
  using llvm::Instruction;
  unsigned Other;
  switch (I.getOpcode()) {
  case Instruction::UDiv:
    Other = Instruction::URem;
    break;
  case Instruction::SDiv:
    Other = Instruction::SRem;
    break;
  case Instruction::URem:
    Other = Instruction::UDiv;
    break;
  case Instruction::SRem:
    Other = Instruction::SDiv;
    break;
  default:
    return nullptr;
  }
  const llvm::Value *Dividend = I.getOperand(0), *Divisor = I.getOperand(1);
  // The shorter list of users.
  const llvm::Value *Shared =
      llvm::isa<llvm::Constant>(Divisor) ? Dividend : Divisor;
  if (llvm::isa<llvm::Constant>(Shared) || I.getType()->isVectorTy())
    return nullptr;
  for (const llvm::User *User : Shared->users()) {
    if (!spendWork())
      return nullptr;
    const auto *Pair = llvm::dyn_cast<Instruction>(User);
    if (Pair && Pair->getOpcode() == Other && Pair->getOperand(0) == Dividend &&
        Pair->getOperand(1) == Divisor && DT.dominates(Pair, &I))
      return Pair;
  }
  return nullptr;
}

/// Compilers divide once for x / y and x % y: the remainder is x - x / y * y,
/// and a quotient behind a remainder is there already.
bool Operations::emitSharedQuotient(const llvm::Instruction &I) {
  const llvm::Instruction *Pair = pairedDivision(I, B.A.DT);
  std::optional<unsigned> Quotient = Pair ? B.producer(*Pair) : std::nullopt;
  if (!Quotient)
    return false;
  // A remainder by a power of two is an operation of its own.
  if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(I.getOperand(1));
      C && C->getValue().isPowerOf2())
    return false;
  unsigned Bits = I.getType()->getIntegerBitWidth();
  bool IsRemainder = I.getOpcode() == llvm::Instruction::URem ||
                     I.getOpcode() == llvm::Instruction::SRem;
  if (!IsRemainder || Bits > 64) {
    if (Bits <= 64)
      B.setProducer(I, *Quotient);
    return Bits <= 64;
  }
  size_t First = Model.Operations.size();
  if (Bits > 32) {
    B.appendRow(*findOpRow("mul.i64", B.variants()), I, {});
    size_t Last = Model.Operations.size() - 1;
    B.appendRow(*findOpRow("sub.i64", B.variants()), I, {});
    B.addDependence(Last + 1, Last);
  } else {
    B.appendRow(*findOpRow("mul.i32", B.variants()), I, {});
  }
  B.addDependence(First, *Quotient);
  return true;
}

/// The wait begins at the first read of the clock; the last one has its end.
void Operations::linkClockLoops(const llvm::Instruction &I) {
  for (auto [Loop, Wait] : llvm::zip_equal(ClockLoops, ClockWaits)) {
    std::optional<unsigned> Read = B.producer(I);
    if (Loop.Start == &I)
      Wait = B.appendWait(I, Loop.Length, Loop.Unit, Read);
    else if (Loop.End == &I && Read)
      B.addDependence(*Read, Wait);
  }
}

void Operations::emitSwitch(const llvm::SwitchInst &I) {
  const OpRow *Row = findOpRow("switch.case");
  // Beyond a few cases a dense switch becomes a jump table.
  unsigned Cases = std::min(I.getNumCases(), 8u);
  const llvm::Value *Values[] = {I.getCondition()};
  for (unsigned N = 0; N < Cases; ++N)
    B.appendRow(*Row, I, Values);
}

/// Is V, an index of 64 bits, a value of 32 bits that is extended? The passes
/// split a sum of 32 bits into the sum of its extended parts; PTX has it whole.
static bool isExtended(const llvm::Value &V, llvm::ScalarEvolution &SE,
                       bool IsPtx) {
  constexpr unsigned WordBits = 32;
  constexpr unsigned MaxParts = 16;
  llvm::SmallVector<const llvm::Value *, MaxParts> Parts{&V};
  for (unsigned Next = 0; Next < Parts.size(); ++Next) {
    const llvm::Value *Part = Parts[Next];
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::Constant>(Part) ||
        Part->getType()->getScalarSizeInBits() <= WordBits ||
        !SE.isSCEVable(Part->getType()))
      continue;
    const llvm::SCEV *S = SE.getSCEV(const_cast<llvm::Value *>(Part));
    if (SE.getSignedRange(S).getMinSignedBits() <= WordBits ||
        SE.getUnsignedRange(S).getActiveBits() <= WordBits)
      continue;
    const auto *Sum = llvm::dyn_cast<llvm::BinaryOperator>(Part);
    if (IsPtx || !Sum || Parts.size() + 2 > MaxParts ||
        (Sum->getOpcode() != llvm::Instruction::Add &&
         Sum->getOpcode() != llvm::Instruction::Sub))
      return false;
    Parts.append({Sum->getOperand(0), Sum->getOperand(1)});
  }
  return true;
}

/// Do several addresses scale Index by Size bytes?
static bool isScaledOften(const llvm::Value &Index, uint64_t Size,
                          const llvm::DataLayout &DL,
                          const InstructionSelection &Selection) {
  unsigned Count = 0;
  for (const llvm::User *U : Index.users()) {
    const auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(U);
    Count += Gep && !Selection.isDead(*Gep) && !Selection.isFree(*Gep) &&
             DL.getTypeAllocSize(Gep->getResultElementType()) == Size;
  }
  return Count > 1;
}

void Operations::emitAddress(const llvm::GetElementPtrInst &Gep) {
  std::string Key = B.selection().key(Gep);
  llvm::SmallVector<const llvm::Value *> Values(Gep.operand_values());
  unsigned Narrow = 0, Wide = 0;
  uint64_t Size = B.A.DL.getTypeAllocSize(Gep.getResultElementType());
  const char *WideKey = Size > 1 ? "lea.i64" : "add.i64";
  std::optional<unsigned> Scaled;
  for (const llvm::Value *Index : Gep.indices()) {
    if (llvm::isa<llvm::Constant>(Index))
      continue;
    bool IsWide = Key == "getelementptr.64" && scalesIndices() &&
                  !isExtended(*Index, B.A.SE, B.selection().isPtx());
    ++(IsWide ? Wide : Narrow);
    if (IsWide && Size > 1 &&
        isScaledOften(*Index, Size, B.A.DL, B.selection())) {
      Scaled = emitScaledIndex(Gep, *Index, *findOpRow("shl.i64"));
      WideKey = "add.i64";
    } else if (Key == "getelementptr.64" && !scalesIndices()) {
      Scaled = emitScaledIndex(Gep, *Index,
                               *findOpRow("getelementptr.index", B.variants()));
    }
  }
  std::optional<unsigned> Address;
  for (auto [RowKey, Count] :
       {std::pair(WideKey, Wide),
        std::pair(Key.c_str(), Wide ? Narrow : std::max(1u, Narrow))}) {
    if (Count == 0)
      continue;
    unsigned Op = B.appendAddress(RowKey, Gep, Values, Count);
    Model.Operations[Op].LoopOverhead = B.selection().isLoopOverhead(Gep);
    if (Address)
      B.addDependence(Op, *Address);
    Address = Op;
  }
  if (Scaled)
    B.addDependence(*Address, *Scaled);
  B.setProducer(Gep, *Address);
}

bool Operations::scalesIndices() const {
  return findOpRow("getelementptr.index", B.variants())->steps().empty();
}

unsigned Operations::emitScaledIndex(const llvm::GetElementPtrInst &Gep,
                                     const llvm::Value &Index,
                                     const OpRow &Row) {
  const llvm::BasicBlock *Here = Gep.getParent();
  uint64_t Size = B.A.DL.getTypeAllocSize(Gep.getResultElementType());
  for (const auto &[Block, Op] : ScaledIndices[{&Index, Size}])
    if (B.A.DT.dominates(Block, Here))
      return Op;
  const OpStep &Step = Row.steps()[0];
  unsigned Op = B.append(Step.Class, Gep, {&Index});
  Model.Operations[Op].Count = Step.Count;
  Model.Operations[Op].Chain = Step.Chain;
  ScaledIndices[{&Index, Size}].push_back({Here, Op});
  return Op;
}

} // namespace gpuestimate
