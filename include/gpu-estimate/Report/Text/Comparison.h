/// \file
/// Models side by side: `gpu-estimate compare`.
#ifndef GPU_ESTIMATE_REPORT_TEXT_COMPARISON_H
#define GPU_ESTIMATE_REPORT_TEXT_COMPARISON_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Prints a table for each launch: a row for each GPU, columns with time and
/// bound of each model, and the model that differs most from the default one,
/// with the component in which it differs. Refusals of models and kernels
/// without an estimate follow.
void printComparisonText(llvm::raw_ostream &OS, const Analysis &A);

/// {"schema": "gpu-estimate-compare/1", "comparisons": [...], "unresolved":
/// [...]}
void printComparisonJson(llvm::raw_ostream &OS, const Analysis &A,
                         llvm::StringRef ToolVersion);

} // namespace gpuestimate

#endif
