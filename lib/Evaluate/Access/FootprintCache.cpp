#include "gpu-estimate/Evaluate/Access/FootprintCache.h"

namespace gpuestimate {

/// The table is cleared at this size: thousands of different launches share few
/// footprints.
static constexpr unsigned MaxFootprints = 1 << 14;

double FootprintCache::operator()(const StridedAccess &Set,
                                  llvm::ArrayRef<double> Starts, double Width,
                                  double SectorBytes,
                                  llvm::ArrayRef<double> Elsewhere) {
  if (Starts.size() == 1)
    return footprintSectors(Set, Starts, Width, SectorBytes, Elsewhere);
  llvm::SmallVector<double, 64> Key = {
      double(Set.size()), double(Starts.size()), Width, SectorBytes};
  for (const StridedDim &D : Set)
    Key.append({D.Stride, D.Extent});
  Key.append(Starts.begin(), Starts.end());
  Key.append(Elsewhere.begin(), Elsewhere.end());
  if (Footprints.size() >= MaxFootprints)
    Footprints.clear();
  auto [Entry, New] = Footprints.try_emplace(llvm::StringRef(
      reinterpret_cast<const char *>(Key.data()), Key.size() * sizeof(double)));
  if (New)
    Entry->second =
        footprintSectors(Set, Starts, Width, SectorBytes, Elsewhere);
  return Entry->second;
}

} // namespace gpuestimate
