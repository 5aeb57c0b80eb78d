/// \file
/// What requests of an access cost that some of a warp's lanes take part in:
/// numbers are given to what the lanes touch once, and the outcomes of many
/// draws are counted by them.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_COUNTSOFSOME_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_COUNTSOFSOME_H

#include "gpu-estimate/Evaluate/Sampling/SamplingRequests.h"
#include <array>

namespace gpuestimate {

class CountsOfSome {
public:
  /// Addresses: global, NaN where a lane takes part in no request. Nothing can
  /// be told where known() is false: it is for banked data stages, warps of 32
  /// lanes, and accesses within one word.
  CountsOfSome(const MemoryAccess &Access, llvm::ArrayRef<double> Addresses,
               const GpuModel &Gpu);
  bool known() const { return Known; }
  /// RequestCounter::countNow() of the lanes whose bit is set, which have
  /// addresses; without sectors.
  RequestCounts operator()(uint64_t Lanes) const;

private:
  static constexpr unsigned MaxKnownLanes = 32;
  /// Numbers of what a lane touches, from 0 on: a bit each.
  struct Lane {
    uint8_t Line, Word, Bank, Sector, Address;
    uint32_t Pieces; ///< of the sector, a bit each
  };
  bool Known, IsStore, IsAtomic;
  uint32_t AllPieces = 0; ///< of a sector; 0: none is ever full
  std::array<Lane, MaxKnownLanes> Lanes;
};

} // namespace gpuestimate

#endif
