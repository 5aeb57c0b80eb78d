/// \file
/// What `#pragma unroll` demands of loops with a constant trip count, done from
/// the inside out and with a cleanup between the levels of a nest. LLVM's own
/// pass unrolls a whole nest first: addresses and private arrays that a cleanup
/// removes count against its limit, and nests that nvcc lays out stay loops.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_UNROLL_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_UNROLL_H

namespace llvm {
class Loop;
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuestimate {

/// Instructions of an unrolled loop, address arithmetic left out, beyond which
/// compilers refuse the demand: LLVM's default of -pragma-unroll-threshold.
/// nvcc's builds of ktt-convolution (three instructions for each of 225 filter
/// weights and output) share all loads up to 21 outputs of a thread, 14 200
/// instructions, and no longer from 24 on, 16 200.
inline constexpr unsigned MostUnrolled = 16 * 1024;

/// Does the source want L unrolled, as far as that can be?
bool wantsUnrolling(const llvm::Loop &L);

/// Unrolls wherever wantsUnrolling() says so and MostUnrolled allows it; the
/// demand is dropped where the trip count is no constant. A module without such
/// loops is not changed. TM may be null.
void unrollOnDemand(llvm::Module &M, llvm::TargetMachine *TM);

} // namespace gpuestimate

#endif
