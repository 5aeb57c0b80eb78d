/// \file
/// The ways that the sampled warps take, as few as are worth timing.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_WARP_WARPPATHS_H
#define GPU_ESTIMATE_LIB_EVALUATE_WARP_WARPPATHS_H

#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// Sum of a value of each basic block over the executions of one warp.
double sumOverPath(const KernelModel &Kernel, const WarpPath &Path,
                   llvm::function_ref<double(unsigned Block)> Value);

/// Equal paths are one class; where more than the wanted number differ, their
/// quantiles by executed operations stand for them.
struct PathClasses {
  /// [class] index of a path, the shortest first.
  std::vector<unsigned> Paths;
  std::vector<unsigned> Class;    ///< [path] its class
  std::vector<double> Operations; ///< [path] that one of its warps executes
};
PathClasses classifyPaths(const KernelModel &Kernel,
                          llvm::ArrayRef<WarpPath> Paths, unsigned MaxClasses);

} // namespace gpuestimate

#endif
