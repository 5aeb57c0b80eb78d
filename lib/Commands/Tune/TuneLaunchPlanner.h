/// \file
/// Launches of the points that `gpu-estimate tune` evaluates.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_TUNE_TUNELAUNCHPLANNER_H
#define GPU_ESTIMATE_LIB_COMMANDS_TUNE_TUNELAUNCHPLANNER_H

#include "TuneBatch.h"
#include "gpu-estimate/Session/Pipeline/LaunchPipeline.h"
#include "gpu-estimate/Session/Plan/OpenSizes.h"

namespace gpuestimate {

/// Plans the launches of tuning points. Batch, Request and Gpu stay owned by
/// the caller.
class TuneLaunchPlanner {
public:
  TuneLaunchPlanner(const TuneBatch &Batch, const TuningRequest &Request,
                    const GpuModel &Gpu);

  /// Where in their tables unknown sizes stand in the launches that follow.
  void setPlace(SizePlace To) { Place = To; }
  /// The unknown sizes of all launches of base() so far.
  llvm::ArrayRef<OpenSize> openSizes() const { return Sizes; }
  /// Launches of the host code with the arguments of a point.
  std::vector<LaunchPlan> base(const SpacePoint &Point);
  /// Launches of the unchanged source; arguments of one value are set. Open:
  /// its unknown sizes are added.
  std::vector<LaunchPlan> asWritten(std::vector<OpenSize> &Open);
  /// Launches of base() with the changes of the point.
  llvm::Expected<std::vector<BoundLaunch>>
  launches(std::vector<LaunchPlan> Plans, const SpacePoint &Point);
  std::vector<BoundLaunch> bindAll(std::vector<LaunchPlan> Plans);

private:
  std::vector<LaunchPlan> planAll(const LaunchInputs &In, GivenByCommand Given,
                                  std::vector<OpenSize> &Open);
  llvm::Error change(LaunchPlan &Plan, const SpacePoint &Point) const;

  const TuneBatch &Batch;
  const TuningRequest &Request;
  const GpuModel &Gpu; ///< one of those that the launches are for
  LaunchInputs Inputs;
  KernelCopies Copies;
  SizePlace Place = SizePlace::Middle;
  std::vector<OpenSize> Sizes;
};

} // namespace gpuestimate

#endif
