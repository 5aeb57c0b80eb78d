/// \file
/// Assembly text to cycles, by llvm-mca's library.
#ifndef GPU_ESTIMATE_LIB_HOSTCODE_THROUGHPUT_H
#define GPU_ESTIMATE_LIB_HOSTCODE_THROUGHPUT_H

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <string>
#include <vector>

namespace gpuestimate {

struct BlockThroughput {
  double Cycles = 0; ///< of one repetition, in the steady state
  unsigned Instructions = 0;
};

/// Each of Texts holds instructions, one a line, in the syntax that Machine
/// prints; repeated forever each takes the result's cycles. Empty ones take
/// none.
llvm::Expected<std::vector<BlockThroughput>>
measureThroughput(const llvm::TargetMachine &Machine,
                  llvm::ArrayRef<std::string> Texts);

} // namespace gpuestimate

#endif
