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

/// Puts JSON into the page for its script; the element has the id, if any.
void printData(llvm::raw_ostream &OS, llvm::StringRef Id, llvm::StringRef Json);
/// The place in which the script compares two results: `after`, and `before`,
/// which the reader chooses if it is empty. Each is an object of schema
/// gpu-estimate/1, or an array of them.
void printVersions(llvm::raw_ostream &OS, llvm::StringRef Before,
                   llvm::StringRef After);

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

/// One of the large figures of a summary.
struct SummaryFigure {
  std::string Name, Value; ///< "headroom", "2.4 x"
  std::string Note;        ///< in a sentence what it is
};
/// Prints the card in front of the details: figures, then the findings that
/// matter most, as HTML, or Nothing where there are none.
void printSummary(llvm::raw_ostream &OS, llvm::ArrayRef<SummaryFigure> Figures,
                  llvm::StringRef FindingsTitle,
                  llvm::ArrayRef<std::string> Findings,
                  llvm::StringRef Nothing);

/// <dt>, <dd>.
void printFact(llvm::raw_ostream &OS, llvm::StringRef Name,
               llvm::StringRef Value);

/// Prints the lines of the source with their costs and diagnostics.
void printSource(llvm::raw_ostream &OS, const Analysis &A,
                 const ExplainedPrediction &E,
                 llvm::ArrayRef<std::string> Silenced, unsigned Section);
/// The id of a line that printSource() prints for the section: "s1-f1-24"; ""
/// for another line.
std::string lineAnchor(const ExplainedPrediction &E, unsigned Section,
                       const SourceLocation &Where);

} // namespace gpuestimate

#endif
