/// \file
/// Counts what some warps of a launch execute (RunTrace in Run/Records.h).
///
/// Threads run one after the other; the lanes of a warp are put together again
/// by what they execute: a block of the kernel together with the iterations of
/// the loops around it. Lanes that agree in both are one execution by the warp,
/// as in lock-step with reconvergence at the immediate post-dominator.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_TRACE_H
#define GPU_ESTIMATE_LIB_EXECUTE_TRACE_H

#include "CallLowering.h"
#include "ReuseTrace.h"
#include "gpu-estimate/Execute/DeviceAllocations.h"
#include "gpu-estimate/Run/Records.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace gpuestimate {

/// Numbers of the blocks and instructions of a kernel.
struct TraceNumbers {
  explicit TraceNumbers(const llvm::Function &Kernel);
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Blocks;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Instructions;
};

/// Adds calls of the recorder to a kernel whose instructions still are those
/// that Numbers was made of.
void addTraceCalls(llvm::Function &Kernel, const ThreadValues &Thread,
                   const TraceNumbers &Numbers);
/// The functions that addTraceCalls() calls.
void addTraceFunctions(llvm::StringMap<void *> &Table);

/// What the recorder knows of the code of a kernel.
struct TracedCode {
  explicit TracedCode(const llvm::Function &Kernel);
  struct Block {
    llvm::SmallVector<unsigned, 2> Successors;
    llvm::SmallVector<unsigned, 4> Loops; ///< around it, the outermost first
    int HeaderOf = -1;                    ///< a loop
    unsigned Terminator = 0;              ///< instruction number
  };
  struct Loop {
    unsigned Header = 0;
    llvm::BitVector Blocks;
  };
  std::vector<Block> Blocks;
  std::vector<Loop> Loops;
  /// [instruction] may access global memory; loads from there.
  llvm::BitVector Global, Loads;
};

/// One warp while it is traced.
class WarpTrace {
public:
  WarpTrace(const TracedCode &Code, unsigned Lanes);
  void enterBlock(unsigned Lane, unsigned Block);
  void condition(unsigned Instruction, bool Value);
  /// An access of Lane; Address is an offset in private memory if IsLocal.
  void access(unsigned Lane, unsigned Instruction, uint64_t Address,
              unsigned Bytes, bool IsLocal);
  bool isFull() const { return Visits.size() >= MaxVisits; }

  /// The requests in the order in which the warp makes them.
  std::vector<uint32_t> order() const;
  unsigned instruction(uint32_t R) const { return Requests[R].Instruction; }
  /// [Shared, SharedEnd): shared memory of the thread block.
  bool isGlobal(uint32_t R, uint64_t Shared, uint64_t SharedEnd) const;
  bool isLoad(uint32_t R) const { return Code.Loads[Requests[R].Instruction]; }
  /// The different 32-byte sectors of a request, ascending.
  void sectors(uint32_t R, llvm::SmallVectorImpl<uint64_t> &Sectors) const;

  /// Adds the counts, multiplied by the weight of the warp.
  void addTo(RunTrace &Trace, RunTrace::Warp Warp, uint64_t SharedBase,
             uint64_t SharedBytes, const DeviceAllocations &Memory) const;

  /// Limits of the executions of blocks and of memory requests that a warp
  /// keeps, about 100 MB each. Requests beyond are extrapolated.
  static constexpr size_t MaxVisits = 1 << 21, MaxRequests = 1 << 17;

private:
  static constexpr uint32_t None = ~uint32_t(0);
  struct Visit {
    unsigned Block = 0;
    bool EntersLoop = false;
    uint64_t Mask = 0;
    uint32_t FirstTaken = 0; ///< masks of the successors, in Taken
  };
  struct Request {
    unsigned Instruction = 0, Bytes = 0;
    bool IsLocal = false;
    uint64_t Mask = 0;
    uint32_t Next = None; ///< in the order of execution
  };
  struct Lane {
    int Previous = -1; ///< block
    uint32_t Visit = 0;
    uint64_t Key = 0;
    uint32_t Request = None; ///< its last one
  };
  struct ConditionCount {
    uint64_t Lanes = 0, True = 0;
  };

  const TracedCode &Code;
  unsigned LaneCount;
  std::vector<Lane> Lanes;
  std::vector<uint32_t> Iterations; ///< [lane][loop]
  std::vector<Visit> Visits;
  std::vector<uint64_t> Taken;
  llvm::DenseMap<uint64_t, uint32_t> VisitNumbers, RequestNumbers;
  std::vector<Request> Requests;
  uint32_t FirstRequest = None;
  std::vector<uint64_t> Addresses; ///< [request][lane]
  llvm::DenseMap<unsigned, ConditionCount> Conditions;
  /// [instruction] accesses of a lane that were dropped.
  llvm::DenseMap<unsigned, uint64_t> Dropped;
};

/// The traced warps of a thread block while it executes.
struct TracedBlock {
  uint64_t Linear = 0;
  unsigned Lanes = 32;
  bool Checks = true; ///< misaligned accesses end the launch
  std::vector<std::unique_ptr<WarpTrace>> Warps; ///< null: not sampled
};

/// Samples the warps of a launch and sums their counts. Thread-safe.
class TraceRecorder {
public:
  /// With WholeBlocks, all warps of a sampled thread block are traced.
  TraceRecorder(const TracedCode &Code, std::array<uint64_t, 3> Grid,
                uint64_t ThreadsPerBlock, unsigned Lanes, bool WholeBlocks);
  /// Linear indices of the blocks with sampled warps, in order.
  std::vector<uint64_t> sampledBlocks() const;
  /// Null if no warp of the block is sampled.
  std::unique_ptr<TracedBlock> start(uint64_t Linear);
  void end(const TracedBlock &B, uint64_t SharedBase, uint64_t SharedBytes,
           const DeviceAllocations &Memory);
  RunTrace take(std::string StopReason);

private:
  struct SampledWarp {
    unsigned Warp;
    double Weight;
  };
  const TracedCode &Code;
  std::array<uint64_t, 3> Grid;
  unsigned WarpsPerBlock, Lanes;
  llvm::DenseMap<uint64_t, llvm::SmallVector<SampledWarp, 2>> Sampled;
  std::mutex Lock; ///< of the rest
  RunTrace Trace;
  std::optional<ReuseTrace> Reuse;
};

} // namespace gpuestimate

#endif
