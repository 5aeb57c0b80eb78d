/// \file
/// Control flow of a launch whose branches and trip counts depend on data, from
/// the warps of it that were executed.
///
/// The abstract execution of WarpSampler knows the probability with which a
/// lane takes a branch, and takes the lanes of a warp to be independent: a
/// branch of probability p is executed by 1 - (1 - p)^32 of the warps. Data are
/// seldom so: neighbouring elements are alike, or a flag belongs to a whole
/// row. Two counts of an execution say how the lanes go together: the
/// executions of a block by warps, and the lanes of one execution.
///
/// Example: a branch with p = 1/32 is executed by 64% of the warps if the lanes
/// are independent, and by 3% if whole warps take it.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_EXECUTEDFLOW_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_EXECUTEDFLOW_H

#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"

namespace gpuestimate {

/// The executed warps as paths. They do not wait: WaitCycles are those of each.
std::vector<WarpPath> executedPaths(const ExecutedLaunch &Executed,
                                    llvm::ArrayRef<double> WaitCycles);

/// Executions of each block by one warp that takes the path.
std::vector<double> executions(const KernelModel &Kernel, const WarpPath &Path);

class ExecutedFlow {
public:
  /// Executed: null, or about a kernel of another shape, where nothing is
  /// known.
  ExecutedFlow(const KernelModel &Kernel, const ExecutedLaunch *Executed);

  /// Whether the executions of some block depend on data and are known.
  explicit operator bool() const { return Executed; }
  /// Mean active lanes of one execution of a block whose executions depend on
  /// data; nullopt for another block.
  std::optional<double> lanes(unsigned Block) const;

  /// Replaces the paths of the sample, and scales what was sampled of each
  /// block that depends on data to the executions that were counted.
  void applyTo(LaunchSample &Sample, const GpuModel &Gpu,
               const Launch &L) const;

private:
  const KernelModel &Kernel;
  const ExecutedLaunch *Executed = nullptr;
  /// [block], [loop]
  std::vector<bool> BlockDependsOnData, LoopDependsOnData;
};

} // namespace gpuestimate

#endif
