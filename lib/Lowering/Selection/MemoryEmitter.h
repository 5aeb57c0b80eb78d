/// \file
/// Loads, stores, atomics and block copies as operations with an access.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_MEMORYEMITTER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_MEMORYEMITTER_H

#include "OperationBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

class MemoryEmitter {
public:
  explicit MemoryEmitter(OperationBuilder &B)
      : B(B), A(B.A), Names(B.Names), Model(B.Model), Ctx(B.Ctx),
        Mem(B.accesses()) {}

  /// A load or a store.
  void emitAccess(const llvm::Instruction &I);
  void emitAtomic(const llvm::Instruction &I);
  /// memcpy, memmove and memset.
  void emitBulk(const llvm::MemIntrinsic &I);
  /// The end of a group of asynchronous copies.
  void emitAsyncCommit(const llvm::CallBase &I);
  /// A wait for asynchronous copies that leaves Groups in flight, or for all.
  void emitAsyncWait(const llvm::CallBase &I, unsigned Groups);
  /// What each of these waits waits for. Call once, after the last block.
  ///
  /// In a loop that commits c groups in an iteration, a wait that leaves g in
  /// flight waits for the copies of g / c iterations before; one more where
  /// the copies follow the wait. Over d > 1 iterations the copies take 1 / d
  /// of their latency from one wait to the next (CopyArrival).
  void finishAsyncWaits();

private:
  bool combinesLanes(const llvm::AtomicRMWInst &Rmw) const;
  bool isRetryLoop(const llvm::AtomicCmpXchgInst &Swap) const;
  bool isLoopInShared(const llvm::AtomicRMWInst &Rmw) const;
  bool mergesLanes(const llvm::AtomicRMWInst &Rmw) const;
  unsigned emitUpdate(const llvm::AtomicRMWInst &Rmw, unsigned Old);

  struct GroupWait {
    unsigned Op;    ///< the wait
    int Ahead = -1; ///< entry for copies of several iterations before, or -1
    unsigned Groups;
    const llvm::BasicBlock *Block;
  };

  OperationBuilder &B;
  std::vector<GroupWait> GroupWaits;
  std::vector<int> Commits; ///< the loop of each
  KernelAnalyses &A;
  Unknowns &Names;
  KernelModel &Model;
  ExprContext &Ctx;
  Accesses &Mem;
};

} // namespace gpuestimate

#endif
