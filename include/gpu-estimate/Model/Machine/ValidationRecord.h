/// \file
/// The `validation` list of a GPU model file: mean errors on datasets of
/// measured times.
///
///   validation:
///     - {dataset: streams, cases: 144, mean_error: 0.0931, date: 2026-11-21}
///
/// `gpu-estimate validate --record` writes it; nobody edits it.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_VALIDATIONRECORD_H
#define GPU_ESTIMATE_MODEL_MACHINE_VALIDATIONRECORD_H

#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// Returns the text of a model file with its list replaced by Records, or
/// removed if there are none. All other bytes stay.
std::string withValidation(llvm::StringRef FileText,
                           llvm::ArrayRef<ValidationRecord> Records);

/// "12.3% on 59 cases"; "not validated" without records.
std::string describeValidation(llvm::ArrayRef<ValidationRecord> Records);

} // namespace gpuestimate

#endif
