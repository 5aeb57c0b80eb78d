/// \file
/// Plots of a validation as SVG elements. Colours are classes of the page's
/// style sheet (g0, g1, ...), so that they follow light and dark.
#ifndef GPU_ESTIMATE_LIB_REPORT_VALIDATION_VALIDATIONPLOT_H
#define GPU_ESTIMATE_LIB_REPORT_VALIDATION_VALIDATIONPLOT_H

#include "gpu-estimate/Validate/IntervalStatistics.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Classes g0 to g(PlotColours - 1) exist.
inline constexpr unsigned PlotColours = 8;

/// Plots predicted against measured times on logarithmic axes, with lines of
/// equality and of 20% more and less. The index in Gpus selects the colour.
void plotScatter(llvm::raw_ostream &OS,
                 llvm::ArrayRef<const CaseResult *> Cases,
                 llvm::ArrayRef<std::string> Gpus);

/// Plots the factor of each model against the number of warps, both on
/// logarithmic axes. Rows are those of one dataset; the index in Models selects
/// the colour.
void plotWarps(llvm::raw_ostream &OS, llvm::ArrayRef<WarpsRow> Rows,
               llvm::ArrayRef<std::string> Models);

/// Plots the share of the cases whose measured time lies in the interval
/// against the probability that the interval is for (reliability diagram), a
/// line for each row of one dataset. Right intervals lie on the diagonal.
void plotReliability(llvm::raw_ostream &OS, llvm::ArrayRef<IntervalRow> Rows);

/// Plots the mean absolute error of each row as a bar.
void plotBars(llvm::raw_ostream &OS, llvm::ArrayRef<StatisticsRow> Rows,
              llvm::ArrayRef<std::string> Gpus);

} // namespace gpuestimate

#endif
