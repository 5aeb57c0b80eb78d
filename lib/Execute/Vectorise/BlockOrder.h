/// \file
/// The order in which the blocks of a kernel are laid out, and where lanes wait
/// meanwhile.
///
/// The order is a reverse post-order in which the blocks of a loop are
/// contiguous, so that lanes that went another way are met again later. Lanes
/// wait between a branch that divides them and the first block that every lane
/// comes to, its post-dominator. Example:
///
///   A: if (x < n)        x differs by lane: A divides the lanes
///   B:   y = f(x)
///      else
///   C:   y = g(x)
///   D: z = y
///
/// has the order A, C, B, D (or A, B, C, D). While C executes, the lanes of B
/// wait for it to be over; while B executes, those of C wait in D, so that a
/// jump from B to D keeps them. Nothing waits while A or D executes.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_BLOCKORDER_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_BLOCKORDER_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include <vector>

namespace gpuestimate {

/// Does the block only end the threads that enter it?
bool isEnd(const llvm::BasicBlock *BB);

/// Does the block end the launch?
bool isFatal(const llvm::BasicBlock *BB);

class BlockOrder {
public:
  /// The control flow of F must be reducible.
  BlockOrder(llvm::Function &F, const llvm::LoopInfo &Loops,
             const llvm::UniformityInfo &Uniformity);

  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return Order; }
  const llvm::LoopInfo &loops() const { return Loops; }

  /// May lanes wait to execute Other while BB executes?
  bool mayWait(const llvm::BasicBlock *BB, const llvm::BasicBlock *Other) const;
  bool mayAnyWait(const llvm::BasicBlock *BB) const;
  /// Can a branch go straight to a successor, as no lane waits in between?
  bool jumps(const llvm::BasicBlock *From, const llvm::BasicBlock *To) const;

  /// The block after BB; null at the end.
  llvm::BasicBlock *after(const llvm::BasicBlock *BB) const;
  /// The block after the last one of the loop; null at the end.
  llvm::BasicBlock *after(const llvm::Loop &L) const;
  /// Is BB the last block of the loop?
  bool endsLoop(const llvm::BasicBlock *BB, const llvm::Loop &L) const;

private:
  /// Appends the blocks of a loop (null: of the function) in reverse
  /// post-order, where an inner loop is one node.
  void appendLoop(llvm::Loop *L, llvm::BasicBlock *Header);
  void findWaits(const llvm::UniformityInfo &Uniformity);
  /// Places of the successors that go on.
  llvm::SmallVector<unsigned, 2> follows(const llvm::BasicBlock *BB) const;
  /// [place] places of its post-dominators, without edges to the end of a
  /// thread.
  std::vector<llvm::BitVector> postDominators() const;

  const llvm::LoopInfo &Loops;
  std::vector<llvm::BasicBlock *> Order;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Place; ///< in Order
  /// [place] blocks that may have waiting lanes while the block executes.
  std::vector<llvm::BitVector> Waiting;
};

} // namespace gpuestimate

#endif
