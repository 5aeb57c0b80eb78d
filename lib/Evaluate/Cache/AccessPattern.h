/// \file
/// Access patterns: strides of each access along threads, loops and thread
/// blocks, found by probing its compiled address.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_ACCESSPATTERN_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_ACCESSPATTERN_H

#include "BlockAssignment.h"
#include "Evaluate/Access/LaneState.h"
#include "Evaluate/Access/QuasiAffineMap.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include <cmath>
#include <vector>

namespace gpuestimate {

struct AccessPattern {
  unsigned Access = 0;
  /// The first access in the same basic block that is always a whole number of
  /// sectors away; both have equal strides.
  unsigned Representative = 0;
  CacheRole Role = CacheRole::None;
  std::vector<unsigned> EnclosingLoops; ///< innermost first
  std::vector<double> MeanTrips; ///< iterations per entry, [enclosing loop]
  unsigned Width = 4;            ///< bytes per thread
  unsigned SectorBytes = 32;
  /// Address of the first active lane at the base point, in iteration 0 of all
  /// loops.
  double Start = 0;
  /// Bytes from the address in thread block 0 to that in the block of the base
  /// point, in iteration 0 of all loops.
  double BlockOffset = 0;
  /// Iterations at the base point: 0 the first, 1 the middle, 2 the last ones.
  unsigned BasePoint = 0;

  StridedAccess ThreadDims;            ///< strides of the threads of one block
  std::vector<StridedAccess> LoopDims; ///< strides, [enclosing loop]
  /// Address as a quasi-affine function of the block's index in the grid, and
  /// of its position in the sequence of blocks that run on one SM.
  QuasiAffineMap GridBlockMap, SmBlockMap;
  double SectorsPerBlock = 0; ///< one execution by every warp of a block
  double ThreadsPerBlock = 0; ///< expected active threads of one execution
  double LaneProbability = 1; ///< that a lane is active (data-dependent guards)

  /// Indirect access (the index is data): number of sectors among which the
  /// index selects at random; 0 if the address is affine.
  double IndirectSectors = 0;
  /// The first access that is always a constant distance away: another field of
  /// the element with the same index.
  unsigned IndexRepresentative = 0;
  double IndexStrideBytes = 1; ///< address difference of consecutive indices
  /// Innermost enclosing loops along which an indirect address has strides.
  unsigned RegularLoops = 0;
  double ObjectBytes = INFINITY; ///< size of the object, if known
};

/// Lanes that sweep through sectors of their own along the innermost loop: a
/// sector lasts some iterations, and the result is the number of these
/// iterations in which some lane enters its next sector. 1: all lanes are
/// aligned alike; 0: lanes share sectors, or a step is a sector or more.
/// Example: steps of 4 bytes, lanes 4100 bytes apart: 8 phases.
double sectorCrossingPhases(const AccessPattern &P);

/// Lanes that sweep through memory of their own along the innermost loop in
/// steps below FetchBytes, the bytes that a load which misses L2 reads from
/// DRAM: the fraction of the sectors that an earlier iteration has made L2
/// fetch,
///   1 - max(step, sector) / FetchBytes,
/// 0 for all other accesses. Example: steps of 4 bytes, fetches of 64: 1/2.
double neighbourFetchedFraction(const AccessPattern &P, double FetchBytes);

/// One pattern per access, in their order; accesses without a role have no
/// more than that. Sets the last row of Assignment. Shapes: request costs of
/// this GPU, to which new ones are added.
std::vector<AccessPattern>
findAccessPatterns(LaneState &State, const GpuModel &Gpu, const Launch &L,
                   const Bindings &All, const LaunchSample &Sample,
                   BlockAssignment &Assignment, RequestCostTables &Shapes);

} // namespace gpuestimate

#endif
