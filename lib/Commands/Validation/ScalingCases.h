/// \file
/// Errors of the clusters of scaling on measured cases.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_VALIDATION_SCALINGCASES_H
#define GPU_ESTIMATE_LIB_COMMANDS_VALIDATION_SCALINGCASES_H

#include "gpu-estimate/Validate/Validation.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Fills Validation::Scaling for each kernel with a base point, on a GPU that
/// has clusters. A kernel that they were trained with has the errors of the
/// training that left it out. Of another kernel the cases at clocks that its
/// table covers count. Errors: the clusters cannot be read.
llvm::Error addScalingErrors(Validation &V);

} // namespace gpuestimate

#endif
