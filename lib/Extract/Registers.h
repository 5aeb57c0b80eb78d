/// \file
/// Registers per thread by live-range pressure on the IR.
#ifndef GPU_ESTIMATE_LIB_EXTRACT_REGISTERS_H
#define GPU_ESTIMATE_LIB_EXTRACT_REGISTERS_H

#include "Plan.h"

namespace gpuestimate {

/// The most 32-bit values alive at once in the order of the IR, plus what
/// addressing and software pipelining need on top, in the granularity of the
/// allocator and within what the launch bounds allow.
unsigned estimateRegisters(KernelAnalyses &A, const Plan &P, llvm::Function &F, unsigned MaxThreadsPerBlock,
                           unsigned MinBlocksPerSm);

} // namespace gpuestimate

#endif
