/// \file
/// `.gpu-estimate.yaml`: what a project says once instead of on every command
/// line. Its scalar keys are those of the option table; `launch` is a list of
/// launches for the kernels that a regular expression matches:
///
///   gpu: nvidia-a100-40gb-pcie
///   caches: cold
///   param: {n: 4096}
///   launch:
///     - kernel: matmul.*
///       grid: [64, 64]
///       block: [16, 16]
///       dynamic_smem: 0
///       param: {n: 1024}
#ifndef GPU_ESTIMATE_DRIVER_CONFIG_H
#define GPU_ESTIMATE_DRIVER_CONFIG_H

#include "gpu-estimate/Driver/Options.h"

namespace gpuestimate {

/// An entry of `launch`.
struct ConfigLaunch {
  std::string KernelRegex;
  LaunchSettings Launch;
  NamedValues Parameters;
};

struct Config {
  std::string File; ///< empty: there is none
  Options Values;
  std::vector<ConfigLaunch> Launches;
};

/// The nearest `.gpu-estimate.yaml` in the folder of SourceFile or one above
/// it; empty when there is none.
std::string findConfig(llvm::StringRef SourceFile);

/// Errors are UsageErrors that begin with "file:line:".
llvm::Expected<Config> loadConfig(llvm::StringRef File);

/// The first entry of `launch` that matches one of the kernel's names (as a
/// whole), or null.
const ConfigLaunch *matchingLaunch(const Config &C, llvm::StringRef Mangled,
                                   llvm::StringRef Name);

/// Given, completed by what only the configuration says.
Options merge(Options Given, const Config &C);

} // namespace gpuestimate

#endif
