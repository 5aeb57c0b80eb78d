/// \file
/// The work of an analysis, in units that do not depend on the machine or its
/// load (Support/WorkBudget.h).
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_WORKOF_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_WORKOF_H

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate::test {

/// Units of work that Run spends.
inline double workOf(llvm::function_ref<void()> Run) {
  WorkBudget Counter{WorkLimits()};
  WorkScope Scope(Counter);
  Run();
  return double(Counter.spent());
}

} // namespace gpuestimate::test

#endif
