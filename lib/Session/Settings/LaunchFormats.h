/// \file
/// The forms of a file of launches, one function each. A file of one program's
/// launches may name the same launch many times: LaunchFile.cpp merges them.
#ifndef GPU_ESTIMATE_LIB_SESSION_SETTINGS_LAUNCHFORMATS_H
#define GPU_ESTIMATE_LIB_SESSION_SETTINGS_LAUNCHFORMATS_H

#include "gpu-estimate/Session/Settings/LaunchFile.h"

namespace gpuestimate {

/// Tables with a header, of a user or of ncu, nsys, nvprof, rocprof and
/// rocprofv3; what a profiler or the program prints around them is skipped.
llvm::Expected<LaunchFile> readLaunchTables(llvm::StringRef File,
                                            llvm::StringRef Text);

/// A trace in Chrome's format, as PyTorch's profiler (Kineto) writes it.
llvm::Expected<LaunchFile> readLaunchTrace(llvm::StringRef File,
                                           llvm::StringRef Text);

/// `launches:` of a YAML file.
llvm::Expected<LaunchFile> readLaunchYaml(llvm::StringRef File,
                                          llvm::StringRef Text);

/// A run that `gpu-estimate run --save` has saved. It has arguments and no
/// times.
llvm::Expected<LaunchFile> readSavedLaunches(llvm::StringRef File);

/// What makes one of a unit that profilers print a second or a byte: "usecond"
/// 1e-6, "Kbyte/block" 1000, "KiB" 1024; nothing of another unit.
std::optional<double> timeUnit(llvm::StringRef Unit);
std::optional<double> byteUnit(llvm::StringRef Unit);

} // namespace gpuestimate

#endif
