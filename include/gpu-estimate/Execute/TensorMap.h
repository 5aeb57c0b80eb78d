/// \file
/// What stands in a CUtensorMap of the executor: cuTensorMapEncodeTiled()
/// writes it, copies of the copy engine read it. NVIDIA's own format is not
/// public.
#ifndef GPU_ESTIMATE_EXECUTE_TENSORMAP_H
#define GPU_ESTIMATE_EXECUTE_TENSORMAP_H

#include <cstdint>

namespace gpuestimate {

struct TensorMap {
  static constexpr unsigned MaxDimensions = 5;
  static constexpr uint32_t Mark = 0x70616d54; ///< tells a map from other bytes

  uint64_t Address = 0;               ///< of the tensor
  uint64_t Pitch[MaxDimensions] = {}; ///< bytes; [0] is an element's
  uint32_t Size[MaxDimensions] = {};  ///< elements
  uint16_t Box[MaxDimensions] = {};   ///< elements that a copy moves
  uint8_t Step[MaxDimensions] = {};   ///< from element to element
  uint8_t Dimensions = 0;
  uint16_t SwizzledRow = 0; ///< bytes of a swizzled row: 0, 32, 64 or 128
  uint8_t FillsNan = 0;     ///< outside of the tensor, else zero
  uint32_t Begin = Mark;

  uint32_t elementBytes() const { return static_cast<uint32_t>(Pitch[0]); }
};
static_assert(sizeof(TensorMap) <= 128, "a CUtensorMap has 128 bytes");

} // namespace gpuestimate

#endif
