/// \file
/// One run of a kernel on the card, as a profiler recorded it: the base of
/// predictions for other clocks, as in Wu et al. (docs/models/wu.md).
#ifndef GPU_ESTIMATE_LIB_COMMANDS_SWEEP_PROFILEDRUN_H
#define GPU_ESTIMATE_LIB_COMMANDS_SWEEP_PROFILEDRUN_H

#include "gpu-estimate/Scaling/GpuClusters.h"
#include "gpu-estimate/Session/Settings/Profile.h"

namespace gpuestimate {

struct ProfiledRun {
  Hertz Core;
  std::optional<Hertz> Memory; ///< nullopt: that of the card is not known
  bool ClocksAssumed = true;   ///< the profile does not tell them
  Seconds Time;                ///< of a launch, by the profiler
  /// What the clusters of counters want; empty where WhyNoCounters tells.
  NamedFeatures Counters;
  std::string WhyNoCounters;
  /// "base time 1.2 ms measured (p.csv) at 1380 MHz, 877 MHz; clusters by its
  /// counters"
  std::string Description;
};

/// The run of Profile, which is of the file File. Its clocks are those of the
/// profile, or else the base point of the table nearest to the card's clocks,
/// or else these clocks. Errors: why the profile says nothing of Gpu.
llvm::Expected<ProfiledRun> profiledRun(llvm::StringRef File,
                                        const KernelProfile &Profile,
                                        const GpuModel &Gpu,
                                        const GpuClusters &Tables);

} // namespace gpuestimate

#endif
