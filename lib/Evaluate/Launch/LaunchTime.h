/// \file
/// Time of a launch around its execution.
///
/// Kleimenov & Popova 2021: time_launch = x1 * grid + x2 for a block size,
/// fitted on empty kernels. Starting blocks overlaps with running them once
/// the blocks do something, so x1 is a bound of the execution (Bounds.h,
/// "dispatch") and what is added is x2:
///   back to back in one stream: LaunchInterval
///   single (as a profiler times it): LaunchProfiled, LaunchCold where the
///     profiler has flushed and invalidated all caches; LaunchLatency where the
///     model has neither
///   node after node of a graph: LaunchLatency, since the device starts them
///     without the host (an empty kernel's time in a graph is 1.34 us on A100,
///     where a stream takes 2.4)
/// Launches of a stream do not overlap with the kernels before them: kernels
/// of 1 to 120 us on A100 take the same 1.2 to 1.4 us longer in a stream than
/// in a graph, which is the difference of the empty kernels (te42kyfo/
/// gpu-benches, gpu-small-kernels).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_LAUNCHTIME_H
#define GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_LAUNCHTIME_H

#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/EvaluateOptions.h"
#include "gpu-estimate/Model/Result/Term.h"

namespace gpuestimate {

inline LaunchTiming launchTiming(const EvaluateOptions &Options) {
  if (Options.Timing)
    return *Options.Timing;
  return Options.Caches == CacheState::Warm ? LaunchTiming::BackToBack
                                            : LaunchTiming::Single;
}

/// The terms that are off: those that the user switches off, and `cold` unless
/// the launch is alone and all caches are cold.
inline TermSet switchedOff(const EvaluateOptions &Options) {
  TermSet Without(Options.Without);
  if (Options.Caches == CacheState::Warm ||
      launchTiming(Options) != LaunchTiming::Single)
    Without.insert(Term::Cold);
  return Without;
}

inline Seconds launchOverhead(const GpuModel &Gpu,
                              const EvaluateOptions &Options) {
  if (launchTiming(Options) == LaunchTiming::BackToBack)
    return Gpu.LaunchInterval;
  if (launchTiming(Options) == LaunchTiming::Graph)
    return Gpu.LaunchLatency;
  Seconds Profiled = Gpu.LaunchProfiled.value_or(Gpu.LaunchLatency);
  bool IsCold = !switchedOff(Options).contains(Term::Cold);
  return IsCold ? Gpu.LaunchCold.value_or(Profiled) : Profiled;
}

/// Time for which page faults of managed memory hold the launch up:
///   fault latency + migrated bytes / migration bandwidth
/// It is added to the execution: the driver on the host serves faults one batch
/// after the other, and warps that have not faulted yet soon do. Example: 8 MB
/// at 4 GB/s after 140 us take 2.2 ms.
inline Seconds migrationTime(const GpuModel &Gpu, const MemoryDemand &Demand,
                             TermSet Without) {
  if (Demand.MigratedBytes <= 0 || !Gpu.MigrationBandwidth ||
      Without.contains(Term::Migration))
    return Seconds(0);
  return Gpu.PageFaultLatency.value_or(Seconds(0)) +
         Bytes(Demand.MigratedBytes) / *Gpu.MigrationBandwidth;
}

} // namespace gpuestimate

#endif
