/// \file
/// One cache level as the cache model sees it: capacity, granularity, and the
/// thread blocks that use it.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_CACHEVIEW_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_CACHEVIEW_H

#include "AccessPattern.h"
#include "gpu-estimate/Evaluate/Cache/Traffic.h"

namespace gpuestimate {

class DecisionLog;

/// One cache, or several equal caches side by side (the L1 of every SM).
struct CacheView {
  const char *Name = "L1"; ///< of the level
  /// Reuse distances of up to AllHitBytes hit, those of NoHitBytes and more
  /// miss, and the hit fraction falls linearly in between. Caches hash
  /// addresses to sets and do not replace in strict LRU order, so the step of
  /// an ideal LRU cache is smeared (and a step would make estimates jump with
  /// the problem size).
  double AllHitBytes = 0, NoHitBytes = 0;
  unsigned SectorBytes = 32;    ///< a fill
  unsigned LoadFillBytes = 32;  ///< a fill for a load, if the cache promotes
  unsigned LineBytes = 128;     ///< capacity that a fill takes: one tag
  double LaunchBlocks = 1;      ///< thread blocks of the launch
  double ActiveRowFraction = 1; ///< of them: in rows that are not all idle
  double BlockSlots = 1;        ///< thread blocks that fit one cache at a time
  double ResidentBlocks = 1;    ///< min(BlockSlots, BlocksPerCache)
  double ActiveFraction = 1;    ///< of the resident blocks: those with requests
  double BlocksPerCache = 1;    ///< mean over the launch
  /// Thread blocks per cache in the last row of the grid, and the fraction of
  /// their threads that a guard leaves active.
  double LastRowBlocks = 0, LastRowActiveFraction = 1;
  /// The block map of an access pattern that counts thread blocks in the order
  /// in which this cache meets them.
  QuasiAffineMap AccessPattern::*BlockMap;
  /// Number of caches over which thread blocks are spread at random. If greater
  /// than 1, BlockMap is a function of the block's index in the grid; if 1, of
  /// its position in the sequence of blocks that use this cache.
  double RandomCaches = 1;

  /// Fraction of the blocks in the first wave, which advance in lockstep.
  /// Blocks of later waves start staggered.
  double FirstWaveFraction = 1;
  /// Partitions of the cache, each with its own copy of the data that SMs on
  /// its side use.
  unsigned Partitions = 1;
  bool OnlyLoadsAllocate = false;
  /// Stores go on to the next cache at once; what they wrote stays, clean.
  bool WritesThrough = false;
  /// Written bytes that the cache holds before the oldest of them are written
  /// to memory, where they stay clean; 0: as many as fit.
  double MaxDirtyBytes = 0;
  const DecisionLog *Log = nullptr; ///< null: nobody asks for decisions

  double capacityBytes() const { return (AllHitBytes + NoHitBytes) / 2; }
  /// The same cache in a launch of no more blocks than the first wave has.
  CacheView firstWave() const;
  /// Fraction of the reuses at a distance (bytes) that hit. Copies: mean number
  /// of partitions that hold the data, 1 to Partitions.
  double hitFraction(double ReuseDistance, double Copies = 1) const;
};

/// The L1 of one SM. CapacityBytes: the part of the array that is cache.
/// RandomPlacement: thread blocks reach the SMs at random instead of
/// round-robin.
CacheView l1View(const GpuModel &Gpu, const BlockAssignment &Assignment,
                 double CapacityBytes, const CacheCurves &Curves = {},
                 bool RandomPlacement = false);
CacheView l2View(const GpuModel &Gpu, const BlockAssignment &Assignment,
                 const CacheCurves &Curves = {});
/// The cache in front of DRAM, for GPUs that have one.
CacheView l3View(const GpuModel &Gpu, const BlockAssignment &Assignment,
                 const CacheCurves &Curves = {});

} // namespace gpuestimate

#endif
