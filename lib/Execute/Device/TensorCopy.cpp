#include "TensorCopy.h"

#include "WarpMatrix.h"
#include "gpu-estimate/Execute/TensorMap.h"
#include <cstring>

namespace gpuestimate {

/// Elements of the box lie one behind the other in shared memory, the first
/// dimension closest; the parts of its rows are swizzled. What lies outside of
/// the tensor is zero, and is not written.
static uint32_t copyTensor(char *Shared, const TensorMap *Given, int32_t X,
                           int32_t Y, int32_t Z, int32_t U, int32_t V,
                           uint32_t Dimensions, uint32_t IsLoad) {
  TensorMap Map;
  std::memcpy(&Map, Given, sizeof(Map));
  if (Map.Begin != TensorMap::Mark || Map.Dimensions != Dimensions)
    return 0;
  constexpr unsigned Max = TensorMap::MaxDimensions;
  const int64_t Corner[Max] = {X, Y, Z, U, V};
  uint32_t Bytes = Map.elementBytes();
  uint64_t Place[Max] = {}, Count = 1;
  for (unsigned D = 0; D != Dimensions; ++D)
    Count *= Map.Box[D];
  for (uint64_t N = 0; N != Count; ++N) {
    bool IsInside = true;
    uint64_t Address = Map.Address;
    for (unsigned D = 0; D != Dimensions; ++D) {
      int64_t At = Corner[D] + int64_t(Place[D]) * Map.Step[D];
      IsInside &= At >= 0 && At < int64_t(Map.Size[D]);
      Address += static_cast<uint64_t>(At) * Map.Pitch[D];
    }
    auto *Memory = reinterpret_cast<char *>(Address);
    auto *InBox = reinterpret_cast<char *>(swizzledAddress(
        reinterpret_cast<uint64_t>(Shared) + N * Bytes, Map.SwizzledRow));
    if (IsLoad && IsInside)
      std::memcpy(InBox, Memory, Bytes);
    else if (IsLoad)
      std::memset(InBox, Map.FillsNan ? 0xff : 0, Bytes);
    else if (IsInside)
      std::memcpy(Memory, InBox, Bytes);
    for (unsigned D = 0; D != Dimensions && ++Place[D] == Map.Box[D]; ++D)
      Place[D] = 0;
  }
  return static_cast<uint32_t>(Count * Bytes);
}

void addTensorFunctions(llvm::StringMap<void *> &Table) {
  Table["ge.tensor_copy"] = reinterpret_cast<void *>(copyTensor);
}

} // namespace gpuestimate
