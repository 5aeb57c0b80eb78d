/// \file
/// Counts what some warps of a launch execute (RunTrace in Run/Records.h).
///
/// Threads run one after the other; the lanes of a warp are put together again
/// by what they execute: a block of the kernel together with the iterations of
/// the loops around it. Lanes that agree in both are one execution by the warp,
/// as in lock-step with reconvergence at the immediate post-dominator.
///
/// The condition of a division is that a lane has special operands, for which
/// the whole warp takes a slow path (DivisionOperands.h). It is counted by
/// warps: RunTrace::Condition::Lanes are its executions, and True those with
/// such a lane.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_RECORD_TRACE_H
#define GPU_ESTIMATE_LIB_EXECUTE_RECORD_TRACE_H

#include "Execute/Translate/CallLowering.h"
#include "ReuseTrace.h"
#include "gpu-estimate/Execute/Executor.h"
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
/// that Numbers was made of. ForVectors: the kernel gets a vector form, whose
/// calls are for all lanes together.
void addTraceCalls(llvm::Function &Kernel, const ThreadValues &Thread,
                   const TraceNumbers &Numbers, bool ForVectors);
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
    unsigned FirstEdge = 0;               ///< number of that to Successors[0]
    bool HasOneWayIn = false;
  };
  struct Loop {
    unsigned Header = 0;
    int Preheader = -1; ///< the block from which alone the loop is entered
    llvm::BitVector Blocks;
  };
  std::vector<Block> Blocks;
  std::vector<Loop> Loops;
  unsigned Edges = 0;
  std::vector<unsigned> BlockOf;   ///< [instruction]
  std::vector<unsigned> Divisions; ///< instructions that test their operands
  /// [instruction] may access global memory; loads from there.
  llvm::BitVector Global, Loads;
};

/// One warp while it is traced. The first executions of blocks and the first
/// memory requests are kept; of what comes later, the lanes are counted, and
/// the warp is taken to do it with as many lanes at a time as before.
class WarpTrace {
public:
  WarpTrace(const TracedCode &Code, unsigned Lanes, size_t MaxVisits,
            size_t MaxRequests);
  /// False once the executions of the lane are only counted, in counts().
  bool enterBlock(unsigned Lane, unsigned Block);
  uint64_t *counts() { return Beyond.data(); }
  /// True of so many lanes have a true condition.
  void condition(unsigned Instruction, unsigned Lanes, unsigned True);
  /// The lane divides operands for which the warp takes the slow path.
  void specialDivision(unsigned Lane, unsigned Instruction);
  /// An access of Lane; Address is an offset in private memory if IsLocal.
  void access(unsigned Lane, unsigned Instruction, uint64_t Address,
              unsigned Bytes, bool IsLocal);

  /// The requests in the order in which the warp makes them.
  std::vector<uint32_t> order() const;
  unsigned instruction(uint32_t R) const { return Requests[R].Instruction; }
  /// [Shared, SharedEnd): shared memory of the thread block.
  bool isGlobal(uint32_t R, uint64_t Shared, uint64_t SharedEnd) const;
  bool isLoad(uint32_t R) const { return Code.Loads[Requests[R].Instruction]; }
  /// How many requests to global memory, about, were not kept.
  double droppedRequests() const;
  /// The different 32-byte sectors of a request, ascending.
  void sectors(uint32_t R, llvm::SmallVectorImpl<uint64_t> &Sectors) const;

  /// Adds the counts, multiplied by the weight of the warp.
  void addTo(RunTrace &Trace, RunTrace::Warp Warp, uint64_t SharedBase,
             uint64_t SharedBytes, const DeviceAllocations &Memory) const;

private:
  void addConditions(RunTrace &Trace, double Weight) const;
  void addAccesses(RunTrace &Trace, double Weight, uint64_t SharedBase,
                   uint64_t SharedBytes, const DeviceAllocations &Memory) const;
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

  /// Accesses of lanes that were not kept.
  uint64_t dropped(unsigned Instruction) const {
    return Dropped[Instruction] + Beyond[Code.BlockOf[Instruction]];
  }
  /// Lanes that took the edges of a block, with those that were only counted.
  void addEdges(unsigned Block, llvm::MutableArrayRef<double> Lanes) const;

  const TracedCode &Code;
  unsigned LaneCount;
  size_t MaxVisits, MaxRequests;
  std::vector<Lane> Lanes;
  std::vector<uint32_t> Iterations; ///< [lane][loop]
  std::vector<Visit> Visits;
  std::vector<uint64_t> Taken;
  llvm::DenseMap<uint64_t, uint32_t> VisitNumbers, RequestNumbers;
  std::vector<Request> Requests;
  uint32_t FirstRequest = None;
  std::vector<uint64_t> Addresses;        ///< [request][lane]
  std::vector<ConditionCount> Conditions; ///< [instruction]
  /// By instruction: [visit] takes the slow path.
  llvm::DenseMap<unsigned, llvm::BitVector> SpecialDivisions;
  std::vector<uint64_t> Dropped; ///< [instruction] by lanes in kept blocks
  std::vector<uint64_t> Beyond;  ///< [block] lanes that were only counted
};

/// The traced warps of a thread block while it executes.
struct TracedBlock {
  uint64_t Linear = 0;
  unsigned Lanes = 32;
  const DeviceAllocations *Memory = nullptr;
  bool Checks = true; ///< wrong accesses end the launch
  /// Nothing but the trace matters: the launch ends also with an access behind
  /// the end of an allocation that would do no harm.
  bool IsSampleOnly = false;
  std::vector<std::unique_ptr<WarpTrace>> Warps; ///< null: not sampled
  std::vector<uint64_t> CountsOfOthers; ///< [block of code] nobody reads it
  /// [instruction] memory that the last access was in.
  std::vector<std::pair<uint64_t, uint64_t>> LastRange;
};

/// Samples the warps of a launch and sums their counts. Thread-safe.
class TraceRecorder {
public:
  /// With WholeBlocks, all warps of a sampled thread block are traced.
  TraceRecorder(const TracedCode &Code, const ExecutionRequest &Request,
                unsigned Lanes, bool WholeBlocks);
  /// Linear indices of the blocks with sampled warps. Those of any first part
  /// are spread over the grid: they have the order of the reversed bits of
  /// their number.
  std::vector<uint64_t> sampledBlocks() const;
  /// Null if no warp of the block is sampled.
  std::unique_ptr<TracedBlock> start(uint64_t Linear,
                                     const DeviceAllocations &Memory);
  void end(const TracedBlock &B, uint64_t SharedBase, uint64_t SharedBytes,
           const DeviceAllocations &Memory);
  RunTrace take(std::string StopReason);

private:
  struct SampledWarp {
    unsigned Warp;
    double Weight;
  };
  const TracedCode &Code;
  const ExecutionRequest &Request;
  unsigned WarpsPerBlock, Lanes;
  llvm::DenseMap<uint64_t, llvm::SmallVector<SampledWarp, 2>> Sampled;
  std::mutex Lock; ///< of the rest
  RunTrace Trace;
  std::optional<ReuseTrace> Reuse;
};

} // namespace gpuestimate

#endif
