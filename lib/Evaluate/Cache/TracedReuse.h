/// \file
/// Misses and footprints of accesses whose requests were traced.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_TRACEDREUSE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_TRACEDREUSE_H

#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "llvm/ADT/ArrayRef.h"
#include <cmath>

namespace gpuestimate {

struct CacheView;

/// Draws of a number of places among a population of them. Units that each
/// touch F of N places, at random, touch N (1 - (1 - F/N)^k) together.
struct RandomDraws {
  double OfOneUnit = 0; ///< F
  double Population = INFINITY;

  /// The population for which TracedUnits units, which touch Footprint places
  /// one by one, touch Union different ones. Infinite if they share none.
  static RandomDraws fit(double OfOneUnit, double TracedUnits, double Footprint,
                         double Union);
  double distinct(double Units) const;
};

/// Lines of several buffers, of which units draw from each.
struct LinesOfBuffers {
  std::vector<RandomDraws> Buffers;

  double distinct(double Units) const;
  /// The number of units that touch so many lines; may be infinite.
  double units(double Lines) const;
};

/// What the trace has seen of all accesses to one buffer.
struct TracedBuffer {
  ExecutedReuse Reuse;
  double Bytes = INFINITY; ///< its size, if known
};

/// Reuse of a reference group in a cache, from the reuse distances of some
/// thread blocks (SectorReuse), of which some warps were traced: a *unit*. A
/// cache is used by several units at a time and by many over the launch.
///
/// - A use at distance d within its unit is one at the distance that all units
///   of the cache touch together while each of them touches d.
/// - A first use by its unit hits if one of the units before has touched the
///   sector and not more has been touched since than fits.
///
/// Both need to know what units share. They are taken to draw their data from a
/// population at random, whose size follows from what the traced units share,
/// and which is not larger than the buffer: traced units of a large launch lie
/// far apart and often share nothing.
///
/// Example: 1.6 million units of a launch use 1900 sectors each, of a buffer of
/// 39 MB, 1.2 million sectors. Of a cache of 40 MB, in which other buffers need
/// one line for each unit, the buffer takes what the last 4700 units have not
/// filled: all of it. After so many units (1 - 1900 / 1.2e6)^4700 = 0.07 % of
/// the sectors of the next unit are new.
class TracedReuse {
public:
  /// The uses by a group of accesses to a buffer of so many bytes, those of all
  /// buffers of the kernel, and how the traced blocks stand for the launch.
  /// WarpsPerBlock: of a whole block.
  TracedReuse(const ExecutedReuse &Group, double BufferBytes,
              llvm::ArrayRef<TracedBuffer> Buffers,
              const ExecutedLaunch &Launch, double WarpsPerBlock);

  /// Fraction of the requested sectors that miss a cache which was empty when
  /// the launch began.
  double missFraction(const CacheView &View) const;
  /// Different bytes of Blocks thread blocks, in whole granules.
  double footprintBytes(const CacheView &View, double Blocks,
                        unsigned Granule) const;

  /// Bytes of the granules that hold used sectors, for each byte of these.
  double bytesPerUsedByte(const CacheView &View, unsigned Granule) const;

private:
  struct Level {
    SectorReuse Uses;
    RandomDraws Sectors; ///< of the group
    LinesOfBuffers Lines;
    double SectorsPerLine = 4;
  };
  const Level &of(const CacheView &View) const;

  Level AmongLoads, AmongAll;
  double UnitsPerBlock;
};

} // namespace gpuestimate

#endif
