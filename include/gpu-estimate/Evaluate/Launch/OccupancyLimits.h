/// \file
/// What keeps another block from a multiprocessor: the values of
/// Occupancy::LimitedBy.
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCH_OCCUPANCYLIMITS_H
#define GPU_ESTIMATE_EVALUATE_LAUNCH_OCCUPANCYLIMITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

/// In the order of occupancyLimitTable().
enum class OccupancyLimit : uint8_t {
  Threads,
  Blocks,
  Registers,
  Shared,
  Grid,
};

struct OccupancyLimitInfo {
  llvm::StringRef Name, Meaning;
};

llvm::ArrayRef<OccupancyLimitInfo> occupancyLimitTable();

inline llvm::StringRef name(OccupancyLimit Limit) {
  return occupancyLimitTable()[static_cast<size_t>(Limit)].Name;
}

} // namespace gpuestimate

#endif
