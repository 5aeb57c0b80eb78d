#include "gpu-estimate/Evaluate/Access/InputRange.h"

#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// A comparison whose share is exactly 0 or 1 by default is one of reals for
/// equality. Other shares may be anything.
static ValueRange rangeOfShare(const Unknown &U, double Value) {
  constexpr double Equal = 0.3;
  if (!U.Relation.empty() && Value == 0)
    return {0, Equal};
  if (!U.Relation.empty() && Value == 1)
    return {1 - Equal, 1};
  return {0, 1};
}

/// The upper end of a trip count without an upper bound, whatever the default.
static constexpr double LargeTripCount = 48;

ValueRange rangeOf(const Unknown &U, double Value, bool IsUpperBound) {
  if (U.FromData)
    return {Value, Value};
  switch (U.Kind) {
  case Unknown::BranchProbability:
    return rangeOfShare(U, Value);
  case Unknown::TripCount:
    if (IsUpperBound)
      return {std::min(Value, std::ceil(Value / 20)), Value};
    return {std::min(Value, 1.0), std::max(LargeTripCount, 3 * Value)};
  case Unknown::LoadedValue: // a pattern, not a number
  case Unknown::Call:
  case Unknown::Instruction:
  case Unknown::Other:
    break;
  }
  return {Value, Value};
}

static constexpr double SizeFactor = 8, SizeShift = 3; // 8 = 2^3

ValueRange rangeOfSize(double Value) {
  if (Value < 1)
    return {Value, Value};
  return {std::max(1.0, std::floor(Value / SizeFactor)), Value * SizeFactor};
}

ValueRange rangeOfShift(double Value) {
  return {std::max(0.0, Value - SizeShift), Value + SizeShift};
}

} // namespace gpuestimate
