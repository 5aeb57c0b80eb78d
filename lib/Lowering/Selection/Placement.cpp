#include "Placement.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace gpuestimate {

namespace {

using Group = llvm::EquivalenceClasses<const llvm::Instruction *>;

bool readsShared(const llvm::Instruction &I) {
  const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I);
  return Load && Load->getPointerAddressSpace() == addrspace::Shared;
}

class Hoister {
public:
  Hoister(const KernelAnalyses &A, const llvm::Function &F,
          llvm::function_ref<unsigned(const llvm::Instruction &)> Words)
      : A(A), F(F), Words(Words) {}
  bool run(Placement &Placed);

private:
  void findCandidates();
  bool mayMove(const llvm::Instruction &I) const;
  /// The highest block between Top and Bottom with no store to shared memory
  /// below it.
  const llvm::BasicBlock *highestAfterStores(const llvm::BasicBlock *Top,
                                             const llvm::BasicBlock *Bottom);
  /// The block of I's deepest operand if it is above I's own block in its loop,
  /// else null.
  const llvm::BasicBlock *hoistTarget(const llvm::Instruction &I);
  const llvm::BasicBlock *blockOf(const llvm::Instruction *I) const {
    const llvm::BasicBlock *Moved = HoistedTo.lookup(I);
    return Moved ? Moved : I->getParent();
  }
  /// Does the live range of I end in its block once the candidates are moved?
  bool isFreed(const llvm::Instruction &I) const;
  void join();
  /// Registers that each group frees, by its leader.
  llvm::DenseMap<const llvm::Instruction *, int> gains() const;

  const KernelAnalyses &A;
  const llvm::Function &F;
  llvm::function_ref<unsigned(const llvm::Instruction &)> Words;
  std::vector<const llvm::BasicBlock *> WritesShared;
  /// By block: does it dominate another one that writes shared memory?
  llvm::DenseMap<const llvm::BasicBlock *, bool> WritesBelow;
  std::vector<const llvm::Instruction *> Candidates;
  llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *> HoistedTo;
  std::vector<const llvm::Instruction *> Freed;
  Group Groups;
};

bool Hoister::mayMove(const llvm::Instruction &I) const {
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I))
    return Load->isSimple() &&
           (Load->getPointerAddressSpace() == addrspace::Shared ||
            Load->getPointerAddressSpace() == addrspace::Constant);
  return !llvm::isa<llvm::PHINode, llvm::CallBase>(I) && !I.isTerminator() &&
         !I.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&I);
}

const llvm::BasicBlock *Hoister::hoistTarget(const llvm::Instruction &I) {
  if (!mayMove(I))
    return nullptr;
  const llvm::BasicBlock *Deepest = nullptr;
  for (const llvm::Value *V : I.operands())
    if (const auto *Operand = llvm::dyn_cast<llvm::Instruction>(V)) {
      const llvm::BasicBlock *Block = blockOf(Operand);
      if (!Deepest || A.DT.dominates(Deepest, Block))
        Deepest = Block;
    }
  if (Deepest && readsShared(I))
    Deepest = highestAfterStores(Deepest, I.getParent());
  bool Moves = Deepest && Deepest != I.getParent() &&
               A.LI.getLoopFor(Deepest) == A.LI.getLoopFor(I.getParent());
  return Moves ? Deepest : nullptr;
}

const llvm::BasicBlock *
Hoister::highestAfterStores(const llvm::BasicBlock *Top,
                            const llvm::BasicBlock *Bottom) {
  const llvm::BasicBlock *Current = Bottom;
  // The upper of two blocks dominates all blocks between them.
  auto HasWritesBelow = [&](const llvm::BasicBlock *Block) {
    auto [Entry, IsNew] = WritesBelow.try_emplace(Block, false);
    if (IsNew)
      Entry->second =
          llvm::any_of(WritesShared, [&](const llvm::BasicBlock *BB) {
            return spendWork() && BB != Block && A.DT.dominates(Block, BB);
          });
    return Entry->second;
  };
  while (Current != Top && spendWork()) {
    const llvm::BasicBlock *Next = A.DT.getNode(Current)->getIDom()->getBlock();
    if (HasWritesBelow(Next))
      break;
    Current = Next;
  }
  return Current;
}

void Hoister::findCandidates() {
  for (const llvm::BasicBlock &BB : F)
    if (llvm::any_of(BB, [](const llvm::Instruction &I) {
          const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I);
          return Store
                     ? Store->getPointerAddressSpace() == addrspace::Shared ||
                           Store->getPointerAddressSpace() == addrspace::Generic
                     : I.mayWriteToMemory();
        }))
      WritesShared.push_back(&BB);
  for (const llvm::BasicBlock *BB :
       llvm::ReversePostOrderTraversal<const llvm::Function *>(&F))
    for (const llvm::Instruction &I : *BB)
      if (const llvm::BasicBlock *To = hoistTarget(I)) {
        Candidates.push_back(&I);
        HoistedTo[&I] = To;
        Groups.insert(&I);
      }
}

bool Hoister::isFreed(const llvm::Instruction &I) const {
  return llvm::all_of(I.users(), [&](const llvm::User *U) {
    const auto *User = llvm::cast<llvm::Instruction>(U);
    return blockOf(User) == blockOf(&I) && !llvm::isa<llvm::PHINode>(User);
  });
}

void Hoister::join() {
  llvm::DenseMap<const llvm::Instruction *, bool> Seen;
  for (const llvm::Instruction *I : Candidates)
    for (const llvm::Value *V : I->operands()) {
      const auto *Operand = llvm::dyn_cast<llvm::Instruction>(V);
      if (!Operand)
        continue;
      if (HoistedTo.contains(Operand)) {
        Groups.unionSets(I, Operand);
        continue;
      }
      if (Operand->getParent() != HoistedTo[I])
        continue;
      auto [Entry, IsNew] = Seen.try_emplace(Operand, false);
      if (IsNew && isFreed(*Operand)) {
        Entry->second = true;
        Freed.push_back(Operand);
      }
      if (Entry->second)
        Groups.unionSets(I, Operand);
    }
}

llvm::DenseMap<const llvm::Instruction *, int> Hoister::gains() const {
  llvm::DenseMap<const llvm::Instruction *, int> Gain;
  for (const llvm::Instruction *I : Freed)
    Gain[Groups.getLeaderValue(I)] += Words(*I);
  for (const llvm::Instruction *I : Candidates)
    if (!isFreed(*I))
      Gain[Groups.getLeaderValue(I)] -= Words(*I);
  return Gain;
}

bool Hoister::run(Placement &Placed) {
  findCandidates();
  join();
  llvm::DenseMap<const llvm::Instruction *, int> Gain = gains();
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallPtrSet<const llvm::Instruction *, 16>>
      MovedFrom;
  bool Any = false;
  for (const llvm::Instruction *I : Candidates) {
    if (Gain.lookup(Groups.getLeaderValue(I)) <= 0)
      continue;
    Any = true;
    MovedFrom[I->getParent()].insert(I);
    std::vector<const llvm::Instruction *> &Target = Placed[HoistedTo[I]];
    Target.insert(std::prev(Target.end()), I);
  }
  for (auto &[BB, Moved] : MovedFrom)
    llvm::erase_if(Placed[BB], [&](const llvm::Instruction *I) {
      return Moved.contains(I);
    });
  return Any;
}

} // namespace

Placement originalPlacement(const llvm::Function &F) {
  Placement Placed;
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB)
      Placed[&BB].push_back(&I);
  return Placed;
}

bool hoist(Placement &Placed, const KernelAnalyses &A, const llvm::Function &F,
           llvm::function_ref<unsigned(const llvm::Instruction &)> Words) {
  return Hoister(A, F, Words).run(Placed);
}

} // namespace gpuestimate
