/// \file
/// Lanes that walk through sectors of their own.
#include "TrafficPatterns.h"
#include <cmath>
#include <numeric>

namespace gpuestimate {

double walks(const AccessPattern &P) {
  if (P.Role != CacheRole::CachedLoad && P.Role != CacheRole::Load)
    return 0;
  if (P.Loops.empty() || P.Loops[0].size() != 1 || P.DrawnSectors > 0)
    return 0;
  double Step = std::abs(P.Loops[0][0].Stride), Sector = P.Sector;
  if (Step < 1 || Step >= Sector || P.Loops[0][0].Extent < Sector / Step)
    return 0;
  uint64_t Alike = P.Sector;
  for (const Direction &D : P.Lanes) {
    if (D.Extent <= 1)
      continue;
    if (D.Stride < Sector || D.Stride >= ScatterStride)
      return 0;
    Alike = std::gcd(Alike, uint64_t(D.Stride));
  }
  return std::min(Sector / Step, Sector / double(Alike));
}

} // namespace gpuestimate
