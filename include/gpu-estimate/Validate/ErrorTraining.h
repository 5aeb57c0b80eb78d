/// \file
/// The table of ModelError.h from the cases of a validation.
#ifndef GPU_ESTIMATE_VALIDATE_ERRORTRAINING_H
#define GPU_ESTIMATE_VALIDATE_ERRORTRAINING_H

#include "gpu-estimate/Evaluate/Uncertainty/ModelError.h"
#include "gpu-estimate/Validate/Validation.h"

namespace gpuestimate {

/// The table of all cases of the default model on GPUs that count, but for
/// those of the group Without (heldOutGroup). All but the last two of the
/// values below are of cases that assume nothing.
///
/// An interval is for a program that nobody has seen, so programs weigh alike,
/// whatever the number of their cases: errors of one program are one error. A
/// whole program of others weighs 1. Kernels that we wrote for a dataset are
/// like each other, and the model was made with their times: n of them weigh
/// sqrt(n) together: chosen of n, sqrt(n) and 1, which hold 75, 81 and 83 % of
/// the known launches of whole programs that are left out.
///   spread of a part   weighted median of |r| over the cases of which it is
///                      the largest part, shrunk to the median over all cases
///                      with the weight PriorWeight
///   Amd                weighted median of |r| / spread of AMD's cases by that
///                      of NVIDIA's, at least 1
///   quantiles          weighted, of r / spread; the interval holds the
///                      predicted time itself
///   OfBound            weighted quantile of |r| by the distance of the end of
///                      the interval of 80 %, over the cases of the bound and
///                      all others with OtherBoundsWeight
///   Assumed            of the cases that assume something: weighted quantiles
///                      of |r| by the distance of that end of the interval as
///                      the ranges of the assumptions make it
///   AssumedOfBound     as OfBound, over these cases
ErrorTable trainErrors(const Validation &V, llvm::StringRef Without);

/// The weight of the median over all cases in the spread of a part, so that a
/// part of few cases has a spread, too. 1 and 4 cover as many cases that are
/// left out.
inline constexpr double PriorWeight = 2;

/// The weight, in programs, that all cases of other bounds have together in the
/// factor of one bound, so that one program does not decide it. 2 and 8 cover
/// as many cases that are left out.
inline constexpr double OtherBoundsWeight = 8;

/// The text of ErrorTable.inc: the table of all cases, then one without each
/// group.
std::string errorTableText(const Validation &V);

} // namespace gpuestimate

#endif
