/// \file
/// Puts the parts of a space together that `tune --shard I/N --format json` has
/// tried apart.
#ifndef GPU_ESTIMATE_REPORT_RECORDS_TUNINGPARTS_H
#define GPU_ESTIMATE_REPORT_RECORDS_TUNINGPARTS_H

#include "gpu-estimate/Advice/Tuning.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Is File a result of `tune` in JSON?
bool isTuningResult(llvm::StringRef File);

/// The tunings of all files, one for each kernel and GPU, ranked anew. Errors
/// name the file: it is no such result, is of another space, repeats a part,
/// or a part is missing.
llvm::Expected<std::vector<Tuning>>
mergeTunings(llvm::ArrayRef<std::string> Files);

} // namespace gpuestimate

#endif
