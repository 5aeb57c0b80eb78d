/// \file
/// Rankings of `gpu-estimate tune`.
#ifndef GPU_ESTIMATE_REPORT_TEXT_TUNING_H
#define GPU_ESTIMATE_REPORT_TEXT_TUNING_H

#include "gpu-estimate/Advice/Tuning.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// For each GPU the Top fastest (0: all), the source as it stands, what cannot
/// run and what is assumed.
void printTuningText(llvm::raw_ostream &OS, llvm::ArrayRef<Tuning> Results,
                     size_t Top);

/// All configurations that have a time, one row each, fastest first.
void printTuningCsv(llvm::raw_ostream &OS, llvm::ArrayRef<Tuning> Results);

/// {"schema": "gpu-estimate-tune/1", "tunings": [...]}, with all of them.
void printTuningJson(llvm::raw_ostream &OS, llvm::ArrayRef<Tuning> Results,
                     llvm::StringRef ToolVersion);

/// A section with chart and table for each GPU; Top as for the text.
void printTuningHtml(llvm::raw_ostream &OS, llvm::ArrayRef<Tuning> Results,
                     size_t Top, llvm::StringRef ToolVersion);

} // namespace gpuestimate

#endif
