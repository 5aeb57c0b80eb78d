/// \file
/// Launches for commands that compare them, with a value for each unknown size
/// (docs/unknown-sizes.md, "Commands that compare launches").
#ifndef GPU_ESTIMATE_SESSION_PLAN_OPENSIZES_H
#define GPU_ESTIMATE_SESSION_PLAN_OPENSIZES_H

#include "gpu-estimate/Model/Result/OpenSize.h"
#include "gpu-estimate/Session/Plan/LaunchPlan.h"

namespace gpuestimate {

/// What the command itself gives to each launch.
struct GivenByCommand {
  bool Grid = false, Block = false;
};

/// planLaunches() with each size that is not known at a place of its table.
/// Sizes: those sizes, each name once, are added to it.
std::vector<LaunchPlan> planLaunchesAt(SizePlace Place,
                                       const LaunchInputs &Inputs,
                                       llvm::ArrayRef<const LaunchSite *> Sites,
                                       GivenByCommand Given,
                                       std::vector<OpenSize> &Sizes);

/// planLaunchesAt() for one plan.
LaunchPlan planAt(SizePlace Place, const LaunchPlan &Plan, GivenByCommand Given,
                  std::vector<OpenSize> &Sizes);

/// Finds LaunchInputs::Roles, so that not every plan has to.
void findRoles(LaunchInputs &Inputs);

} // namespace gpuestimate

#endif
