/// \file
/// Registers per thread by live-range pressure on the IR.
#ifndef GPU_ESTIMATE_LIB_LOWERING_REGISTERS_REGISTERS_H
#define GPU_ESTIMATE_LIB_LOWERING_REGISTERS_REGISTERS_H

#include "Lowering/Selection/InstructionSelection.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// Does the driver link a function of this name into every module?
bool isProvidedByDriver(llvm::StringRef Name);

/// Registers per thread.
struct RegisterEstimate {
  unsigned UnscheduledCount = 0; ///< in the order of the IR
  unsigned ScheduledCount = 0;   ///< in a list schedule for low pressure
};

/// The maximum over basic blocks of simultaneously live 32-bit values, with
/// those that the copies of an unrolled loop load ahead, plus a constant. The
/// first count is what a compiler takes that has registers to spare.
/// registersOn() decides which of the two estimates a compiler reaches on a
/// GPU, under the launch bounds. The constants are fitted to the registers that
/// ptxas uses for the examples (test/data/ptxas_examples.csv); a test bounds
/// the mean error there.
RegisterEstimate
estimateRegisters(KernelAnalyses &A, const InstructionSelection &P,
                  llvm::Function &F,
                  llvm::function_ref<unsigned(const llvm::Loop *)> UnrollOf);

} // namespace gpuestimate

#endif
