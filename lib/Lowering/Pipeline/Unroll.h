/// \file
/// Full unrolling of loops with `#pragma unroll` and a constant trip count,
/// innermost loops first, with clean-up passes between the levels of a nest.
/// LLVM's own pass unrolls a whole nest first: addresses and private arrays
/// that a clean-up removes count against its limit, so that nests which nvcc
/// unrolls would stay loops.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_UNROLL_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_UNROLL_H

namespace llvm {
class Loop;
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuestimate {

/// Limit of instructions of an unrolled loop, without address arithmetic:
/// LLVM's default of -pragma-unroll-threshold. nvcc's builds of ktt-convolution
/// (three instructions for each of 225 filter weights and output) share all
/// loads up to 21 outputs of a thread, 14 200 instructions, and no longer from
/// 24 on, 16 200.
inline constexpr unsigned MaxUnrolledInstructions = 16 * 1024;

/// Does a pragma demand that L is unrolled?
bool hasUnrollPragma(const llvm::Loop &L);

/// Unrolls the loops with a pragma up to MaxUnrolledInstructions. Removes the
/// pragma where the trip count is not constant. A module without such loops
/// stays unchanged. TM may be null.
void unrollByPragma(llvm::Module &M, llvm::TargetMachine *TM);

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
