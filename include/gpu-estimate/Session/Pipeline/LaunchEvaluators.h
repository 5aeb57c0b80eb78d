/// \file
/// Evaluators of a kernel's copies on one GPU.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_LAUNCHEVALUATORS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_LAUNCHEVALUATORS_H

#include "gpu-estimate/Evaluate/Evaluator/EvaluationCache.h"
#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"
#include "gpu-estimate/Session/Pipeline/BoundLaunch.h"

namespace gpuestimate {

/// EvaluateOptions as the user's options say.
EvaluateOptions evaluateOptions(const Options &O);

/// One GPU with the conditions of evaluations. What does not depend on the
/// launch is computed once for each copy of the kernel, as far as it is among
/// the last ones. One object serves one thread at a time, and copies of kernels
/// of one ExprContext, which it must not outlive.
class LaunchEvaluators {
public:
  /// Gpu and what Options points to stay owned by the caller. Overrides: values
  /// of the GPU that the user has changed, as spelled ("dram.bandwidth=2TB/s").
  LaunchEvaluators(const GpuModel &Gpu, EvaluateOptions Options,
                   llvm::ArrayRef<std::string> Overrides = {});
  LaunchEvaluators(const LaunchEvaluators &) = delete;

  const GpuModel &gpu() const { return Gpu; }
  llvm::ArrayRef<std::string> overrides() const { return Overrides; }
  const EvaluateOptions &options() const { return Options; }
  /// The options with what was executed of the launch.
  EvaluateOptions options(const BoundLaunch &L) const;
  /// The evaluator of the launch's kernel. It lives until three other kernels
  /// were asked for.
  KernelEvaluator &of(const BoundLaunch &L);

private:
  struct Entry {
    std::shared_ptr<const KernelModel> Kernel;
    std::shared_ptr<const ExecutedLaunch> Executed;
    std::unique_ptr<KernelEvaluator> Evaluator;
  };
  static constexpr size_t MaxEntries = 4;

  const GpuModel &Gpu;
  EvaluationCache Memory;
  EvaluateOptions Options;
  std::vector<std::string> Overrides;
  std::deque<Entry> Recent; ///< the last ones first
};

} // namespace gpuestimate

#endif
