/// \file
/// Plans of launches that a file tells (--launches). The file has the sizes of
/// each launch and sometimes its arguments; the rest comes from a launch in
/// host code that can have made it.
///
/// Example: a trace has `scale` with 3907 blocks of 256 threads, and host code
/// `scale<<<(n + 255) / 256, 256>>>(p, n)`: n is 1,000,192, the roundest of
/// the numbers that make 3907 blocks, and the report says that it may be
/// 999,937.
#ifndef GPU_ESTIMATE_SESSION_PLAN_RECORDEDPLANS_H
#define GPU_ESTIMATE_SESSION_PLAN_RECORDEDPLANS_H

#include "gpu-estimate/Session/Plan/LaunchPlan.h"
#include "gpu-estimate/Session/Settings/LaunchFile.h"

namespace gpuestimate {

/// The name of the file's authority in Launch::Source.
inline constexpr llvm::StringLiteral LaunchFileSource = "launch-file";

/// What Analysis::UsedSettings has for launches of this name.
inline std::string recordedKey(llvm::StringRef Kernel) {
  return ("launches of " + Kernel).str();
}

/// The launch as settings, which outrank those of all other authorities.
Options settingsOf(const RecordedLaunch &L, const KernelModel &Kernel);

/// The plan of a launch with Inputs, which have settingsOf() it. Of Sites the
/// first one is taken whose sizes host code does not fix to other numbers; none
/// where all do.
LaunchPlan planRecorded(const LaunchInputs &Inputs,
                        llvm::ArrayRef<const LaunchSite *> Sites,
                        const RecordedLaunch &L);

/// The number in the bytes of a scalar argument; nothing for another kind or
/// size.
std::optional<double> scalarArgument(const KernelArgument &Argument,
                                     llvm::StringRef Bytes);

} // namespace gpuestimate

#endif
