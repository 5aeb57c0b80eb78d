#include "ValidationPlot.h"

#include "Report/Charts/Svg.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// By the index of a name among those of the plot.
static unsigned colourOf(StringRef Name, ArrayRef<std::string> Names) {
  return static_cast<unsigned>(find(Names, Name) - Names.begin()) % PlotColours;
}

static std::string number(double Value, const char *Form = "%.1f") {
  std::string Text;
  raw_string_ostream(Text) << format(Form, Value);
  return Text;
}

/// 10^Decade milliseconds with its unit.
static std::string decadeLabel(int Decade) {
  static constexpr const char *Units[] = {"ns", "us", "ms", "s"};
  int Nanoseconds = Decade + 6;
  int Unit = std::clamp(Nanoseconds / 3, 0, 3);
  if (Nanoseconds < 0)
    return "1e" + std::to_string(Decade) + " ms";
  return number(std::pow(10, Nanoseconds - 3 * Unit), "%.0f") + " " +
         Units[Unit];
}

namespace {

/// A square with the same logarithmic axis in both directions.
class LogSquare {
public:
  LogSquare(int First, int Last) : First(First), Last(Last) {}

  static constexpr int Size = 420, Left = 70, Top = 10, Below = 45;

  double across(double Ms) const { return Left + along(Ms) * Size; }
  double up(double Ms) const { return Top + (1 - along(Ms)) * Size; }
  void axes(raw_ostream &OS) const;
  /// The line predicted = Ratio * measured, clipped to the square.
  void ratioLine(raw_ostream &OS, double Ratio, StringRef Class) const;

private:
  double along(double Ms) const {
    return (std::log10(Ms) - First) / (Last - First);
  }
  int First, Last; ///< decades of milliseconds
};

} // namespace

void LogSquare::axes(raw_ostream &OS) const {
  for (int Decade = First; Decade <= Last; ++Decade) {
    double Ms = std::pow(10.0, Decade);
    std::string X = number(across(Ms)), Y = number(up(Ms));
    OS << "<line class=grid x1=" << X << " y1=" << Top << " x2=" << X
       << " y2=" << Top + Size << " /><line class=grid x1=" << Left
       << " y1=" << Y << " x2=" << Left + Size << " y2=" << Y << " />\n"
       << "<text x=" << X << " y=" << Top + Size + 16 << " text-anchor=middle>"
       << decadeLabel(Decade) << "</text><text x=" << Left - 6
       << " y=" << number(up(Ms) + 4) << " text-anchor=end>"
       << decadeLabel(Decade) << "</text>\n";
  }
  OS << "<text x=" << Left + Size / 2 << " y=" << Top + Size + 36
     << " text-anchor=middle>measured</text><text transform=\"translate(14,"
     << Top + Size / 2
     << ") rotate(-90)\" text-anchor=middle>predicted</text>\n";
}

void LogSquare::ratioLine(raw_ostream &OS, double Ratio,
                          StringRef Class) const {
  double Low = std::pow(10.0, First), High = std::pow(10.0, Last);
  double From = std::max(Low, Low / Ratio), To = std::min(High, High / Ratio);
  OS << "<line class=" << Class << " x1=" << number(across(From))
     << " y1=" << number(up(From * Ratio)) << " x2=" << number(across(To))
     << " y2=" << number(up(To * Ratio)) << " />\n";
}

void plotScatter(raw_ostream &OS, ArrayRef<const CaseResult *> Cases,
                 ArrayRef<std::string> Gpus) {
  double Low = INFINITY, High = 0;
  for (const CaseResult *C : Cases)
    for (double Ms : {C->MeasuredMs, C->PredictedMs})
      if (Ms > 0) { // a roofline may say 0
        Low = std::min(Low, Ms);
        High = std::max(High, Ms);
      }
  if (High <= 0)
    return;
  int First = static_cast<int>(std::floor(std::log10(Low)));
  int Last = static_cast<int>(std::ceil(std::log10(High)));
  LogSquare Square(First, std::max(Last, First + 1));
  OS << "<svg viewBox=\"0 0 " << LogSquare::Left + LogSquare::Size + 20 << ' '
     << LogSquare::Top + LogSquare::Size + LogSquare::Below
     << "\" role=img aria-label=\"predicted against measured time\">\n";
  Square.axes(OS);
  Square.ratioLine(OS, 1, "equal");
  Square.ratioLine(OS, 1.2, "near");
  Square.ratioLine(OS, 0.8, "near");
  for (const CaseResult *C : Cases) {
    if (C->PredictedMs <= 0)
      continue;
    OS << "<circle class=" << (C->counts() ? "" : "\"noisy ") << 'g'
       << colourOf(C->Gpu, Gpus) << (C->counts() ? "" : "\"")
       << " cx=" << number(Square.across(C->MeasuredMs))
       << " cy=" << number(Square.up(C->PredictedMs)) << " r=3><title>"
       << escaped(C->Case) << ", " << escaped(C->Kernel) << " on "
       << escaped(C->Gpu) << ": " << number(C->PredictedMs, "%.4g")
       << " ms predicted, " << number(C->MeasuredMs, "%.4g") << " ms measured, "
       << number(100 * C->error(), "%+.1f") << "%, bound by "
       << escaped(C->Bottleneck) << "</title></circle>\n";
  }
  OS << "</svg>\n";
}

void plotReliability(raw_ostream &OS, ArrayRef<IntervalRow> Rows) {
  constexpr double Size = 260, Left = 50, Top = 10, Below = 45;
  Scale Across = {0, 1, Left, Left + Size, /*IsLog=*/false};
  Scale Up = {0, 1, Top + Size, Top, /*IsLog=*/false};
  OS << "<svg viewBox=\"0 0 " << Left + Size + 20 << ' ' << Top + Size + Below
     << "\" role=img aria-label=\"share of measured times in the interval by "
        "its probability\">\n";
  Svg Out(OS);
  for (double Share : {0., 0.5, 0.8, 1.}) {
    Out.line("grid", Across.at(Share), Top, Across.at(Share), Top + Size);
    Out.line("grid", Left, Up.at(Share), Left + Size, Up.at(Share));
    Out.text("", Across.at(Share), Top + Size + 16, number(Share, "%g"),
             Anchor::Middle);
    Out.text("", Left - 6, Up.at(Share) + 4, number(Share, "%g"), Anchor::End);
  }
  Out.text("", Left + Size / 2, Top + Size + 36, "probability of the interval",
           Anchor::Middle);
  Out.line("equal", Across.at(0), Up.at(0), Across.at(1), Up.at(1));
  for (auto [I, Row] : enumerate(Rows)) {
    std::vector<std::pair<double, double>> Points;
    for (auto [Level, Covered] : zip_equal(intervalLevels(), Row.Covered))
      Points.push_back({Across.at(Level), Up.at(Covered)});
    Out.polyline("m" + std::to_string(I % PlotColours), Points);
    for (auto [Level, Covered] : zip_equal(intervalLevels(), Row.Covered))
      OS << "<circle class=g" << I % PlotColours
         << " cx=" << number(Across.at(Level))
         << " cy=" << number(Up.at(Covered)) << " r=3><title>"
         << escaped(Row.Inputs) << ", " << Row.Cases
         << " cases: " << number(100 * Covered, "%.0f")
         << "% lie in the interval of " << number(100 * Level, "%.0f")
         << "%</title></circle>\n";
  }
  OS << "</svg>\n";
}

void plotWarps(raw_ostream &OS, ArrayRef<WarpsRow> Rows,
               ArrayRef<std::string> Models) {
  constexpr double Width = 420, Height = 260, Left = 50, Top = 10, Below = 45;
  // Factors beyond lie on the upper edge.
  constexpr double LargestFactor = 10;
  double Low = INFINITY, High = 0;
  for (const WarpsRow &Row : Rows) {
    Low = std::min(Low, Row.Warps);
    High = std::max(High, Row.Warps);
  }
  Scale Across = logScale(Low, High, Left, Left + Width);
  Scale Up = {1, LargestFactor, Top + Height, Top, /*IsLog=*/true};
  OS << "<svg viewBox=\"0 0 " << Left + Width + 20 << ' '
     << Top + Height + Below
     << "\" role=img aria-label=\"factor by number of warps\">\n";
  Svg Out(OS);
  for (double Warps : Across.ticks(8)) {
    double X = Across.at(Warps);
    Out.line("grid", X, Top, X, Top + Height);
    Out.text("", X, Top + Height + 16, number(Warps, "%.0f"), Anchor::Middle);
  }
  for (double Factor : {1., 1.2, 1.5, 2., 3., 5., 10.}) {
    double Y = Up.at(Factor);
    Out.line("grid", Left, Y, Left + Width, Y);
    Out.text("", Left - 6, Y + 4, number(Factor, "%g"), Anchor::End);
  }
  Out.text("", Left + Width / 2, Top + Height + 36, "warps of the launch",
           Anchor::Middle);
  for (auto [I, Model] : enumerate(Models)) {
    std::string Colour = "m" + std::to_string(I % PlotColours);
    std::vector<std::pair<double, double>> Points;
    for (const WarpsRow &Row : Rows)
      if (Row.Model == Model && Row.Errors.Factor)
        Points.push_back(
            {Across.at(Row.Warps),
             Up.at(std::clamp(*Row.Errors.Factor, 1., LargestFactor))});
    Out.polyline(Colour, Points);
  }
  for (const WarpsRow &Row : Rows) {
    if (!Row.Errors.Factor)
      continue;
    OS << "<circle class=g" << colourOf(Row.Model, Models)
       << " cx=" << number(Across.at(Row.Warps)) << " cy="
       << number(Up.at(std::clamp(*Row.Errors.Factor, 1., LargestFactor)))
       << " r=3><title>" << escaped(Row.Model) << ", about "
       << number(Row.Warps, "%.2g") << " warps: factor "
       << number(*Row.Errors.Factor, "%.2f") << ", median error "
       << number(100 * Row.Errors.MedianApe) << "%, " << Row.Errors.Cases
       << " cases</title></circle>\n";
  }
  OS << "</svg>\n";
}

void plotBars(raw_ostream &OS, ArrayRef<StatisticsRow> Rows,
              ArrayRef<std::string> Gpus) {
  constexpr int Label = 260, Width = 300, Value = 60, Step = 15;
  // A kernel with a large error must not flatten the others: its bar is cut,
  // its number is printed.
  constexpr double Full = 1;
  double Largest = 0.2;
  for (const StatisticsRow &Row : Rows)
    Largest = std::max(Largest, std::min(Full, Row.Errors.MeanApe));
  size_t Height = Step * Rows.size() + 4;
  OS << "<svg viewBox=\"0 0 " << Label + Width + Value << ' ' << Height
     << "\" role=img aria-label=\"mean error by kernel\">\n";
  for (auto [I, Row] : enumerate(Rows)) {
    double Y = Step * static_cast<double>(I);
    double Share = std::min(Full, Row.Errors.MeanApe) / Largest;
    OS << "<text x=" << Label - 6 << " y=" << number(Y + 11)
       << " text-anchor=end>" << escaped(Row.Kernel) << "</text><rect class=g"
       << colourOf(Row.Gpu, Gpus) << " x=" << Label << " y=" << number(Y + 2)
       << " width=" << number(Share * Width) << " height=11><title>"
       << escaped(Row.Kernel) << " on " << escaped(Row.Gpu) << ", "
       << Row.Errors.Cases
       << " cases</title></rect><text x=" << number(Label + Share * Width + 4)
       << " y=" << number(Y + 11) << '>' << number(100 * Row.Errors.MeanApe)
       << "%</text>\n";
  }
  OS << "</svg>\n";
}

} // namespace gpuestimate
