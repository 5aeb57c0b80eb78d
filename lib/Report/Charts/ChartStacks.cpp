/// \file
/// CPI stacks side by side, and the time of block shapes: horizontal bars.
#include "Chart.h"

#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

static constexpr double Row = 28, Bar = 20, BarsTop = 8, BarsRight = 470;

/// Left edge of the bars, right of the longest label.
template <typename Range> static double leftOf(const Range &Bars) {
  double Widest = 0;
  for (const auto &B : Bars)
    Widest = std::max(Widest, textWidth(B.Label));
  return std::min(220.0, Widest + (std::size(Bars) ? 34 : 0));
}

static Scale barScale(double Longest, double Left) {
  return {0, Longest > 0 ? Longest : 1, Left, BarsRight, false};
}

static double total(const StackBar &B) {
  double Sum = 0;
  for (const auto &[Component, Cycles] : B.Parts)
    Sum += Cycles;
  return Sum;
}

/// The label of a row; the prediction itself is highlighted.
static void rowLabel(Svg &Out, double Left, double Y, StringRef Label,
                     bool IsUsed) {
  Out.text(IsUsed ? "used" : "", Left - 8, Y + 15,
           (IsUsed ? "> " : "") + Label.str(), Anchor::End);
}

Chart stackChart(StringRef Name, StringRef Title, StringRef Caption,
                 StringRef What, ArrayRef<StackBar> Bars) {
  Chart C;
  C.Name = Name.str();
  C.Title = Title.str();
  C.Caption = Caption.str();
  C.Width = ChartWidth;
  raw_string_ostream OS(C.Elements);
  Svg Out(OS);

  double Longest = 0, Left = leftOf(Bars);
  std::vector<std::string> Components;
  for (const StackBar &B : Bars) {
    Longest = std::max(Longest, total(B));
    for (const auto &[Component, Cycles] : B.Parts)
      if (!is_contained(Components, Component))
        Components.push_back(Component);
  }
  // Components keep the order of the table.
  stable_sort(Components, [](const std::string &A, const std::string &B) {
    return componentNumber(A) < componentNumber(B);
  });
  Scale X = barScale(Longest, Left);
  C.Data.Heads = {What.str(), "time", "CPI"};
  for (const std::string &Component : Components)
    C.Data.Heads.push_back(Component);

  double Y = BarsTop;
  for (const StackBar &B : Bars) {
    rowLabel(Out, Left, Y, B.Label, B.IsUsed);
    std::vector<Cell> Cells = {Cell(B.Label),
                               Cell(formatTime(B.Time), B.Time.value()),
                               Cell(formatRatio(total(B)), total(B))};
    double Sum = 0;
    for (const std::string &Component : Components) {
      auto Part = find_if(
          B.Parts, [&](const auto &Entry) { return Entry.first == Component; });
      double Cycles = Part == B.Parts.end() ? 0 : Part->second;
      Cells.push_back(Cell(formatRatio(Cycles), Cycles));
      if (X.at(Cycles) - X.at(0) >= 0.1)
        Out.item(B.Label + " " + What.str() + ", " + Component + ": " +
                     formatRatio(Cycles) + " of " + formatRatio(total(B)) +
                     " cycles per instruction",
                 [&] {
                   Out.rect(componentClass(Component), X.at(Sum), Y,
                            X.at(Sum + Cycles) - X.at(Sum), Bar);
                 });
      Sum += Cycles;
    }
    Out.text("", X.at(Sum) + 8, Y + 15,
             formatRatio(Sum) + " CPI, " + formatTime(B.Time));
    C.Data.Rows.push_back(std::move(Cells));
    Y += Row;
  }
  Out.text("faint", 0, Y + 14, What.str() + "; > the prediction");
  Y += 24;
  std::vector<LegendEntry> Legend;
  for (const std::string &Component : Components)
    Legend.push_back({componentClass(Component), Component});
  C.Height = Y + drawLegend(Out, Y, Legend) + 4;
  return C;
}

void drawTimes(Chart &C, ArrayRef<CurvePoint> Rows, StringRef What,
               StringRef Used) {
  raw_string_ostream OS(C.Elements);
  Svg Out(OS);
  double Longest = 0, Left = leftOf(Rows);
  for (const CurvePoint &R : Rows)
    Longest =
        std::max(Longest, R.Time.value() * (R.Error ? R.Error->Ratio : 1));
  Scale X = barScale(Longest, Left);
  double Y = BarsTop;
  for (const CurvePoint &R : Rows) {
    rowLabel(Out, Left, Y, R.Label, R.IsUsed);
    std::string Said = formatTime(R.Time) + ", " + R.Bottleneck;
    Out.item((What + " " + R.Label + ": " + Said).str(), [&] {
      Out.rect(boundClass(R.Bottleneck), Left, Y, X.at(R.Time.value()) - Left,
               Bar);
    });
    double End = X.at(R.Time.value());
    if (R.Error) {
      End = X.at(R.Time.value() * R.Error->Ratio);
      Out.whisker(X.at(R.Time.value() / R.Error->Ratio), Y + Bar / 2, End,
                  Y + Bar / 2);
    }
    Out.text("", End + 8, Y + 15, Said);
    Y += Row;
  }
  Out.text("faint", 0, Y + 14, (What + "; > " + Used).str());
  C.Height = Y + 24;
}

Chart blockChart(ArrayRef<CurvePoint> Blocks) {
  Chart C;
  C.Name = "time-by-block";
  C.Title = "Time against block size";
  C.Caption =
      "As many threads in blocks of other shapes, small blocks first, as "
      "far as the source leaves the shape open. The colour is what "
      "binds; a whisker is how far the ratio of two of the times may be off.";
  C.Width = ChartWidth;
  C.Data.Heads = {"block", "threads", "time", "bound by"};
  for (const CurvePoint &B : Blocks)
    C.Data.Rows.push_back({Cell(B.Label), Cell(formatNumber(B.At), B.At),
                           Cell(formatTime(B.Time), B.Time.value()),
                           Cell(B.Bottleneck)});
  drawTimes(C, Blocks, "block", "the prediction");
  return C;
}

} // namespace gpuestimate
