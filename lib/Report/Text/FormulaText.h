/// \file
/// The formulas of a kernel as text.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_FORMULATEXT_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_FORMULATEXT_H

#include "gpu-estimate/Model/Result/KernelFormulas.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Prints the formulas, what their parameters are, and under what they hold, in
/// lines of at most 100 characters where a formula has places to break.
void printFormulas(llvm::raw_ostream &OS, const KernelFormulas &Formulas);

} // namespace gpuestimate

#endif
