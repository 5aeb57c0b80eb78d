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

CacheCurve sweptCurve(llvm::ArrayRef<CacheShape> Caches) {
  constexpr double LineBytes = 128;
  constexpr unsigned Sizes = 64; // from half the capacity to all of it
  double Capacity = Caches.front().Bytes / LineBytes, Lost = 0;
  for (unsigned Size = 0; Size < Sizes; ++Size)
    for (const CacheShape &Shape : Caches)
      Lost += 1 - kept(Shape, uint64_t(Capacity * (1 - 0.5 * Size / Sizes)));
  // A straight line from 1 at Full to a half at the capacity has a quarter of
  // the distance above it.
  Lost *= 0.5 / Sizes / double(Caches.size());
  return {1 - 4 * Lost, 1 + 4 * Lost};
}

} // namespace gpuestimate::test
