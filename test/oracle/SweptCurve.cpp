/// \file
/// Sweeps.
#include "SweptCurve.h"

namespace gpuestimate::test {

/// Share of the lines that a third sweep over so many finds.
static double kept(const CacheShape &Shape, uint64_t Lines) {
  SectoredCache Cache(Shape);
  uint64_t Found = 0;
  for (unsigned Sweep = 0; Sweep < 3; ++Sweep) {
    Found = 0;
    for (uint64_t Line = 0; Line < Lines; ++Line) {
      if (Cache.find(Line)) {
        ++Found;
        continue;
      }
      SectoredCache::Line Evicted;
      bool HasEvicted;
      Cache.insert(Line, &Evicted, HasEvicted);
    }
  }
  return double(Found) / double(Lines);
}

CacheCurve sweptCurve(const CacheShape &Shape) {
  constexpr double LineBytes = 128;
  double Capacity = Shape.Bytes / LineBytes, Lines = Capacity / 2;
  while (Lines < Capacity && kept(Shape, uint64_t(Lines) + 1) >= 0.99)
    ++Lines;
  return {Lines / Capacity, 2 - Lines / Capacity};
}

} // namespace gpuestimate::test
