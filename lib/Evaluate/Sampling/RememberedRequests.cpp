#include "RememberedRequests.h"

#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

RememberedRequests::RememberedRequests(BoundKernel &Bound, const GpuModel &Gpu,
                                       RequestShapes &Shapes)
    : Bound(Bound), Shapes(Shapes) {
  for (const MemoryAccess &A : Bound.kernel().Accesses) {
    Counters.emplace_back(A, Gpu);
    Known.push_back({Shapes.kindOf(A, Counters.back()), std::nullopt, nullptr});
    if (Known.back().Kind)
      Counters.back().remember(Shapes.laneByLane(), *Known.back().Kind);
  }
  LaneShapes.resize(size_t(Bound.warpsPerBlock()) * Bound.threadParts());
}

const RequestCounts *RememberedRequests::find(unsigned Access, uint64_t On) {
  KnownRequests &K = Known[Access];
  if (!K.Kind)
    return nullptr;
  std::optional<BoundKernel::Place> At = Bound.place(Access);
  if (!At)
    return nullptr;
  LaneShape &Shape =
      LaneShapes[size_t(Bound.warp()) * Bound.threadParts() + At->Thread];
  if (Shape.On != On) {
    llvm::ArrayRef<double> Thread = Bound.threadPart(At->Thread);
    Shape.On = On;
    Shape.Shape = Shapes.shapeOf(Thread, On);
    Shape.First = Thread[llvm::countr_zero(On)];
  }
  double First = Shape.First + At->Rest;
  // Positions are whole bytes; beyond 2^52 they are not known to the byte.
  if (!Shape.Shape || !(std::abs(First) < 0x1p52))
    return nullptr;
  if (K.Shape != Shape.Shape) {
    K.Shape = Shape.Shape;
    K.Table = &Shapes.table(*K.Kind, *Shape.Shape);
  }
  RequestShapes::Slot &Slot =
      (*K.Table)[int64_t(First) & (K.Table->size() - 1)];
  if (!Slot.Known) {
    unsigned Lanes = Bound.lanes();
    std::array<double, MaxLanes> Addresses;
    llvm::ArrayRef<double> All = Bound.address(Access);
    for (unsigned L = 0; L < Lanes; ++L)
      Addresses[L] = On >> L & 1 ? All[L] : NAN;
    Slot = {Counters[Access].countNow({Addresses.data(), Lanes}), true};
  }
  return &Slot.Counts;
}

} // namespace gpuestimate
