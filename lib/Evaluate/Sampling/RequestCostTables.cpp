#include "gpu-estimate/Evaluate/Sampling/RequestCostTables.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

/// Limits at which trim() clears the tables; a table takes some kilobytes.
static constexpr size_t MaxTables = 4096, MaxShapes = 16384;

std::optional<unsigned>
RequestCostTables::costClass(const MemoryAccess &A,
                             const RequestCostModel &Model) {
  unsigned Period = Model.period();
  if (!Period)
    return std::nullopt;
  auto [Entry, New] = ClassNumbers.try_emplace(
      {A.Space, A.Kind, A.BytesPerThread, sectorBytes(A, Gpu)}, Classes.size());
  if (New)
    Classes.push_back({Period, {}});
  return Entry->second;
}

std::optional<unsigned>
RequestCostTables::shapeOf(llvm::ArrayRef<double> Addresses,
                           uint64_t ActiveLanes) {
  // The distance of an inactive lane, because NaN does not equal itself.
  constexpr double Inactive = -0x1p1000;
  double First = Addresses[llvm::countr_zero(ActiveLanes)];
  Distances.resize(Addresses.size());
  for (unsigned L = 0; L < Addresses.size(); ++L) {
    bool IsActive = ActiveLanes >> L & 1;
    Distances[L] = IsActive ? Addresses[L] - First : Inactive;
    if (!std::isfinite(Distances[L]))
      return std::nullopt;
  }
  llvm::StringRef Key(reinterpret_cast<const char *>(Distances.data()),
                      Distances.size() * sizeof(double));
  return Shapes.try_emplace(Key, Shapes.size()).first->second;
}

RequestCostTables::Table &RequestCostTables::table(unsigned CostClass,
                                                   unsigned Shape) {
  auto [Entry, New] = Classes[CostClass].Tables.try_emplace(Shape);
  if (New) {
    Entry->second.resize(Classes[CostClass].Period);
    ++NumTables;
  }
  return Entry->second;
}

void RequestCostTables::trim() {
  for (RequestCostMap *Map : {&LaneByLane, &Indirect})
    if (Map->size() >= MaxShapes)
      Map->clear();
  if (NumTables <= MaxTables && Shapes.size() <= MaxShapes)
    return;
  ClassNumbers.clear();
  Classes.clear();
  Shapes.clear();
  LaneByLane.clear();
  Indirect.clear();
  NumTables = 0;
}

} // namespace gpuestimate
