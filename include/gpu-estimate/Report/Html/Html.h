/// \file
/// The report as one page that a browser shows without any other file and
/// without a network, and its charts as files. What the source says (names,
/// lines, messages) is text of the page, never markup.
#ifndef GPU_ESTIMATE_REPORT_HTML_HTML_H
#define GPU_ESTIMATE_REPORT_HTML_HTML_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// A section for each estimate: where its time goes, what would help, charts
/// (ExplainedPrediction::Charts), annotated source, GPUs. Silenced as in
/// diagnose().
void printHtml(llvm::raw_ostream &OS, const Analysis &A,
               llvm::ArrayRef<std::string> Silenced,
               llvm::StringRef ToolVersion);

/// A section for each launch: the models' times on each GPU, their CPI stacks,
/// what sets them apart.
void printComparisonHtml(llvm::raw_ostream &OS, const Analysis &A,
                         llvm::StringRef ToolVersion);

/// A chart that stands alone.
struct ChartFile {
  std::string Name; ///< "1-matmulTiled-nvidia-v100-roofline.svg"
  std::string Text;
};
/// The charts of all estimates, or of all comparisons. The first number is that
/// of the section in the page.
std::vector<ChartFile> chartFiles(const Analysis &A);

} // namespace gpuestimate

#endif
