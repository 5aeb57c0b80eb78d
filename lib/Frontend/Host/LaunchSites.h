/// \file
/// What launches of kernels and of loop nests have in common.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_LAUNCHSITES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_LAUNCHSITES_H

#include "gpu-estimate/Model/Kernel/Launch.h"

namespace gpuestimate {

/// Names of all parameters of the site's sizes and arguments, sorted.
std::vector<std::string> parametersOf(const LaunchSite &Site);

/// Equal for sites that evaluate alike.
std::string fingerprint(const LaunchSite &Site);

/// New, which evaluates like Old, happens as well.
void addRepeats(LaunchSite &Old, const LaunchSite &New);

} // namespace gpuestimate

#endif
