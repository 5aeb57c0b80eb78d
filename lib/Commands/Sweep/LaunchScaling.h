/// \file
/// The times of one launch at many clocks by the clusters of its GPU.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_SWEEP_LAUNCHSCALING_H
#define GPU_ESTIMATE_LIB_COMMANDS_SWEEP_LAUNCHSCALING_H

#include "gpu-estimate/Evaluate/Evaluator/LaunchAtClocks.h"
#include "gpu-estimate/Scaling/GpuClusters.h"
#include "gpu-estimate/Session/Plan/LaunchPlan.h"
#include <map>

namespace gpuestimate {

/// One time by each predictor.
struct ScaledTimes {
  Seconds Analytic, Clusters, Correction;

  /// The times if those at a measured point, At, are the measured ones.
  ScaledTimes through(Seconds Measured, const ScaledTimes &At) const {
    return {Measured * (Analytic / At.Analytic),
            Measured * (Clusters / At.Clusters),
            Measured * (Correction / At.Correction)};
  }

  Seconds by(ScalingMethod Method) const {
    return Method == ScalingMethod::Analytic   ? Analytic
           : Method == ScalingMethod::Clusters ? Clusters
                                               : Correction;
  }
};

/// The clocks in MHz; those of Gpu where Memory is not given.
ClockPoint clockPoint(const GpuModel &Gpu, Hertz Core,
                      std::optional<Hertz> Memory);

/// "802 to 1380 MHz of core clock at 877 MHz of memory clock"
std::string describeRange(const ClusterTable &Table);

class LaunchScaling {
public:
  /// References stay owned by the caller. By made Launch of Plan. Counters:
  /// features of a profile, for the tables that want them.
  LaunchScaling(const GpuClusters &Clusters, KernelEvaluator &By,
                LaunchAtClocks &Launch, const LaunchPlan &Plan,
                const EvaluateOptions &Options, NamedFeatures Counters);

  /// Analytic: the time at these clocks. Errors: a base point at which the
  /// launch cannot be predicted.
  llvm::Expected<ScaledTimes> at(Hertz Core, std::optional<Hertz> Memory,
                                 Seconds Analytic);

private:
  /// The launch at the base point of one table.
  struct AtTable {
    Seconds Base;
    ClockFactors Clusters, Correction;
  };
  llvm::Expected<const AtTable *> atTable(const ClusterTable &Table);
  llvm::Expected<Seconds> analytic(ClockPoint Point);

  const GpuClusters &Clusters;
  KernelEvaluator &By;
  LaunchAtClocks &Launch;
  const LaunchPlan &Plan;
  const EvaluateOptions &Options;
  NamedFeatures Counters;
  std::map<const ClusterTable *, AtTable> Known;
};

} // namespace gpuestimate

#endif
