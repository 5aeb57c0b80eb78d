/// \file
/// Predictions of loop nests that were measured on a CPU.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_VALIDATION_CPUCASES_H
#define GPU_ESTIMATE_LIB_COMMANDS_VALIDATION_CPUCASES_H

#include "CasePredictor.h"

namespace gpuestimate {

/// Adds a CaseResult of the default model for the case (MeasuredCase::Cpu), or
/// a CaseFailure. A GPU's model plays no part in it, so that other models have
/// none.
void predictCpuCase(const DatasetCases &From, const MeasuredCase &Case,
                    const Options &O, Validation &Into);

} // namespace gpuestimate

#endif
