/// \file
/// A small set of whole numbers, such as the granules that a request touches.
/// Most requests have one number for each lane, in any order: hashing them
/// takes a third of the time of sorting them.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_NUMBERSET_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_NUMBERSET_H

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cassert>
#include <cstdint>

namespace gpuestimate {

class NumberSet {
public:
  static constexpr size_t MaxSize = 128;

  /// The place of the number among those of the set, which has room for it.
  size_t insert(int64_t Number) {
    size_t Slot = uint64_t(Number) * 0x9e3779b97f4a7c15ULL >> 56;
    for (; Places[Slot]; Slot = (Slot + 1) % Places.size())
      if (Numbers[Places[Slot] - 1] == Number)
        return Places[Slot] - 1;
    assert(size() < MaxSize);
    Numbers.push_back(Number);
    Places[Slot] = uint8_t(size());
    return size() - 1;
  }
  size_t size() const { return Numbers.size(); }

private:
  std::array<uint8_t, 2 * MaxSize> Places{}; ///< plus one; 0: free
  llvm::SmallVector<int64_t, MaxSize> Numbers;
};

} // namespace gpuestimate

#endif
