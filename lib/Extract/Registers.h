/// \file
/// Registers per thread by live-range pressure on the IR.
#ifndef GPU_ESTIMATE_LIB_EXTRACT_REGISTERS_H
#define GPU_ESTIMATE_LIB_EXTRACT_REGISTERS_H

#include "Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// The most 32-bit values alive at once in the order of the IR, plus what
/// unrolled loops load ahead and a constant. What a GPU and the launch bounds
/// leave of it is for registersOn() to say, which knows both. The constants are
/// fitted to what ptxas uses for the examples (test/data/ptxas_examples.csv);
/// the mean error there is a test's bound.
unsigned
estimateRegisters(KernelAnalyses &A, const Plan &P, llvm::Function &F,
                  llvm::function_ref<unsigned(const llvm::Loop *)> UnrollOf);

} // namespace gpuestimate

#endif
