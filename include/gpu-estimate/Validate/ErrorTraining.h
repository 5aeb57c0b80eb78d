/// \file
/// The table of ModelError.h from the cases of a validation.
#ifndef GPU_ESTIMATE_VALIDATE_ERRORTRAINING_H
#define GPU_ESTIMATE_VALIDATE_ERRORTRAINING_H

#include "gpu-estimate/Evaluate/Uncertainty/ModelError.h"
#include "gpu-estimate/Validate/Validation.h"

namespace gpuestimate {

/// The table of all cases of the default model on GPUs that count and assume
/// nothing, but for those of WithoutDataset.
///
/// Neither a dataset of a thousand rows nor one of twenty decides: a case
/// weighs 1 / sqrt(cases of its kernel), and the weights of a dataset sum to
/// the square root of what they would sum to.
///   spread of a part   weighted median of |r| over the cases of which it is
///                      the largest part, shrunk to the median over all cases
///                      with the weight PriorWeight
///   Amd                weighted median of |r| / spread of AMD's cases by that
///                      of NVIDIA's, at least 1
///   quantiles          weighted, of r / spread; the interval holds the
///                      predicted time itself
ErrorTable trainErrors(const Validation &V, llvm::StringRef WithoutDataset);

/// The weight of the median over all cases in the spread of a part, so that a
/// part of few cases has a spread, too. Chosen: 1 and 4 cover as many cases of
/// left-out datasets (81 %).
inline constexpr double PriorWeight = 2;

/// The text of ErrorTable.inc: the table of all cases, then one without each
/// dataset.
std::string errorTableText(const Validation &V);

} // namespace gpuestimate

#endif
