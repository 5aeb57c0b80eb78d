#include "RequestCostCache.h"

#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

RequestCostCache::RequestCostCache(LaneState &State, const GpuModel &Gpu,
                                   RequestCostTables &Tables)
    : State(State), Program(State.program()), Tables(Tables) {
  for (const MemoryAccess &A : Program.kernel().Accesses) {
    Models.emplace_back(A, Gpu);
    LastRequests.push_back(
        {Tables.costClass(A, Models.back()), std::nullopt, nullptr});
    if (LastRequests.back().CostClass)
      Models.back().shareCosts(Tables.laneByLane(),
                               *LastRequests.back().CostClass);
  }
  LaneShapes.resize(size_t(Program.warpsPerBlock()) *
                    Program.sums().threadParts());
}

const RequestCost *RequestCostCache::find(unsigned Access,
                                          uint64_t ActiveLanes) {
  LastRequest &Request = LastRequests[Access];
  if (!Request.CostClass)
    return nullptr;
  std::optional<LaneState::Place> Place = State.place(Access);
  if (!Place)
    return nullptr;
  LaneShape &Shape =
      LaneShapes[size_t(State.warp()) * Program.sums().threadParts() +
                 Place->Thread];
  if (Shape.ActiveLanes != ActiveLanes) {
    llvm::ArrayRef<double> Thread = State.threadPart(Place->Thread);
    Shape.ActiveLanes = ActiveLanes;
    Shape.Shape = Tables.shapeOf(Thread, ActiveLanes);
    Shape.First = Thread[llvm::countr_zero(ActiveLanes)];
  }
  double First = Shape.First + Place->Uniform;
  // Beyond 2^52, doubles do not represent every byte.
  if (!Shape.Shape || !(std::abs(First) < 0x1p52))
    return nullptr;
  if (Request.Shape != Shape.Shape) {
    Request.Shape = Shape.Shape;
    Request.Table = &Tables.table(*Request.CostClass, *Shape.Shape);
  }
  RequestCostTables::Slot &Slot =
      (*Request.Table)[int64_t(First) & (Request.Table->size() - 1)];
  if (!Slot.IsKnown) {
    unsigned Lanes = Program.lanes();
    std::array<double, MaxLanes> Addresses;
    llvm::ArrayRef<double> All = State.address(Access);
    for (unsigned L = 0; L < Lanes; ++L)
      Addresses[L] = ActiveLanes >> L & 1 ? All[L] : NAN;
    Slot = {Models[Access].computeCost({Addresses.data(), Lanes}), true};
  }
  return &Slot.Cost;
}

} // namespace gpuestimate
