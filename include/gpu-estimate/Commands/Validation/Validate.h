/// \file
/// `gpu-estimate validate`.
#ifndef GPU_ESTIMATE_COMMANDS_VALIDATION_VALIDATE_H
#define GPU_ESTIMATE_COMMANDS_VALIDATION_VALIDATE_H

#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Predicts the measured cases of the datasets and reports the errors.
/// BoundExceeded if one is above its record, NotAnalysed if a case could not be
/// predicted.
ExitStatus runValidate(const Options &O, llvm::raw_ostream &Out,
                       llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
