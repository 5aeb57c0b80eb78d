/// \file
/// What calls, copies and waits cost on one GPU and its host. Times are in
/// nanoseconds, rates in bytes per nanosecond (GB/s).
#ifndef GPU_ESTIMATE_TIMELINE_TIMELINECOSTS_H
#define GPU_ESTIMATE_TIMELINE_TIMELINECOSTS_H

#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// docs/run.md has the source of each value. Those that no GPU model states are
/// among the assumptions.
struct TimelineCosts {
  // Time that the host spends in a call.
  double LaunchCallNs = 0; ///< a kernel launch, a memset: launch.interval
  double CopyCallNs = 0;   ///< a copy
  double GraphCallNs = 0;  ///< a graph launch, whatever its number of nodes
  double AllocateNs = 0, FreeNs = 0; ///< cudaMalloc, cudaFree
  double StreamCallNs = 0;           ///< creates or destroys a stream
  double CallNs = 0;                 ///< any other call

  // Between host and GPU.
  /// From the end of a call until an idle GPU starts: the GPU learns of the
  /// command (half a round trip of the link) and fetches it (one round trip).
  double SubmitNs = 0;
  /// From the end of the work until the host that waits sees it: half a round
  /// trip of the link.
  double CompletionNs = 0;

  // Copies.
  double CopyStartNs = 0; ///< a copy of one byte takes this on the GPU
  double LinkRate = 0;    ///< pinned memory, each direction
  /// The host's copy between pageable memory and the driver's pinned buffer. A
  /// pageable copy of b bytes takes b / LinkRate + b / StagingRate.
  double StagingRate = 0;
  double DeviceCopyRate = 0; ///< bytes copied: half of the bytes moved
  double MemsetRate = 0;

  /// Part of each kernel's time that an empty kernel takes: launch.latency.
  double LaunchLatencyNs = 0;

  std::vector<std::string> Assumptions;
};

TimelineCosts timelineCosts(const GpuModel &Gpu);

} // namespace gpuestimate

#endif
