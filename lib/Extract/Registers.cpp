#include "Registers.h"

#include "OpTable.h"
#include "Placement.h"
#include "gpu-estimate/Extract/Pressure.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <array>
#include <functional>
#include <set>

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

} // namespace

RegisterNeed
estimateRegisters(KernelAnalyses &A, const Plan &P, llvm::Function &F,
                  llvm::function_ref<unsigned(const llvm::Loop *)> UnrollOf) {
  using LiveSet = std::set<const llvm::Instruction *>;
  auto Counts = [&](const llvm::Value *V) -> const llvm::Instruction * {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    if (!I || P.isDead(*I) || llvm::isa<llvm::AllocaInst>(I))
      return nullptr;
    return I;
  };
  // What an operand keeps alive: through free instructions to real values.
  std::function<void(const llvm::Value *, LiveSet &, unsigned)> Use =
      [&](const llvm::Value *V, LiveSet &Live, unsigned Depth) {
        const llvm::Instruction *I = Counts(V);
        if (!I)
          return;
        if (P.isFree(*I) && Depth < 8 &&
            !llvm::isa<llvm::PHINode, llvm::LoadInst, llvm::CallBase>(I)) {
          for (const llvm::Value *Operand : I->operands())
            Use(Operand, Live, Depth + 1);
          return;
        }
        Live.insert(I);
      };

  using Instructions = std::vector<const llvm::Instruction *>;
  // The most alive in a block when its instructions may change places.
  auto reordered = [&](const Instructions &InBlock, const LiveSet &Out,
                       const LiveSet &In) {
    std::vector<PressureNode> Nodes;
    llvm::DenseMap<const llvm::Instruction *, unsigned> Index;
    auto Add = [&](const llvm::Instruction *I) -> PressureNode & {
      Index[I] = Nodes.size();
      PressureNode &Node = Nodes.emplace_back();
      Node.Words = words(I, A.DL);
      Node.LiveOut = Out.contains(I);
      return Node;
    };
    for (const llvm::Instruction *I : In)
      Add(I).AtEntry = true;
    // Of shared memory and of all other, which keep no order to each other.
    std::array<std::optional<unsigned>, 2> LastWrite;
    std::array<std::vector<unsigned>, 2> ReadsSince;
    for (const llvm::Instruction *At : InBlock) {
      const llvm::Instruction &I = *At;
      if (P.isDead(I) || P.isFree(I) || Index.contains(&I))
        continue;
      LiveSet Operands;
      for (const llvm::Value *Operand : I.operands())
        Use(Operand, Operands, 0);
      PressureNode &Node = Add(&I);
      unsigned Self = Nodes.size() - 1;
      for (const llvm::Instruction *Operand : Operands)
        if (auto Known = Index.find(Operand); Known != Index.end())
          Node.Operands.push_back(Known->second);
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
    return leastPressure(Nodes);
  };

  llvm::ReversePostOrderTraversal<const llvm::Function *> Order(&F);
  std::vector<const llvm::BasicBlock *> Blocks(Order.begin(), Order.end());
  // Most alive at once where instructions stand, and in another order of each
  // block's.
  auto measure = [&](Placement &Placed) -> std::pair<unsigned, unsigned> {
    llvm::DenseMap<const llvm::BasicBlock *, LiveSet> LiveIn;
    unsigned Most = 0, Least = 0;
    // A fixed point of liveness; the last round also measures the pressure.
    for (bool Changed = true, Measure = false; Changed || !Measure;) {
      Measure = !Changed;
      Changed = false;
      for (const llvm::BasicBlock *BB : llvm::reverse(Blocks)) {
        LiveSet Live;
        for (const llvm::BasicBlock *S : llvm::successors(BB)) {
          for (const llvm::Instruction *I : LiveIn[S])
            if (!(llvm::isa<llvm::PHINode>(I) && I->getParent() == S))
              Live.insert(I);
          for (const llvm::PHINode &Phi : S->phis())
            if (!P.isDead(Phi))
              Use(Phi.getIncomingValueForBlock(BB), Live, 0);
        }
        unsigned Now = 0;
        for (const llvm::Instruction *I : Live)
          Now += words(I, A.DL);
        unsigned Here = Now;
        std::optional<LiveSet> Out;
        if (Measure)
          Out = Live;
        const Instructions &InBlock = Placed[BB];
        for (const llvm::Instruction *I : llvm::reverse(InBlock)) {
          if (P.isDead(*I))
            continue;
          if (llvm::isa<llvm::PHINode>(I)) {
            Live.insert(I);
            continue;
          }
          Live.erase(I);
          if (!P.isFree(*I))
            for (const llvm::Value *Operand : I->operands())
              Use(Operand, Live, 0);
          if (Measure) {
            Now = 0;
            for (const llvm::Instruction *L : Live)
              Now += words(L, A.DL);
            Here = std::max(Here, Now);
          }
        }
        if (Measure) {
          Most = std::max(Most, Here);
          if (Here > WorthReordering)
            Here = std::min(Here, reordered(InBlock, *Out, Live));
          Least = std::max(Least, Here);
        }
        if (LiveIn[BB] != Live) {
          LiveIn[BB] = std::move(Live);
          Changed = true;
        }
      }
    }
    return {Most, Least};
  };
  Placement Placed = placedAsWritten(F);
  auto [Most, Least] = measure(Placed);
  auto Words = [&](const llvm::Instruction &I) {
    return P.isDead(I) || P.isFree(I) ? 0 : words(&I, A.DL);
  };
  if (Least > WorthReordering && hoist(Placed, A, F, Words))
    Least = std::min(Least, measure(Placed).second);

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
      if (!P.isDead(I) && isLongSequence(I, P))
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
