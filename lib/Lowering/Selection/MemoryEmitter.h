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
  /// A wait for asynchronous copies: for all groups, or with some left in
  /// flight.
  void emitAsyncWait(const llvm::CallBase &I, bool AllGroups);

private:
  bool combinesLanes(const llvm::AtomicRMWInst &Rmw) const;
  bool isRetryLoop(const llvm::AtomicCmpXchgInst &Swap) const;
  bool isLoopInShared(const llvm::AtomicRMWInst &Rmw) const;
  bool mergesLanes(const llvm::AtomicRMWInst &Rmw) const;
  unsigned emitUpdate(const llvm::AtomicRMWInst &Rmw, unsigned Old);

  OperationBuilder &B;
  KernelAnalyses &A;
  Unknowns &Names;
  KernelModel &Model;
  ExprContext &Ctx;
  Accesses &Mem;
};

} // namespace gpuestimate

#endif
