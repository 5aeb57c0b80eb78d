/// \file
/// Charts of a page: each is a picture with the table of its numbers, drawn
/// from data that were computed before (Advice/Charts.h).
#ifndef GPU_ESTIMATE_LIB_REPORT_CHARTS_CHART_H
#define GPU_ESTIMATE_LIB_REPORT_CHARTS_CHART_H

#include "Svg.h"
#include "gpu-estimate/Advice/Charts.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include <optional>

namespace gpuestimate {

/// What is shown, and what it is sorted by where that is a number.
struct Cell {
  Cell(std::string Text, std::optional<double> Number = std::nullopt)
      : Text(std::move(Text)), Number(Number) {}
  std::string Text;
  std::optional<double> Number;
};

struct DataTable {
  std::vector<std::string> Heads;
  std::vector<std::vector<Cell>> Rows;
};

struct Chart {
  std::string Name;    ///< for files and anchors: "roofline"
  std::string Title;   ///< "Roofline"
  std::string Caption; ///< how to read it
  double Width = 0, Height = 0;
  std::string Elements; ///< inside of <svg>
  DataTable Data;
};

/// Width of every chart, in pixels of its view box.
inline constexpr double ChartWidth = 640;

Chart rooflineChart(const Roofline &R);
/// Horizontal bars of cycles per instruction.
Chart stackChart(llvm::StringRef Name, llvm::StringRef Title,
                 llvm::StringRef Caption, llvm::StringRef What,
                 llvm::ArrayRef<StackBar> Bars);
Chart curveChart(const Curve &C, unsigned Number);
/// Fills in C's picture: a bar of each row's time, from zero. What: a row is;
/// Used: the row is that stands out.
void drawTimes(Chart &C, llvm::ArrayRef<CurvePoint> Rows, llvm::StringRef What,
               llvm::StringRef Used);
/// Time of each block shape as bars.
Chart blockChart(llvm::ArrayRef<CurvePoint> Blocks);
/// Time on each GPU, fastest first.
Chart gpuChart(llvm::ArrayRef<GpuRow> Rows);
/// Nothing where fewer than two GPUs have a place in it.
std::optional<Chart> quadrantChart(llvm::ArrayRef<GpuRow> Rows);
/// The models' times on each GPU.
Chart modelChart(llvm::ArrayRef<const ModelComparison *> OnGpus);

/// Those of one prediction on its GPU, and on all GPUs, in the order of the
/// page.
std::vector<Chart> chartsOf(const EstimateCharts &Data);
std::vector<Chart> gpuChartsOf(const EstimateCharts &Data);
/// All of one launch in a comparison.
std::vector<Chart> chartsOf(llvm::ArrayRef<const ModelComparison *> OnGpus);

/// The <svg> element; a file of its own if Alone, with style sheet and title.
std::string svg(const Chart &C, bool Alone);

/// Place in componentTable(), its size for a name that is none.
size_t componentNumber(llvm::StringRef Component);
/// Class of a component's colour: "k3".
std::string componentClass(llvm::StringRef Component);
/// Class of what binds: the colour of its component.
std::string boundClass(llvm::StringRef Bottleneck);

struct LegendEntry {
  std::string Class, Name;
  unsigned Shape = 1; ///< of Svg::marker
};
/// In rows below a chart; returns the height.
double drawLegend(Svg &Out, double Top, llvm::ArrayRef<LegendEntry> Entries);

/// Frame, grid and axis titles of a chart with two scales.
struct Plot {
  Scale X, Y;
  std::string XTitle, YTitle;
  std::string (*XLabel)(double);
  std::string (*YLabel)(double);
};
void drawAxes(Svg &Out, const Plot &P);

} // namespace gpuestimate

#endif
