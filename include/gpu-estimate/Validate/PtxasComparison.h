/// \file
/// The cases of a dataset with the registers of ptxas beside those with
/// estimated ones (`validate --ptxas both`).
#ifndef GPU_ESTIMATE_VALIDATE_PTXASCOMPARISON_H
#define GPU_ESTIMATE_VALIDATE_PTXASCOMPARISON_H

#include "gpu-estimate/Validate/Validation.h"

namespace gpuestimate {

struct PtxasRow {
  std::string Dataset;
  /// Cases that count: those whose registers ptxas tells, and those that are
  /// refused with it alone.
  size_t Assembled = 0, Refused = 0;
  ErrorStatistics Estimated, WithPtxas; ///< of the cases that are not refused
  /// Share of the Counted cases with measured registers whose registers are at
  /// most two off.
  size_t Counted = 0;
  double NearEstimated = 0, NearWithPtxas = 0;
};

/// A row for each dataset of which ptxas was asked (CaseResult::Ptxas).
std::vector<PtxasRow> ptxasComparison(const Validation &V);

} // namespace gpuestimate

#endif
