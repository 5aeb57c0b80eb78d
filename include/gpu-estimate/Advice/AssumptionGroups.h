/// \file
/// Merges assumptions with equal text, such as those of the copies of an
/// unrolled loop, so that reports show each once.
#ifndef GPU_ESTIMATE_ADVICE_ASSUMPTIONGROUPS_H
#define GPU_ESTIMATE_ADVICE_ASSUMPTIONGROUPS_H

#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuestimate {

struct AssumptionGroup {
  Assumption Shown;   ///< the first one, with the sum of the sensitivities
  unsigned Count = 1; ///< merged assumptions
};

/// Groups assumptions of equal subject, value and place, largest |sensitivity|
/// first.
std::vector<AssumptionGroup>
groupAssumptions(llvm::ArrayRef<Assumption> Assumptions);

} // namespace gpuestimate

#endif
