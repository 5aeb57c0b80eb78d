/// \file
/// Copies by the copy engine (TMA) and the mbarriers that say when they have
/// arrived: `cp.async.bulk`, `cp.async.bulk.tensor`, `mbarrier`.
///
/// One thread starts a copy of many bytes. It is one access of that thread, as
/// wide as the copy, past L1. How wide a tensor copy is stands in its tensor
/// map, which the host makes; but the kernel tells the barrier how many bytes
/// it expects:
///   bytes of a copy = expected bytes / copies
/// of its barrier in its loop, where the address of the barrier is known; else
/// of all barriers of its loop, else of the kernel. Here a multicast to c
/// blocks of a cluster counts c times, because each of them sends its part to
/// all. In memory, the box of a tensor copy is taken as rows of 128 bytes (the
/// widest swizzled row) one behind the other, so that different boxes are
/// different bytes:
///   address = x0 * bytes * element / 128 + x1 * pitch + ...
///   pitch   = element * (largest x0 + elements of a row)
///
/// A wait for a barrier that copies complete stands for the latency of the
/// copy. With s buffers the copy that is waited for started s - 1 iterations
/// ago, whichever warp started it (CopyArrival). s is the length of the
/// array of barriers, or the number at which their index wraps around. A wait
/// that precedes the copy in its own loop is one for a free buffer and costs
/// its instructions only.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_BULKCOPYEMITTER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_BULKCOPYEMITTER_H

#include "OperationBuilder.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"

namespace gpuestimate {

class BulkCopyEmitter {
public:
  explicit BulkCopyEmitter(OperationBuilder &B)
      : B(B), V(B.V), Model(B.Model), Ctx(B.Ctx) {}

  /// Emits a statement of I, or the intrinsic I; false if it is none of these.
  bool emit(const llvm::CallBase &I, const InlineAssembly &Assembly,
            const PtxInstruction &P);
  bool emit(const llvm::CallBase &I, llvm::StringRef Intrinsic);

  /// The beginning of the kernel, where the first copies start.
  void emitStart(const llvm::Instruction &First);
  /// Sizes and addresses of tensor copies, and what each wait waits for. Call
  /// once, after the last block.
  void finish();

private:
  struct Barrier {
    const llvm::Value *Pointer = nullptr;
    PointerValue Address = {};
  };
  struct Copy {
    const llvm::CallBase *At = nullptr;
    unsigned Op = 0;
    bool IsLoad = true, IsTensor = false;
    unsigned Blocks = 1; ///< of a cluster that get the data
    Barrier Completes;
    llvm::SmallVector<Expr, 5> Coordinates;
    bool HasBytes = false;
  };
  struct Expected {
    const llvm::CallBase *At;
    std::optional<int64_t> Bytes;
    Barrier Of;
  };
  struct PhaseWait {
    const llvm::CallBase *At;
    Barrier On;
    const llvm::BasicBlock *Block; ///< of the test
    /// Entries for a copy of this iteration, for the branch, and for copies
    /// that started before.
    unsigned Now, Branch, Ahead;
  };
  /// What a copy says, whichever way it is written.
  struct Request {
    bool IsLoad = true, IsTensor = false, IsMulticast = false;
    const llvm::Value *Memory = nullptr;  ///< global address or tensor map
    const llvm::Value *Barrier = nullptr; ///< that it completes
    const llvm::Value *Blocks = nullptr;  ///< mask of a multicast
    std::optional<int64_t> Bytes;
    llvm::SmallVector<const llvm::Value *, 5> Coordinates;
  };

  void emitCopy(const llvm::CallBase &I, const Request &R);
  void emitTest(const llvm::CallBase &I, const llvm::Value *Pointer);
  void hideIndex(unsigned Op);
  void emitArrive(const llvm::CallBase &I, const llvm::Value *Pointer);
  Barrier barrier(const llvm::Value *Pointer);
  int loopOf(const llvm::BasicBlock *BB) const;
  std::optional<unsigned> clusterBlocks() const;
  unsigned elementBytes() const;
  void sizeTensorCopies();
  /// What the barrier of C expects, for each of its copies.
  std::optional<double> expectedBytes(const Copy &C) const;
  void setAddress(const Copy &C);
  /// The copy that completes the barrier of W, or null.
  const Copy *awaited(const PhaseWait &W) const;
  /// Buffers that the barriers of W guard.
  unsigned buffers(const PhaseWait &W);
  void resolve(const PhaseWait &W);

  OperationBuilder &B;
  Values &V;
  KernelModel &Model;
  ExprContext &Ctx;
  std::vector<Copy> Copies;
  std::vector<Expected> Transactions;
  std::vector<PhaseWait> Waits;
  int Start = -1; ///< operation
};

} // namespace gpuestimate

#endif
