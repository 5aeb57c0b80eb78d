/// \file
/// Launches of the points that `gpu-estimate tune` evaluates.
#ifndef GPU_ESTIMATE_LIB_SESSION_TUNE_TUNELAUNCHPLANNER_H
#define GPU_ESTIMATE_LIB_SESSION_TUNE_TUNELAUNCHPLANNER_H

#include "TuneBatch.h"

namespace gpuestimate {

/// Launches of the host code for one choice of arguments.
struct HostPlans {
  LaunchInputs In;
  std::vector<LaunchPlan> Plans;
};

/// Plans the launches of tuning points. Batch, Request and Gpu stay owned by
/// the caller.
class TuneLaunchPlanner {
public:
  TuneLaunchPlanner(const TuneBatch &Batch, const TuningRequest &Request,
                    const GpuModel &Gpu)
      : Batch(Batch), Request(Request), Inputs(Batch.Inputs) {
    Inputs.Gpu = &Gpu;
  }

  /// Parameters: as those of a TuningPoint.
  HostPlans base(llvm::ArrayRef<uint32_t> Parameters) const;
  /// Launches of the unchanged source; arguments of one value are set.
  HostPlans asWritten() const;
  /// Base with the changes of the point.
  llvm::Expected<std::vector<LaunchPlan>> plan(const HostPlans &Base,
                                               const TuningPoint &Point) const;

private:
  HostPlans planAll(LaunchInputs In) const;

  const TuneBatch &Batch;
  const TuningRequest &Request;
  LaunchInputs Inputs;
};

} // namespace gpuestimate

#endif
