/// \file
/// The component of the time in which two models of one launch differ most. All
/// models use the component names of CpiStack.h, so components can be compared.
#ifndef GPU_ESTIMATE_ADVICE_DISAGREEMENT_H
#define GPU_ESTIMATE_ADVICE_DISAGREEMENT_H

#include "gpu-estimate/Model/Result/ModelComparison.h"
#include <optional>

namespace gpuestimate {

/// Difference between a model and the first one, and the component that
/// contributes most.
struct Disagreement {
  std::string Model;
  double Ratio = 1;      ///< its time / the first model's time
  std::string Component; ///< component with the largest difference
  Seconds Difference; ///< in that component; above 0 if the model takes longer
};

/// Compares M with the first model; nullopt if one of the two has no estimate
/// or no time.
std::optional<Disagreement> disagreement(const ModelComparison &C,
                                         const ModelEstimate &M);
/// Returns the largest disagreement, by the logarithm of the ratio.
std::optional<Disagreement> largestDisagreement(const ModelComparison &C);

} // namespace gpuestimate

#endif
