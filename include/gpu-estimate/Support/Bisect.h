/// \file
/// Bisection over whole numbers.
#ifndef GPU_ESTIMATE_SUPPORT_BISECT_H
#define GPU_ESTIMATE_SUPPORT_BISECT_H

#include <cmath>
#include <concepts>

namespace gpuestimate {

/// The largest whole number in [Low, High) for which Holds is true. Holds must
/// be true at Low and false at High, where it is not evaluated, and change once
/// between them. Low and High are whole numbers, in doubles below 2^52.
template <typename Number, typename Predicate>
Number lastTrue(Number Low, Number High, Predicate Holds) {
  while (High - Low > 1) {
    Number Half = (High - Low) / 2;
    if constexpr (std::floating_point<Number>)
      Half = std::floor(Half);
    Number Middle = Low + Half;
    (Holds(Middle) ? Low : High) = Middle;
  }
  return Low;
}

} // namespace gpuestimate

#endif
