/// \file
/// Launches that are one thing to the reader (a program's launches of one
/// kernel, say), as one.
#ifndef GPU_ESTIMATE_MODEL_RESULT_LAUNCHTOTAL_H
#define GPU_ESTIMATE_MODEL_RESULT_LAUNCHTOTAL_H

#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// The sum of predictions:
///
///   Time        sum of the times
///   IntervalMs  sums of the shortest and of the longest times, since launches
///               are off by the same factors; nothing if one has no interval
///   Bottleneck  that of the longest launch
///
/// Example: 2 ms (1 to 4 ms) bound by dram and 1 ms (0.5 to 2 ms) bound by
/// issue are 3 ms (1.5 to 6 ms) bound by dram.
struct LaunchTotal {
  Seconds Time;
  std::optional<std::pair<double, double>> IntervalMs;
  std::string Bottleneck;
  std::vector<Assumption> Assumptions;
  std::vector<std::string> Premises; ///< each once

  void add(const Prediction &P);

private:
  size_t Launches = 0;
  Seconds Longest;
};

/// Shortest and longest time of P in milliseconds; nothing without interval.
std::optional<std::pair<double, double>> intervalMs(const Prediction &P);

} // namespace gpuestimate

#endif
