/// \file
/// Time of a launch around its execution.
///
/// Kleimenov & Popova 2021: time_launch = x1 * grid + x2 for a block size,
/// fitted on empty kernels. Starting blocks overlaps with running them once
/// the blocks do something, so x1 is a bound of the execution (Bounds.h,
/// "dispatch") and what is added is x2. A stream cannot start kernels faster
/// than LaunchInterval, so a shorter one still takes that long:
///
///   overhead = max(LaunchLatency, LaunchInterval - execution)
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCHTIME_H
#define GPU_ESTIMATE_EVALUATE_LAUNCHTIME_H

#include "gpu-estimate/GpuModel/GpuModel.h"
#include <algorithm>

namespace gpuestimate {

inline Seconds launchOverhead(const GpuModel &Gpu, Seconds Execution) {
  return std::max(Gpu.LaunchLatency, Gpu.LaunchInterval - Execution);
}

} // namespace gpuestimate

#endif
