/// \file
/// Loops and branches of host code around a launch.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_ENCLOSINGLOOPS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_ENCLOSINGLOOPS_H

#include "HostAnalysis.h"
#include "gpu-estimate/Model/Kernel/Launch.h"

namespace gpuestimate {

/// A loop or a branch in one function of a chain of calls.
struct ScopeInFrame {
  const Scope *Region = nullptr;
  const CallFrame *Frame = nullptr;
};

/// The loops and branches that enclose a program point, through all calls that
/// lead to it. They decide whether and how often it is reached.
struct EnclosingRegions {
  std::vector<ScopeInFrame> Loops;    ///< outermost first
  std::vector<ScopeInFrame> Branches; ///< those with a condition
};
EnclosingRegions enclosingRegions(const CallFrame &Frame, ProgramPoint Point);

/// Fills Site.Repeats, Site.Variants and Site.Ranges. Used: the parameters of
/// the site's expressions. A branch with an unknown condition counts as taken.
void describeLoops(HostAnalysis &Host, const EnclosingRegions &Enclosing,
                   const std::vector<std::string> &Used, LaunchSite &Site);

} // namespace gpuestimate

#endif
