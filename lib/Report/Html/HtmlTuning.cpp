/// \file
/// The page of a ranking.
#include "HtmlParts.h"
#include "Report/Text/TuningFields.h"
#include "gpu-estimate/Report/Text/Tuning.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

/// Largest number of bars; the table has all rows.
static constexpr size_t MostBars = 40;

static DataTable ranking(const Tuning &T, size_t Shown) {
  DataTable Rows;
  for (const TunedConfiguration &C : ArrayRef(T.Ranked).take_front(Shown))
    addRow(Rows, tuningCells(T, C));
  return Rows;
}

static Chart bars(const Tuning &T, size_t Shown) {
  Chart C;
  C.Name = "time-by-configuration";
  C.Title = "The fastest configurations";
  C.Caption =
      "Predicted times from zero, the fastest first; the colour is what "
      "binds, a whisker is how far the ratio of two of the times may be off.";
  C.Width = ChartWidth;
  C.Data.Heads = {"configuration", "time", "bound"};
  std::vector<CurvePoint> Rows;
  auto Add = [&](std::string Label, const TunedConfiguration &Configuration,
                 bool IsUsed) {
    CurvePoint &Row = Rows.emplace_back();
    Row.Label = Label;
    Row.IsUsed = IsUsed;
    Row.Time = Configuration.Time;
    Row.Bottleneck = Configuration.Bottleneck;
    if (Configuration.RatioError)
      Row.Error = TimeError{{}, *Configuration.RatioError};
    C.Data.Rows.push_back(
        {Cell(std::move(Label)),
         Cell(formatTime(Configuration.Time), Configuration.Time.value()),
         Cell(Configuration.Bottleneck)});
  };
  for (const TunedConfiguration &Configuration :
       ArrayRef(T.Ranked).take_front(std::min(Shown, MostBars)))
    Add(configurationText(T, Configuration), Configuration, /*IsUsed=*/false);
  if (T.AsWritten)
    Add("as written", *T.AsWritten, /*IsUsed=*/true);
  drawTimes(C, Rows, "configuration", "the source as it stands");
  return C;
}

void printTuningHtml(raw_ostream &OS, ArrayRef<Tuning> Results, size_t Top,
                     StringRef ToolVersion) {
  beginPage(OS, "Configurations by predicted time", ToolVersion);
  std::vector<std::string> Titles;
  for (const Tuning &T : Results)
    Titles.push_back(tuningTitle(T));
  printContents(OS, Titles);
  OS << "<main>\n";
  for (auto [I, T] : enumerate(Results)) {
    OS << "<section id=\"s" << I + 1 << "\">\n<h2>" << escaped(Titles[I])
       << "</h2>\n";
    size_t Shown = shownRows(T, Top);
    if (T.Ranked.empty()) {
      OS << "<ul>\n";
      for (const std::string &Remark : refusalRemarks(T.Refused))
        OS << "<li>" << escaped(Remark) << "</li>\n";
      OS << "</ul>\n</section>\n";
      continue;
    }
    printTable(OS, ranking(T, Shown), "Configurations, the fastest first");
    OS << "<ul>\n";
    for (const std::string &Remark : tuningRemarks(T, Shown))
      OS << "<li>" << escaped(Remark) << "</li>\n";
    OS << "</ul>\n<h3>Chart</h3>\n";
    printCharts(OS, bars(T, Shown), static_cast<unsigned>(I) + 1);
    OS << "</section>\n";
  }
  OS << "</main>\n";
  endPage(OS, Analysis());
}

} // namespace gpuestimate
