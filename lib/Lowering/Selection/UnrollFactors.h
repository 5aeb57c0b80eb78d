/// \file
/// How many copies of the body of a loop without a pragma the compilers lay
/// out.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_UNROLLFACTORS_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_UNROLLFACTORS_H

#include "InstructionSelection.h"

#include "Lowering/Control/Regions.h"

namespace gpuestimate {

/// Sets Loop::Unroll of M's loops without a pragma. The loops are those of LI,
/// with the operations that Selection gave them.
///
/// For NVIDIA two compilers unroll an innermost loop whose trip count is known
/// on entry (a constant step, no early exit). nvcc's front end makes 4 copies
/// of the body, or 2, that have at most 200 instructions of LLVM IR, 2 if the
/// body has a branch that is not predicated, and more of a constant trip count.
/// What is left is unrolled by ptxas: by 4 if it is small, has no branch and
/// ends by the test of a counter; not by that of a sum, as for x[i + 32 * j]
/// and for counters of 64 bits that begin at a constant. IsCompiled: F is PTX
/// or LLVM IR, whose loops are what a front end left of them, so that only
/// ptxas unrolls them.
///
/// Measured with nvcc 13.0 for sm_80: the loads in the loops of the PTX and of
/// the machine code, for 110 bodies of 0 to 24 loads and 0 to 100 other
/// instructions; ptxas alone gives the same for sm_75 and sm_86. The unit test
/// holds a sample. For AMD, whose compiler is LLVM as well, the limit of
/// instructions is taken to be that of nvcc's front end, for machine
/// instructions; the machine code corrects it where there is one
/// (MachineInstructions.h).
void setUnrollFactors(KernelModel &M, const llvm::LoopInfo &LI,
                      const Regions &R, const InstructionSelection &Selection,
                      const llvm::Function &F, bool IsCompiled);

} // namespace gpuestimate

#endif
