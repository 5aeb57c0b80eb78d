#include "CacheView.h"

#include <algorithm>

namespace gpuestimate {

double CacheView::hitFraction(double ReuseDistance, double Copies) const {
  // With a copy in each partition, the cache is as large as one of them.
  double NoHit = Partitions > 1 ? NoHitBytes * (1 - (Copies - 1) / Partitions)
                                : NoHitBytes;
  if (ReuseDistance <= AllHitBytes)
    return 1;
  return ReuseDistance >= NoHit
             ? 0
             : (NoHit - ReuseDistance) / (NoHit - AllHitBytes);
}

CacheView CacheView::firstWave() const {
  CacheView V = *this;
  if (BlocksPerCache <= BlockSlots)
    return V;
  V.LaunchBlocks *= BlockSlots / BlocksPerCache;
  V.BlocksPerCache = V.ResidentBlocks = BlockSlots;
  V.LastRowBlocks = 0;
  return V;
}

CacheView l1View(const GpuModel &Gpu, const BlockAssignment &Assignment,
                 double CapacityBytes, const CacheCurves &Curves,
                 bool RandomPlacement) {
  CacheView V;
  V.AllHitBytes = Curves.L1.AllHits * CapacityBytes;
  V.NoHitBytes = Curves.L1.NoHits * CapacityBytes;
  V.SectorBytes = V.LoadFillBytes = std::max(1.0, Gpu.L1.Sector.value());
  V.LineBytes = std::max<unsigned>(V.SectorBytes, Gpu.L1.Line.value());
  V.LaunchBlocks = Assignment.LaunchedBlocks;
  V.ActiveRowFraction = Assignment.Blocks / Assignment.LaunchedBlocks;
  V.BlocksPerCache = Assignment.LaunchedBlocks / Assignment.Sms;
  V.BlockSlots = Assignment.BlocksPerSm;
  V.ResidentBlocks = std::min(V.BlockSlots, V.BlocksPerCache);
  V.ActiveFraction = Assignment.ActiveFraction * V.ActiveRowFraction;
  V.LastRowBlocks = Assignment.LastRowBlocks / Assignment.Sms;
  V.LastRowActiveFraction = Assignment.LastRowActiveFraction;
  V.BlockMap = &AccessPattern::SmBlockMap;
  V.OnlyLoadsAllocate = true;
  V.WritesThrough = Gpu.L1WritesThrough;
  if (RandomPlacement) {
    V.LaunchBlocks = Assignment.Blocks;
    V.ActiveRowFraction = 1;
    V.BlocksPerCache = Assignment.Blocks / Assignment.Sms;
    V.BlockSlots = Assignment.BlocksPerWave / Assignment.Sms;
    V.ResidentBlocks = std::min(V.BlockSlots, V.BlocksPerCache);
    V.ActiveFraction = Assignment.ActiveFraction;
    V.BlockMap = &AccessPattern::GridBlockMap;
    V.RandomCaches = Assignment.Sms;
  }
  return V;
}

CacheView l2View(const GpuModel &Gpu, const BlockAssignment &Assignment,
                 const CacheCurves &Curves) {
  CacheView V;
  V.Name = "L2";
  double SizeBytes = Gpu.L2.Size.value();
  const CacheCurve &Curve =
      Gpu.L2Partitions > 1 ? Curves.L2Partitioned : Curves.L2;
  V.AllHitBytes = Curve.AllHits * SizeBytes / std::max(1u, Gpu.L2Partitions);
  V.NoHitBytes = Curve.NoHits * SizeBytes;
  V.SectorBytes =
      std::max(1.0, Gpu.L2.Sector.value() > 0 ? Gpu.L2.Sector.value()
                                              : Gpu.L1.Sector.value());
  V.LoadFillBytes = V.SectorBytes;
  if (Gpu.L2FetchSize)
    V.LoadFillBytes =
        std::max<unsigned>(V.SectorBytes, Gpu.L2FetchSize->value());
  V.LineBytes = std::max<unsigned>(V.LoadFillBytes, Gpu.L2.Line.value());
  V.LaunchBlocks = V.BlocksPerCache = Assignment.Blocks;
  V.BlockSlots = Assignment.BlocksPerWave;
  V.ResidentBlocks = std::min(V.BlockSlots, V.BlocksPerCache);
  V.ActiveFraction = Assignment.ActiveFraction;
  V.LastRowBlocks = Assignment.LastRowBlocks;
  V.LastRowActiveFraction = Assignment.LastRowActiveFraction;
  V.BlockMap = &AccessPattern::GridBlockMap;
  V.FirstWaveFraction = Assignment.FirstWaveFraction;
  V.Partitions = std::max(1u, Gpu.L2Partitions);
  return V;
}

CacheView l3View(const GpuModel &Gpu, const BlockAssignment &Assignment,
                 const CacheCurves &Curves) {
  CacheView V = l2View(Gpu, Assignment, Curves);
  V.Name = "L3";
  V.AllHitBytes = Curves.L2.AllHits * Gpu.L3Size->value();
  V.NoHitBytes = Curves.L2.NoHits * Gpu.L3Size->value();
  V.Partitions = 1;
  return V;
}

} // namespace gpuestimate
