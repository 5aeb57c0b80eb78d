/// \file
/// Predictions of several models for one launch.
#include "Chart.h"

#include "gpu-estimate/Advice/CpiStack.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Style class and marker shape of each model.
static constexpr const char *ModelClasses[] = {"k1", "k11", "k6", "k4", "k13"};

static const char *modelClass(size_t Model) {
  return ModelClasses[Model % std::size(ModelClasses)];
}

Chart modelChart(ArrayRef<const ModelComparison *> OnGpus) {
  constexpr double Row = 22, Left = 190, Right = 624, Top = 8;
  Chart C;
  C.Name = "time-by-model";
  C.Title = "Time by model and GPU";
  C.Caption = "One row for each GPU; where the marks lie apart, the table "
              "above says which part of the time does it.";
  C.Width = ChartWidth;
  C.Data.Heads = {"GPU", "model", "time", "bound by"};
  raw_string_ostream OS(C.Elements);
  Svg Out(OS);
  double Shortest = INFINITY, Longest = 0;
  for (const ModelComparison *G : OnGpus)
    for (const ModelEstimate &M : G->Models)
      if (M.Estimate && M.Estimate->Time.value() > 0) {
        Shortest = std::min(Shortest, M.Estimate->Time.value());
        Longest = std::max(Longest, M.Estimate->Time.value());
      }
  if (Longest <= 0)
    Shortest = Longest = 1;
  Scale X = logScale(Shortest, Longest, Left, Right);
  double Bottom = Top + Row * static_cast<double>(OnGpus.size());
  for (double Time : X.ticks(6)) {
    Out.line("grid", X.at(Time), Top, X.at(Time), Bottom);
    Out.text("", X.at(Time), Bottom + 16, timeLabel(Time), Anchor::Middle);
  }
  double Y = Top + Row / 2;
  for (const ModelComparison *G : OnGpus) {
    Out.text("", Left - 8, Y + 4, G->Gpu, Anchor::End);
    Out.line("lead", Left, Y, Right, Y);
    for (auto [I, M] : enumerate(G->Models)) {
      if (!M.Estimate || M.Estimate->Time.value() <= 0) {
        C.Data.Rows.push_back({Cell(G->Gpu), Cell(M.Model), Cell("-"),
                               Cell(M.Estimate ? "" : "refused")});
        continue;
      }
      const Prediction &P = *M.Estimate;
      Out.item(G->Gpu + ", " + M.Model + ": " + formatTime(P.Time) +
                   ", bound by " + P.Bottleneck,
               [&, I = I] {
                 Out.marker(modelClass(I), I, X.at(P.Time.value()), Y);
               });
      C.Data.Rows.push_back({Cell(G->Gpu), Cell(M.Model),
                             Cell(formatTime(P.Time), P.Time.value()),
                             Cell(P.Bottleneck)});
    }
    Y += Row;
  }
  std::vector<LegendEntry> Legend;
  for (auto [I, M] : enumerate(OnGpus.front()->Models))
    Legend.push_back({modelClass(I), M.Model, static_cast<unsigned>(I)});
  C.Height = Bottom + 28;
  C.Height += drawLegend(Out, C.Height, Legend) + 4;
  return C;
}

/// The models' stacks on one GPU.
static Chart stacksOn(const ModelComparison &C) {
  std::vector<StackBar> Bars;
  for (const ModelEstimate &M : C.Models)
    if (M.Estimate)
      Bars.push_back({M.Model, &M == &C.Models.front(), M.Estimate->Time,
                      cpiStack(*M.Estimate)});
  return stackChart("cpi-on-" + C.Gpu,
                    "CPI stack of each model on " + C.GpuName,
                    "Cycles of a resident warp for each instruction, by the "
                    "parts that each model has.",
                    "model", Bars);
}

std::vector<Chart> chartsOf(ArrayRef<const ModelComparison *> OnGpus) {
  // Stacks of many GPUs would fill pages with similar bars.
  constexpr size_t MostStacks = 4;
  std::vector<Chart> Charts = {modelChart(OnGpus)};
  for (const ModelComparison *C : OnGpus.take_front(MostStacks))
    Charts.push_back(stacksOn(*C));
  std::vector<GpuRow> Rows;
  for (const ModelComparison *C : OnGpus) {
    GpuRow &Row = Rows.emplace_back();
    Row.Id = C->Gpu;
    Row.Name = C->GpuName;
    Row.IsUsed = C == OnGpus.front();
    for (const ModelEstimate &M : C->Models)
      if (M.Estimate && M.Model == "quantitative-roofline")
        Row.Quantitative = capability(*M.Estimate);
  }
  if (std::optional<Chart> C = quadrantChart(Rows))
    Charts.push_back(std::move(*C));
  return Charts;
}

} // namespace gpuestimate
