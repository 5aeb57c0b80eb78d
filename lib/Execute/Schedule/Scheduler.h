/// \file
/// Runs the thread blocks of a launch on the cores of this machine.
///
/// A worker is one thread of this process. It runs the fibers of its blocks in
/// turn; a fiber gives up its turn when its GPU thread waits, or the threads of
/// its vector. A block whose threads never wait for each other has one fiber
/// for all of its threads.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_SCHEDULER_H
#define GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_SCHEDULER_H

#include "CodeMap.h"
#include "Execute/Device/ThreadContext.h"
#include "gpu-estimate/Execute/Executor.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <mutex>

namespace gpuestimate {

class TraceRecorder;

/// One of the forms in which a kernel is compiled.
struct KernelForm {
  HostKernelFunction Function = nullptr; ///< null: there is none
  unsigned Threads = 1;    ///< of a vector; 1: they execute one by one
  bool Waits = false;      ///< do threads, or vectors, wait for each other?
  uint64_t StackBytes = 0; ///< of a fiber

  explicit operator bool() const { return Function; }
  bool usesVectors() const { return Threads > 1; }
  /// Threads that one fiber of a block executes.
  unsigned threadsOfFiber(uint64_t ThreadsOfBlock) const {
    return Waits ? Threads : unsigned(ThreadsOfBlock);
  }
};

/// What CUDA's driver keeps for a cooperative launch. The cooperative groups of
/// its SDK find it by environment registers, and count blocks in it.
struct GridWorkspace {
  uint32_t Bytes = sizeof(GridWorkspace), Barrier = 0;
};

/// A launch that executes, as all workers see it.
struct RunningLaunch {
  KernelForm Plain;
  /// The same kernel with calls of the recorder, for a trace.
  KernelForm Traced;
  /// The kernel's vector form, for blocks that are not traced nor checked.
  KernelForm Vectors;
  uint64_t StaticSharedBytes = 0;
  uint64_t SharedAlignment = 1; ///< of the variables in shared memory
  unsigned Lanes = 32;          ///< of a warp
  const ExecutionRequest *Request = nullptr;
  const CodeMap *Code = nullptr;
  DeviceAllocations *Memory = nullptr;
  GridWorkspace *Workspace = nullptr; ///< of a cooperative launch
  bool OpensGranules = false;         ///< ExecuteOptions::OpensGranules
  TraceRecorder *Recorder = nullptr;
  bool Checks = true;
  /// The same kernel with calls of the RaceDetector, for the first
  /// CheckedBlocks; none if this launch is not searched.
  KernelForm Checked;
  uint64_t CheckedBlocks = 0;
  bool RacesWithinWarps = false;
  /// Accesses of a block that are searched.
  uint64_t MaxCheckedAccesses = UINT64_MAX;
  llvm::ArrayRef<SharedVariable> SharedVariables;

  /// Linear indices of the blocks to execute, in order; all if empty.
  std::vector<uint64_t> Blocks;
  std::atomic<uint64_t> NextBlock = 0;
  uint64_t EndBlock = UINT64_MAX; ///< of this run
  double SecondsSpent = 0;        ///< by earlier runs, of those of the request
  /// Threads that wait for the grid, the number of such waits that ended, and
  /// the threads that have not ended.
  std::atomic<uint64_t> AtGrid = 0, GridWaits = 0, LiveThreads = 0;

  /// Set when the launch ends early: every worker stops.
  std::atomic<bool> Stop = false;
  std::mutex Lock; ///< of the rest
  std::optional<RunFault> Fault;
  /// The fault is of some thread of a vector that begins with the one it names.
  bool FaultIsOfAnyLane = false;
  std::vector<RunFault> Races;
  llvm::StringSet<> *RacingLines = nullptr; ///< pairs that are known
  bool RaceSearchEnded = false; ///< in a block, after MaxCheckedAccesses
  std::string Unsupported;
  bool BudgetSpent = false;

  uint64_t blocks() const {
    return Blocks.empty()
               ? Request->Grid[0] * Request->Grid[1] * Request->Grid[2]
               : Blocks.size();
  }
  /// The form that most blocks execute.
  const KernelForm &ordinary() const { return Vectors ? Vectors : Plain; }
  /// Number of fibers, and of their stacks, that a block may need.
  unsigned maxFibers() const {
    uint64_t Max = 1;
    for (const KernelForm *F : {&ordinary(), &Traced, &Checked})
      if (*F)
        Max = std::max(Max,
                       llvm::divideCeil(threadsPerBlock(),
                                        F->threadsOfFiber(threadsPerBlock())));
    return unsigned(Max);
  }
  uint64_t stackBytes() const {
    return std::max(
        {ordinary().StackBytes, Traced.StackBytes, Checked.StackBytes});
  }
  uint64_t threadsPerBlock() const {
    return Request->Block[0] * Request->Block[1] * Request->Block[2];
  }
};

/// The workers of an executor, and what launches use one after the other:
/// stacks, shared memory, the thread that ends a launch whose time is over.
class Scheduler {
public:
  explicit Scheduler(unsigned Workers);
  ~Scheduler();
  /// Executes the blocks of a launch. Returns when all have ended, or when the
  /// launch stops early.
  void run(RunningLaunch &Launch);

private:
  class Implementation;
  std::unique_ptr<Implementation> Impl;
};

/// The functions that compiled code calls to wait, by name.
void addSchedulerFunctions(llvm::StringMap<void *> &Table);

} // namespace gpuestimate

#endif
