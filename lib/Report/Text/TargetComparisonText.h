/// \file
/// Text and JSON of the comparison of a loop nest with another machine.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_TARGETCOMPARISONTEXT_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_TARGETCOMPARISONTEXT_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

/// "'mm' takes 1.34 s on Xilinx ZC702, bound by axi, 5.5 times as long as on
/// NVIDIA Tegra K1".
std::string targetTimeLine(const Prediction &P, const TargetComparison &C);

/// "copies included, the GPU is faster from n = 812 on"; "" if it was not
/// searched for.
std::string breakEvenLine(const TargetComparison &C);

/// Prints the part of the text report.
void printTargetComparison(llvm::raw_ostream &OS, const Prediction &P,
                           const TargetComparison &C);

/// Writes the attributes of one object of the array `against`.
void writeComparison(llvm::json::OStream &J, const TargetComparison &C);

} // namespace gpuestimate

#endif
