/// \file
/// Counters that a profiler has written, for models that take them in place of
/// ours: the CSV of
///   nvprof --csv --metrics ...
///   ncu --csv --metrics ... (also with --page raw)
/// Each counter is known by its name in either.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_PROFILE_H
#define GPU_ESTIMATE_SESSION_SETTINGS_PROFILE_H

#include "gpu-estimate/Evaluate/Models/QuantitativeRoofline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// One kernel of a profile: the mean of its launches.
struct KernelProfile {
  std::string Kernel; ///< as the profiler prints it
  ProfileCounters Counters;
};

/// File is the name for messages. Errors: no header of a known form, a value
/// that is no number, a kernel that lacks a counter.
llvm::Expected<std::vector<KernelProfile>> parseProfile(llvm::StringRef File,
                                                        llvm::StringRef Text);

/// The kernel of this mangled or demangled name; null if there is none. The
/// profiler's name may have a return type and parameters.
const KernelProfile *findProfile(llvm::ArrayRef<KernelProfile> Profiles,
                                 llvm::StringRef Mangled, llvm::StringRef Name);

} // namespace gpuestimate

#endif
