/// \file
/// Completions and man pages of an installation, made from the option tables.
#ifndef GPU_ESTIMATE_CLI_SHELLFILES_H
#define GPU_ESTIMATE_CLI_SHELLFILES_H

#include <string>

namespace gpuestimate {

/// The manual page gpu-estimate(1), in the macros of man(7).
std::string manPage();

/// Completion of commands, options, GPUs, models, groups of diagnostics and
/// files. GPUs are those of the shipped models when the file is written.
std::string bashCompletion();
std::string zshCompletion();
std::string fishCompletion();

/// CMake variables for find_package(GpuEstimate).
std::string packageNames();

} // namespace gpuestimate

#endif
