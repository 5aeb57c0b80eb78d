/// \file
/// Loops of the host around a launch: how often they run it, and with which
/// values of their variables.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOSTLOOPS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOSTLOOPS_H

#include "HostValues.h"
#include "gpu-estimate/KernelModel/Launch.h"

namespace gpuestimate {

struct LoopInFrame {
  const Scope *Loop = nullptr;
  const Frame *In = nullptr;
};

/// The loops around a position and around the calls that lead to it,
/// outermost first.
std::vector<LoopInFrame> loopsAround(const Frame &F, Position At);

/// Fills Site.Repeats, Variants and Ranges. Used: the parameters of the site's
/// expressions.
void describeLoops(HostValues &Values, llvm::ArrayRef<LoopInFrame> Nest,
                   const std::vector<std::string> &Used, LaunchSite &Site);

} // namespace gpuestimate

#endif
