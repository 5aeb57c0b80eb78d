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
  /// The first one, with the sums of the sensitivities and shares.
  Assumption Shown;
  unsigned Count = 1; ///< merged assumptions
};

/// Groups assumptions of equal subject, value and place, largest share of the
/// interval first, then largest |sensitivity|.
std::vector<AssumptionGroup>
groupAssumptions(llvm::ArrayRef<Assumption> Assumptions);

} // namespace gpuestimate

#endif
