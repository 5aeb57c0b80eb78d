/// \file
/// Errors of how times scale. A case with a base point (MeasuredCase::Base) has
/// the measured ratio R = M / M_base of its time to that of the same launches
/// at the base point, and the predicted ratio r = P / P_base; the error is r /
/// R -
/// 1. A constant factor of a kernel's predictions cancels: 2 ms where 1 ms were
/// measured, at both points, is an error of 100% in time and of 0 in ratio.
///
/// Two predictors that know nothing of the kernel stand beside the model:
///
///   1/core clock    r = f_base / f
///   mean of others  r = mean over the other kernels of their measured R at the
///                   same clocks
#ifndef GPU_ESTIMATE_VALIDATE_RATIOSTATISTICS_H
#define GPU_ESTIMATE_VALIDATE_RATIOSTATISTICS_H

#include "gpu-estimate/Validate/Validation.h"

namespace gpuestimate {

/// The cases of one GPU that share a base point, and of one kernel or of all.
struct RatioRow {
  std::string Dataset, Gpu, Model;
  std::string Base;   ///< "core_clock=1328MHz memory_clock=715MHz"
  std::string Kernel; ///< "" stands for all
  size_t Cases = 0, Kernels = 0;
  /// Mean, median and maximum of the absolute error, and the mean of the error
  /// with its sign.
  double MeanApe = 0, MedianApe = 0, MaxApe = 0, Bias = 0;
  double InverseClock = 0; ///< mean absolute error of f_base / f
  /// Mean absolute error of the mean of the other kernels, where there are any.
  std::optional<double> MeanOfOthers;
  /// Mean absolute error of the ratio of the board power to that at the base
  /// point, over the cases whose power is measured and predicted.
  std::optional<double> Power;
  /// Errors of Validation::Scaling, where the default model has such errors.
  std::optional<double> Clusters, Correction;
};

/// Rows by dataset, GPU and base point in the order of their first case, then
/// models; with ByKernel, by kernel, too. Noisy cases, base points themselves
/// and cases whose base point has no prediction are left out.
std::vector<RatioRow> ratioStatistics(const Validation &V, bool ByKernel);

} // namespace gpuestimate

#endif
