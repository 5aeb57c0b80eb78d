/// \file
/// Counts what some warps of a launch execute (RunTrace in Run/Records.h).
#ifndef GPU_ESTIMATE_LIB_EXECUTE_TRACE_H
#define GPU_ESTIMATE_LIB_EXECUTE_TRACE_H

#include "CallLowering.h"
#include "gpu-estimate/Run/Records.h"
#include "llvm/ADT/DenseMap.h"
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

class TraceRecorder {
public:
  bool samplesBlock(uint64_t) const { return false; }
  void endBlock(uint64_t) {}
};

} // namespace gpuestimate

#endif
