/// \file
/// The page of a comparison.
#include "HtmlParts.h"
#include "Report/Text/LaunchGroups.h"
#include "gpu-estimate/Advice/Disagreement.h"
#include "gpu-estimate/Report/Html/Html.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

static DataTable timesOf(const LaunchGroup &OnGpus) {
  DataTable T;
  T.Heads = {"GPU"};
  const std::vector<ModelEstimate> &Models = OnGpus.front()->Models;
  for (const ModelEstimate &M : Models) {
    T.Heads.push_back(M.Model);
    T.Heads.push_back("bound");
  }
  T.Heads.push_back("furthest from " + Models.front().Model);
  for (const ModelComparison *C : OnGpus) {
    std::vector<Cell> Row = {Cell(C->GpuName)};
    for (const ModelEstimate &M : C->Models)
      if (M.Estimate) {
        Row.push_back(
            Cell(formatTime(M.Estimate->Time), M.Estimate->Time.value()));
        Row.push_back(Cell(M.Estimate->Bottleneck));
      } else {
        Row.push_back(Cell("-"));
        Row.push_back(Cell("refused"));
      }
    std::optional<Disagreement> D = largestDisagreement(*C);
    Row.push_back(Cell(D ? describe(*D) : "-"));
    T.Rows.push_back(std::move(Row));
  }
  return T;
}

void printComparisonHtml(raw_ostream &OS, const Analysis &A,
                         StringRef ToolVersion) {
  beginPage(OS, "Models side by side", ToolVersion);
  std::vector<LaunchGroup> Launches = groupLaunches(A);
  std::vector<std::string> Titles;
  for (const LaunchGroup &OnGpus : Launches)
    Titles.push_back(describeLaunch(*OnGpus.front()));
  printContents(OS, Titles);
  OS << "<main>\n";
  for (auto [I, OnGpus] : enumerate(Launches)) {
    OS << "<section id=\"s" << I + 1 << "\">\n<h2>"
       << escaped(OnGpus.front()->Name) << "</h2>\n<p>" << escaped(Titles[I])
       << "</p>\n";
    printTable(OS, timesOf(OnGpus), "Times by model and GPU");
    OS << "<h3>Charts</h3>\n";
    printCharts(OS, chartsOf(OnGpus), static_cast<unsigned>(I) + 1);
    OS << "</section>\n";
  }
  std::vector<std::pair<std::string, unsigned>> Refused = refusals(A);
  if (!Refused.empty()) {
    OS << "<section>\n<h2>Refused</h2>\n<ul>\n";
    for (const auto &[Reason, Count] : Refused)
      OS << "<li>" << Count << " x " << escaped(Reason) << "</li>\n";
    OS << "</ul>\n</section>\n";
  }
  OS << "</main>\n";
  endPage(OS, A);
}

} // namespace gpuestimate
