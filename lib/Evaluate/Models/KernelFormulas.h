/// \file
/// Makes the formulas of a kernel (Model/Result/KernelFormulas.h).
///
///   time      TimeFormula.h
///   delay     sum of executions * Count * del.X; delay.P: of pipe P alone
///   mem       sum of executions * bytes of global, local, texture memory
///   uncoal_mem  the same over the accesses whose requests touch more sectors
///             than sequential access would
///   l1pct     sum over buffers B of mem(B) * l1.B / mem
///   l2pct     sum over buffers B of mem(B) * (1 - l1.B) * l2.B / mem
///   syncs     sum of executions * barriers
/// Executions of a basic block: product of the trip counts and conditions round
/// it. They are those of a thread; a warp executes what any of its lanes does.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_KERNELFORMULAS_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_KERNELFORMULAS_H

#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Model/Result/KernelFormulas.h"

namespace gpuestimate {

/// The formulas are those of the source and the classes of its instructions;
/// the parameters' values are those of In's GPU and launch.
KernelFormulas buildKernelFormulas(const ModelInputs &In);

} // namespace gpuestimate

#endif
