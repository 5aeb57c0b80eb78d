#include "PiecesByAge.h"

namespace gpuestimate {

PiecesByAge::PiecesByAge(llvm::ArrayRef<double> Capacities, unsigned Pieces)
    : Where(Pieces, -1) {
  for (double Capacity : Capacities)
    Caches.push_back({Capacity, 0, -1});
}

} // namespace gpuestimate
