/// \file
/// Misses of a traced part of a launch in set-associative caches
/// (`--cache-model set-associative`).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_CACHETRACE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_CACHETRACE_H

#include "BlockAssignment.h"
#include "Evaluate/Access/LaneState.h"

namespace gpuestimate {

/// Sectors of one access in the trace.
struct TracedAccess {
  double L1Sectors = 0, L1Misses = 0; ///< that look into L1; that miss it
  double L2Sectors = 0;               ///< that reach L2
  /// Sectors that L2 fetches for loads, or that become dirty by stores and
  /// atomics and so are written back once.
  double L2Fills = 0;
};

/// The requests of some warps, as they go through the caches.
///
/// Which warps: consecutive blocks from the middle of the grid, dealt to the
/// multiprocessors in turn, as many as are resident at a time and after them as
/// many as fit the number of requests. If the resident blocks have more
/// requests, each warp makes the first ones, and the second half of those is
/// counted, when the caches are filled. Warps take turns request by request.
/// So the cost is bounded, whatever the grid and the trip counts.
///
/// Objects lie one after the other, at multiples of 512 bytes, in the order of
/// their first accesses. Local memory is left out.
struct CacheTrace {
  std::vector<TracedAccess> Accesses; ///< parallel to KernelModel::Accesses
  /// The level's sets are known; else it was simulated as fully associative,
  /// and its misses only stand for what reaches the next level.
  bool HasL1Sets = false, HasL2Sets = false;
  uint64_t Blocks = 0;    ///< of the trace
  double Requests = 0;    ///< of the trace
  bool Truncated = false; ///< warps were left before their end
};

struct CacheTraceInputs {
  const GpuModel &Gpu;
  const Launch &L;
  const Bindings &All;
  const LaunchSample &Sample;
  const BlockAssignment &Assignment;
  unsigned BlocksPerSm;
  double L1CapacityBytes;
  double Effort; ///< share of the usual number of requests, 0 to 1
};

/// Sets of L1: l1.sets; of L2: size / (line * l2.ways). An L2 of several
/// partitions counts as unknown, since it holds copies.
CacheTrace traceCaches(LaneState &State, const CacheTraceInputs &In);

} // namespace gpuestimate

#endif
