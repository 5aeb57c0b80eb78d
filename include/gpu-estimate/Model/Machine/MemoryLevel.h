/// \file
/// Levels of the memory hierarchy.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_MEMORYLEVEL_H
#define GPU_ESTIMATE_MODEL_MACHINE_MEMORYLEVEL_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace gpuestimate {

enum class MemoryLevel : uint8_t {
  Shared,
  L1,
  L2,
  L3, ///< a cache in front of DRAM, where the GPU has one
  Dram,
};
inline constexpr unsigned NumMemoryLevels = 5;
inline constexpr std::array<MemoryLevel, NumMemoryLevels> AllMemoryLevels = {
    MemoryLevel::Shared, MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::L3,
    MemoryLevel::Dram};

/// "shared", "l1", "l2", "l3", "dram"
inline llvm::StringRef name(MemoryLevel Level) {
  constexpr llvm::StringLiteral Names[] = {"shared", "l1", "l2", "l3", "dram"};
  return Names[static_cast<unsigned>(Level)];
}

/// A value for each level of memory.
template <typename T> class PerMemoryLevel {
public:
  T &operator[](MemoryLevel Level) { return Values[unsigned(Level)]; }
  const T &operator[](MemoryLevel Level) const {
    return Values[unsigned(Level)];
  }

private:
  std::array<T, NumMemoryLevels> Values{};
};

} // namespace gpuestimate

#endif
