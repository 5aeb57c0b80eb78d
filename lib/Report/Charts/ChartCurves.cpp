/// \file
/// Time against one parameter, both logarithmic.
#include "Chart.h"

#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static constexpr double Left = 92, Right = 624, Top = 16, Bottom = 300;

static std::string valueLabel(double Value) {
  return Value >= 10000 ? formatCount(Value) : formatNumber(Value);
}

Chart curveChart(const Curve &Data, unsigned Number) {
  Chart C;
  C.Name = "time-by-parameter-" + std::to_string(Number);
  C.Title = "Time against " + Data.Parameter;
  C.Caption =
      Data.LaunchFollows
          ? "Each point is an evaluation; the launch follows the value as the "
            "host code computes it."
          : "Each point is an evaluation with the same launch: nothing in the "
            "host code says how the grid would follow.";
  C.Caption += " A straight line of slope 1 grows in proportion. A whisker is "
               "how far the model may be off.";
  C.Width = ChartWidth;
  C.Height = 352;
  C.Data.Heads = {Data.Parameter, "time", "bound by"};
  raw_string_ostream OS(C.Elements);
  Svg Out(OS);

  double Shortest = INFINITY, Longest = 0;
  for (const CurvePoint &P : Data.Points) {
    TimeFactors Range = P.Error ? P.Error->Time : TimeFactors{};
    Shortest = std::min(Shortest, P.Time.value() * Range.Low);
    Longest = std::max(Longest, P.Time.value() * Range.High);
  }
  Plot P;
  P.X = logScale(Data.Points.front().At, Data.Points.back().At, Left, Right);
  P.Y = logScale(Shortest, Longest, Bottom, Top);
  P.XTitle = Data.Parameter;
  P.YTitle = "time";
  P.XLabel = valueLabel;
  P.YLabel = timeLabel;
  drawAxes(Out, P);

  Labels Names(Out, Left, Top, Right, Bottom);
  std::vector<std::pair<double, double>> Path;
  for (const CurvePoint &Point : Data.Points) {
    Path.push_back({P.X.at(Point.At), P.Y.at(Point.Time.value())});
    Names.reserve(Path.back().first - 6, Path.back().second - 6, 12, 12);
    if (Point.IsUsed)
      Out.line("lead", Path.back().first, Bottom, Path.back().first, Top);
  }
  // Labels avoid the line between the points, too.
  for (size_t I = 1; I < Path.size(); ++I)
    for (double Share : {0.25, 0.5, 0.75}) {
      double X =
          Path[I - 1].first + Share * (Path[I].first - Path[I - 1].first);
      double Y =
          Path[I - 1].second + Share * (Path[I].second - Path[I - 1].second);
      Names.reserve(X - 4, Y - 4, 8, 8);
    }
  Out.polyline("curve", Path);
  StringRef Before;
  for (size_t I = 0; I < Path.size(); ++I) {
    const CurvePoint &Point = Data.Points[I];
    auto [X, Y] = Path[I];
    if (Point.Error) {
      const TimeFactors &Range = Point.Error->Time;
      Out.whisker(X, P.Y.at(Point.Time.value() * Range.Low), X,
                  P.Y.at(Point.Time.value() * Range.High));
    }
    Out.item(Point.Label + ": " + formatTime(Point.Time) + ", bound by " +
                 Point.Bottleneck,
             [&, X = X, Y = Y] {
               Out.marker(boundClass(Point.Bottleneck), 0, X, Y,
                          Point.IsUsed ? 7 : 5);
             });
    if (Point.Bottleneck != Before)
      Names.place(X, Y, Point.Bottleneck);
    Before = Point.Bottleneck;
    C.Data.Rows.push_back({Cell(formatNumber(Point.At), Point.At),
                           Cell(formatTime(Point.Time), Point.Time.value()),
                           Cell(Point.Bottleneck)});
  }
  return C;
}

} // namespace gpuestimate
