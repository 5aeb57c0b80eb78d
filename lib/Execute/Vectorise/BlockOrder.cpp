#include "BlockOrder.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuestimate {

bool isEnd(const BasicBlock *BB) {
  return isa<ReturnInst>(BB->getFirstNonPHIOrDbg());
}

bool isFatal(const BasicBlock *BB) {
  return isa<UnreachableInst>(BB->getTerminator());
}

/// Does the branch at the end of the block divide the lanes between two blocks
/// that go on?
static bool divides(const BasicBlock *BB, const UniformityInfo &Uniformity) {
  const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Uniformity.isUniform(Branch->getCondition()))
    return false;
  return none_of(successors(BB),
                 [&](const BasicBlock *S) { return isEnd(S) || isFatal(S); });
}

BlockOrder::BlockOrder(Function &F, const LoopInfo &Loops,
                       const UniformityInfo &Uniformity)
    : Loops(Loops) {
  appendLoop(nullptr, &F.getEntryBlock());
  for (auto [Number, BB] : enumerate(Order))
    Place[BB] = unsigned(Number);
  findWaits(Uniformity);
}

void BlockOrder::appendLoop(Loop *L, BasicBlock *Header) {
  // The node of a block: its own, or the header of the outermost loop within L.
  auto Node = [&](BasicBlock *BB) -> BasicBlock * {
    if (L && !L->contains(BB))
      return nullptr;
    Loop *Inner = Loops.getLoopFor(BB);
    if (Inner == L)
      return BB;
    while (Inner->getParentLoop() != L)
      Inner = Inner->getParentLoop();
    return Inner->getHeader();
  };
  auto InnerLoop = [&](BasicBlock *BB) -> Loop * {
    Loop *Of = Loops.getLoopFor(BB);
    return Of == L ? nullptr : Of;
  };
  SmallVector<BasicBlock *> PostOrder;
  SmallPtrSet<BasicBlock *, 32> Seen;
  struct Frame {
    BasicBlock *BB;
    SmallVector<BasicBlock *, 4> Left;
  };
  std::vector<Frame> Stack;
  auto Push = [&](BasicBlock *BB) {
    Seen.insert(BB);
    Frame New{BB, {}};
    if (Loop *Inner = InnerLoop(BB)) {
      while (Inner->getParentLoop() != L)
        Inner = Inner->getParentLoop();
      Inner->getExitBlocks(New.Left);
    } else {
      append_range(New.Left, successors(BB));
    }
    Stack.push_back(std::move(New));
  };
  Push(Header);
  while (!Stack.empty()) {
    if (Stack.back().Left.empty()) {
      PostOrder.push_back(Stack.back().BB);
      Stack.pop_back();
      continue;
    }
    BasicBlock *To = Node(Stack.back().Left.pop_back_val());
    if (To && To != Header && !Seen.contains(To))
      Push(To);
  }
  for (BasicBlock *BB : reverse(PostOrder)) {
    Loop *Inner = InnerLoop(BB);
    if (!Inner) {
      Order.push_back(BB);
      continue;
    }
    while (Inner->getParentLoop() != L)
      Inner = Inner->getParentLoop();
    appendLoop(Inner, BB);
  }
}

SmallVector<unsigned, 2> BlockOrder::follows(const BasicBlock *BB) const {
  SmallVector<unsigned, 2> Next;
  for (const BasicBlock *S : successors(BB))
    if (!isEnd(S) && !isFatal(S))
      Next.push_back(Place.lookup(S));
  return Next;
}

std::vector<BitVector> BlockOrder::postDominators() const {
  unsigned Count = unsigned(Order.size());
  std::vector<BitVector> Post(Count, BitVector(Count, true));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = Count; I-- > 0;) {
      BitVector Now(Count, false);
      SmallVector<unsigned, 2> Next = follows(Order[I]);
      if (!Next.empty()) {
        Now = Post[Next[0]];
        for (unsigned N : drop_begin(Next))
          Now &= Post[N];
      }
      Now.set(I);
      if (Now != Post[I]) {
        Post[I] = Now;
        Changed = true;
      }
    }
  }
  return Post;
}

void BlockOrder::findWaits(const UniformityInfo &Uniformity) {
  unsigned Count = unsigned(Order.size());
  const std::vector<BitVector> Post = postDominators();
  Waiting.assign(Count, BitVector(Count));
  for (unsigned D = 0; D < Count; ++D) {
    if (!divides(Order[D], Uniformity))
      continue;
    SmallVector<unsigned, 2> Sides = follows(Order[D]);
    if (Sides.size() != 2 || Sides[0] == Sides[1])
      continue;
    BitVector Meet = Post[D];
    Meet.reset(D);
    BitVector Inside[2] = {BitVector(Count), BitVector(Count)};
    BitVector Reached[2] = {BitVector(Count), BitVector(Count)};
    for (unsigned Side = 0; Side < 2; ++Side) {
      SmallVector<unsigned> Left = {Sides[Side]};
      while (!Left.empty()) {
        unsigned N = Left.pop_back_val();
        if (Reached[Side].test(N))
          continue;
        Reached[Side].set(N);
        if (Meet.test(N))
          continue;
        Inside[Side].set(N);
        append_range(Left, follows(Order[N]));
      }
    }
    for (unsigned Side = 0; Side < 2; ++Side)
      for (unsigned N : Inside[Side].set_bits())
        Waiting[N] |= Reached[1 - Side];
  }
}

bool BlockOrder::mayWait(const BasicBlock *BB, const BasicBlock *Other) const {
  return Waiting[Place.lookup(BB)].test(Place.lookup(Other));
}

bool BlockOrder::mayAnyWait(const BasicBlock *BB) const {
  return Waiting[Place.lookup(BB)].any();
}

bool BlockOrder::jumps(const BasicBlock *From, const BasicBlock *To) const {
  unsigned Begin = Place.lookup(From) + 1, End = Place.lookup(To);
  if (End < Begin) { // back to the header of a loop: its rest is in between
    const Loop *L = Loops.getLoopFor(To);
    End = Begin;
    while (End < Order.size() && L->contains(Order[End]))
      ++End;
  }
  const BitVector &Waits = Waiting[Place.lookup(From)];
  for (const Loop *L = Loops.getLoopFor(From); L && !L->contains(To);
       L = L->getParentLoop())
    if (Waits.test(Place.lookup(L->getHeader())))
      return false;
  return Begin >= End || Waits.find_first_in(Begin, End) < 0;
}

BasicBlock *BlockOrder::after(const BasicBlock *BB) const {
  unsigned Next = Place.lookup(BB) + 1;
  return Next == Order.size() ? nullptr : Order[Next];
}

BasicBlock *BlockOrder::after(const Loop &L) const {
  unsigned Next = 0;
  for (const BasicBlock *BB : L.blocks())
    Next = std::max(Next, Place.lookup(BB) + 1);
  return Next == Order.size() ? nullptr : Order[Next];
}

bool BlockOrder::endsLoop(const BasicBlock *BB, const Loop &L) const {
  const BasicBlock *Next = after(BB);
  return !Next || !L.contains(Next);
}

} // namespace gpuestimate
