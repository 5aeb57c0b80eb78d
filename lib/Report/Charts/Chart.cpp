#include "Chart.h"

#include "Style.h"
#include "gpu-estimate/Advice/Bottleneck.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

size_t componentNumber(StringRef Component) {
  return find_if(componentTable(),
                 [&](const ComponentInfo &C) { return C.Name == Component; }) -
         componentTable().begin();
}

std::string componentClass(StringRef Component) {
  return "k" + std::to_string(componentNumber(Component));
}

std::string boundClass(StringRef Bottleneck) {
  const BottleneckInfo *Info = findBottleneck(Bottleneck);
  return componentClass(Info ? Info->Component : Bottleneck);
}

double drawLegend(Svg &Out, double Top, ArrayRef<LegendEntry> Entries) {
  constexpr double Row = 20, Left = 16;
  double X = Left, Y = Top;
  for (const auto &[Class, Name, Shape] : Entries) {
    double Width = 18 + textWidth(Name) + 14;
    if (X > Left && X + Width > ChartWidth) {
      X = Left;
      Y += Row;
    }
    Out.marker(Class, Shape, X + 6, Y + 9, 6);
    Out.text("", X + 18, Y + 13, Name);
    X += Width;
  }
  return Y + Row - Top;
}

void drawAxes(Svg &Out, const Plot &P) {
  for (double Value : P.X.ticks(8)) {
    double X = P.X.at(Value);
    Out.line("grid", X, P.Y.From, X, P.Y.To);
    Out.text("", X, P.Y.From + 18, P.XLabel(Value), Anchor::Middle);
  }
  for (double Value : P.Y.ticks(8)) {
    double Y = P.Y.at(Value);
    Out.line("grid", P.X.From, Y, P.X.To, Y);
    Out.text("", P.X.From - 8, Y + 4, P.YLabel(Value), Anchor::End);
  }
  Out.line("axis", P.X.From, P.Y.From, P.X.To, P.Y.From);
  Out.line("axis", P.X.From, P.Y.From, P.X.From, P.Y.To);
  Out.text("", (P.X.From + P.X.To) / 2, P.Y.From + 40, P.XTitle,
           Anchor::Middle);
  Out.text("", 14, (P.Y.From + P.Y.To) / 2, P.YTitle, Anchor::Middle, -90);
}

std::string svg(const Chart &C, bool Alone) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "<svg";
  if (Alone)
    OS << " xmlns=\"http://www.w3.org/2000/svg\" width=\""
       << coordinate(C.Width) << "\" height=\"" << coordinate(C.Height) << '"';
  OS << " viewBox=\"0 0 " << coordinate(C.Width) << ' ' << coordinate(C.Height)
     << "\" role=\"group\" aria-label=\"" << escaped(C.Title) << "\">\n";
  if (Alone)
    OS << "<title>" << escaped(C.Title) << "</title>\n<desc>"
       << escaped(C.Caption) << "</desc>\n<style>" << chartStyle(Alone)
       << "</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
  OS << C.Elements << "</svg>\n";
  return OS.str();
}

std::vector<Chart> chartsOf(const Prediction &P, const EstimateCharts &Data) {
  std::vector<Chart> Charts;
  if (std::optional<Chart> Lines = lineChart(P, Data.Source))
    Charts.push_back(std::move(*Lines));
  Charts.push_back(rooflineChart(
      Data.Roofs, Data.ByParameter.empty() ? nullptr : &Data.ByParameter[0]));
  if (!Data.ByOccupancy.empty())
    Charts.push_back(stackChart(
        "cpi-by-occupancy", "CPI stack over occupancy",
        "The same launch with fewer blocks on each multiprocessor, as if "
        "registers or shared memory allowed no more. Cycles of a resident "
        "warp for each instruction; a part that shrinks to the top is hidden "
        "by fewer warps already.",
        "warps per multiprocessor", Data.ByOccupancy));
  if (!Data.ByWarps.empty())
    Charts.push_back(stackChart(
        "cpi-by-warps", "CPI stack over the number of warps",
        "The first blocks of the launch alone, with the same arguments. Few "
        "warps leave multiprocessors empty and latencies open; launch and "
        "start weigh more the less there is to do.",
        "warps of the launch", Data.ByWarps));
  unsigned Number = 0;
  for (const Curve &C : Data.ByParameter)
    Charts.push_back(curveChart(C, ++Number));
  if (!Data.ByBlock.empty())
    Charts.push_back(blockChart(Data.ByBlock));
  return Charts;
}

std::vector<Chart> gpuChartsOf(const EstimateCharts &Data) {
  std::vector<Chart> Charts;
  if (Data.ByGpu.empty())
    return Charts;
  Charts.push_back(gpuChart(Data.ByGpu));
  if (std::optional<Chart> C = quadrantChart(Data.ByGpu))
    Charts.push_back(std::move(*C));
  return Charts;
}

} // namespace gpuestimate
