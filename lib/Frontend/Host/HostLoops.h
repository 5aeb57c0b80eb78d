/// \file
/// Loops of the host around a launch: how often they run it, and with which
/// values of their variables.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTLOOPS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTLOOPS_H

#include "HostValues.h"
#include "gpu-estimate/Model/Kernel/Launch.h"

namespace gpuestimate {

struct LoopInFrame {
  const Scope *Loop = nullptr;
  const Frame *In = nullptr;
};

/// What decides whether and how often a position is reached, through all the
/// calls that lead to it.
struct Surroundings {
  std::vector<LoopInFrame> Loops;    ///< outermost first
  std::vector<LoopInFrame> Branches; ///< those with a condition
};
Surroundings surroundings(const Frame &F, Position At);

/// Fills Site.Repeats, Variants and Ranges. Used: the parameters of the site's
/// expressions. A branch that cannot be decided counts as taken.
void describeLoops(HostValues &Values, const Surroundings &Around,
                   const std::vector<std::string> &Used, LaunchSite &Site);

} // namespace gpuestimate

#endif
