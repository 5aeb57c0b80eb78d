/// \file
/// Runs a function in a forked copy of this process, with limits.
#ifndef GPU_ESTIMATE_SUPPORT_CHILDPROCESS_H
#define GPU_ESTIMATE_SUPPORT_CHILDPROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>
#include <cstdint>
#include <string>

namespace gpuestimate {

struct ChildLimits {
  /// Processor time of the child.
  std::chrono::milliseconds CpuTime = std::chrono::hours(24);
  /// Wall-clock time: the last resort for a child that waits.
  std::chrono::milliseconds WallTime = std::chrono::hours(24);
  /// Address space that the child may allocate beyond that of this process.
  uint64_t MemoryBytes = UINT64_MAX;
};

/// How the child ended, and what it returned.
struct ChildResult {
  enum Ending {
    Finished,
    OutOfTime,   ///< CpuTime or WallTime was passed
    OutOfMemory, ///< an allocation failed
    Crashed,     ///< it ended by a signal, or by an exit of its own
    NotStarted,  ///< the system gave no process or no pipe
  };
  Ending How = NotStarted;
  std::string Output; ///< result of Work; only of a Finished child
  int Signal = 0;     ///< of a Crashed child; 0: it called exit
};

/// Calls Work in a forked copy of this process and returns its text. Changes of
/// memory are lost with the copy: no crash, leak or endless loop of Work
/// reaches this process. Files that Work writes stay. The child's standard
/// output and standard error are discarded.
///
/// The process must have one thread, because a fork copies only the one that
/// calls it.
ChildResult runInChild(llvm::function_ref<std::string()> Work,
                       const ChildLimits &Limits);

/// Processor time that this process has taken so far, all threads together.
std::chrono::milliseconds processCpuTime();

} // namespace gpuestimate

#endif
