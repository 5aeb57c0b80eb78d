/// \file
/// Findings about a prediction, and remedies with their predicted gain.
/// Findings follow from the numbers of the prediction, not from patterns in the
/// source. Each remedy changes one thing in a copy of the kernel model (an
/// access becomes coalesced, an address free of bank conflicts, data are tiled
/// into shared memory), evaluates the copy, and reports the predicted gain.
/// docs/diagnostics/ has a page on each group.
#ifndef GPU_ESTIMATE_ADVICE_ADVICE_H
#define GPU_ESTIMATE_ADVICE_ADVICE_H

#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Model/Result/Analysis.h"

namespace gpuestimate {

class KernelEvaluator; // Evaluate/Evaluator/KernelEvaluator.h

/// Other launches of a kernel that the source allows.
struct Alternatives {
  /// Launches of equal work with blocks of other shapes; empty if the grid does
  /// not depend on the block.
  std::vector<LaunchWithArguments> Shapes;
  /// The kernel that runs directly before this one over the same variables;
  /// null: none.
  const KernelModel *Before = nullptr;
  LaunchWithArguments BeforeLaunch;
};

/// Returns the findings about one evaluated kernel, group by group, the most
/// expensive place of a group first. The arguments after Base are those that
/// Base was evaluated with. Predictions of other models than the default one
/// have no findings. Evaluator evaluates the kernel on the GPU with these
/// options for other launches; null: findCosts makes one.
std::vector<Finding> findCosts(const Prediction &Base,
                               const KernelModel &Kernel, const GpuModel &Gpu,
                               const Launch &L, const Bindings &Values,
                               const EvaluateOptions &Options,
                               const Alternatives &Other = {},
                               KernelEvaluator *Evaluator = nullptr);

/// Describes a `bottleneck` value as the end of a sentence ("the bandwidth of
/// DRAM"); an unknown value describes itself.
llvm::StringRef describeBottleneck(llvm::StringRef Name);

} // namespace gpuestimate

#endif
