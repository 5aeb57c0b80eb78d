/// \file
/// Block traces: what the threads of one block access at one point of the
/// launch.
///
/// A block trace stands for all executions of an access: the cache model reads
/// strides, sectors and footprints of a block off it, and multiplies by blocks
/// and iterations. The approximation is that another block, or another
/// iteration, accesses the same pattern at another base address.
///
/// For example, four accesses of a kernel with blocks of 64 threads, of which
/// all with `i < n` work, i = blockIdx.x * 64 + threadIdx.x, in the middle
/// block B:
///
///   access      Active (bytes)                 Lanes  Sectors  Chance
///   a[i]        256*B, 256*B+4, ... 64 values     64        8      64
///   b[2*i]      512*B, 512*B+8, ...               64       16      64
///   c[B]        4*B, 64 times                     64        2      64
///   d[j], known to be reached by half             64        8      32
///   the lanes: if (a[i] > 0) d[i] = 0
///
/// Sectors are those of each warp alone: c[B] is one for each of two warps.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_BLOCKTRACE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_BLOCKTRACE_H

#include "AccessPattern.h"
#include "Evaluate/Sampling/RequestCostCache.h"

namespace gpuestimate {

/// Mean iterations of a loop per entry, at least 1.
double meanTrips(const LaunchSample &Sample, unsigned Loop);

/// The iteration of a loop at a base point: 0 first, 1 middle, 2 last.
double baseIteration(const LaunchSample &Sample, unsigned Loop, unsigned Point);

/// One execution of an access by a whole block.
struct BlockTrace {
  /// Byte addresses of the active lanes, in thread order; those of a private
  /// object (local memory) from the first warp that has any.
  std::vector<double> Active;
  /// Active as strides over the threads, where delinearize() finds them.
  std::optional<StridedAccess> Delinearized;
  double Lanes = 0;   ///< number of active lanes with a known address
  double Sectors = 0; ///< of the requests of all warps, each counted alone
  /// Expected number of active lanes: a lane behind a branch on data counts
  /// with the probability of the branch.
  double Chance = 0;
  /// Iteration of the loops around the access: 0 first, 1 middle, 2 last.
  unsigned BasePoint = 0;
  std::array<uint64_t, 3> Block{}; ///< block index x, y, z
};

/// The trace of each access in the block and at the base point where most lanes
/// take part. The block in the middle of the grid, in the middle iteration, is
/// tried first. Others follow since a grid of few blocks may have its middle
/// beyond the guard, and since an index modulo something may wrap around within
/// the middle block. Accesses of one loop body are traced together: entering
/// the loop costs more than reading one more address.
///
/// Patterns: one per access, with role, chain, width and sector. The result has
/// one trace per access; it is empty where the access has no role in the
/// caches, where its address is not known, and where an earlier access
/// represents it.
std::vector<BlockTrace> traceAccesses(LaneState &State, const Launch &L,
                                      const LaunchSample &Sample,
                                      llvm::ArrayRef<AccessPattern> Patterns,
                                      RequestCostCache &Requests);

/// The share of the threads in x, y and z that a guard such as `x < n` lets
/// work: all blocks but the last one of the dimension, and of the last one the
/// share of threads that make the accesses (the largest of any access). 1 where
/// the grid has one block in the dimension.
std::array<double, 3> guardedShares(LaneState &State, const Launch &L,
                                    const LaunchSample &Sample,
                                    llvm::ArrayRef<AccessPattern> Patterns,
                                    llvm::ArrayRef<BlockTrace> Traces,
                                    RequestCostCache &Requests);

} // namespace gpuestimate

#endif
