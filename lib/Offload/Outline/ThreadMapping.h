/// \file
/// Distributes the iterations of a loop over the threads of a grid.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_THREADMAPPING_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_THREADMAPPING_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Blocks of a loop in the kernel.
struct ClonedLoop {
  llvm::BasicBlock *Predecessor, *Header, *Latch;
};

/// Maps a loop to the threads of dimension 0 (x), 1 (y) or 2 (z), in code whose
/// variables are still in memory. Each thread runs one iteration:
///
///   for (i = lo; i < hi; i += s) body
///   -> i = lo + s * index; if (i < hi) body
///
/// Strided: each thread runs every N-th iteration, N being the threads of the
/// grid:
///
///   -> i = lo + s * index; for (; i < hi; i += s * N) body
///
/// The loop's own condition is the guard of threads beyond its end. So the loop
/// may count down, its bounds may depend on outer counters, and its step may be
/// a variable. Original: the loop in the host function.
llvm::Error mapLoopToThreads(const llvm::Loop &Original,
                             const ClonedLoop &Clone, unsigned Dimension,
                             bool Strided);

} // namespace gpuestimate

#endif
