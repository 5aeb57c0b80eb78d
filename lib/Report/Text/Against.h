/// \file
/// Words for the comparison of a loop nest with another machine.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_AGAINST_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_AGAINST_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

/// "'mm' takes 1.34 s on Xilinx ZC702, bound by axi, 5.5 times as long as on
/// NVIDIA Tegra K1".
std::string againstLine(const Prediction &P, const Comparison &C);

/// "copies included, the GPU is faster from n = 812 on"; "" where it was not
/// looked for.
std::string breakEvenLine(const Comparison &C);

/// The part of the text report.
void printComparison(llvm::raw_ostream &OS, const Prediction &P,
                     const Comparison &C);

/// One object of the array `against`.
void writeComparison(llvm::json::OStream &J, const Comparison &C);

} // namespace gpuestimate

#endif
