#include "AccessPattern.h"

#include <cmath>
#include <numeric>

namespace gpuestimate {

double sectorCrossingPhases(const AccessPattern &P) {
  if (P.Role != CacheRole::CachedLoad && P.Role != CacheRole::Load)
    return 0;
  if (P.LoopDims.empty() || P.LoopDims[0].size() != 1 || P.IndirectSectors > 0)
    return 0;
  double Step = std::abs(P.LoopDims[0][0].Stride), Sector = P.SectorBytes;
  if (Step < 1 || Step >= Sector || P.LoopDims[0][0].Extent < Sector / Step)
    return 0;
  uint64_t CommonAlignment = P.SectorBytes;
  for (const StridedDim &D : P.ThreadDims) {
    if (D.Extent <= 1)
      continue;
    if (D.Stride < Sector || D.Stride >= ScatterStride)
      return 0;
    CommonAlignment = std::gcd(CommonAlignment, uint64_t(D.Stride));
  }
  return std::min(Sector / Step, Sector / double(CommonAlignment));
}

} // namespace gpuestimate
