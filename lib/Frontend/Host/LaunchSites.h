/// \file
/// Comparison of launch sites.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_LAUNCHSITES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_LAUNCHSITES_H

#include "gpu-estimate/Model/Kernel/Launch.h"

namespace gpuestimate {

/// Sorted names of all parameters in the sizes and arguments of a site.
std::vector<std::string> parametersOf(const LaunchSite &Site);

/// A text that is equal for sites with equal sizes, arguments and variants.
std::string fingerprint(const LaunchSite &Site);

/// Adds the repetitions of New, which has the same fingerprint, to Old.
void addRepeats(LaunchSite &Old, const LaunchSite &New);

} // namespace gpuestimate

#endif
