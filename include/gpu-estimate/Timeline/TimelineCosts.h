/// \file
/// What calls, copies and waits cost on one GPU and its host. Times are in
/// nanoseconds, rates in bytes per nanosecond (GB/s).
#ifndef GPU_ESTIMATE_TIMELINE_TIMELINECOSTS_H
#define GPU_ESTIMATE_TIMELINE_TIMELINECOSTS_H

#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// A value, and what the report says where it is assumed.
struct TimelineCost {
  TimelineCost(double Value = 0, std::string Assumption = {})
      : Value(Value), Assumption(std::move(Assumption)) {}
  operator double() const { return Value; }

  double Value;
  std::string Assumption; ///< "" where a GPU model states the value
};

/// docs/run.md has the source of each value.
struct TimelineCosts {
  // Time that the host spends in a call.
  TimelineCost LaunchCallNs = 0; ///< a kernel launch, a memset: launch.interval
  TimelineCost CopyCallNs = 0;   ///< a copy
  TimelineCost GraphCallNs =
      0; ///< a graph launch, whatever its number of nodes
  TimelineCost AllocateNs = 0, FreeNs = 0; ///< cudaMalloc, cudaFree
  TimelineCost StreamCallNs = 0;           ///< creates or destroys a stream
  TimelineCost CallNs = 0;                 ///< any other call

  // Between host and GPU.
  /// From the end of a call until an idle GPU starts: the GPU learns of the
  /// command (half a round trip of the link) and fetches it (one round trip).
  TimelineCost SubmitNs = 0;
  /// From the end of the work until the host that waits sees it: half a round
  /// trip of the link.
  TimelineCost CompletionNs = 0;

  // Copies.
  TimelineCost CopyStartNs = 0; ///< a copy of one byte takes this on the GPU
  TimelineCost LinkRate = 0;    ///< pinned memory, each direction
  /// The host's copy between pageable memory and the driver's pinned buffer. A
  /// pageable copy of b bytes takes b / LinkRate + b / StagingRate.
  TimelineCost StagingRate = 0;
  TimelineCost DeviceCopyRate = 0; ///< bytes copied: half of the bytes moved
  TimelineCost MemsetRate = 0;

  // Managed memory. Pages that the GPU faults on take FaultNs and their bytes /
  // MigrationRate (lib/Evaluate/Launch/LaunchTime.h).
  TimelineCost FaultNs = 0, MigrationRate = 0;

  /// Part of each kernel's time that an empty kernel takes: launch.latency.
  TimelineCost LaunchLatencyNs = 0;
};

TimelineCosts timelineCosts(const GpuModel &Gpu);

} // namespace gpuestimate

#endif
