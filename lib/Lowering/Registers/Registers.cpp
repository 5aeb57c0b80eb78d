#include "Registers.h"

#include "Lowering/Selection/OpTable.h"
#include "Lowering/Selection/Placement.h"
#include "Pressure.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <array>
#include <optional>

namespace gpuestimate {

namespace {

/// 32-bit registers that a value occupies.
unsigned words(const llvm::Value *V, const llvm::DataLayout &DL) {
  const llvm::Type *T = V->getType();
  if (T->isVoidTy() || !T->isSized() || T->isIntegerTy(1))
    return 0;
  // A word of constant memory at a fixed address is an operand c[bank][offset]
  // and needs no register.
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V);
      Load && Load->getPointerAddressSpace() == addrspace::Constant &&
      llvm::isa<llvm::Constant>(Load->getPointerOperand()))
    return 0;
  unsigned Words = static_cast<unsigned>(
      (DL.getTypeSizeInBits(const_cast<llvm::Type *>(T)) + 31) / 32);
  // The type of a loaded fp16 fragment is twice as large as its registers.
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(V);
  const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (Callee && Callee->getName().starts_with("llvm.nvvm.wmma") &&
      Callee->getName().contains(".load.") &&
      Callee->getName().contains("f16") && !Callee->getName().contains(".c."))
    Words /= 2;
  return Words;
}

/// Whether the results of a call are registers of their own: a structure that
/// is only taken apart, as assembly and matrix instructions return.
bool returnsParts(const llvm::Value *V) {
  return llvm::isa<llvm::CallBase>(V) && V->getType()->isStructTy() &&
         llvm::all_of(V->users(), llvm::IsaPred<llvm::ExtractValueInst>);
}

/// The share of a part in the registers of its call.
unsigned wordsOfPart(const llvm::ExtractValueInst &Part,
                     const llvm::DataLayout &DL) {
  const llvm::Value *Call = Part.getAggregateOperand();
  auto *Struct = llvm::cast<llvm::StructType>(Call->getType());
  unsigned Own = words(&Part, DL), Size = 0;
  for (llvm::Type *T : Struct->elements())
    Size += (DL.getTypeSizeInBits(T) + 31) / 32;
  // A fragment has fewer registers than its type.
  bool IsFragment = Size > 0 && words(Call, DL) * 2 == Size;
  return IsFragment && Part.getIndices()[0] % 2 ? 0 : Own;
}

bool isLongSequence(const llvm::Instruction &I, const InstructionSelection &P) {
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (Call && !Callee)
    return false;
  const OpRow *Row = Callee                    ? findOpRow(Callee->getName())
                     : I.getType()->isVoidTy() ? nullptr
                                               : findOpRow(P.key(I));
  unsigned Count = 0;
  if (Row)
    for (const OpStep &Step : Row->steps())
      Count += Step.Count;
  return Count >= 9;
}

/// Does a statement of inline assembly access memory, or wait for others? All
/// others, such as mma, are arithmetic between registers.
bool usesMemory(const PtxInstruction &P) {
  static constexpr llvm::StringLiteral Opcodes[] = {
      "ld",         "ldu",       "ldmatrix",
      "st",         "stmatrix",  "atom",
      "red",        "cp",        "prefetch",
      "prefetchu",  "tex",       "tld4",
      "suld",       "sust",      "sured",
      "bar",        "barrier",   "membar",
      "fence",      "mbarrier",  "wgmma",
      "tcgen05",    "tensormap", "multimem",
      "discard",    "nanosleep", "griddepcontrol",
      "setmaxnreg", "exit",      "trap",
      "brkpt",      "call"};
  // wmma.load and wmma.store; wmma.mma computes.
  return llvm::is_contained(Opcodes, P.Opcode) ||
         (P.Opcode == "wmma" && !P.has("mma"));
}

/// The memory that I accesses, and how. Assemblers reorder what programmers
/// call volatile: it binds the compiler before them.
struct MemoryUse {
  llvm::ArrayRef<unsigned> Memories; ///< 0 shared, 1 any other writable one
  bool Writes = false;
};

constexpr unsigned BothMemories[] = {0, 1};

/// Nothing where I is other code than inline assembly in PTX.
std::optional<MemoryUse> memoryOfAssembly(const llvm::Instruction &I) {
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  if (!Call || !Call->isInlineAsm())
    return std::nullopt;
  InlineAssembly Assembly(I);
  if (Assembly.isUnreadable())
    return std::nullopt;
  MemoryUse Use;
  for (const PtxInstruction &P : Assembly.instructions()) {
    if (!usesMemory(P))
      continue;
    if (P.Opcode != "ldmatrix")
      return MemoryUse{BothMemories, /*Writes=*/true};
    Use.Memories = llvm::ArrayRef(BothMemories).take_front();
  }
  return Use;
}

/// The memories that I accesses, not being inline assembly.
llvm::ArrayRef<unsigned> memories(const llvm::Instruction &I) {
  constexpr llvm::ArrayRef<unsigned> Both = BothMemories;
  if (!I.mayReadOrWriteMemory() && !I.isTerminator())
    return {};
  if (const llvm::Value *Pointer = llvm::getLoadStorePointerOperand(&I))
    switch (Pointer->getType()->getPointerAddressSpace()) {
    case addrspace::Shared:
      return Both.take_front();
    case addrspace::Constant:
      return {};
    case addrspace::Generic:
      break;
    default:
      return Both.drop_front();
    }
  return Both;
}

MemoryUse memoryOf(const llvm::Instruction &I) {
  if (std::optional<MemoryUse> Use = memoryOfAssembly(I))
    return *Use;
  return {memories(I), I.mayWriteToMemory() || I.isTerminator()};
}

/// Every GPU has this many registers per thread at full occupancy: below, a
/// compiler gains nothing from another order.
constexpr unsigned MinReorderedWords = 20;

constexpr unsigned None = ~0u;

bool isHalfWord(const llvm::Value *V) {
  const llvm::Type *T = V->getType();
  return T->isHalfTy() || T->isBFloatTy() || T->isIntegerTy(16);
}

/// Is V a half of a register: taken from one, or put into one? LLVM keeps the
/// halves of a __half2 as two values where the source accesses them one by one;
/// for ptxas they are R0.H0_H0 and R0.H1_H1.
bool isTakenFromWord(const llvm::Value *V) {
  const auto *Element = llvm::dyn_cast<llvm::ExtractElementInst>(V);
  const auto *Low = llvm::dyn_cast<llvm::TruncInst>(V);
  return Element || (Low && Low->getOperand(0)->getType()->isIntegerTy(32));
}

bool isPutIntoWord(const llvm::Value *V) {
  return llvm::any_of(V->users(), [](const llvm::User *U) {
    if (llvm::isa<llvm::InsertElementInst>(U))
      return true;
    return llvm::isa<llvm::ZExtInst>(U) && U->getType()->isIntegerTy(32) &&
           llvm::any_of(U->users(), [](const llvm::User *Joint) {
             unsigned Opcode =
                 llvm::cast<llvm::Instruction>(Joint)->getOpcode();
             return Opcode == llvm::Instruction::Or ||
                    Opcode == llvm::Instruction::Shl;
           });
  });
}

/// The values of 16 bits that share a register with another one, also through
/// casts and around loops. A scalar that is never joined has a register of its
/// own: 64 of `half s[64]` that only __hfma changes take 64.
llvm::DenseSet<const llvm::Value *> halvesOfWords(const llvm::Function &F) {
  llvm::DenseSet<const llvm::Value *> Halves;
  llvm::SmallVector<const llvm::Value *> Pending;
  auto Add = [&](const llvm::Value *V) {
    if (llvm::isa<llvm::Instruction>(V) && isHalfWord(V) &&
        Halves.insert(V).second)
      Pending.push_back(V);
  };
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB)
      if (isHalfWord(&I) && (isTakenFromWord(&I) || isPutIntoWord(&I)))
        Add(&I);
  while (!Pending.empty()) {
    const auto *I = llvm::cast<llvm::Instruction>(Pending.pop_back_val());
    if (llvm::isa<llvm::PHINode, llvm::BitCastInst>(I))
      for (const llvm::Value *Operand : I->operands())
        Add(Operand);
    for (const llvm::User *U : I->users())
      if (llvm::isa<llvm::PHINode, llvm::BitCastInst>(U))
        Add(U);
  }
  return Halves;
}

/// A kernel's instructions by number, with their properties for liveness.
class NumberedCode {
public:
  NumberedCode(const InstructionSelection &P, const llvm::Function &F);

  struct Value {
    const llvm::Instruction *I;
    unsigned Halves; ///< 16-bit parts of registers that it occupies
    bool Dead, Free;
    /// The values that its operands keep alive, each once.
    llvm::SmallVector<unsigned, 2> Uses;
  };
  size_t size() const { return All.size(); }
  const Value &operator[](unsigned Number) const { return All[Number]; }
  unsigned numberOf(const llvm::Instruction *I) const {
    return Numbers.lookup(I);
  }
  /// Appends the values that the operand V keeps alive: the register operands
  /// behind free instructions.
  void appendUses(const llvm::Value *V, llvm::SmallVectorImpl<unsigned> &Uses,
                  unsigned Depth = 0) const;

private:
  std::vector<Value> All;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Numbers;
};

NumberedCode::NumberedCode(const InstructionSelection &P,
                           const llvm::Function &F) {
  const llvm::DataLayout &DL = F.getParent()->getDataLayout();
  const llvm::DenseSet<const llvm::Value *> HalvesOfWords = halvesOfWords(F);
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      Numbers[&I] = All.size();
      const auto *Part = llvm::dyn_cast<llvm::ExtractValueInst>(&I);
      bool IsPart = Part && returnsParts(Part->getAggregateOperand());
      unsigned Words = returnsParts(&I) ? 0 : words(&I, DL);
      if (IsPart)
        Words = wordsOfPart(*Part, DL);
      unsigned Halves = HalvesOfWords.contains(&I) ? 1 : 2 * Words;
      All.push_back({&I, Halves, P.isDead(I), P.isFree(I) && !IsPart, {}});
    }
  for (Value &V : All) {
    if (V.Dead || V.Free || llvm::isa<llvm::PHINode>(V.I))
      continue;
    for (const llvm::Value *Operand : V.I->operands())
      appendUses(Operand, V.Uses);
    llvm::sort(V.Uses);
    V.Uses.erase(llvm::unique(V.Uses), V.Uses.end());
  }
}

void NumberedCode::appendUses(const llvm::Value *V,
                              llvm::SmallVectorImpl<unsigned> &Uses,
                              unsigned Depth) const {
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (!I || llvm::isa<llvm::AllocaInst>(I))
    return;
  unsigned Number = numberOf(I);
  if (All[Number].Dead)
    return;
  if (All[Number].Free && Depth < 8 &&
      !llvm::isa<llvm::PHINode, llvm::LoadInst, llvm::CallBase>(I)) {
    for (const llvm::Value *Operand : I->operands())
      appendUses(Operand, Uses, Depth + 1);
    return;
  }
  Uses.push_back(Number);
}

/// A set of numbered instructions with the sum of their parts of registers.
class LiveSet {
public:
  explicit LiveSet(const NumberedCode &Code)
      : Code(Code), Positions(Code.size(), None) {}

  bool contains(unsigned Number) const { return Positions[Number] != None; }
  void insert(unsigned Number) {
    if (contains(Number))
      return;
    Positions[Number] = Members.size();
    Members.push_back(Number);
    Halves += Code[Number].Halves;
  }
  void erase(unsigned Number) {
    if (!contains(Number))
      return;
    unsigned Last = Members.back();
    Members[Positions[Number]] = Last;
    Positions[Last] = Positions[Number];
    Positions[Number] = None;
    Members.pop_back();
    Halves -= Code[Number].Halves;
  }
  void clear() {
    for (unsigned Number : Members)
      Positions[Number] = None;
    Members.clear();
    Halves = 0;
  }
  llvm::ArrayRef<unsigned> members() const { return Members; }
  unsigned words() const { return (Halves + 1) / 2; }

private:
  const NumberedCode &Code;
  std::vector<unsigned> Members;
  std::vector<unsigned> Positions; ///< in Members, or None
  unsigned Halves = 0;
};

using Instructions = std::vector<const llvm::Instruction *>;

/// Liveness analysis of a kernel for a given placement of its instructions.
class Liveness {
public:
  Liveness(const InstructionSelection &P, const llvm::Function &F)
      : Code(P, F), Live(Code), Out(Code), Nodes(Code.size(), None) {
    llvm::ReversePostOrderTraversal<const llvm::Function *> Order(&F);
    Blocks.assign(Order.begin(), Order.end());
  }

  /// Maximal register pressure in words: in the order of Placed, and in a list
  /// schedule of each block.
  std::pair<unsigned, unsigned> measure(Placement &Placed);

private:
  void startAtEnd(const llvm::BasicBlock &BB);
  void step(unsigned Number);
  unsigned reordered(const Instructions &InBlock);

  const NumberedCode Code;
  std::vector<const llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<unsigned>> LiveIn;
  LiveSet Live, Out;
  std::vector<unsigned> Nodes; ///< of reordered(): by instruction
};

/// Sets Live to the live-out set of BB.
void Liveness::startAtEnd(const llvm::BasicBlock &BB) {
  Live.clear();
  llvm::SmallVector<unsigned, 4> Uses;
  for (const llvm::BasicBlock *S : llvm::successors(&BB)) {
    spendWork(1 + LiveIn[S].size() / 8);
    for (unsigned Number : LiveIn[S])
      if (const llvm::Instruction *I = Code[Number].I;
          !(llvm::isa<llvm::PHINode>(I) && I->getParent() == S))
        Live.insert(Number);
    for (const llvm::PHINode &Phi : S->phis())
      if (!Code[Code.numberOf(&Phi)].Dead)
        Code.appendUses(Phi.getIncomingValueForBlock(&BB), Uses);
  }
  for (unsigned Number : Uses)
    Live.insert(Number);
}

/// Moves Live from behind an instruction to before it.
void Liveness::step(unsigned Number) {
  const NumberedCode::Value &V = Code[Number];
  if (V.Dead)
    return;
  if (llvm::isa<llvm::PHINode>(V.I))
    return Live.insert(Number);
  Live.erase(Number);
  for (unsigned Operand : V.Uses)
    Live.insert(Operand);
}

/// Register pressure of a list schedule of a block; Live is its live-in set.
unsigned Liveness::reordered(const Instructions &InBlock) {
  std::vector<PressureNode> Graph;
  std::vector<unsigned> Added;
  auto Add = [&](unsigned Number) -> PressureNode & {
    Nodes[Number] = Graph.size();
    Added.push_back(Number);
    PressureNode &Node = Graph.emplace_back();
    Node.Size = Code[Number].Halves;
    Node.LiveOut = Out.contains(Number);
    return Node;
  };
  for (unsigned Number : Live.members())
    Add(Number).AtEntry = true;
  // Index 0: shared memory, 1: all other; accesses to both are unordered.
  std::array<std::optional<unsigned>, 2> LastWrite;
  std::array<std::vector<unsigned>, 2> ReadsSince;
  for (const llvm::Instruction *Current : InBlock) {
    const llvm::Instruction &I = *Current;
    unsigned Number = Code.numberOf(Current);
    const NumberedCode::Value &V = Code[Number];
    if (V.Dead || V.Free || Nodes[Number] != None)
      continue;
    PressureNode &Node = Add(Number);
    unsigned Self = Graph.size() - 1;
    for (unsigned Operand : V.Uses)
      if (Nodes[Operand] != None)
        Node.Operands.push_back(Nodes[Operand]);
    const MemoryUse Use = memoryOf(I);
    for (unsigned Memory : Use.Memories) {
      if (Use.Writes) {
        llvm::append_range(Node.After, ReadsSince[Memory]);
        ReadsSince[Memory].clear();
        if (LastWrite[Memory])
          Node.After.push_back(*LastWrite[Memory]);
        LastWrite[Memory] = Self;
      } else {
        ReadsSince[Memory].push_back(Self);
        if (LastWrite[Memory])
          Node.After.push_back(*LastWrite[Memory]);
      }
    }
    llvm::sort(Node.After);
    Node.After.erase(llvm::unique(Node.After), Node.After.end());
  }
  for (unsigned Number : Added)
    Nodes[Number] = None;
  return (scheduledPressure(Graph) + 1) / 2;
}

std::pair<unsigned, unsigned> Liveness::measure(Placement &Placed) {
  LiveIn.clear();
  unsigned MaxWords = 0, MaxScheduledWords = 0;
  // A fixed point of liveness; the last round also measures the pressure.
  for (bool Changed = true, Measure = false; Changed || !Measure;) {
    Measure = !Changed;
    Changed = false;
    for (const llvm::BasicBlock *BB : llvm::reverse(Blocks)) {
      if (!spendWork(1 + Placed[BB].size()))
        return {MaxWords, MaxScheduledWords};
      startAtEnd(*BB);
      unsigned BlockWords = Live.words();
      if (Measure) {
        Out.clear();
        for (unsigned Number : Live.members())
          Out.insert(Number);
      }
      const Instructions &InBlock = Placed[BB];
      for (const llvm::Instruction *I : llvm::reverse(InBlock)) {
        step(Code.numberOf(I));
        if (!llvm::isa<llvm::PHINode>(I))
          BlockWords = std::max(BlockWords, Live.words());
      }
      if (Measure) {
        MaxWords = std::max(MaxWords, BlockWords);
        if (BlockWords > MinReorderedWords)
          BlockWords = std::min(BlockWords, reordered(InBlock));
        MaxScheduledWords = std::max(MaxScheduledWords, BlockWords);
      }
      // The live-in set only grows from round to round.
      if (std::vector<unsigned> &Previous = LiveIn[BB];
          Previous.size() != Live.members().size()) {
        Previous.assign(Live.members().begin(), Live.members().end());
        Changed = true;
      }
    }
  }
  return {MaxWords, MaxScheduledWords};
}

} // namespace

RegisterEstimate
estimateRegisters(KernelAnalyses &A, const InstructionSelection &P,
                  llvm::Function &F,
                  llvm::function_ref<unsigned(const llvm::Loop *)> UnrollOf) {
  Liveness LiveValues(P, F);
  Placement Placed = originalPlacement(F);
  auto [MaxWords, ScheduledWords] = LiveValues.measure(Placed);
  auto Words = [&](const llvm::Instruction &I) {
    return P.isDead(I) || P.isFree(I) ? 0 : words(&I, A.DL);
  };
  if (ScheduledWords > MinReorderedWords && hoist(Placed, A, F, Words))
    ScheduledWords =
        std::min(ScheduledWords, LiveValues.measure(Placed).second);

  // Unrolled iterations load ahead: three quarters of the words of up to eight
  // iterations, as fitted to the registers that ptxas uses.
  double Ahead = 0;
  for (const llvm::BasicBlock &BB : F) {
    const llvm::Loop *L = A.LI.getLoopFor(&BB);
    if (!L || !L->isInnermost())
      continue;
    double Copies = std::min(UnrollOf(L) - 1, 8u);
    for (const llvm::Instruction &I : BB)
      if (llvm::isa<llvm::LoadInst>(I) && !P.isDead(I))
        Ahead += 0.75 * Copies * words(&I, A.DL);
  }
  constexpr double MaxAhead = 12;
  // A long sequence (a division, a library function) needs temporaries.
  unsigned Sequences = 0;
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB)
      if (!Sequences && !P.isDead(I) && isLongSequence(I, P))
        Sequences = 5;
  // Stack pointer, scratch, and temporaries of addresses.
  constexpr unsigned FixedWords = 4;
  constexpr unsigned MinRegisters = 10;
  // A schedule for few registers loads nothing ahead.
  ScheduledWords += FixedWords + Sequences;
  MaxWords +=
      FixedWords + Sequences + static_cast<unsigned>(std::min(Ahead, MaxAhead));
  return {std::max(MaxWords, MinRegisters),
          std::max(ScheduledWords, MinRegisters)};
}

} // namespace gpuestimate
