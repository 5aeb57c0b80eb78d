/// \file
/// Models side by side: `gpu-estimate compare`.
#ifndef GPU_ESTIMATE_REPORT_TEXT_COMPARISON_H
#define GPU_ESTIMATE_REPORT_TEXT_COMPARISON_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// For each launch a table: a row for each GPU, a column for each model with
/// time and bound, and which model is furthest from the default one and by
/// which component. What models refuse, and kernels without an estimate, stand
/// below.
void printComparisonText(llvm::raw_ostream &OS, const Analysis &A);

/// {"schema": "gpu-estimate-compare/1", "comparisons": [...], "unresolved":
/// [...]}
void printComparisonJson(llvm::raw_ostream &OS, const Analysis &A,
                         llvm::StringRef ToolVersion);

} // namespace gpuestimate

#endif
