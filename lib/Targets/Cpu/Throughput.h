/// \file
/// Computes cycles of assembly text with llvm-mca's library.
#ifndef GPU_ESTIMATE_LIB_TARGETS_CPU_THROUGHPUT_H
#define GPU_ESTIMATE_LIB_TARGETS_CPU_THROUGHPUT_H

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <string>
#include <vector>

namespace gpuestimate {

struct BlockThroughput {
  double Cycles = 0; ///< of one repetition, in the steady state
  unsigned Instructions = 0;
};

/// An outer loop's own instructions and an inner loop's, as indices of texts.
struct LoopPair {
  size_t Outer = 0, Inner = 0;
};

/// Returns the cycles of each of Texts when it is repeated forever. A text
/// holds instructions, one per line, in the syntax that Machine prints. Empty
/// ones take none.
llvm::Expected<std::vector<BlockThroughput>>
measureThroughput(const llvm::TargetMachine &Machine,
                  llvm::ArrayRef<std::string> Texts);

/// For each pair, the cycles of one outer iteration with 1, 2, 4, ... inner
/// ones, in the steady state: a core begins the next outer iteration before it
/// has ended this one, as far as both are in its reorder buffer. The series
/// ends when the inner iterations fill twice that buffer. Empty if the outer
/// loop has no instructions of its own, or if either loop calls a function,
/// which the simulation cannot follow.
llvm::Expected<std::vector<std::vector<double>>>
measureNested(const llvm::TargetMachine &Machine,
              llvm::ArrayRef<std::string> Texts,
              llvm::ArrayRef<LoopPair> Pairs);

} // namespace gpuestimate

#endif
