#include "Registers.h"

#include "Lowering/Selection/OpTable.h"
#include "Lowering/Selection/Placement.h"
#include "Pressure.h"
#include "gpu-estimate/Support/WorkBudget.h"

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
  // A word of constant memory at a known place is an operand like any other
  // (c[bank][offset]) and needs no register.
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V);
      Load && Load->getPointerAddressSpace() == addrspace::Constant &&
      llvm::isa<llvm::Constant>(Load->getPointerOperand()))
    return 0;
  unsigned Words = static_cast<unsigned>(
      (DL.getTypeSizeInBits(const_cast<llvm::Type *>(T)) + 31) / 32);
  // The type of a loaded fp16 fragment says twice what current machines keep.
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(V);
  const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (Callee && Callee->getName().starts_with("llvm.nvvm.wmma") &&
      Callee->getName().contains(".load.") &&
      Callee->getName().contains("f16") && !Callee->getName().contains(".c."))
    Words /= 2;
  return Words;
}

bool isLongSequence(const llvm::Instruction &I, const Plan &P) {
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

/// Which memories I touches: 0 shared, 1 any other that can change.
llvm::ArrayRef<unsigned> memories(const llvm::Instruction &I) {
  static constexpr unsigned Both[] = {0, 1};
  if (!I.mayReadOrWriteMemory() && !I.isTerminator())
    return {};
  if (const llvm::Value *Pointer = llvm::getLoadStorePointerOperand(&I))
    switch (Pointer->getType()->getPointerAddressSpace()) {
    case addrspace::Shared:
      return llvm::ArrayRef(Both).take_front();
    case addrspace::Constant:
      return {};
    case addrspace::Generic:
      break;
    default:
      return llvm::ArrayRef(Both).drop_front();
    }
  return Both;
}

/// No GPU has fewer registers for a thread when it is full of threads: below,
/// no compiler would want another order.
constexpr unsigned WorthReordering = 20;

constexpr unsigned None = ~0u;

/// A kernel's instructions by number, with what liveness asks of each.
class NumberedCode {
public:
  NumberedCode(const Plan &P, const llvm::Function &F);

  struct Value {
    const llvm::Instruction *I;
    unsigned Words;
    bool Dead, Free;
    /// What its operands keep alive, each once.
    llvm::SmallVector<unsigned, 2> Kept;
  };
  size_t size() const { return All.size(); }
  const Value &operator[](unsigned Number) const { return All[Number]; }
  unsigned numberOf(const llvm::Instruction *I) const {
    return Numbers.lookup(I);
  }
  /// What V as an operand keeps alive: through free instructions to values
  /// that are in registers.
  void keptBy(const llvm::Value *V, llvm::SmallVectorImpl<unsigned> &Kept,
              unsigned Depth = 0) const;

private:
  std::vector<Value> All;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Numbers;
};

NumberedCode::NumberedCode(const Plan &P, const llvm::Function &F) {
  const llvm::DataLayout &DL = F.getParent()->getDataLayout();
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      Numbers[&I] = All.size();
      All.push_back({&I, words(&I, DL), P.isDead(I), P.isFree(I), {}});
    }
  for (Value &V : All) {
    if (V.Dead || V.Free || llvm::isa<llvm::PHINode>(V.I))
      continue;
    for (const llvm::Value *Operand : V.I->operands())
      keptBy(Operand, V.Kept);
    llvm::sort(V.Kept);
    V.Kept.erase(llvm::unique(V.Kept), V.Kept.end());
  }
}

void NumberedCode::keptBy(const llvm::Value *V,
                          llvm::SmallVectorImpl<unsigned> &Kept,
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
      keptBy(Operand, Kept, Depth + 1);
    return;
  }
  Kept.push_back(Number);
}

/// A set of numbered instructions that knows how many words they occupy.
class LiveSet {
public:
  explicit LiveSet(const NumberedCode &Code)
      : Code(Code), Places(Code.size(), None) {}

  bool contains(unsigned Number) const { return Places[Number] != None; }
  void insert(unsigned Number) {
    if (contains(Number))
      return;
    Places[Number] = Members.size();
    Members.push_back(Number);
    Words += Code[Number].Words;
  }
  void erase(unsigned Number) {
    if (!contains(Number))
      return;
    unsigned Last = Members.back();
    Members[Places[Number]] = Last;
    Places[Last] = Places[Number];
    Places[Number] = None;
    Members.pop_back();
    Words -= Code[Number].Words;
  }
  void clear() {
    for (unsigned Number : Members)
      Places[Number] = None;
    Members.clear();
    Words = 0;
  }
  llvm::ArrayRef<unsigned> members() const { return Members; }
  unsigned words() const { return Words; }

private:
  const NumberedCode &Code;
  std::vector<unsigned> Members;
  std::vector<unsigned> Places; ///< in Members, or None
  unsigned Words = 0;
};

using Instructions = std::vector<const llvm::Instruction *>;

/// Liveness of a kernel whose instructions are placed in one way or another.
class Liveness {
public:
  Liveness(const Plan &P, const llvm::Function &F)
      : Code(P, F), Live(Code), Out(Code), Nodes(Code.size(), None) {
    llvm::ReversePostOrderTraversal<const llvm::Function *> Order(&F);
    Blocks.assign(Order.begin(), Order.end());
  }

  /// The most words alive at once where instructions stand, and in another
  /// order of each block's.
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

/// What the blocks behind BB read.
void Liveness::startAtEnd(const llvm::BasicBlock &BB) {
  Live.clear();
  llvm::SmallVector<unsigned, 4> Kept;
  for (const llvm::BasicBlock *S : llvm::successors(&BB)) {
    spendWork(1 + LiveIn[S].size() / 8);
    for (unsigned Number : LiveIn[S])
      if (const llvm::Instruction *I = Code[Number].I;
          !(llvm::isa<llvm::PHINode>(I) && I->getParent() == S))
        Live.insert(Number);
    for (const llvm::PHINode &Phi : S->phis())
      if (!Code[Code.numberOf(&Phi)].Dead)
        Code.keptBy(Phi.getIncomingValueForBlock(&BB), Kept);
  }
  for (unsigned Number : Kept)
    Live.insert(Number);
}

/// From behind an instruction to before it.
void Liveness::step(unsigned Number) {
  const NumberedCode::Value &V = Code[Number];
  if (V.Dead)
    return;
  if (llvm::isa<llvm::PHINode>(V.I))
    return Live.insert(Number);
  Live.erase(Number);
  for (unsigned Operand : V.Kept)
    Live.insert(Operand);
}

/// The most alive in a block when its instructions may change places; Live is
/// what it begins with.
unsigned Liveness::reordered(const Instructions &InBlock) {
  std::vector<PressureNode> Graph;
  std::vector<unsigned> Added;
  auto Add = [&](unsigned Number) -> PressureNode & {
    Nodes[Number] = Graph.size();
    Added.push_back(Number);
    PressureNode &Node = Graph.emplace_back();
    Node.Words = Code[Number].Words;
    Node.LiveOut = Out.contains(Number);
    return Node;
  };
  for (unsigned Number : Live.members())
    Add(Number).AtEntry = true;
  // Of shared memory and of all other, which keep no order to each other.
  std::array<std::optional<unsigned>, 2> LastWrite;
  std::array<std::vector<unsigned>, 2> ReadsSince;
  for (const llvm::Instruction *At : InBlock) {
    const llvm::Instruction &I = *At;
    unsigned Number = Code.numberOf(At);
    const NumberedCode::Value &V = Code[Number];
    if (V.Dead || V.Free || Nodes[Number] != None)
      continue;
    PressureNode &Node = Add(Number);
    unsigned Self = Graph.size() - 1;
    for (unsigned Operand : V.Kept)
      if (Nodes[Operand] != None)
        Node.Operands.push_back(Nodes[Operand]);
    for (unsigned Memory : memories(I)) {
      if (I.mayWriteToMemory() || I.isTerminator()) {
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
  return leastPressure(Graph);
}

std::pair<unsigned, unsigned> Liveness::measure(Placement &Placed) {
  LiveIn.clear();
  unsigned Most = 0, Least = 0;
  // A fixed point of liveness; the last round also measures the pressure.
  for (bool Changed = true, Measure = false; Changed || !Measure;) {
    Measure = !Changed;
    Changed = false;
    for (const llvm::BasicBlock *BB : llvm::reverse(Blocks)) {
      if (!spendWork(1 + Placed[BB].size()))
        return {Most, Least};
      startAtEnd(*BB);
      unsigned Here = Live.words();
      if (Measure) {
        Out.clear();
        for (unsigned Number : Live.members())
          Out.insert(Number);
      }
      const Instructions &InBlock = Placed[BB];
      for (const llvm::Instruction *I : llvm::reverse(InBlock)) {
        step(Code.numberOf(I));
        if (!llvm::isa<llvm::PHINode>(I))
          Here = std::max(Here, Live.words());
      }
      if (Measure) {
        Most = std::max(Most, Here);
        if (Here > WorthReordering)
          Here = std::min(Here, reordered(InBlock));
        Least = std::max(Least, Here);
      }
      // It only grows from round to round.
      if (std::vector<unsigned> &Before = LiveIn[BB];
          Before.size() != Live.members().size()) {
        Before.assign(Live.members().begin(), Live.members().end());
        Changed = true;
      }
    }
  }
  return {Most, Least};
}

} // namespace

RegisterNeed
estimateRegisters(KernelAnalyses &A, const Plan &P, llvm::Function &F,
                  llvm::function_ref<unsigned(const llvm::Loop *)> UnrollOf) {
  Liveness Alive(P, F);
  Placement Placed = placedAsWritten(F);
  auto [Most, Least] = Alive.measure(Placed);
  auto Words = [&](const llvm::Instruction &I) {
    return P.isDead(I) || P.isFree(I) ? 0 : words(&I, A.DL);
  };
  if (Least > WorthReordering && hoist(Placed, A, F, Words))
    Least = std::min(Least, Alive.measure(Placed).second);

  // Iterations that are laid out together load ahead: up to eight of them,
  // three quarters of their words, as fitted to what ptxas uses.
  double Ahead = 0;
  for (const llvm::BasicBlock &BB : F) {
    const llvm::Loop *L = A.LI.getLoopFor(&BB);
    if (!L || !L->isInnermost())
      continue;
    double Together = std::min(UnrollOf(L) - 1, 8u);
    for (const llvm::Instruction &I : BB)
      if (llvm::isa<llvm::LoadInst>(I) && !P.isDead(I))
        Ahead += 0.75 * Together * words(&I, A.DL);
  }
  constexpr double MostAhead = 12;
  // Long sequences (a division, a library function) need room of their own.
  unsigned Sequences = 0;
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB)
      if (!Sequences && !P.isDead(I) && isLongSequence(I, P))
        Sequences = 5;
  // Stack pointer, a predicate's worth of scratch, addresses being formed.
  constexpr unsigned Always = 4;
  constexpr unsigned Fewest = 10;
  // Who wants few registers loads nothing ahead.
  Least += Always + Sequences;
  Most +=
      Always + Sequences + static_cast<unsigned>(std::min(Ahead, MostAhead));
  return {std::max(Most, Fewest), std::max(Least, Fewest)};
}

} // namespace gpuestimate
