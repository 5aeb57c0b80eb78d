/// \file
/// The launch on several GPUs: their times, and the quadrant-split chart.
#include "Chart.h"

#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static std::string byteRateLabel(double Rate) {
  return formatRate(BytesPerSecond(Rate));
}
static std::string operationRateLabel(double Rate) {
  return formatCount(Rate) + "op/s";
}

static std::string ratio(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.3g", Value);
  return Text;
}

/// Components of the rows' bottlenecks, for the legend.
static void addBound(std::vector<LegendEntry> &Legend,
                     const std::string &Bottleneck) {
  if (none_of(Legend,
              [&](const LegendEntry &E) { return E.Name == Bottleneck; }))
    Legend.push_back({boundClass(Bottleneck), Bottleneck, 0});
}

/// Operations per byte of DRAM; infinite: "no bytes".
static std::string intensityText(double Intensity) {
  return std::isfinite(Intensity) ? formatNumber(Intensity)
                                  : std::string("no bytes");
}

/// The numbers of the quadrant-split chart.
static std::vector<Cell>
capabilityCells(const std::optional<GpuRow::Capability> &Q) {
  if (!Q)
    return {Cell("-"), Cell("-"), Cell("-")};
  return {Cell(byteRateLabel(Q->Bytes), Q->Bytes),
          Cell(operationRateLabel(Q->Operations), Q->Operations),
          Cell(intensityText(Q->Intensity), Q->Intensity)};
}

/// A row of the table for each GPU. Used: seconds on the GPU of the section; 0:
/// none.
static void addRows(DataTable &Data, ArrayRef<const GpuRow *> Sorted,
                    double Used) {
  for (const GpuRow *R : Sorted) {
    if (R->Refusal.empty()) {
      double SpeedUp = Used / R->Time.value();
      Data.Rows.push_back(
          {Cell(R->Name), Cell(R->Id),
           Cell(formatTime(R->Time), R->Time.value()),
           Used > 0 ? Cell(ratio(SpeedUp) + " x", SpeedUp) : Cell("-"),
           Cell(R->Bottleneck),
           Cell(formatPercent(R->Occupancy), R->Occupancy)});
    } else {
      Data.Rows.push_back({Cell(R->Name), Cell(R->Id), Cell("-"), Cell("-"),
                           Cell(R->Refusal), Cell("-")});
    }
    append_range(Data.Rows.back(), capabilityCells(R->Quantitative));
  }
}

Chart gpuChart(ArrayRef<GpuRow> Rows) {
  constexpr double Row = 18, Left = 190, Right = 540, Top = 8;
  constexpr size_t MostBars = 24;
  Chart C;
  C.Name = "time-by-gpu";
  C.Title = "The same launch on other GPUs";
  C.Caption = "With the code that is compiled for this one; the colour is what "
              "binds there. A whisker is how far the model may be off "
              "(docs/intervals.md).";
  C.Width = ChartWidth;
  C.Data.Heads = {"GPU",       "id",         "time",
                  "speed-up",  "bound by",   "occupancy",
                  "bandwidth", "operations", "per byte"};
  raw_string_ostream OS(C.Elements);
  Svg Out(OS);

  std::vector<const GpuRow *> Sorted;
  double Shortest = INFINITY, Longest = 0, Used = 0;
  for (const GpuRow &R : Rows) {
    Sorted.push_back(&R);
    if (R.IsUsed)
      Used = R.Time.value();
  }
  stable_sort(Sorted, [](const GpuRow *A, const GpuRow *B) {
    if (A->Refusal.empty() != B->Refusal.empty())
      return A->Refusal.empty();
    return A->Time < B->Time;
  });
  std::vector<const GpuRow *> Drawn(
      Sorted.begin(), Sorted.begin() + std::min(Sorted.size(), MostBars));
  if (Drawn.size() < Sorted.size()) {
    C.Caption += " The fastest " + std::to_string(MostBars) + " of " +
                 std::to_string(Sorted.size()) +
                 " GPU models; the table has all.";
    auto Own = find_if(Sorted, [](const GpuRow *R) { return R->IsUsed; });
    if (Own != Sorted.end() && !is_contained(Drawn, *Own))
      Drawn.back() = *Own;
  }
  for (const GpuRow *R : Drawn)
    if (R->Refusal.empty()) {
      TimeFactors Range = R->Error ? R->Error->Time : TimeFactors{};
      Shortest = std::min(Shortest, R->Time.value() * Range.Low);
      Longest = std::max(Longest, R->Time.value() * Range.High);
    }
  if (Longest <= 0)
    Shortest = Longest = 1;
  double Bottom = Top + Row * static_cast<double>(Drawn.size());
  Scale X = logScale(Shortest, Longest, Left, Right);
  for (double Time : X.ticks(6)) {
    Out.line("grid", X.at(Time), Top, X.at(Time), Bottom);
    Out.text("", X.at(Time), Bottom + 16, timeLabel(Time), Anchor::Middle);
  }
  std::vector<LegendEntry> Legend;
  double Y = Top + Row / 2;
  for (const GpuRow *R : Drawn) {
    Out.text(R->IsUsed ? "used" : "", Left - 8, Y + 4,
             (R->IsUsed ? "> " : "") + R->Id, Anchor::End);
    if (R->Refusal.empty()) {
      addBound(Legend, R->Bottleneck);
      double Position = X.at(R->Time.value());
      Out.line("lead", Left, Y, Position, Y);
      double End = Position;
      if (R->Error) {
        const TimeFactors &Range = R->Error->Time;
        End = X.at(R->Time.value() * Range.High);
        Out.whisker(X.at(R->Time.value() * Range.Low), Y, End, Y);
      }
      Out.item(R->Name + ": " + formatTime(R->Time) + ", bound by " +
                   R->Bottleneck,
               [&] { Out.marker(boundClass(R->Bottleneck), 0, Position, Y); });
      Out.text("", End + 10, Y + 4, formatTime(R->Time));
    } else {
      Out.text("faint", Left + 4, Y + 4, "no estimate");
    }
    Y += Row;
  }
  addRows(C.Data, Sorted, Used);
  C.Height = Bottom + 26;
  C.Height += drawLegend(Out, C.Height, Legend) + 4;
  return C;
}

/// A marker and, where one fits, a label for each GPU.
static void drawCapabilities(Svg &Out, const Plot &P,
                             std::vector<const GpuRow *> Placed,
                             Labels &Names) {
  // The used GPU's label first, then as many as fit.
  stable_sort(Placed, [](const GpuRow *A, const GpuRow *B) {
    return A->IsUsed > B->IsUsed;
  });
  for (const GpuRow *R : Placed) {
    const GpuRow::Capability &Q = *R->Quantitative;
    bool ByMemory = Q.Operations > Q.Intensity * Q.Bytes;
    StringRef Binds = ByMemory ? "memory" : "arithmetic";
    double X = P.X.at(Q.Bytes), Y = P.Y.at(Q.Operations);
    Out.item(R->Name + ": " + byteRateLabel(Q.Bytes) + ", " +
                 operationRateLabel(Q.Operations) + ", op per byte: " +
                 intensityText(Q.Intensity) + "; " + Binds.str() + " binds",
             [&] {
               Out.marker(componentClass(ByMemory ? "dram" : "pipes"),
                          ByMemory ? 2 : 0, X, Y, R->IsUsed ? 7 : 4.5);
             });
    Names.place(X, Y, R->IsUsed ? "> " + R->Id : R->Id);
  }
}

/// The line of the kernel's operations per byte; labels keep off it.
static void drawSplit(Svg &Out, const Plot &P, double Intensity,
                      Labels &Names) {
  double First = std::max(P.X.Low, P.Y.Low / Intensity);
  double To = std::min(P.X.High, P.Y.High / Intensity);
  Out.line("split", P.X.at(First), P.Y.at(First * Intensity), P.X.at(To),
           P.Y.at(To * Intensity));
  for (double Share = 0; Share <= 1; Share += 0.02) {
    double Sample = First * std::pow(To / First, Share);
    Names.reserve(P.X.at(Sample) - 4, P.Y.at(Sample * Intensity) - 4, 8, 8);
  }
}

std::optional<Chart> quadrantChart(ArrayRef<GpuRow> Rows) {
  constexpr double Left = 92, Right = 624, Top = 16, Bottom = 396;
  std::vector<const GpuRow *> Placed;
  double LowX = INFINITY, HighX = 0, LowY = INFINITY, HighY = 0, Intensity = 0;
  for (const GpuRow &R : Rows)
    if (R.Quantitative) {
      Placed.push_back(&R);
      LowX = std::min(LowX, R.Quantitative->Bytes);
      HighX = std::max(HighX, R.Quantitative->Bytes);
      LowY = std::min(LowY, R.Quantitative->Operations);
      HighY = std::max(HighY, R.Quantitative->Operations);
    }
  // The bytes differ with the caches, so the split is drawn for the used GPU,
  // or, if it has no DRAM traffic, for the GPU with the fewest bytes.
  const GpuRow *Split = nullptr;
  for (const GpuRow *R : Placed)
    if (std::isfinite(R->Quantitative->Intensity) &&
        (!Split || R->IsUsed ||
         (!Split->IsUsed &&
          R->Quantitative->Intensity > Split->Quantitative->Intensity)))
      Split = R;
  if (Split)
    Intensity = Split->Quantitative->Intensity;
  if (Placed.size() < 2)
    return std::nullopt;
  Chart C;
  C.Name = "quadrant-split";
  C.Title = "Quadrant-split chart";
  C.Caption =
      "After Konstantinidis and Cotronis: what each GPU reaches with this "
      "kernel's mix of instructions (T'_op) against its memory bandwidth "
      "(B_mem), by model quantitative-roofline. ";
  C.Caption +=
      Split
          ? "The line is the kernel's operations per byte of DRAM (O_krn) on " +
                Split->Name +
                ": above it memory binds, below it arithmetic. GPUs of other "
                "caches have an O_krn of their own: diamonds are bound by "
                "memory, circles by arithmetic."
          : std::string("Nothing leaves the caches on any of them, so that "
                        "arithmetic binds everywhere.");
  C.Width = ChartWidth;
  C.Height = 446;
  raw_string_ostream OS(C.Elements);
  Svg Out(OS);
  Plot P;
  // The axes must contain part of the split.
  double Middle = std::sqrt(LowX * HighX) * Intensity;
  if (Split) {
    LowY = std::min(LowY, Middle);
    HighY = std::max(HighY, Middle);
  }
  P.X = logScale(LowX, HighX, Left, Right);
  P.Y = logScale(LowY, HighY, Bottom, Top);
  P.XTitle = "memory bandwidth";
  P.YTitle = "operations per second with this mix";
  P.XLabel = byteRateLabel;
  P.YLabel = operationRateLabel;
  drawAxes(Out, P);
  Labels Names(Out, Left, Top, Right, Bottom);
  auto Corner = [&](double X, double Y, StringRef Text, Anchor Side) {
    Out.text("faint", X, Y, Text, Side);
    double Width = textWidth(Text);
    Names.reserve(Side == Anchor::End ? X - Width : X, Y - 12, Width, 16);
  };
  if (Split) {
    Corner(Left + 10, Top + 18, "memory binds", Anchor::Start);
    Corner(Right - 10, Bottom - 10, "arithmetic binds", Anchor::End);
    drawSplit(Out, P, Intensity, Names);
  }
  for (const GpuRow *R : Placed)
    Names.reserve(P.X.at(R->Quantitative->Bytes) - 5,
                  P.Y.at(R->Quantitative->Operations) - 5, 10, 10);
  drawCapabilities(Out, P, Placed, Names);
  return C;
}

} // namespace gpuestimate
