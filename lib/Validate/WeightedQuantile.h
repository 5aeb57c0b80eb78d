/// \file
/// Quantiles of values that do not count alike.
#ifndef GPU_ESTIMATE_LIB_VALIDATE_WEIGHTEDQUANTILE_H
#define GPU_ESTIMATE_LIB_VALIDATE_WEIGHTEDQUANTILE_H

#include <vector>

namespace gpuestimate {

struct WeightedValue {
  double Value, Weight;
};

/// The smallest value at and below which the fraction Q of the weight lies; 0
/// for no values.
double weightedQuantile(std::vector<WeightedValue> Values, double Q);

} // namespace gpuestimate

#endif
