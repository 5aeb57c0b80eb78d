/// \file
/// The instructions of a compiled kernel in place of those that its IR lets
/// expect.
#ifndef GPU_ESTIMATE_MODEL_TRANSFORM_MACHINEINSTRUCTIONS_H
#define GPU_ESTIMATE_MODEL_TRANSFORM_MACHINEINSTRUCTIONS_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate {

/// Makes the model of a kernel for an AMD GPU count the instructions of
/// Kernel.Res.Code, loop by loop: an iteration of the source in the machine
/// code against an iteration of the model, loops being the same if they begin
/// at the same place of the source. A loop that the machine code has unrolled
/// completely counts in the loop around it, as often as its trip count can be.
///
/// - Integer arithmetic, comparisons and moves become as many as the vector
///   instructions leave beside the floating-point operations, which both count
///   alike. Scalar instructions then cost nothing: a SIMD issues one of another
///   wavefront in the same cycle (AMD, "RDNA" whitepaper, 2019, "Compute unit":
///   instructions of different types issue together).
/// - Accesses that the compiler has merged (ds_read2, 128-bit loads) issue as
///   one; their bytes stay.
/// - Loops are unrolled as often as in the machine code.
///
/// Sets Kernel.Res.Code->WhyIr. The operations stay as they are if the loops of
/// the two do not correspond.
void takeMachineInstructions(KernelModel &Kernel);

} // namespace gpuestimate

#endif
