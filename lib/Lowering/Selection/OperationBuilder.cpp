#include "OperationBuilder.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

OperationBuilder::OperationBuilder(KernelAnalyses &A, Values &V, Regions &R,
                                   Unknowns &Names, KernelModel &Model,
                                   llvm::Function &F, DivisionCosts Divisions,
                                   CallSummaries &Calls)
    : A(A), V(V), R(R), Names(Names), Model(Model), Ctx(*Model.Context), F(F),
      Calls(Calls), Memory(A, V, Names, Model), Selection(A, V, F),
      Divisions(Divisions), Variants(variantsOf(F, Divisions.Stated)) {
  LoopOfBlock.assign(Model.Blocks.size(), -1);
  for (const auto &[BB, Index] : R.blocks())
    LoopOfBlock[Index] = R.loopIndex(A.LI.getLoopFor(BB));
  llvm::ArrayRef<InductionPointer> Pointers = Selection.inductionPointers();
  PointerStart.assign(Pointers.size(), -1);
  PointerStep.assign(Pointers.size(), -1);
  for (unsigned N = 0; N < Pointers.size(); ++N) {
    const llvm::BasicBlock *Predecessor = Pointers[N].L->getLoopPredecessor();
    if (Predecessor && !Pointers[N].startsAtBase())
      StartingPointers[Predecessor].push_back(N);
  }
}

void OperationBuilder::startBlock(const llvm::BasicBlock &BB, unsigned Index) {
  CurrentBlock = Index;
  CurrentBB = &BB;
  Guard = Selection.guard(BB);
  Model.Blocks[Index].Predicated = Guard != nullptr;
  Model.Blocks[Index].FirstOp = Model.Operations.size();
}

void OperationBuilder::endBlock() {
  Model.Blocks[CurrentBlock].EndOp = Model.Operations.size();
}

bool OperationBuilder::reuseSpecialRegister(llvm::StringRef Name,
                                            const llvm::Instruction &I) {
  auto Entry = SpecialRegisters.find(Name);
  if (Entry == SpecialRegisters.end())
    return false;
  Producer[&I] = Entry->second;
  return true;
}

static bool isForAmd(const llvm::Function &F) {
  return llvm::StringRef(F.getParent()->getTargetTriple()).starts_with("amd");
}

/// Has the division of F's target a slow path for special operands? AMD's
/// division scales its operands and has one path only.
static bool hasSlowPath(const llvm::Function &F) { return !isForAmd(F); }

llvm::SmallVector<llvm::StringLiteral, 2>
OperationBuilder::variantsOf(const llvm::Function &F,
                             DivisionOperands Divisions) {
  llvm::SmallVector<llvm::StringLiteral, 2> Variants;
  if (isForAmd(F))
    Variants.push_back("amdgpu:");
  constexpr unsigned Maxwell = 50, Volta = 70;
  if (unsigned Sm = smOf(F); Sm >= Maxwell && Sm < Volta)
    Variants.push_back("sm_50:");
  if (F.getFnAttribute("denormal-fp-math-f32")
          .getValueAsString()
          .starts_with("preserve-sign"))
    Variants.push_back("ftz:");
  if (Divisions == DivisionOperands::ZeroDividend && hasSlowPath(F))
    Variants.push_back("zero:");
  if (Divisions == DivisionOperands::Invalid && hasSlowPath(F))
    Variants.push_back("invalid:");
  return Variants;
}

const OpRow *OperationBuilder::findRow(const llvm::Instruction &I,
                                       llvm::StringRef Key) {
  if (Key == "udiv.i64" || Key == "urem.i64" || Key == "sdiv.i64" ||
      Key == "srem.i64")
    Wide.push_back(&I);
  if (Key != "fdiv.f32" && Key != "fdiv.f64")
    return findOpRow(Key, Variants);
  if (llvm::isa<llvm::ConstantFP>(I.getOperand(0)) && hasSlowPath(F))
    return findOpRow(Key);
  Checked.push_back(&I);
  const OpRow *Row = findOpRow(Key, Variants);
  if (Divisions.Stated != DivisionOperands::Ordinary || !Divisions.Executed ||
      !hasSlowPath(F))
    return Row;
  double Share = Divisions.Executed->lookup(&I);
  return Share > 0 ? mixedRow(*Row, *findOpRow(("zero:" + Key).str()), Share)
                   : Row;
}

/// Steps that the slow path lacks (one instruction) are left out.
const OpRow *OperationBuilder::mixedRow(const OpRow &Fast, const OpRow &Slow,
                                        double Share) {
  OpRow Row = Slow;
  unsigned Steps = 0;
  for (const OpStep &OfSlow : Slow.steps()) {
    const OpStep *OfFast = llvm::find_if(
        Fast.steps(), [&](const OpStep &S) { return S.Class == OfSlow.Class; });
    bool IsInBoth = OfFast != Fast.steps().end();
    auto Mean = [&](double InFast, double InSlow) {
      return uint8_t(std::lround(InFast + Share * (InSlow - InFast)));
    };
    OpStep Step = OfSlow;
    Step.Count = Mean(IsInBoth ? OfFast->Count : 0, OfSlow.Count);
    if (Step.Count == 0)
      continue;
    Step.Chain = std::clamp<uint8_t>(
        Mean(IsInBoth ? OfFast->Chain : 0, OfSlow.Chain), 1, Step.Count);
    Row.Steps[Steps++] = Step;
  }
  for (; Steps < std::size(Row.Steps); ++Steps)
    Row.Steps[Steps] = {};
  return &MixedRows.emplace_back(Row);
}

std::vector<const llvm::Instruction *>
OperationBuilder::checkedDivisions() const {
  return hasSlowPath(F) ? std::vector(Checked.begin(), Checked.end())
                        : std::vector<const llvm::Instruction *>();
}

/// "at a.cu:3 and 2 other places"
static std::string placesOf(llvm::ArrayRef<const llvm::Instruction *> All) {
  std::string Where = "at " + locate(*All.front()).brief();
  llvm::StringSet<> Lines;
  for (const llvm::Instruction *I : All)
    Lines.insert(locate(*I).brief());
  if (Lines.size() > 1)
    Where += " and " + std::to_string(Lines.size() - 1) +
             (Lines.size() == 2 ? " other place" : " other places");
  return Where;
}

void OperationBuilder::reportWideDivisions() {
  if (Wide.empty() || !hasSlowPath(F))
    return;
  Unknown U;
  U.Location = locate(*Wide.front());
  U.What = "share of 64-bit divisions with an operand of more than 32 bits " +
           placesOf(Wide);
  U.Why = "it depends on the data; such a division takes about 80 "
          "instructions, three times those of others";
  Names.note(std::move(U));
}

void OperationBuilder::reportDivisions() {
  reportWideDivisions();
  if (Checked.empty() || !hasSlowPath(F))
    return;
  Unknown U;
  U.Location = locate(*Checked.front());
  std::string Where = placesOf(Checked);
  if (Divisions.Stated != DivisionOperands::Ordinary) {
    Model.Premises.push_back(
        (Divisions.Stated == DivisionOperands::Invalid ? "0/0"
                                                       : "a dividend of zero") +
        std::string(" in every division ") + Where + " (--divisions " +
        name(Divisions.Stated).str() + ")");
    return;
  }
  U.What = "share of divisions with a dividend of zero " + Where;
  U.Why = "it depends on the data; 0/x and 0/0 take three to four times "
          "the instructions of other quotients";
  U.Settle = "--divisions zero or --divisions invalid";
  if (Divisions.Executed) {
    for (const llvm::Instruction *I : Checked)
      U.Default += Divisions.Executed->lookup(I) / double(Checked.size());
    U.FromData = true;
    U.Why = "mean of the divisions, of the warps that the run has traced";
  }
  Names.note(std::move(U));
}

const SourceLocation &OperationBuilder::locationOf(const llvm::Instruction &I) {
  auto [Entry, IsNew] = Locations.try_emplace(I.getDebugLoc().get());
  // Instructions without a debug location are located by their neighbours.
  if (IsNew || !Entry->second.isValid())
    Entry->second = locate(I);
  return Entry->second;
}

unsigned OperationBuilder::append(OpClass Class, const llvm::Instruction &At,
                                  llvm::ArrayRef<const llvm::Value *> Values,
                                  int After) {
  Operation &Op = Model.Operations.emplace_back();
  Op.Class = Class;
  Op.Location = locationOf(At);
  PendingOperands &Operands = Pending.emplace_back();
  Operands.Values.append(Values.begin(), Values.end());
  if (Guard)
    Operands.Values.push_back(Guard);
  if (After >= 0)
    Operands.Operations.push_back({static_cast<unsigned>(After), false});
  BlockOf.push_back(CurrentBlock);
  unsigned Index = Model.Operations.size() - 1;
  if (Class == OpClass::Barrier)
    Barriers.push_back({Index, CurrentBB});
  return Index;
}

void OperationBuilder::appendRow(const OpRow &Row, const llvm::Instruction &At,
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
    Op.LoopOverhead = Selection.isLoopOverhead(At);
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

void OperationBuilder::appendCall(const CallSummary &Callee,
                                  const llvm::CallBase &At) {
  // In pieces, so that other warps issue in between as they do on a GPU.
  constexpr double PieceSize = 256, MaxPieces = 64;
  const double Pieces =
      std::clamp(std::ceil(Callee.instructions() / PieceSize), 1.0, MaxPieces);
  llvm::SmallVector<const llvm::Value *> Arguments(At.args());
  unsigned Last = append(OpClass::Branch, At, Arguments);
  for (double Piece = 0; Piece < Pieces; ++Piece)
    for (unsigned C = 0; C < NumOpClasses; ++C) {
      const CallSummary::OfClass &All = Callee.Classes[C];
      auto Part = [&](double Number) {
        return static_cast<unsigned>(std::round((Piece + 1) / Pieces * Number) -
                                     std::round(Piece / Pieces * Number));
      };
      const unsigned Count = Part(All.Count);
      if (Count == 0)
        continue;
      Last = append(static_cast<OpClass>(C), At, {}, static_cast<int>(Last));
      Operation &Op = Model.Operations[Last];
      Op.Count = Count;
      Op.Chain = std::clamp(Part(All.Chain), 1u, Count);
      Op.FlopFp16 = Part(All.FlopFp16);
      Op.FlopFp32 = Part(All.FlopFp32);
      Op.FlopFp64 = Part(All.FlopFp64);
    }
  setProducer(At, append(OpClass::Branch, At, {}, static_cast<int>(Last)));
}

unsigned OperationBuilder::appendWait(const llvm::Instruction &At, Expr Length,
                                      Wait::UnitType Unit,
                                      std::optional<unsigned> After) {
  unsigned Index = append(OpClass::SpecialRegister, At, {},
                          After ? static_cast<int>(*After) : -1);
  Operation &Op = Model.Operations[Index];
  Op.Count = 0;
  Op.Effect = PerformedWait{unsigned(Model.Waits.size())};
  Model.Waits.push_back({Unit, Length, CurrentBlock});
  return Index;
}

void OperationBuilder::unmapped(const llvm::Instruction &I,
                                Unknown::KindType Kind, const std::string &What,
                                std::string Why) {
  llvm::SmallVector<const llvm::Value *> Values(I.operand_values());
  Producer[&I] = append(OpClass::Move, I, Values);
  Unknown U;
  U.Kind = Kind;
  U.Location = locate(I);
  U.What = What + " at " + U.Location.brief();
  U.Why = std::move(Why);
  U.Default = 1;
  U.IsLeftOut = Kind == Unknown::Call;
  Names.note(std::move(U));
}

unsigned
OperationBuilder::appendAccess(AccessRequest Request,
                               llvm::ArrayRef<const llvm::Value *> Values) {
  const llvm::Instruction &At = *Request.At;
  int Induction = Selection.inductionPointer(At);
  if (Induction >= 0 && PointerStep[Induction] < 0) {
    const InductionPointer &Pointer = Selection.inductionPointers()[Induction];
    const OpRow *Row = findOpRow(!Pointer.hasConstantStep() && Pointer.Is64Bit
                                     ? "pointer.stride.64"
                                 : Pointer.Is64Bit ? "pointer.step.64"
                                                   : "pointer.step.32",
                                 Variants);
    const OpStep &Step = Row->steps()[0];
    unsigned Index = append(Step.Class, At);
    Operation &Op = Model.Operations[Index];
    Op.Count = Step.Count;
    Op.Chain = Step.Chain;
    // In an unrolled loop a constant step is an immediate offset in all bodies
    // but one.
    Op.LoopOverhead = Pointer.hasConstantStep();
    Pending[Index].Operations.push_back({Index, true});
    PointerStep[Induction] = static_cast<int>(Index);
  }
  unsigned Access = Memory.add(Request, CurrentBlock);
  const MemoryAccess &M = Model.Accesses[Access];
  unsigned Index = append(Accesses::classOf(M.Space, M.Kind), At, Values);
  Model.Operations[Index].Effect = PerformedAccess{Access};
  if (Induction >= 0) {
    Pending[Index].Operations.push_back(
        {static_cast<unsigned>(PointerStep[Induction]), true});
    if (PointerStart[Induction] >= 0)
      Pending[Index].Operations.push_back(
          {static_cast<unsigned>(PointerStart[Induction]), false});
  } else if (Request.Pointer) {
    Pending[Index].Values.push_back(Request.Pointer);
  }
  if (M.Kind == AccessKind::AsyncCopy && !Request.IsBulk)
    AsyncCopies.push_back({Index, CurrentBB});
  return Index;
}

void OperationBuilder::startInductions(const llvm::BasicBlock &Preheader) {
  auto Entry = StartingPointers.find(&Preheader);
  if (Entry == StartingPointers.end())
    return;
  for (unsigned N : Entry->second) {
    const InductionPointer &Pointer = Selection.inductionPointers()[N];
    PointerStart[N] = static_cast<int>(
        appendAddress(Pointer.Is64Bit ? "getelementptr.64" : "getelementptr.32",
                      *Preheader.getTerminator(), Pointer.Leaves));
  }
}

unsigned OperationBuilder::appendAddress(
    llvm::StringRef Key, const llvm::Instruction &At,
    llvm::ArrayRef<const llvm::Value *> Values, unsigned Indices) {
  const OpStep &Step = findOpRow(Key, Variants)->steps()[0];
  unsigned Index = append(Step.Class, At, Values);
  Operation &Op = Model.Operations[Index];
  Op.Count = Step.Count * Indices;
  Op.Chain = Step.Chain * Indices;
  return Index;
}

} // namespace gpuestimate
