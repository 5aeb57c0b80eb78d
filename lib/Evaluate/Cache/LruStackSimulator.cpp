#include "LruStackSimulator.h"

#include <algorithm>

namespace gpuestimate {

LruStackSimulator::LruStackSimulator(llvm::ArrayRef<double> CapacityBytes,
                                     unsigned Entries)
    : LastUse(Entries, Never),
      AllCaches(uint8_t((1u << CapacityBytes.size()) - 1)) {
  for (double Capacity : CapacityBytes)
    Caches.push_back({Capacity, 0, 0});
}

void LruStackSimulator::compact() {
  // The largest cache holds all entries of the others.
  const unsigned First = Caches.back().Boundary;
  unsigned Kept = 0;
  llvm::SmallVector<unsigned, 6> Boundaries(Caches.size());
  for (unsigned Index = 0; Index < Uses.size(); ++Index) {
    const PastUse Use = Uses[Index];
    if (!Use.IsLast)
      continue;
    if (Use.Number >= 0)
      LastUse[Use.Number] = Index < First ? Never : Kept;
    if (Index < First)
      continue;
    for (unsigned C = 0; C < Caches.size(); ++C)
      Boundaries[C] += Index < Caches[C].Boundary;
    Uses[Kept++] = Use;
  }
  Uses.resize(Kept);
  Uses.reserve(std::max(size_t(2048), size_t(4) * Kept));
  for (unsigned C = 0; C < Caches.size(); ++C)
    Caches[C].Boundary = Boundaries[C];
}

} // namespace gpuestimate
