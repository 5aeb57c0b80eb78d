/// \file
/// What a launch takes of the GPU: time, and a share of it.
#ifndef GPU_ESTIMATE_TIMELINE_LAUNCHCOST_H
#define GPU_ESTIMATE_TIMELINE_LAUNCHCOST_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// A kernel launch or a priced library call when it runs alone.
struct LaunchCost {
  double Ns = 0; ///< start to end on the GPU, launch.latency included
  /// Part of the GPU that the launch fills, 0 to 1. Launches run side by side
  /// while their shares fit.
  double Share = 1;
};

/// The share is the largest of
///
///   min(1, waves)                  places for thread blocks
///   t_chip / t                     of L2, DRAM, ...: the most used resource
///   t_sm / t * min(1, blocks/SMs)  of pipes, L1, shared memory, ...
///
/// where t is the time of execution, and t_r the time that the work keeps
/// resource r busy (Prediction::Bounds). For example, a launch of half a wave
/// that DRAM bounds leaves nothing to another one that needs DRAM: share 1.
LaunchCost launchCost(const Prediction &P, const GpuModel &Gpu);

} // namespace gpuestimate

#endif
