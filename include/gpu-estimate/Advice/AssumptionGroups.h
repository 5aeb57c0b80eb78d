/// \file
/// Assumptions that read the same: an unrolled loop has one unknown for each of
/// its copies, and a reader wants to see one line.
#ifndef GPU_ESTIMATE_ADVICE_ASSUMPTIONGROUPS_H
#define GPU_ESTIMATE_ADVICE_ASSUMPTIONGROUPS_H

#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuestimate {

struct AssumptionGroup {
  Assumption Shown;   ///< the first one, with the sum of the sensitivities
  unsigned Count = 1; ///< assumptions that it stands for
};

/// Groups of the same subject, value and place, largest |sensitivity| first.
std::vector<AssumptionGroup>
groupAssumptions(llvm::ArrayRef<Assumption> Assumptions);

} // namespace gpuestimate

#endif
