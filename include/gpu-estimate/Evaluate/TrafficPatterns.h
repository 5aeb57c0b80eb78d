/// \file
/// Where each access of a kernel goes: its directions, found by probing the
/// compiled address, and its role at the caches.
#ifndef GPU_ESTIMATE_EVALUATE_TRAFFICPATTERNS_H
#define GPU_ESTIMATE_EVALUATE_TRAFFICPATTERNS_H

#include "gpu-estimate/Evaluate/Footprint.h"
#include "gpu-estimate/Evaluate/LaneValues.h"
#include "gpu-estimate/Evaluate/Request.h"
#include "gpu-estimate/Evaluate/Sampling.h"
#include <cmath>
#include <vector>

namespace gpuestimate {

/// Sets of blocks that use one cache, each within the next, in the order in
/// which they follow each other in time: the resident ones, a row of the grid
/// (all x), a plane (all x and y), all. A set that is not larger than the one
/// before it has the same number.
using BlockSets = std::array<double, 4>;

struct Residency {
  double Blocks = 1;   ///< of the launch
  double Sms = 1;      ///< multiprocessors that get a block
  double SmStride = 1; ///< blocks are dealt in turn: neighbours on one
                       ///< multiprocessor are this many blocks apart
  BlockSets OfSm{};    ///< blocks of one multiprocessor
  BlockSets OfChip{};
};
Residency residency(const GpuModel &Gpu, const Launch &L, unsigned BlocksPerSm);

struct AccessPattern {
  unsigned Access = 0;
  CacheRole Role = CacheRole::None;
  /// Loops around it, innermost first, with the mean iterations per entry.
  std::vector<unsigned> Chain;
  std::vector<double> Trips;
  unsigned Width = 4;
  unsigned Sector = 32; ///< sectorBytes of the access
  double Start = 0;     ///< address of the first active lane at the base point
  /// The base point's iterations: 0 first, 1 middle, 2 last.
  unsigned BasePoint = 0;

  Directions Lanes;                       ///< all threads of one block
  std::vector<Directions> Loops;          ///< parallel to Chain
  std::array<Directions, 4> OfSm, OfChip; ///< parallel to the sets of Residency
  double SectorsPerBlock = 0; ///< of one execution by every warp of a block

  /// Data-dependent: sectors are drawn from this many; 0 = not.
  double DrawnSectors = 0;
  /// Loops of the chain, from the inside, along which a drawn address goes on
  /// regularly.
  unsigned RegularLoops = 0;
  double ObjectBytes = INFINITY; ///< size of the object, where known
};

/// One per access, in their order; accesses without role have only that.
std::vector<AccessPattern> findPatterns(BoundKernel &Bound, const GpuModel &Gpu,
                                        const Launch &L, const Bindings &All,
                                        const LaunchSample &Sample,
                                        const Residency &R);

} // namespace gpuestimate

#endif
