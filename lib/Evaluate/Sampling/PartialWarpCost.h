/// \file
/// Cost of requests in which only some lanes of a warp are active.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_PARTIALWARPCOST_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_PARTIALWARPCOST_H

#include "gpu-estimate/Evaluate/Sampling/RequestCostModel.h"
#include <array>

namespace gpuestimate {

/// Computes the cost of one request for many sets of active lanes. The lines,
/// words, banks and sectors of the lanes are numbered once; each set is then
/// counted with bit masks.
class PartialWarpCost {
public:
  /// Addresses: in global memory, NaN for lanes that are never active.
  PartialWarpCost(const MemoryAccess &Access, llvm::ArrayRef<double> Addresses,
                  const GpuModel &Gpu);
  /// Whether the cost can be computed: for banked L1 data stages, warps of 32
  /// lanes, and accesses within one word.
  bool isSupported() const { return IsSupported; }
  /// RequestCostModel::computeCost() with the lanes of the mask active, all of
  /// which have addresses; Sectors is not set.
  RequestCost operator()(uint64_t ActiveLanes) const;

private:
  static constexpr unsigned MaxWarpLanes = 32;
  /// Numbers, from 0, of the line, word, ... that a lane accesses.
  struct Lane {
    uint8_t Line, Word, Bank, Sector, Address;
    uint32_t SectorMask; ///< elements of the sector that the lane covers
  };
  bool IsSupported, IsStore, IsAtomic;
  double SerialPassesPerLane;  ///< serialPasses() / lanes
  uint32_t FullSectorMask = 0; ///< all elements; 0: no sector is ever full
  std::array<Lane, MaxWarpLanes> Lanes;
};

} // namespace gpuestimate

#endif
