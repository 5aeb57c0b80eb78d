/// \file
/// Why a prediction is what it is, and what would change it. Findings come from
/// the numbers of the prediction, not from patterns in the source, and advice
/// is not a rule of thumb: each remedy changes one thing in a copy of the
/// kernel model (an access made coalesced, an address free of bank conflicts, a
/// tile in shared memory), evaluates the copy, and reports the gain that the
/// model then predicts. docs/diagnostics/ has a page on each group.
#ifndef GPU_ESTIMATE_ADVICE_EXPLAIN_H
#define GPU_ESTIMATE_ADVICE_EXPLAIN_H

#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Model/Result/Analysis.h"

namespace gpuestimate {

class KernelEvaluator; // Evaluate/Evaluator/KernelEvaluator.h

/// A launch with the values of its arguments.
struct PlannedLaunch {
  Launch Used;
  Bindings Values;
};

/// What else the source would allow.
struct Alternatives {
  /// The same work in blocks of other shapes; empty where the grid does not
  /// follow the block.
  std::vector<PlannedLaunch> Shapes;
  /// The kernel that runs right before, over the same variables; null: none.
  const KernelModel *Before = nullptr;
  PlannedLaunch BeforeLaunch;
};

/// What costs time in one evaluated kernel, group by group, the worst place of
/// a group first. The arguments after Base are those that made it. Nothing is
/// found for a prediction of another model than the default one.
/// Same: of the kernel on the GPU with these options, asked for other launches;
/// null: one is made.
std::vector<Finding> findCosts(const Prediction &Base,
                               const KernelModel &Kernel, const GpuModel &Gpu,
                               const Launch &L, const Bindings &Values,
                               const EvaluateOptions &Options,
                               const Alternatives &Other = {},
                               KernelEvaluator *Same = nullptr);

/// What a `bottleneck` value means, as the end of a sentence ("the bandwidth
/// of DRAM"); the value itself where it has no longer name.
llvm::StringRef describeBottleneck(llvm::StringRef Name);

} // namespace gpuestimate

#endif
