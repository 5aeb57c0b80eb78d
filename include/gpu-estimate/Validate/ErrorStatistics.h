/// \file
/// Error statistics. With e = (predicted - measured) / measured over the cases
/// that count:
///
///   mean, median, 90th percentile and maximum of |e| (absolute percentage
///   error; percentiles interpolate linearly between the ordered values)
///   bias: mean of e, above 0 where times are predicted too long
///   factor: exp(mean |ln(predicted / measured)|), 1 when all are right. Twice
///     and half the measured time are both a factor of 2, where |e| says 100%
///     and 50%. Unknown when a prediction is 0
///   within 25%: fraction of the cases with |e| <= 0.25
///   mean by kernel: mean over kernels of the mean |e| of each, so that a
///   kernel
///     with many rows counts once
///   spearman: rank correlation of predicted and measured times within the
///     sizes of one kernel on one GPU; over more than one such group their mean
///     (groups of fewer than three cases say nothing and are left out)
///   pick loss, for tuning tables: how much slower than the best measured
///     configuration the one is that the prediction would pick; mean of groups
#ifndef GPU_ESTIMATE_VALIDATE_ERRORSTATISTICS_H
#define GPU_ESTIMATE_VALIDATE_ERRORSTATISTICS_H

#include "gpu-estimate/Validate/Dataset.h"

namespace gpuestimate {

struct ErrorStatistics {
  size_t Cases = 0; ///< that count; the rest is 0 or unknown without any
  double MeanApe = 0, MedianApe = 0, P90Ape = 0, MaxApe = 0, Bias = 0;
  std::optional<double> Factor;
  double Within25 = 0;
  size_t Kernels = 0; ///< distinct labels among the cases that count
  double KernelMeanApe = 0;
  std::optional<double> Spearman, PickLoss;
};

/// One line of a table; an empty name or no split stands for all.
struct StatisticsRow {
  std::string Dataset, Gpu, Kernel, Bound, Model;
  std::string Inputs; ///< "known" or "assumed"
  std::string Decade; ///< of the measured time: "below 10 us"
  std::optional<Split> Part;
  ErrorStatistics Errors;
};

} // namespace gpuestimate

#endif
