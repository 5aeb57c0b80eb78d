/// \file
/// Invariants of what executed warps have shown, for atBorder()
/// (Support/Invariants.h).
#ifndef GPU_ESTIMATE_MODEL_KERNEL_EXECUTEDCONSISTENCY_H
#define GPU_ESTIMATE_MODEL_KERNEL_EXECUTEDCONSISTENCY_H

#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"

namespace gpuestimate {

/// Executed is about Kernel; shares are fractions, no count is negative, and
/// the sectors that blocks share are some of those that they use.
std::string checkExecuted(const ExecutedLaunch &Executed,
                          const KernelModel &Kernel);

} // namespace gpuestimate

#endif
