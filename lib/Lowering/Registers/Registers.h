/// \file
/// Registers per thread by live-range pressure on the IR.
#ifndef GPU_ESTIMATE_LIB_LOWERING_REGISTERS_REGISTERS_H
#define GPU_ESTIMATE_LIB_LOWERING_REGISTERS_REGISTERS_H

#include "Lowering/Selection/Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

struct RegisterNeed {
  unsigned InOrder = 0; ///< instructions in the order of the IR
  unsigned Least = 0;   ///< in an order that keeps few values alive
};

/// The most 32-bit values alive at once, plus what unrolled loops load ahead
/// and a constant. Which of the two a compiler comes to on a GPU, and what the
/// launch bounds leave of it, is for registersOn() to say. The constants are
/// fitted to what ptxas uses for the examples (test/data/ptxas_examples.csv);
/// the mean error there is a test's bound.
RegisterNeed
estimateRegisters(KernelAnalyses &A, const Plan &P, llvm::Function &F,
                  llvm::function_ref<unsigned(const llvm::Loop *)> UnrollOf);

} // namespace gpuestimate

#endif
