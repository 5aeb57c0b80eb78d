#include "LaunchFootprint.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

LaunchFootprint::LaunchFootprint(const ReferenceGroup &G, double Blocks)
    : Dims(G.Pattern.ThreadDims) {
  Dims.append(window(G.Pattern.GridBlockMap, Blocks));
  for (const StridedAccess &OfLoop : G.Pattern.LoopDims)
    Dims.append(OfLoop);
  llvm::erase_if(
      Dims, [](const StridedDim &D) { return D.Stride == 0 || D.Extent <= 1; });
  auto [Least, Largest] = std::minmax_element(G.Starts.begin(), G.Starts.end());
  First = *Least - G.Pattern.BlockOffset;
  StartSpan = *Largest - *Least + G.Pattern.Width;
  for (StridedDim &D : Dims)
    if (D.Stride < 0) { // counted from the other end
      D.Stride = -D.Stride;
      First -= D.Stride * (std::ceil(D.Extent) - 1);
    }
  llvm::sort(Dims, [](auto &A, auto &B) { return A.Stride > B.Stride; });
}

bool LaunchFootprint::contains(double Address) const {
  double Rest = Address - First;
  for (const StridedDim &D : Dims)
    Rest -= D.Stride * std::clamp(std::floor(Rest / D.Stride), 0.0,
                                  std::ceil(D.Extent) - 1);
  return Rest >= 0 && Rest < StartSpan;
}

double LaunchFootprint::shareIn(const LaunchFootprint &Other) const {
  constexpr unsigned Samples = 64;
  constexpr double Golden = 0.6180339887498949;
  unsigned Inside = 0;
  double Phase = 0.5;
  for (unsigned I = 0; I < Samples; ++I) {
    double Address = First;
    for (const StridedDim &D : Dims) {
      Phase = std::fmod(Phase + Golden, 1.0);
      Address += D.Stride * std::floor(Phase * D.Extent);
    }
    Inside += Other.contains(Address);
  }
  return double(Inside) / Samples;
}

} // namespace gpuestimate
