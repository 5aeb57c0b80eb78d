/// \file
/// Reasons why points of a space have no prediction.
#ifndef GPU_ESTIMATE_MODEL_RESULT_REFUSALS_H
#define GPU_ESTIMATE_MODEL_RESULT_REFUSALS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace gpuestimate {

/// Each reason with the number of its points.
using RefusalCounts = std::vector<std::pair<std::string, size_t>>;

/// When two reasons are one, which is told by the first of them.
enum class SameReason : uint8_t {
  Equal,
  EqualButForDigits ///< "needs 70 registers" and "needs 72 registers"
};

void addRefusal(RefusalCounts &To, llvm::StringRef Reason, size_t Count,
                SameReason When);

/// The reason of most points first.
void sortRefusals(RefusalCounts &Counts);

} // namespace gpuestimate

#endif
