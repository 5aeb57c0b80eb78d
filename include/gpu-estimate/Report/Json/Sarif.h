/// \file
/// Diagnostics in forms that other tools read: SARIF 2.1.0 (OASIS standard;
/// code scanning, editors) and LLVM's optimisation records in YAML (opt-viewer
/// and its like).
#ifndef GPU_ESTIMATE_REPORT_JSON_SARIF_H
#define GPU_ESTIMATE_REPORT_JSON_SARIF_H

#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"

namespace gpuestimate {

/// Prints one run with a rule for each group of diagnostics. Remarks have the
/// level "note". Columns count code points if the source can be read.
void printSarif(llvm::raw_ostream &OS, llvm::ArrayRef<Diagnostic> Diagnostics,
                llvm::StringRef ToolVersion);

/// Prints one document for each diagnostic about a kernel: Passed for a time
/// that is predicted, Missed for what can be done better, Analysis for the
/// rest.
void printOptimisationRecords(llvm::raw_ostream &OS,
                              llvm::ArrayRef<Diagnostic> Diagnostics);

} // namespace gpuestimate

#endif
