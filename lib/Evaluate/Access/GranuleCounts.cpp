#include "gpu-estimate/Evaluate/Access/GranuleCounts.h"

namespace gpuestimate {

/// Beyond this what is known is forgotten: thousands of launches that are all
/// different have little in common.
static constexpr unsigned MaxKnown = 1 << 14;

double GranuleCounts::operator()(const Directions &Set,
                                 llvm::ArrayRef<double> Starts, double Width,
                                 double Granule,
                                 llvm::ArrayRef<double> Elsewhere) {
  if (Starts.size() == 1)
    return distinctGranules(Set, Starts, Width, Granule, Elsewhere);
  llvm::SmallVector<double, 64> Key = {double(Set.size()),
                                       double(Starts.size()), Width, Granule};
  for (const Direction &D : Set)
    Key.append({D.Stride, D.Extent});
  Key.append(Starts.begin(), Starts.end());
  Key.append(Elsewhere.begin(), Elsewhere.end());
  if (Known.size() >= MaxKnown)
    Known.clear();
  auto [Slot, New] = Known.try_emplace(llvm::StringRef(
      reinterpret_cast<const char *>(Key.data()), Key.size() * sizeof(double)));
  if (New)
    Slot->second = distinctGranules(Set, Starts, Width, Granule, Elsewhere);
  return Slot->second;
}

} // namespace gpuestimate
