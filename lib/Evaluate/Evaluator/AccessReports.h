/// \file
/// The kernel's accesses with what sampling and traffic found, for reports.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_ACCESSREPORTS_H
#define GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_ACCESSREPORTS_H

#include "gpu-estimate/Evaluate/Models/ModelInputs.h"

namespace gpuestimate {

/// Parallel to KernelModel::Accesses.
std::vector<AccessReport> accessReports(const ModelInputs &In);

} // namespace gpuestimate

#endif
