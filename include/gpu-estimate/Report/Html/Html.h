/// \file
/// The report as one self-contained page for a browser, and its charts as
/// files. Text of the source (names, lines, messages) is escaped.
#ifndef GPU_ESTIMATE_REPORT_HTML_HTML_H
#define GPU_ESTIMATE_REPORT_HTML_HTML_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Prints a section for each estimate: components of the time, advice, charts
/// (ExplainedPrediction::Charts), annotated source, GPUs. Silenced is the
/// argument of diagnose().
void printHtml(llvm::raw_ostream &OS, const Analysis &A,
               llvm::ArrayRef<std::string> Silenced,
               llvm::StringRef ToolVersion);

/// Prints a section for each launch: the models' times on each GPU, their CPI
/// stacks, and the component in which they differ most.
void printComparisonHtml(llvm::raw_ostream &OS, const Analysis &A,
                         llvm::StringRef ToolVersion);

/// Prints two results side by side, given as arrays of objects of schema
/// gpu-estimate/1 and by their names; Changes is the table of what has changed,
/// as text.
void printDiffHtml(llvm::raw_ostream &OS,
                   std::pair<std::string, std::string> Names,
                   llvm::StringRef Before, llvm::StringRef After,
                   llvm::StringRef Changes, llvm::StringRef ToolVersion);

/// A chart as a file of its own.
struct ChartFile {
  std::string Name; ///< "1-matmulTiled-nvidia-v100-roofline.svg"
  std::string Text;
};
/// Returns the charts of all estimates, or of all comparisons. Their names
/// begin with the number of the section in the page.
std::vector<ChartFile> chartFiles(const Analysis &A);

} // namespace gpuestimate

#endif
