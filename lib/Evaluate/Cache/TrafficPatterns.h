/// \file
/// Where each access of a kernel goes: its directions, found by probing the
/// compiled address, and its role at the caches.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_TRAFFICPATTERNS_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_TRAFFICPATTERNS_H

#include "Evaluate/Access/BlockDigits.h"
#include "Evaluate/Access/LaneValues.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include <cmath>
#include <vector>

namespace gpuestimate {

/// Which blocks run together. Blocks are dealt to the multiprocessors in turn,
/// in the order of the grid, until all places are taken; after that, wherever a
/// place becomes free, which is a matter of chance. Rows of blocks at the end
/// of the grid that a guard sends home at once leave their places to the next
/// ones: for what all multiprocessors share, the grid is as if they were not
/// there. They take their turn all the same, so that they decide which of the
/// others meet on one multiprocessor.
struct Residency {
  std::array<uint64_t, 3> Grid{1, 1, 1}; ///< without those rows
  double Blocks = 1;                     ///< of Grid
  double Dealt = 1;                      ///< of the launch
  double Sms = 1;                        ///< multiprocessors that get a block
  double SmStride = 1; ///< neighbours on one multiprocessor are this many apart
  double InTurn = 1;   ///< share of the blocks that are dealt in turn
  /// Blocks that one multiprocessor works on at a time, among all that are
  /// dealt, and that all of them do (a wave), among those of Grid: others that
  /// a guard sends home leave their place, too.
  double OfSm = 1, OfChip = 1;
  double Working = 1; ///< share of Grid's blocks that do not go home at once
  /// The last row of Grid's blocks (one block, where there is one dimension),
  /// and the share of its threads that a guard lets work.
  double LastRow = 1, LastShare = 1;
};
Residency residency(const GpuModel &Gpu, const Launch &L,
                    const LaunchSample &Sample, unsigned BlocksPerSm);

struct AccessPattern {
  unsigned Access = 0;
  /// The first access in the same block of the kernel that is always a whole
  /// number of sectors away: what is found of that one holds for this.
  unsigned Like = 0;
  CacheRole Role = CacheRole::None;
  /// Loops around it, innermost first, with the mean iterations per entry.
  std::vector<unsigned> Chain;
  std::vector<double> Trips;
  unsigned Width = 4;
  unsigned Sector = 32; ///< sectorBytes of the access
  double Start = 0;     ///< address of the first active lane at the base point
  /// The base point's iterations: 0 first, 1 middle, 2 last.
  unsigned BasePoint = 0;

  Directions Lanes;              ///< all threads of one block
  std::vector<Directions> Loops; ///< parallel to Chain
  /// By the number of the block among all, and among those of one
  /// multiprocessor.
  BlockDigits OfChip, OfSm;
  double SectorsPerBlock = 0; ///< of one execution by every warp of a block
  double Threads = 0;         ///< of it: that take part, by their chances
  double Chance = 1; ///< of a lane there to take part (data-dependent guards)

  /// Data-dependent: sectors are drawn from this many; 0 = not.
  double DrawnSectors = 0;
  /// The first access that is always as far away: the fields of one element.
  unsigned Draw = 0;
  double DrawnUnit = 1; ///< bytes in steps of which it is drawn
  /// Loops of the chain, from the inside, along which a drawn address goes on
  /// regularly.
  unsigned RegularLoops = 0;
  double ObjectBytes = INFINITY; ///< size of the object, where known
};

/// Where each lane walks along the innermost loop through sectors that no other
/// lane uses: the number of different iterations, of those that a sector lasts,
/// in which lanes enter their next one. 1 where all are aligned alike; 0 where
/// lanes share sectors, or a step is no less than a sector.
double walks(const AccessPattern &P);

/// One per access, in their order; accesses without role have only that. What
/// they show of the last row of blocks goes to R. Known: a memory of requests
/// on this GPU, which grows.
std::vector<AccessPattern> findPatterns(BoundKernel &Bound, const GpuModel &Gpu,
                                        const Launch &L, const Bindings &All,
                                        const LaunchSample &Sample,
                                        Residency &R, RequestShapes &Known);

} // namespace gpuestimate

#endif
