/// \file
/// The formulas of kernels as functions of Python or C, to paste into a program
/// (`--formulas=python`, `--formulas=c`).
#ifndef GPU_ESTIMATE_REPORT_TEXT_FORMULACODE_H
#define GPU_ESTIMATE_REPORT_TEXT_FORMULACODE_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Symbolic/CodePrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Prints a module of Python or C99 that needs nothing else: for each estimate
/// and each of its formulas a function KERNEL_FORMULA, such as saxpy_time.
/// Python: what the GPU, the launch and the assumptions say are defaults of
/// parameters. C: they are members of a structure KERNEL_values, and
/// KERNEL_default has their values.
void printFormulaCode(llvm::raw_ostream &OS, const Analysis &A,
                      CodeLanguage Language);

} // namespace gpuestimate

#endif
