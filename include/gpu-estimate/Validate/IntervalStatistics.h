/// \file
/// How often measured times lie in the intervals of the predictions. An
/// interval of a case is made without the measurements of its dataset, or of
/// its program and others (heldOutGroup).
#ifndef GPU_ESTIMATE_VALIDATE_INTERVALSTATISTICS_H
#define GPU_ESTIMATE_VALIDATE_INTERVALSTATISTICS_H

#include "gpu-estimate/Validate/Statistics.h"

namespace gpuestimate {

/// The index of DefaultIntervalLevel in IntervalRow::Covered.
inline constexpr size_t DefaultLevelIndex = 1;
static_assert(intervalLevels()[DefaultLevelIndex] == DefaultIntervalLevel);

/// The cases of the default model of one dataset that count and have an
/// interval.
struct IntervalRow {
  std::string Dataset;
  std::string Inputs;     ///< "known", "assumed"; "" stands for both
  std::string Decade;     ///< of the measured time; "" stands for all
  std::string Gpu, Bound; ///< likewise
  size_t Cases = 0;
  /// [level of intervalLevels()] share of the cases whose measured time lies in
  /// the interval.
  std::array<double, NumIntervalLevels> Covered{};
  /// For the default level: share of the cases that took less, and more, and
  /// the median of high / low.
  double Shorter = 0, Longer = 0, MedianRatio = 1;
  /// exp(mean ln(high / low)) of the default level.
  double MeanRatio = 1;
};

/// Rows by dataset, and with By by inputs, by decade, or by both, or by inputs
/// and the bound or the GPU, in the order of statistics().
std::vector<IntervalRow> intervalStatistics(const Validation &V, GroupBy By);

/// How many times as wide the one interval round all predicted times that
/// covers as many of the cases as the intervals of the default level do is as
/// these, on average over the cases. Widths are ln(high / low).
double sharpness(const Validation &V);

} // namespace gpuestimate

#endif
