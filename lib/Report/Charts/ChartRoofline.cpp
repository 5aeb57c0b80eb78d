/// \file
/// The kernel under the roofs of its GPU, one point for each memory level.
#include "Chart.h"

#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <numbers>

using namespace llvm;

namespace gpuestimate {

static constexpr double PlotLeft = 92, PlotRight = 624, PlotTop = 16,
                        PlotBottom = 352;

/// 5.6e12 -> "5.6 T"
static std::string rateLabel(double Rate) { return formatCount(Rate); }

static std::string levelClass(StringRef Level) {
  return componentClass(Level == "DRAM" ? "dram"
                        : Level == "L2" ? "l2"
                        : Level == "L1" ? "l1"
                                        : "shared");
}

static unsigned levelShape(StringRef Level) {
  return Level == "DRAM" ? 2 : Level == "L2" ? 1 : Level == "L1" ? 0 : 3;
}

namespace {

class RooflineDrawing {
public:
  RooflineDrawing(const Roofline &R, const Curve *Trail);
  Chart draw();

private:
  void roofs(Svg &Out);
  /// The experimental roofline, dashed.
  void measuredRoofs(Svg &Out);
  /// "fp32 9.7 Tflop/s, DRAM 1.2 TB/s"; empty without measured roofs.
  std::string measuredText() const;
  void trail(Svg &Out);
  void points(Svg &Out);
  std::string rate(double Operations) const {
    std::string Text = formatCount(Operations);
    return Text + (isDigit(Text.back()) ? " " : "") + Unit + "/s";
  }
  double highestPeak() const {
    double Highest = 0;
    for (const Roofline::Roof &P : R.Peaks)
      Highest = std::max(Highest, P.Rate);
    return Highest;
  }

  /// A point of the trail.
  struct Spot {
    std::string Label;
    double Intensity, Rate;
    bool IsUsed;
  };

  const Roofline &R;
  std::string Unit;
  std::vector<Spot> Spots; ///< none, or two and more
  std::string TrailLevel;  ///< the one farthest from the multiprocessors
  Plot P;
};

} // namespace

RooflineDrawing::RooflineDrawing(const Roofline &R, const Curve *Trail)
    : R(R), Unit(R.CountsFlops ? "flop" : "instructions") {
  // What runs at less than this share of the rate would press all else into a
  // corner.
  constexpr double LeastShare = 1e-3;
  if (Trail && R.Rate > 0 && !R.Points.empty()) {
    TrailLevel = R.Points.back().Level;
    for (const CurvePoint &Point : Trail->Points)
      for (const Roofline::Point &Level : Point.Levels)
        if (Level.Level == TrailLevel && Point.Rate > LeastShare * R.Rate)
          Spots.push_back(
              {Point.Label, Level.Intensity, Point.Rate, Point.IsUsed});
  }
  if (Spots.size() < 2)
    Spots.clear();
  double Low = INFINITY, High = 0, Least = R.Rate;
  auto Take = [&](double Intensity) {
    Low = std::min(Low, Intensity);
    High = std::max(High, Intensity);
  };
  for (const Roofline::Point &Point : R.Points)
    Take(Point.Intensity);
  for (const Roofline::Roof &Roof : R.Bandwidths)
    Take(highestPeak() / Roof.Rate);
  for (const Spot &S : Spots) {
    Take(S.Intensity);
    Least = std::min(Least, S.Rate);
  }
  if (High <= 0 || Least <= 0) { // a kernel that does nothing
    Low = High = Least = 1;
  }
  P.X = logScale(Low / 2, High * 2, PlotLeft, PlotRight);
  P.Y = logScale(std::min(Least / 3, highestPeak() / 100), highestPeak() * 1.4,
                 PlotBottom, PlotTop);
  P.XTitle = Unit + " per byte that passes the level";
  P.YTitle = Unit + " per second";
  P.XLabel = formatNumber;
  P.YLabel = rateLabel;
}

void RooflineDrawing::roofs(Svg &Out) {
  double Peak = highestPeak();
  for (const Roofline::Roof &Roof : R.Peaks) {
    double Y = P.Y.at(Roof.Rate);
    Out.line("roof", PlotLeft, Y, PlotRight, Y);
    Out.text("", PlotRight - 4, Y - 5, Roof.Name + " " + rate(Roof.Rate),
             Anchor::End);
  }
  // Levels of one bandwidth are one line.
  std::vector<Roofline::Roof> Lines;
  for (const Roofline::Roof &Roof : R.Bandwidths) {
    auto Same = find_if(Lines, [&](const Roofline::Roof &Other) {
      return std::fabs(Other.Rate / Roof.Rate - 1) < 0.02;
    });
    if (Same == Lines.end())
      Lines.push_back(Roof);
    else
      Same->Name += ", " + Roof.Name;
  }
  double Degrees =
      -std::atan2((PlotBottom - PlotTop) / std::log(P.Y.High / P.Y.Low),
                  (PlotRight - PlotLeft) / std::log(P.X.High / P.X.Low)) *
      180 / std::numbers::pi;
  for (const Roofline::Roof &Roof : Lines) {
    double Start = std::max(P.X.Low, P.Y.Low / Roof.Rate);
    double End = std::min(P.X.High, Peak / Roof.Rate);
    if (Start >= End)
      continue;
    double X = P.X.at(Start), Y = P.Y.at(Start * Roof.Rate);
    Out.line("roof", X, Y, P.X.at(End), P.Y.at(End * Roof.Rate));
    // Along the line at its lower end, or at its upper end if a point is in the
    // way.
    std::string Name = Roof.Name + " " + formatRate(BytesPerSecond(Roof.Rate));
    double Turned = Degrees * std::numbers::pi / 180;
    double Half = textWidth(Name) / 2 + 12;
    bool IsCovered = any_of(R.Points, [&](const Roofline::Point &Point) {
      return std::hypot(P.X.at(Point.Intensity) - X - Half * std::cos(Turned),
                        P.Y.at(R.Rate) - Y - Half * std::sin(Turned)) <
             Half + 25;
    });
    Anchor Side = Anchor::Start;
    double Along = 12;
    if (IsCovered) {
      X = P.X.at(End);
      Y = P.Y.at(End * Roof.Rate);
      Side = Anchor::End;
      Along = -24;
    }
    Out.text("", X + Along * std::cos(Turned) + 5 * std::sin(Turned),
             Y + Along * std::sin(Turned) - 5 * std::cos(Turned), Name, Side,
             Degrees);
  }
}

std::string RooflineDrawing::measuredText() const {
  std::vector<std::string> Parts;
  for (const Roofline::Roof &Roof : R.MeasuredPeaks)
    Parts.push_back(Roof.Name + " " + rate(Roof.Rate));
  if (R.MeasuredBandwidth)
    Parts.push_back("DRAM " + formatRate(BytesPerSecond(*R.MeasuredBandwidth)));
  return join(Parts, ", ");
}

void RooflineDrawing::measuredRoofs(Svg &Out) {
  double Peak = 0;
  for (const Roofline::Roof &Roof : R.MeasuredPeaks) {
    Peak = std::max(Peak, Roof.Rate);
    double Y = P.Y.at(Roof.Rate);
    Out.item("measured: " + Roof.Name + " " + rate(Roof.Rate),
             [&] { Out.line("measured-roof", PlotLeft, Y, PlotRight, Y); });
  }
  if (!R.MeasuredBandwidth)
    return;
  double Bandwidth = *R.MeasuredBandwidth,
         Start = std::max(P.X.Low, P.Y.Low / Bandwidth),
         End =
             std::min(P.X.High, (Peak > 0 ? Peak : highestPeak()) / Bandwidth);
  if (Start < End)
    Out.item("measured: DRAM " + formatRate(BytesPerSecond(Bandwidth)), [&] {
      Out.line("measured-roof", P.X.at(Start), P.Y.at(Start * Bandwidth),
               P.X.at(End), P.Y.at(End * Bandwidth));
    });
}

void RooflineDrawing::trail(Svg &Out) {
  std::vector<std::pair<double, double>> Path;
  for (const Spot &S : Spots)
    Path.push_back({P.X.at(S.Intensity), P.Y.at(S.Rate)});
  if (Path.empty())
    return;
  Out.polyline("trail", Path);
  for (auto [I, S] : enumerate(Spots))
    if (!S.IsUsed) // the point of the prediction stands there
      Out.item(S.Label + ", " + TrailLevel + ": " + formatNumber(S.Intensity) +
                   " " + Unit + " per byte, " + rate(S.Rate),
               [&, I = I] {
                 Out.marker(levelClass(TrailLevel), 0, Path[I].first,
                            Path[I].second, 3);
               });
}

void RooflineDrawing::points(Svg &Out) {
  if (R.Rate <= 0)
    return;
  double Y = P.Y.at(R.Rate);
  Labels Names(Out, PlotLeft, PlotTop, PlotRight, PlotBottom);
  for (const Roofline::Point &Point : R.Points)
    Names.reserve(P.X.at(Point.Intensity) - 7, Y - 7, 14, 14);
  for (const Spot &S : Spots)
    Names.reserve(P.X.at(S.Intensity) - 4, P.Y.at(S.Rate) - 4, 8, 8);
  double Radius = 9; // smaller inside larger where two coincide
  for (const Roofline::Point &Point : R.Points) {
    double X = P.X.at(Point.Intensity);
    Radius -= 1.5;
    Out.line("lead", X, Y, X, PlotBottom);
    Out.item(Point.Level + ": " + formatNumber(Point.Intensity) + " " + Unit +
                 " per byte, " + rate(R.Rate),
             [&] {
               Out.marker(levelClass(Point.Level), levelShape(Point.Level), X,
                          Y, Radius);
             });
    Names.place(X, Y, Point.Level);
  }
  for (const Spot *S : {Spots.empty() ? nullptr : &Spots.front(),
                        Spots.empty() ? nullptr : &Spots.back()})
    if (S && !S->IsUsed)
      Names.place(P.X.at(S->Intensity), P.Y.at(S->Rate), S->Label);
}

Chart RooflineDrawing::draw() {
  Chart C;
  C.Name = "roofline";
  C.Title = "Roofline";
  C.Caption =
      "Where the execution stands under what the GPU can do, seen from each "
      "memory level: slanted roofs are bandwidths, flat ones the peak of "
      "arithmetic (two operations for a multiply-add). A point that touches "
      "its level's roof is bound by that level; one far below every roof "
      "waits.";
  if (!R.CountsFlops)
    C.Caption += " No floating-point operations are counted (those of matrix "
                 "units are not), so warp instructions stand for the work.";
  if (std::string Measured = measuredText(); !Measured.empty())
    C.Caption += " Dashed: the experimental roofline, the highest rates that "
                 "programs of configurable intensity reached (" +
                 Measured + ").";
  if (!Spots.empty())
    C.Caption += " The trail is the point of " + TrailLevel + " with " +
                 Spots.front().Label + " to " + Spots.back().Label + ".";
  C.Width = ChartWidth;
  C.Height = 402;
  raw_string_ostream OS(C.Elements);
  Svg Out(OS);
  drawAxes(Out, P);
  roofs(Out);
  measuredRoofs(Out);
  trail(Out);
  points(Out);
  C.Data.Heads = {"level", Unit + " per byte", Unit + " per second",
                  "bandwidth", "share of the roof"};
  for (const Roofline::Point &Point : R.Points) {
    const Roofline::Roof &Roof =
        *find_if(R.Bandwidths, [&](const Roofline::Roof &Other) {
          return Other.Name == Point.Level;
        });
    double Limit = std::min(highestPeak(), Roof.Rate * Point.Intensity);
    C.Data.Rows.push_back(
        {Cell(Point.Level),
         Cell(formatNumber(Point.Intensity), Point.Intensity),
         Cell(rate(R.Rate), R.Rate),
         Cell(formatRate(BytesPerSecond(Roof.Rate)), Roof.Rate),
         Cell(formatPercent(R.Rate / Limit), R.Rate / Limit)});
  }
  return C;
}

Chart rooflineChart(const Roofline &R, const Curve *Trail) {
  return RooflineDrawing(R, Trail).draw();
}

} // namespace gpuestimate
