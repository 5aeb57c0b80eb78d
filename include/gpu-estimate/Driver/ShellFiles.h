/// \file
/// What only an installation has, made from the same tables as the help.
#ifndef GPU_ESTIMATE_DRIVER_SHELLFILES_H
#define GPU_ESTIMATE_DRIVER_SHELLFILES_H

#include <string>

namespace gpuestimate {

/// CMake variables for find_package(GpuEstimate).
std::string packageNames();

} // namespace gpuestimate

#endif
