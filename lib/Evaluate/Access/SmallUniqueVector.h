/// \file
/// A small set of integers that numbers its members.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_SMALLUNIQUEVECTOR_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_SMALLUNIQUEVECTOR_H

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cassert>
#include <cstdint>

namespace gpuestimate {

/// Assigns consecutive numbers 0, 1, ... to distinct integers, such as the
/// sector indices of a request (llvm::UniqueVector for at most MaxSize
/// integers, without allocation). Lanes of most requests are unordered; hashing
/// their sectors takes a third of the time of sorting them.
class SmallUniqueVector {
public:
  static constexpr size_t MaxSize = 128;

  /// The number of Value, which is added if it is new.
  size_t insert(int64_t Value) {
    size_t Slot = uint64_t(Value) * 0x9e3779b97f4a7c15ULL >> 56;
    for (; Slots[Slot]; Slot = (Slot + 1) % Slots.size())
      if (Values[Slots[Slot] - 1] == Value)
        return Slots[Slot] - 1;
    assert(size() < MaxSize);
    Values.push_back(Value);
    Slots[Slot] = uint8_t(size());
    return size() - 1;
  }
  size_t size() const { return Values.size(); }

private:
  std::array<uint8_t, 2 * MaxSize> Slots{}; ///< number + 1; 0: free
  llvm::SmallVector<int64_t, MaxSize> Values;
};

} // namespace gpuestimate

#endif
