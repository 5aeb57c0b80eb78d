#include "AccessPattern.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
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

double neighbourFetchedFraction(const AccessPattern &P, double FetchBytes) {
  if (P.Role != CacheRole::CachedLoad && P.Role != CacheRole::Load)
    return 0;
  if (P.LoopDims.empty() || P.LoopDims[0].size() != 1 || P.IndirectSectors > 0)
    return 0;
  double Step = std::abs(P.LoopDims[0][0].Stride);
  double Advance = std::max<double>(Step, P.SectorBytes);
  if (Step < 1 || Advance >= FetchBytes ||
      P.LoopDims[0][0].Extent * Step < FetchBytes)
    return 0;
  bool LanesShareFetches = llvm::any_of(P.ThreadDims, [&](StridedDim D) {
    return D.Extent > 1 && (D.Stride < FetchBytes || D.Stride >= ScatterStride);
  });
  return LanesShareFetches ? 0 : 1 - Advance / FetchBytes;
}

} // namespace gpuestimate
