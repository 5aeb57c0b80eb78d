/// \file
/// The values of GPU models that were computed from measured cases of
/// validation/, and are therefore no prediction of these cases.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_FITTEDVALUES_H
#define GPU_ESTIMATE_MODEL_MACHINE_FITTEDVALUES_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace gpuestimate {

/// A Markdown table with a row for each value of kind `fitted`: key, GPU,
/// value, the cases it was computed from, and the other GPUs to whose models
/// the value was carried over (equal `fitted_on`, another kind).
std::string fittedValuesTable(llvm::ArrayRef<GpuModel> Models);

} // namespace gpuestimate

#endif
