/// \file
/// One kernel of a translation unit, from its IR to explained predictions.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_KERNELANALYSIS_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_KERNELANALYSIS_H

#include "KernelSettings.h"
#include "NestComparison.h"
#include "Session/Plan/LaunchPlan.h"
#include "gpu-estimate/Advice/Advice.h"
#include "gpu-estimate/Evaluate/Evaluator/EvaluationCache.h"
#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"
#include "gpu-estimate/Evaluate/Models/QuantitativeRoofline.h"
#include "gpu-estimate/Resolve/UnknownResolver.h"
#include "gpu-estimate/Session/Pipeline/Setup.h"
#include <map>

namespace gpuestimate {

class KernelAnalysis {
public:
  /// Settings, Kernel, Variants and Resolver (null: nothing is emulated; used
  /// by run() only) stay owned by the caller; KernelsOfFile, the kernels that
  /// are analysed with this one, share the work on what-ifs; Into collects
  /// results.
  KernelAnalysis(const Setup &S, const KernelSettings &Settings,
                 llvm::ArrayRef<GpuModel> Gpus, const KernelModel &Kernel,
                 const NestVariants &Variants,
                 llvm::ArrayRef<const LaunchSite *> Sites,
                 const UnknownResolver *Resolver, size_t KernelsOfFile,
                 Analysis &Into);

  /// Before: the analysis of the kernel that this one follows (KernelModel::
  /// Follows), or null.
  llvm::Error run(const KernelAnalysis *Before = nullptr);

  const KernelModel &kernel() const { return Kernel; }

private:
  /// The kernel as a launch of it is evaluated: the values of resolved unknowns
  /// depend on the launch.
  struct Subject {
    const KernelModel &Kernel;
    const ExecutedLaunch *Executed;
    bool IsOfPlan; ///< other launches have another kernel
  };
  /// Alike: GPUs for which the launches are the same.
  llvm::Error runOn(llvm::ArrayRef<GpuModel> Alike,
                    const KernelAnalysis *Before);
  void evaluateOn(const GpuModel &Gpu, const Subject &Evaluated,
                  const LaunchPlan &Plan, const KernelAnalysis *Before);
  EvaluateOptions optionsOn(const GpuModel &Gpu, const Subject &Evaluated);
  /// Sets Profile. Errors: what the profile lacks of this kernel.
  llvm::Error readProfile();
  /// Several launches stand for the loop around a nest of plain C. What is
  /// worth changing is looked for once, where the loop spends most of its time.
  bool isOfLoop(const LaunchPlan &Plan) const;
  void findInLoops(const KernelAnalysis *Before);
  void compareOn(const GpuModel &Gpu, const Subject &Evaluated,
                 const LaunchPlan &Plan, const EvaluateOptions &Options);
  /// Adds the text of --dump.
  void dumpOn(const GpuModel &Gpu, const Subject &Evaluated,
              const LaunchPlan &Plan, const EvaluateOptions &Options);
  /// Names the kernel with the reason: an impossible launch, or a model that
  /// refuses.
  void noEstimate(const GpuModel &Gpu, const LaunchPlan &Plan,
                  std::string Reason, bool Refused);
  /// The work of the kernel has passed a limit.
  void limitPassed(const GpuModel &Gpu, const LaunchPlan &Plan);
  /// Other ways to run Plan, for advice.
  Alternatives alternatives(const LaunchPlan &Plan,
                            const KernelAnalysis *Before) const;

  const Setup &S;
  const KernelSettings &Settings;
  llvm::ArrayRef<GpuModel> Gpus;
  const KernelModel &Kernel;
  const NestVariants &Variants;
  llvm::ArrayRef<const LaunchSite *> Sites;
  const UnknownResolver *Resolver;
  size_t KernelsOfFile;
  Analysis &Into;
  LaunchInputs Inputs;
  std::vector<LaunchPlan> Plans;
  ReferenceTime Reference;                ///< of the model that asks for one
  std::optional<ProfileCounters> Profile; ///< of Setup::Profiles
  /// State that the launches on one GPU share.
  struct Shared {
    explicit Shared(const GpuModel &Gpu) : Memory(Gpu) {}
    EvaluationCache Memory;
    std::optional<KernelEvaluator> Evaluator; ///< unless unknowns are resolved
  };
  std::map<std::string, Shared> ByGpu;
  /// Estimates without findings so far.
  struct Unexplained {
    const LaunchPlan *Plan;
    const GpuModel *Gpu;
    size_t Estimate; ///< index in Into.Estimates
  };
  std::vector<Unexplained> OfLoops;
};

/// EvaluateOptions as the user's options say.
EvaluateOptions evaluateOptions(const Options &O);

} // namespace gpuestimate

#endif
