#include "gpu-estimate/Evaluate/Sampling/SamplingShapes.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

/// A table takes some kilobytes.
static constexpr size_t MaxTables = 4096, MaxShapes = 16384;

std::optional<unsigned> RequestShapes::kindOf(const MemoryAccess &A,
                                              const RequestCounter &Counter) {
  unsigned Period = Counter.period();
  if (!Period)
    return std::nullopt;
  auto [Place, New] = KindNumbers.try_emplace(
      {A.Space, A.Kind, A.BytesPerThread, sectorBytes(A, Gpu)}, Kinds.size());
  if (New)
    Kinds.push_back({Period, {}});
  return Place->second;
}

std::optional<unsigned> RequestShapes::shapeOf(llvm::ArrayRef<double> Addresses,
                                               uint64_t On) {
  // Distance of an idle lane.
  constexpr double Idle = -0x1p1000;
  double First = Addresses[llvm::countr_zero(On)];
  Distances.resize(Addresses.size());
  for (unsigned L = 0; L < Addresses.size(); ++L) {
    bool Takes = On >> L & 1;
    Distances[L] = Takes ? Addresses[L] - First : Idle;
    if (!std::isfinite(Distances[L]))
      return std::nullopt;
  }
  llvm::StringRef Key(reinterpret_cast<const char *>(Distances.data()),
                      Distances.size() * sizeof(double));
  return Shapes.try_emplace(Key, Shapes.size()).first->second;
}

RequestShapes::Table &RequestShapes::table(unsigned Kind, unsigned Shape) {
  auto [Place, New] = Kinds[Kind].Tables.try_emplace(Shape);
  if (New) {
    Place->second.resize(Kinds[Kind].Period);
    ++Size;
  }
  return Place->second;
}

void RequestShapes::trim() {
  for (RequestCounter::Memory *Of : {&LaneByLane, &Drawn})
    if (Of->size() >= MaxShapes)
      Of->clear();
  if (Size <= MaxTables && Shapes.size() <= MaxShapes)
    return;
  KindNumbers.clear();
  Kinds.clear();
  Shapes.clear();
  LaneByLane.clear();
  Drawn.clear();
  Size = 0;
}

} // namespace gpuestimate
