/// \file
/// Parts of the pages of estimates and of comparisons.
#ifndef GPU_ESTIMATE_LIB_REPORT_HTML_HTMLPARTS_H
#define GPU_ESTIMATE_LIB_REPORT_HTML_HTMLPARTS_H

#include "Report/Charts/Chart.h"
#include "Report/Text/ResultFields.h"

namespace gpuestimate {

void beginPage(llvm::raw_ostream &OS, llvm::StringRef Title,
               llvm::StringRef ToolVersion);
/// Unresolved kernels, notices, the script.
void endPage(llvm::raw_ostream &OS, const Analysis &A);

/// Links to the sections "#s1", "#s2", ...
void printContents(llvm::raw_ostream &OS, llvm::ArrayRef<std::string> Sections);

/// Prints a table. Columns of numbers are right-aligned; a click on a head
/// sorts. The row whose first cell is UsedRow is highlighted.
void printTable(llvm::raw_ostream &OS, const DataTable &T,
                llvm::StringRef Label, llvm::StringRef UsedRow = "");

/// Adds a row whose cells have the heads of the table; the first row gives
/// them.
void addRow(DataTable &To, const CellList &Row);

/// Prints figures side by side, each with its collapsed table.
void printCharts(llvm::raw_ostream &OS, llvm::ArrayRef<Chart> Charts,
                 unsigned Section);

/// <dt>, <dd>.
void printFact(llvm::raw_ostream &OS, llvm::StringRef Name,
               llvm::StringRef Value);

/// Prints the lines of the source with their costs and diagnostics.
void printSource(llvm::raw_ostream &OS, const Analysis &A,
                 const ExplainedPrediction &E,
                 llvm::ArrayRef<std::string> Silenced);

} // namespace gpuestimate

#endif
