/// \file
/// What a profiler has counted of kernels, in place of what we count: the CSV
/// of
///   nvprof --csv --metrics ...    and, behind it in the same file, that of
///   nvprof --csv                  which has the times
///   ncu --csv --metrics ...       also with --page raw
/// Each metric is known by its name in either profiler; the names here are
/// those of nvprof.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_PROFILE_H
#define GPU_ESTIMATE_SESSION_SETTINGS_PROFILE_H

#include "gpu-estimate/Evaluate/Models/QuantitativeRoofline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuestimate {

/// One kernel of a profile: the mean of its launches.
struct KernelProfile {
  std::string Kernel; ///< as the profiler prints it
  /// "Tesla V100-PCIE-16GB", as nvprof prints it; empty with ncu.
  std::string Device;
  std::string ComputeCapability; ///< "7.0", as ncu prints it; else empty
  /// Metrics of the profile that are known here, by name. Times are in seconds
  /// and clocks in hertz.
  std::vector<std::pair<std::string, double>> Metrics;

  /// nullopt if the profile lacks the metric, and cannot do without it:
  /// flop_count_sp is also the sum of its parts.
  std::optional<double> metric(llvm::StringRef Name) const;
};

/// Metrics that no profiler calls so: of ncu's duration and frequencies.
inline constexpr llvm::StringLiteral ProfiledTime = "duration",
                                     ProfiledCoreClock = "core_clock",
                                     ProfiledMemoryClock = "memory_clock";

/// File is the name for messages. Errors: no header of a known form, a value
/// that is no number.
llvm::Expected<std::vector<KernelProfile>> parseProfile(llvm::StringRef File,
                                                        llvm::StringRef Text);

/// The kernel of this mangled or demangled name; null if there is none. The
/// profiler's name may have a return type and parameters.
const KernelProfile *findProfile(llvm::ArrayRef<KernelProfile> Profiles,
                                 llvm::StringRef Mangled, llvm::StringRef Name);

/// The counters of model quantitative-roofline. Errors: "lacks inst_integer
/// (ncu: ...)".
llvm::Expected<ProfileCounters> rooflineCounters(const KernelProfile &Profile);

/// The counters by which clusters of kernels are told apart, with the names of
/// namedCounts(). A transaction of DRAM and L2 is 32 bytes. Errors as above.
llvm::Expected<std::vector<std::pair<std::string, double>>>
clusterCounters(const KernelProfile &Profile);

/// The measured time of a launch. Errors as above.
llvm::Expected<Seconds> profiledTime(const KernelProfile &Profile);

} // namespace gpuestimate

#endif
