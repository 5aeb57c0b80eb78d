#include "PiecesByAge.h"

#include <algorithm>

namespace gpuestimate {

PiecesByAge::PiecesByAge(llvm::ArrayRef<double> Capacities, unsigned Pieces)
    : Where(Pieces, Never), All(uint8_t((1u << Capacities.size()) - 1)) {
  for (double Capacity : Capacities)
    Caches.push_back({Capacity, 0, 0});
}

void PiecesByAge::compact() {
  // The largest holds all that is in others.
  const unsigned First = Caches.back().Oldest;
  unsigned Kept = 0;
  llvm::SmallVector<unsigned, 6> Older(Caches.size());
  for (unsigned At = 0; At < Uses.size(); ++At) {
    const PastUse Of = Uses[At];
    if (!Of.IsLast)
      continue;
    if (Of.Piece >= 0)
      Where[Of.Piece] = At < First ? Never : Kept;
    if (At < First)
      continue;
    for (unsigned C = 0; C < Caches.size(); ++C)
      Older[C] += At < Caches[C].Oldest;
    Uses[Kept++] = Of;
  }
  Uses.resize(Kept);
  Uses.reserve(std::max(size_t(2048), size_t(4) * Kept));
  for (unsigned C = 0; C < Caches.size(); ++C)
    Caches[C].Oldest = Older[C];
}

} // namespace gpuestimate
