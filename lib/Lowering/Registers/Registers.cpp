#include "Registers.h"

#include "Lowering/Selection/OpTable.h"
#include "Lowering/Selection/Placement.h"
#include "Pressure.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
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
  // An address of shared or local memory is an offset in its window.
  if (T->isPointerTy() && (T->getPointerAddressSpace() == addrspace::Shared ||
                           T->getPointerAddressSpace() == addrspace::Local))
    return 1;
  // 64-bit integers are two words, of which the upper one needs no register if
  // it is known to be zero, or is the sign of the lower one.
  if (T->isIntegerTy(64) &&
      llvm::ComputeNumSignBits(const_cast<llvm::Value *>(V), DL) > 31)
    return 1;
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

/// Are the elements of a loaded vector registers of their own: words that are
/// only taken out of it?
bool loadsParts(const llvm::Value *V) {
  const auto *Type = llvm::dyn_cast<llvm::FixedVectorType>(V->getType());
  return Type && llvm::isa<llvm::LoadInst>(V) &&
         Type->getScalarSizeInBits() >= 32 &&
         llvm::all_of(V->users(), [&](const llvm::User *U) {
           const auto *Part = llvm::dyn_cast<llvm::ExtractElementInst>(U);
           return Part && llvm::isa<llvm::Constant>(Part->getIndexOperand()) &&
                  Part->getParent() ==
                      llvm::cast<llvm::Instruction>(V)->getParent();
         });
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

/// Registers that the machine code of I needs beside operands and result: a
/// long sequence (a division, a library function) has some.
unsigned temporaries(const llvm::Instruction &I,
                     const InstructionSelection &P) {
  constexpr unsigned OfLongSequence = 5, LongSequence = 9;
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (Call && !Callee)
    return 0;
  const OpRow *Row = Callee                    ? findOpRow(Callee->getName())
                     : I.getType()->isVoidTy() ? nullptr
                                               : findOpRow(P.key(I));
  unsigned Count = 0;
  if (Row)
    for (const OpStep &Step : Row->steps())
      Count += Step.Count;
  return Count >= LongSequence ? OfLongSequence : 0;
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
    unsigned Temporaries; ///< registers of its own machine code
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
      unsigned Words = returnsParts(&I) || loadsParts(&I) ? 0 : words(&I, DL);
      if (IsPart)
        Words = wordsOfPart(*Part, DL);
      unsigned Halves = HalvesOfWords.contains(&I) ? 1 : 2 * Words;
      bool Dead = P.isDead(I);
      All.push_back({&I,
                     Halves,
                     Dead,
                     P.isFree(I) && !IsPart,
                     Dead ? 0 : temporaries(I, P),
                     {}});
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

/// Words of the loads that the copies of an unrolled loop make before they are
/// needed, by basic block of the loop.
using WordsAhead = llvm::DenseMap<const llvm::BasicBlock *, unsigned>;

/// Maximal register pressure of a kernel in words.
struct Pressure {
  unsigned Words = 0; ///< in the order given, with what is loaded ahead
  unsigned ScheduledWords = 0; ///< in a list schedule of each block
};

/// Liveness analysis of a kernel for a given placement of its instructions.
class Liveness {
public:
  Liveness(const InstructionSelection &P, const llvm::Function &F)
      : Code(P, F), Live(Code), Out(Code), Nodes(Code.size(), None) {
    llvm::ReversePostOrderTraversal<const llvm::Function *> Order(&F);
    Blocks.assign(Order.begin(), Order.end());
  }

  Pressure measure(Placement &Placed, const WordsAhead &Ahead);

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
    // An element is written by its load, whenever it is read.
    if (const auto *Part = llvm::dyn_cast<llvm::ExtractElementInst>(&I);
        Part && loadsParts(Part->getVectorOperand())) {
      unsigned Load = Nodes[V.Uses.front()];
      Graph[Load].Size += V.Halves;
      Graph[Load].LiveOut |= Out.contains(Number);
      Nodes[Number] = Load;
      Added.push_back(Number);
      continue;
    }
    PressureNode &Node = Add(Number);
    unsigned Self = Graph.size() - 1;
    for (unsigned Operand : V.Uses)
      if (Nodes[Operand] != None)
        Node.Operands.push_back(Nodes[Operand]);
    llvm::sort(Node.Operands);
    Node.Operands.erase(llvm::unique(Node.Operands), Node.Operands.end());
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

Pressure Liveness::measure(Placement &Placed, const WordsAhead &Ahead) {
  LiveIn.clear();
  Pressure Max;
  // A fixed point of liveness; the last round also measures the pressure.
  for (bool Changed = true, Measure = false; Changed || !Measure;) {
    Measure = !Changed;
    Changed = false;
    for (const llvm::BasicBlock *BB : llvm::reverse(Blocks)) {
      if (!spendWork(1 + Placed[BB].size()))
        return Max;
      startAtEnd(*BB);
      unsigned BlockWords = Live.words();
      if (Measure) {
        Out.clear();
        for (unsigned Number : Live.members())
          Out.insert(Number);
      }
      const Instructions &InBlock = Placed[BB];
      unsigned MostTemporaries = 0;
      for (const llvm::Instruction *I : llvm::reverse(InBlock)) {
        unsigned Number = Code.numberOf(I), Own = Code[Number].Temporaries;
        step(Number);
        if (!llvm::isa<llvm::PHINode>(I))
          BlockWords = std::max(BlockWords, Live.words() + Own);
        MostTemporaries = std::max(MostTemporaries, Own);
      }
      if (Measure) {
        Max.Words = std::max(Max.Words, BlockWords + Ahead.lookup(BB));
        if (BlockWords > MinReorderedWords)
          BlockWords =
              std::min(BlockWords, reordered(InBlock) + MostTemporaries);
        Max.ScheduledWords = std::max(Max.ScheduledWords, BlockWords);
      }
      // The live-in set only grows from round to round.
      if (std::vector<unsigned> &Previous = LiveIn[BB];
          Previous.size() != Live.members().size()) {
        Previous.assign(Live.members().begin(), Live.members().end());
        Changed = true;
      }
    }
  }
  return Max;
}

/// Places the elements of loadsParts() at their load, which writes them.
void takePartsAtOnce(Placement &Placed) {
  for (auto &[BB, InBlock] : Placed) {
    llvm::DenseSet<const llvm::Instruction *> Moved;
    Instructions Result;
    for (const llvm::Instruction *I : InBlock) {
      if (Moved.contains(I))
        continue;
      Result.push_back(I);
      if (!loadsParts(I))
        continue;
      for (const llvm::User *U : I->users()) {
        const auto *Part = llvm::cast<llvm::Instruction>(U);
        Moved.insert(Part);
        Result.push_back(Part);
      }
    }
    InBlock = std::move(Result);
  }
}

/// The memories (0 shared, 1 any other writable one) that L writes.
std::array<bool, 2> writtenMemories(const llvm::Loop &L) {
  std::array<bool, 2> Written = {};
  for (const llvm::BasicBlock *BB : L.blocks())
    for (const llvm::Instruction &I : *BB) {
      if (I.isTerminator())
        continue;
      MemoryUse Use = memoryOf(I);
      for (unsigned Memory : Use.Memories)
        Written[Memory] |= Use.Writes;
    }
  return Written;
}

/// Can an assembler move Load above the writes of other iterations?
bool passesWrites(const llvm::LoadInst &Load, std::array<bool, 2> Written) {
  if (!Load.isSimple())
    return false;
  if (Load.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return true;
  const auto *Argument = llvm::dyn_cast<llvm::Argument>(
      llvm::getUnderlyingObject(Load.getPointerOperand()));
  return (Argument && Argument->hasNoAliasAttr()) ||
         llvm::none_of(memories(Load),
                       [&](unsigned Memory) { return Written[Memory]; });
}

/// Is Load only added to (or compared with) what L accumulates in one register?
/// All such loads are in the register bank that the sum is not in: every second
/// register, so that the sum reads both operands at once.
bool isAccumulated(const llvm::LoadInst &Load, const llvm::Loop &L) {
  if (!Load.hasOneUse())
    return false;
  const auto *User = llvm::cast<llvm::Instruction>(Load.user_back());
  if (!llvm::isa<llvm::BinaryOperator, llvm::MinMaxIntrinsic>(User) &&
      !llvm::isa<llvm::CallBase>(User))
    return false;
  return llvm::any_of(User->operands(), [&](const llvm::Value *V) {
    const auto *Phi = llvm::dyn_cast<llvm::PHINode>(V);
    return Phi && Phi->getParent() == L.getHeader();
  });
}

/// Registers that the copies of L, beyond the first, hold for their loads.
unsigned wordsOfCopies(const llvm::Loop &L, unsigned Copies,
                       const InstructionSelection &P,
                       const llvm::DataLayout &DL) {
  std::array<bool, 2> Written = writtenMemories(L);
  unsigned Words = 0, AfterWrites = 0;
  for (const llvm::BasicBlock *BB : L.blocks())
    for (const llvm::Instruction &I : *BB) {
      const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I);
      if (!Load || P.isDead(I))
        continue;
      if (!passesWrites(*Load, Written))
        AfterWrites += words(&I, DL);
      else
        Words += words(&I, DL) * (isAccumulated(*Load, L) ? 2 : 1);
    }
  // Loads that wait for the writes of the copy before have their addresses
  // ready: three quarters of the words of up to eight copies, and at most 12,
  // as fitted to the registers that ptxas uses.
  constexpr double MaxAhead = 12;
  double Ahead = 0.75 * std::min(Copies, 8u) * AfterWrites;
  return Copies * Words + static_cast<unsigned>(std::min(Ahead, MaxAhead));
}

WordsAhead
wordsAhead(const KernelAnalyses &A, const InstructionSelection &P,
           llvm::function_ref<unsigned(const llvm::Loop *)> UnrollOf) {
  WordsAhead Ahead;
  for (const llvm::Loop *L : A.LI.getLoopsInPreorder())
    if (unsigned Factor = L->isInnermost() ? UnrollOf(L) : 1; Factor > 1) {
      unsigned Words = wordsOfCopies(*L, Factor - 1, P, A.DL);
      for (const llvm::BasicBlock *BB : L->blocks())
        Ahead[BB] = Words;
    }
  return Ahead;
}

/// Does F call the driver: a function whose code follows the ABI of calls?
bool callsDriver(const llvm::Function &F) {
  return llvm::any_of(llvm::instructions(F), [](const llvm::Instruction &I) {
    const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
    const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && isProvidedByDriver(Callee->getName());
  });
}

} // namespace

bool isProvidedByDriver(llvm::StringRef Name) {
  return llvm::is_contained({"vprintf", "malloc", "free", "__assertfail"},
                            Name);
}

RegisterEstimate
estimateRegisters(KernelAnalyses &A, const InstructionSelection &P,
                  llvm::Function &F,
                  llvm::function_ref<unsigned(const llvm::Loop *)> UnrollOf) {
  Liveness LiveValues(P, F);
  const WordsAhead Ahead = wordsAhead(A, P, UnrollOf);
  Placement Placed = originalPlacement(F);
  takePartsAtOnce(Placed);
  Pressure Max = LiveValues.measure(Placed, Ahead);
  auto Words = [&](const llvm::Instruction &I) {
    return P.isDead(I) || P.isFree(I) ? 0 : words(&I, A.DL);
  };
  if (Max.ScheduledWords > MinReorderedWords && hoist(Placed, A, F, Words))
    Max.ScheduledWords = std::min(
        Max.ScheduledWords, LiveValues.measure(Placed, Ahead).ScheduledWords);
  // Stack pointer, scratch, and temporaries of addresses.
  constexpr unsigned FixedWords = 5;
  // A kernel that prints, allocates or asserts has 24 registers or more,
  // whatever else it does (ptxas 13, sm_80 and sm_86).
  constexpr unsigned LeastRegisters = 10, LeastOfCalls = 24;
  unsigned MinRegisters = callsDriver(F) ? LeastOfCalls : LeastRegisters;
  return {std::max(Max.Words + FixedWords, MinRegisters),
          std::max(Max.ScheduledWords + FixedWords, MinRegisters)};
}

} // namespace gpuestimate
