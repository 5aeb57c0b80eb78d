/// \file
/// Charts of a page: each is a picture with the table of its numbers, drawn
/// from the data of Advice/Charts.h.
#ifndef GPU_ESTIMATE_LIB_REPORT_CHARTS_CHART_H
#define GPU_ESTIMATE_LIB_REPORT_CHARTS_CHART_H

#include "Svg.h"
#include "gpu-estimate/Advice/Charts.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Report/Text/Table.h"
#include <optional>

namespace gpuestimate {

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

/// Trail: the same kernel with other values of a parameter, as the outermost
/// level that it uses sees it; null: none.
Chart rooflineChart(const Roofline &R, const Curve *Trail = nullptr);
/// The time as nested bars, as in a flame graph: the launch, its files if there
/// are several, lines of the source, components. Empty without lines.
std::optional<Chart> lineChart(const Prediction &P,
                               llvm::ArrayRef<SourceExcerpt> Source);
/// Horizontal bars of cycles per instruction.
Chart stackChart(llvm::StringRef Name, llvm::StringRef Title,
                 llvm::StringRef Caption, llvm::StringRef What,
                 llvm::ArrayRef<StackBar> Bars);
Chart curveChart(const Curve &C, unsigned Number);
/// Draws a bar for the time of each row, from zero. What names a row ("block");
/// Used describes the highlighted row.
void drawTimes(Chart &C, llvm::ArrayRef<CurvePoint> Rows, llvm::StringRef What,
               llvm::StringRef Used);
/// Time of each block shape as bars.
Chart blockChart(llvm::ArrayRef<CurvePoint> Blocks);
/// Time on each GPU, fastest first.
Chart gpuChart(llvm::ArrayRef<GpuRow> Rows);
/// Operations against bytes per second of each GPU; nullopt if fewer than two
/// GPUs have both.
std::optional<Chart> quadrantChart(llvm::ArrayRef<GpuRow> Rows);
/// The models' times on each GPU.
Chart modelChart(llvm::ArrayRef<const ModelComparison *> OnGpus);

/// Charts of one prediction on its GPU, and on all GPUs, in the order of the
/// page.
std::vector<Chart> chartsOf(const Prediction &P, const EstimateCharts &Data);
std::vector<Chart> gpuChartsOf(const EstimateCharts &Data);
/// Charts of one launch in a comparison of models.
std::vector<Chart> chartsOf(llvm::ArrayRef<const ModelComparison *> OnGpus);

/// Returns the <svg> element; if Alone, with style sheet and title, as a file
/// of its own.
std::string svg(const Chart &C, bool Alone);

/// Index into componentTable(); its size for an unknown name.
size_t componentNumber(llvm::StringRef Component);
/// Style class of a component's colour: "k3".
std::string componentClass(llvm::StringRef Component);
/// Style class of a bottleneck: the colour of its component.
std::string boundClass(llvm::StringRef Bottleneck);

struct LegendEntry {
  std::string Class, Name;
  unsigned Shape = 1; ///< of Svg::marker
};
/// Draws the entries in rows below a chart; returns the height.
double drawLegend(Svg &Out, double Top, llvm::ArrayRef<LegendEntry> Entries);

/// Scales and axis titles of a chart.
struct Plot {
  Scale X, Y;
  std::string XTitle, YTitle;
  std::string (*XLabel)(double);
  std::string (*YLabel)(double);
};
void drawAxes(Svg &Out, const Plot &P);

} // namespace gpuestimate

#endif
