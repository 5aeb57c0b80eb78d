/// \file
/// Unrolling that prepares a kernel for what ptxas and the code generator do
/// later: sinking of what one side of a branch uses, and wide loads.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_UNROLL_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_UNROLL_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuestimate {

/// Unrolls the loops of constant trip count that only compute, from registers
/// and constant memory, what one side of a later branch uses. ptxas unrolls
/// them and then moves them to that side, where threads that do not take it
/// skip them; the sinking pass moves what is unrolled here. TM may be null.
void unrollToSink(llvm::Module &M, llvm::TargetMachine *TM);

/// Partially unrolls the innermost loops of constant trip count that walk
/// through shared memory word by word, by as many iterations as one 16-byte
/// load holds. Compilers unroll such a loop further, which is modelled; but
/// what the wide loads save, in instructions and in bank conflicts, depends on
/// alignment, which LLVM's vectoriser knows. TM may be null.
void unrollForWideLoads(llvm::Module &M, llvm::TargetMachine *TM);

} // namespace gpuestimate

#endif
