/// \file
/// One kernel of a translation unit, from its IR to explained predictions.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_KERNELANALYSIS_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_KERNELANALYSIS_H

#include "SizeTable.h"
#include "gpu-estimate/Evaluate/Models/QuantitativeRoofline.h"
#include "gpu-estimate/Session/Pipeline/KernelPipeline.h"
#include "gpu-estimate/Session/Pipeline/LaunchPipeline.h"
#include "gpu-estimate/Session/Pipeline/Setup.h"
#include "gpu-estimate/Session/Plan/RecordedPlans.h"
#include <map>

namespace gpuestimate {

/// What is analysed of one kernel.
struct AnalysedKernel {
  KernelReading Reading;
  NestVariants Variants;
  size_t KernelsOfFile; ///< that share the work on what-ifs with this one
};

class KernelAnalysis {
public:
  /// Into collects results. Resolver: null if nothing is emulated; used by
  /// run() only. The arguments stay owned by the caller.
  KernelAnalysis(const Setup &S, const AnalysedKernel &Analysed,
                 llvm::ArrayRef<GpuModel> Gpus, const UnknownResolver *Resolver,
                 Analysis &Into);

  /// Before: the analysis of the kernel that this one follows (KernelModel::
  /// Follows), or null.
  llvm::Error run(const KernelAnalysis *Before = nullptr);

  const KernelModel &kernel() const { return Kernel; }

private:
  /// Alike: GPUs for which the launches are the same.
  llvm::Error runOn(llvm::ArrayRef<GpuModel> Alike);
  /// The launches of Setup::Launches that are of this kernel; sets Recorded.
  llvm::ArrayRef<const RecordedLaunch *> findRecorded();
  RecordedTime recordedTime(const RecordedLaunch &L) const;
  /// Sets Plans.
  void planOn(const GpuModel *Gpu);
  /// Sets Profile. Errors: what the profile lacks of this kernel.
  llvm::Error readProfile();
  LaunchEvaluators &evaluatorsOn(const GpuModel &Gpu);
  EvaluateOptions optionsOn();
  /// One launch on one GPU. Plan: its place in Plans.
  llvm::Error analyse(size_t Plan, const GpuModel &Gpu);
  /// False: a report is about one launch, whatever it is.
  bool hasTables() const;
  /// Curve: of the time over an unknown size, whose last point L is. WhyNoTime:
  /// why L has no time although it can be evaluated, or "".
  void estimate(size_t Plan, const BoundLaunch &L, const GpuModel &Gpu,
                std::optional<SizeCurve> Curve, const std::string &WhyNoTime);
  void compareModels(const BoundLaunch &L, const GpuModel &Gpu);
  /// Adds the text of --dump.
  void dump(const BoundLaunch &L, const GpuModel &Gpu);
  void addCharts(ExplainedPrediction &E, const BoundLaunch &L,
                 const GpuModel &Gpu);
  /// Several launches stand for the loop around a nest of plain C. What is
  /// worth changing is looked for once, where the loop spends most of its time.
  bool isOfLoop(const LaunchPlan &Plan) const;
  void findInLoops();
  /// Names the kernel with the reason: an impossible launch, or a model that
  /// refuses.
  void noEstimate(const GpuModel &Gpu, const LaunchPlan &Plan,
                  std::string Reason, bool Refused);
  /// The work of the kernel has passed a limit.
  void limitPassed(const GpuModel &Gpu, const LaunchPlan &Plan);
  /// Other ways to run a plan, for advice. IsKnown: the launch is.
  Alternatives alternatives(size_t Plan, bool IsKnown) const;

  const Setup &S;
  const AnalysedKernel &Analysed;
  const KernelSettings &Settings;
  const KernelModel &Kernel;
  llvm::ArrayRef<const LaunchSite *> Sites;
  llvm::ArrayRef<GpuModel> Gpus;
  const UnknownResolver *Resolver;
  Analysis &Into;
  const KernelAnalysis *Before = nullptr;
  LaunchInputs Inputs;
  KernelCopies Copies;
  std::vector<const RecordedLaunch *> Recorded; ///< of Setup::Launches
  std::vector<LaunchPlan> Plans; ///< one for each of Recorded, if there are any
  std::string DumpedFor;   ///< openSizesText() of the launch that is dumped
  ReferenceTime Reference; ///< of the model that asks for one
  std::optional<ProfileCounters> Profile; ///< of Setup::Profiles
  std::map<std::string, LaunchEvaluators> ByGpu;
  /// Estimates of loops without findings so far.
  struct Unexplained {
    size_t Plan;
    BoundLaunch Launch;
    const GpuModel *Gpu;
    size_t Estimate; ///< index in Into.Estimates
  };
  std::vector<Unexplained> OfLoops;
};

} // namespace gpuestimate

#endif
