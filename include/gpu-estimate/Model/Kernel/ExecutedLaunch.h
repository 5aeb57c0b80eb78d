/// \file
/// What executed warps of a launch did, in terms of a kernel model. Whoever has
/// run the kernel fills it; Evaluate reads it in place of its own guesses of
/// what depends on data.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_EXECUTEDLAUNCH_H
#define GPU_ESTIMATE_MODEL_KERNEL_EXECUTEDLAUNCH_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate {

/// How one warp walked the tree.
struct ExecutedWarp {
  double Weight = 1;         ///< warps of the launch that it stands for
  unsigned SampledBlock = 0; ///< number of its thread block
  /// [block], [loop] executions and entries for each execution of the
  /// enclosing body.
  std::vector<double> BlockShare, LoopShare;
  std::vector<double> LoopTrips; ///< [loop] iterations for each entry
};

struct ExecutedLaunch {
  /// Sizes of the model that it is about: a changed copy (for advice) has
  /// others.
  size_t Blocks = 0, Loops = 0, Accesses = 0;
  /// Empty where some of what they did was decided by data that nobody gave.
  std::vector<ExecutedWarp> Warps;
  /// [access] some requests of those whose addresses depend on data that was
  /// given: [lane] bytes from the start of the object, NaN of idle lanes.
  std::vector<std::vector<std::vector<double>>> Requests;

  /// Kernel may have accesses behind those of the model (spilled registers).
  bool isAbout(const KernelModel &Kernel) const {
    return Kernel.Blocks.size() == Blocks && Kernel.Loops.size() == Loops &&
           Kernel.Accesses.size() >= Accesses;
  }
};

} // namespace gpuestimate

#endif
