/// \file
/// Rankings of `gpu-estimate tune`.
#ifndef GPU_ESTIMATE_REPORT_TEXT_TUNING_H
#define GPU_ESTIMATE_REPORT_TEXT_TUNING_H

#include "gpu-estimate/Advice/Tuning.h"
#include "gpu-estimate/Report/Text/SpacePart.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Prints for each GPU the Top fastest configurations (0: all), the unchanged
/// source, configurations that cannot run, and assumptions.
void printTuningText(llvm::raw_ostream &OS, llvm::ArrayRef<Tuning> Results,
                     size_t Top);

/// Prints all configurations that have a time, one row each, fastest first.
void printTuningCsv(llvm::raw_ostream &OS, llvm::ArrayRef<Tuning> Results);

/// Prints {"schema": "gpu-estimate-tune/1", "tunings": [...]} with all
/// configurations.
void printTuningJson(llvm::raw_ostream &OS, llvm::ArrayRef<Tuning> Results,
                     llvm::StringRef ToolVersion, const SpacePart &Part = {});

/// Prints a section with chart and table for each GPU; Top is the argument of
/// printTuningText().
void printTuningHtml(llvm::raw_ostream &OS, llvm::ArrayRef<Tuning> Results,
                     size_t Top, llvm::StringRef ToolVersion);

} // namespace gpuestimate

#endif
