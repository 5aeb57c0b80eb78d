/// \file
/// What the pages of estimates and of comparisons are made of.
#ifndef GPU_ESTIMATE_LIB_REPORT_HTML_HTMLPARTS_H
#define GPU_ESTIMATE_LIB_REPORT_HTML_HTMLPARTS_H

#include "Report/Charts/Chart.h"

namespace gpuestimate {

void beginPage(llvm::raw_ostream &OS, llvm::StringRef Title,
               llvm::StringRef ToolVersion);
/// Unresolved kernels, notices, the script.
void endPage(llvm::raw_ostream &OS, const Analysis &A);

/// Links to the sections "#s1", "#s2", ...
void printContents(llvm::raw_ostream &OS, llvm::ArrayRef<std::string> Sections);

/// Columns whose cells are numbers are at the right; heads sort. UsedRow: the
/// row whose first cell says so stands out.
void printTable(llvm::raw_ostream &OS, const DataTable &T,
                llvm::StringRef Label, llvm::StringRef UsedRow = "");

/// Figures side by side, each with its table folded away.
void printCharts(llvm::raw_ostream &OS, llvm::ArrayRef<Chart> Charts,
                 unsigned Section);

/// <dt>, <dd>.
void printFact(llvm::raw_ostream &OS, llvm::StringRef Name,
               llvm::StringRef Value);

/// The lines of the source with what each costs and what is said about it.
void printSource(llvm::raw_ostream &OS, const Analysis &A,
                 const ExplainedPrediction &E,
                 llvm::ArrayRef<std::string> Silenced);

} // namespace gpuestimate

#endif
