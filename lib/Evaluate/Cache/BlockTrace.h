/// \file
/// One execution of each access by a whole block: the addresses of its threads
/// at a point of the launch where most of them take part.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_BLOCKTRACE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_BLOCKTRACE_H

#include "AccessPattern.h"
#include "Evaluate/Sampling/RequestCostCache.h"

namespace gpuestimate {

/// Mean iterations of a loop per entry, at least 1.
double meanTrips(const LaunchSample &Sample, unsigned Loop);

/// The iteration of a loop at a base point: 0 first, 1 middle, 2 last.
double baseIteration(const LaunchSample &Sample, unsigned Loop, unsigned Point);

struct BlockTrace {
  /// Of the active lanes, in thread order, bytes; of a private object those of
  /// the first warp that has any.
  std::vector<double> Active;
  std::optional<StridedAccess> Delinearized; ///< Active, if delinearize() can
  double Lanes = 0;                          ///< that are active
  double Sectors = 0;                        ///< summed over the warps
  double Chance = 0;                         ///< summed over the active lanes
  unsigned BasePoint = 0;
  std::array<uint64_t, 3> Middle{}; ///< the block
};

/// The run of each access at the base point at which most lanes take part,
/// beginning with the middle of everything. A grid of few blocks may have its
/// middle beyond the guard, and an index modulo something may begin anew within
/// the block that is in the middle. Accesses of one loop body are looked at
/// together: entering it costs more than reading off one more address.
/// Patterns: one per access, with role, chain, width and sector; a run without
/// addresses where there is no role or the address is not known, and an empty
/// one where the access is like an earlier one.
std::vector<BlockTrace> traceAccesses(WarpEvaluator &Bound, const Launch &L,
                                      const LaunchSample &Sample,
                                      llvm::ArrayRef<AccessPattern> Patterns,
                                      RequestCostCache &Requests);

/// Of each dimension of the working grid, the share of its threads that a guard
/// such as `x < n` lets work: all of its blocks but the last one, and of that
/// the share of threads that make the accesses (the largest of any access).
std::array<double, 3> reachedShares(WarpEvaluator &Bound, const Launch &L,
                                    const LaunchSample &Sample,
                                    llvm::ArrayRef<AccessPattern> Patterns,
                                    llvm::ArrayRef<BlockTrace> Runs,
                                    RequestCostCache &Requests);

} // namespace gpuestimate

#endif
