#include "Operations.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

void Operations::build() {
  LoopOfBlock.assign(Model.Blocks.size(), -1);
  for (const auto &[BB, Index] : R.blocks())
    LoopOfBlock[Index] = R.loopIndex(A.LI.getLoopFor(BB));
  PointerStart.assign(P.walkingPointers().size(), -1);
  PointerStep.assign(P.walkingPointers().size(), -1);
  for (unsigned N = 0; N < P.walkingPointers().size(); ++N) {
    const WalkingPointer &W = P.walkingPointers()[N];
    const llvm::BasicBlock *Before = W.L->getLoopPredecessor();
    if (Before && !W.startsAtBase())
      StartingPointers[Before].push_back(N);
  }
  for (const auto &[BB, Index] : R.blocks()) {
    CurrentBlock = Index;
    CurrentBB = BB;
    Model.Blocks[Index].FirstOp = Model.Operations.size();
    if (BB == &F.getEntryBlock())
      emitPrologue();
    emitBlock(*BB);
    Model.Blocks[Index].EndOp = Model.Operations.size();
  }
  link();
  stateDivisions();
}

/// On AMD's GPUs a division scales its operands and has one way only.
static bool hasLongerWay(const llvm::Function &F) {
  return !llvm::StringRef(F.getParent()->getTargetTriple()).starts_with("amd");
}

llvm::SmallVector<llvm::StringLiteral, 2>
Operations::variantsOf(const llvm::Function &F, DivisionOperands Divisions) {
  llvm::SmallVector<llvm::StringLiteral, 2> Variants;
  if (F.getFnAttribute("denormal-fp-math-f32")
          .getValueAsString()
          .starts_with("preserve-sign"))
    Variants.push_back("ftz:");
  if (Divisions == DivisionOperands::ZeroDividend && hasLongerWay(F))
    Variants.push_back("zero:");
  if (Divisions == DivisionOperands::Invalid && hasLongerWay(F))
    Variants.push_back("invalid:");
  return Variants;
}

const OpRow *Operations::findRow(const llvm::Instruction &I,
                                 llvm::StringRef Key) {
  if (Key != "fdiv.f32" && Key != "fdiv.f64")
    return findOpRow(Key, Variants);
  if (llvm::isa<llvm::ConstantFP>(I.getOperand(0)))
    return findOpRow(Key);
  Checked.push_back(&I);
  return findOpRow(Key, Variants);
}

void Operations::stateDivisions() {
  if (Checked.empty() || !hasLongerWay(F))
    return;
  Unknown U;
  U.Location = locate(*Checked.front());
  std::string Where = "at " + placeOf(U.Location);
  llvm::StringSet<> Places;
  for (const llvm::Instruction *I : Checked)
    Places.insert(placeOf(locate(*I)));
  if (Places.size() > 1)
    Where += " and " + std::to_string(Places.size() - 1) +
             (Places.size() == 2 ? " other place" : " other places");
  if (Divisions != DivisionOperands::Ordinary) {
    Model.Assumed.push_back((Divisions == DivisionOperands::Invalid
                                 ? "0/0"
                                 : "a dividend of zero") +
                            std::string(" in every division ") + Where +
                            " (--divisions " + name(Divisions).str() + ")");
    return;
  }
  U.What = "share of divisions with a dividend of zero " + Where;
  U.Why = "it depends on the data; 0/x and 0/0 take three to four times "
          "the instructions of other quotients";
  U.Settle = "--divisions zero or --divisions invalid";
  Names.note(std::move(U));
}

void Operations::emitPrologue() {
  // The stack pointer and the constants of address arithmetic, in every kernel.
  appendRow(*findOpRow("prologue"), F.getEntryBlock().front(), {});
  Producer.erase(&F.getEntryBlock().front());
}

void Operations::emitBlock(const llvm::BasicBlock &BB) {
  for (const llvm::Instruction &I : BB) {
    if (!spendWork())
      return;
    if (I.isTerminator())
      startPointers(BB);
    if (!P.isDead(I) && !P.isFree(I))
      emit(I);
  }
}

const SourceLocation &Operations::locationOf(const llvm::Instruction &I) {
  auto [It, New] = Locations.try_emplace(I.getDebugLoc().get());
  // What has no place of its own has that of what is near it.
  if (New || !It->second.isValid())
    It->second = locate(I);
  return It->second;
}

unsigned Operations::append(OpClass Class, const llvm::Instruction &At,
                            llvm::ArrayRef<const llvm::Value *> Values,
                            int After) {
  Operation &Op = Model.Operations.emplace_back();
  Op.Class = Class;
  Op.Location = locationOf(At);
  Waiting &W = Waits.emplace_back();
  W.Values.append(Values.begin(), Values.end());
  if (After >= 0)
    W.Direct.push_back({static_cast<unsigned>(After), false});
  BlockOf.push_back(CurrentBlock);
  unsigned Index = Model.Operations.size() - 1;
  if (Class == OpClass::Barrier)
    Barriers.push_back({Index, CurrentBB});
  return Index;
}

void Operations::appendRow(const OpRow &Row, const llvm::Instruction &At,
                           llvm::ArrayRef<const llvm::Value *> Values,
                           unsigned Repeat) {
  int Last = -1;
  for (const OpStep &Step : Row.steps()) {
    unsigned Index =
        append(Step.Class, At,
               Last < 0 ? Values : llvm::ArrayRef<const llvm::Value *>(), Last);
    Operation &Op = Model.Operations[Index];
    Op.Count = Step.Count * Repeat;
    Op.Chain = Step.Chain;
    Op.LoopOverhead = P.isLoopOverhead(At);
    // A packed pair is two operations in one instruction.
    unsigned Flops = Step.NoFlop ? 0 : flopsOf(Step.Class) * Op.Count;
    unsigned Pair =
        At.getType()->isVectorTy() && At.getType()->getScalarSizeInBits() == 16
            ? 2
            : 1;
    switch (info(Step.Class).UsualPipe) {
    case Pipe::Fp16:
      Op.FlopFp16 = Flops * Pair;
      break;
    case Pipe::Fp32:
      Op.FlopFp32 = Flops;
      break;
    case Pipe::Fp64:
      Op.FlopFp64 = Flops;
      break;
    default:
      break;
    }
    Last = static_cast<int>(Index);
  }
  if (Last >= 0)
    Producer[&At] = static_cast<unsigned>(Last);
}

void Operations::unmapped(const llvm::Instruction &I, Unknown::KindType Kind,
                          const std::string &What) {
  llvm::SmallVector<const llvm::Value *> Values(I.operand_values());
  Producer[&I] = append(OpClass::Move, I, Values);
  Unknown U;
  U.Kind = Kind;
  U.Location = locate(I);
  U.What = What + " at " + placeOf(U.Location);
  U.Why = "the operation table has no entry for it; it counts as one move";
  U.Default = 1;
  Names.note(std::move(U));
}

void Operations::emit(const llvm::Instruction &I) {
  if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
    return emitCall(*Call);
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(I))
    return emitLoadStore(I);
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(I))
    return emitAtomic(I);
  if (const auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I))
    return emitAddress(*Gep);
  if (const auto *Switch = llvm::dyn_cast<llvm::SwitchInst>(&I))
    return emitSwitch(*Switch);
  if (const auto *Fence = llvm::dyn_cast<llvm::FenceInst>(&I)) {
    // Within a block the barrier beside it orders memory; only what the
    // device or the system must see costs a fence of its own.
    llvm::SmallVector<llvm::StringRef> Scopes;
    I.getContext().getSyncScopeNames(Scopes);
    llvm::StringRef Scope = Scopes[Fence->getSyncScopeID()];
    if (!Scope.empty() && !Scope.starts_with("agent") &&
        !Scope.starts_with("system"))
      return;
  }
  if (llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst>(I)) {
    // A dynamic index goes through local memory: a store of the vector's
    // element and a load, or a chain of selections; the latter is usual.
    unsigned IndexAt = llvm::isa<llvm::ExtractElementInst>(I) ? 1 : 2;
    if (!llvm::isa<llvm::Constant>(I.getOperand(IndexAt))) {
      const auto *Vector =
          llvm::dyn_cast<llvm::FixedVectorType>(I.getOperand(0)->getType());
      llvm::SmallVector<const llvm::Value *> Values(I.operand_values());
      unsigned Index = append(OpClass::Select, I, Values);
      Model.Operations[Index].Count = Vector ? Vector->getNumElements() : 4;
      Model.Operations[Index].Chain = Model.Operations[Index].Count;
      Producer[&I] = Index;
    }
    return;
  }

  std::string Key = P.key(I);
  const OpRow *Row = findRow(I, Key);
  if (!Row)
    return unmapped(I, Unknown::Instruction, "the instruction " + Key);
  llvm::SmallVector<const llvm::Value *> Values;
  if (const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(&I))
    Values.push_back(Branch->getCondition());
  else if (!llvm::isa<llvm::PHINode>(I))
    Values.append(I.value_op_begin(), I.value_op_end());
  appendRow(*Row, I, Values, P.repeat(I));
}

void Operations::emitSwitch(const llvm::SwitchInst &I) {
  const OpRow *Row = findOpRow("switch.case");
  // A dense switch becomes a jump table beyond a few cases.
  unsigned Cases = std::min(I.getNumCases(), 8u);
  const llvm::Value *Values[] = {I.getCondition()};
  for (unsigned N = 0; N < Cases; ++N)
    appendRow(*Row, I, Values);
}

void Operations::emitAddress(const llvm::GetElementPtrInst &Gep) {
  const OpRow *Row = findOpRow(P.key(Gep));
  llvm::SmallVector<const llvm::Value *> Values(Gep.operand_values());
  unsigned Variable = 0;
  for (const llvm::Value *Index : Gep.indices())
    Variable += !llvm::isa<llvm::Constant>(Index);
  appendRow(*Row, Gep, Values);
  Operation &Op = Model.Operations.back();
  Op.Count = Op.Chain = std::max(1u, Variable);
}

void Operations::startPointers(const llvm::BasicBlock &Preheader) {
  auto Starting = StartingPointers.find(&Preheader);
  if (Starting == StartingPointers.end())
    return;
  for (unsigned N : Starting->second) {
    const WalkingPointer &W = P.walkingPointers()[N];
    const OpRow *Row =
        findOpRow(W.Is64Bit ? "getelementptr.64" : "getelementptr.32");
    PointerStart[N] = static_cast<int>(
        append(Row->steps()[0].Class, *Preheader.getTerminator(), W.Leaves));
  }
}

} // namespace gpuestimate
