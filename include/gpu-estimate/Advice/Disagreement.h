/// \file
/// Which part of the time sets the models apart on one launch. Models name the
/// parts of their time alike (CpiStack.h), so parts can be compared.
#ifndef GPU_ESTIMATE_ADVICE_DISAGREEMENT_H
#define GPU_ESTIMATE_ADVICE_DISAGREEMENT_H

#include "gpu-estimate/Model/Result/ModelComparison.h"
#include <optional>

namespace gpuestimate {

/// How far a model is from the first one, and the part of the time that
/// contributes most.
struct Disagreement {
  std::string Model;
  double Ratio = 1;      ///< of its time to that of the first model
  std::string Component; ///< the part with the largest difference
  Seconds Difference;    ///< of that part, above 0 where the model has more
};

/// M against the first model; nothing where one of the two has no estimate or
/// no time.
std::optional<Disagreement> disagreement(const ModelComparison &C,
                                         const ModelEstimate &M);
/// The largest, by the logarithm of the ratio.
std::optional<Disagreement> largestDisagreement(const ModelComparison &C);

} // namespace gpuestimate

#endif
