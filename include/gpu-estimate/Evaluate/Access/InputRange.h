/// \file
/// The range in which a value that is not known lies with probability 0.8.
///
/// The ranges follow the 10 % and 90 % quantiles of the values that programs of
/// HeCBench had on their own data under `gpu-estimate run`, rounded.
/// docs/intervals.md has the quantiles and the number of programs, and tells
/// which ends are judgement because there were few values.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_INPUTRANGE_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_INPUTRANGE_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

struct ValueRange {
  double Low, High;
};

/// Range of an unknown whose assumed value is Value: IsUpperBound
/// tells that it cannot be larger.
ValueRange rangeOf(const Unknown &U, double Value, bool IsUpperBound);

/// Range of the size of a problem that is taken to be Value: an integer
/// argument, a variable of the host code.
ValueRange rangeOfSize(double Value);
/// Range of the exponent where the size is two to the power of Value.
ValueRange rangeOfShift(double Value);
/// Ranges of the number of thread blocks, and of the threads of one, where no
/// launch tells them.
inline constexpr ValueRange GridRange = {2, 37000};
inline constexpr ValueRange BlockRange = {32, 256};

} // namespace gpuestimate

#endif
