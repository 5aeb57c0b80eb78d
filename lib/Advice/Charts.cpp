#include "gpu-estimate/Advice/Charts.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Bars of one chart.
static constexpr unsigned MaxBars = 8;
static constexpr StringLiteral Quantitative = "quantitative-roofline";

/// Whole numbers from 1 to Last, both included, spaced evenly in their
/// logarithm.
static std::vector<uint64_t> geometric(uint64_t Last) {
  std::vector<uint64_t> Numbers;
  for (unsigned I = 0; I < MaxBars; ++I) {
    double Share = double(I) / (MaxBars - 1);
    auto Number = static_cast<uint64_t>(std::llround(std::pow(Last, Share)));
    if (Numbers.empty() || Numbers.back() < Number)
      Numbers.push_back(Number);
  }
  return Numbers;
}

/// Evaluates the kernel; nullopt if the model refuses it.
static std::optional<Prediction>
evaluateChanged(const ChartInputs &In, const GpuModel &Gpu, const Launch &L) {
  EvaluateOptions Options = In.Options;
  Options.Wanted = {.Sensitivities = false};
  Expected<Prediction> P = evaluate(In.Kernel, Gpu, L, In.Values, Options);
  if (P)
    return std::move(*P);
  consumeError(P.takeError());
  return std::nullopt;
}

std::optional<Seconds> rooflineFloor(const ChartInputs &In) {
  EvaluateOptions Options = In.Options;
  Options.Model = "roofline";
  Options.Wanted = {.Sensitivities = false};
  Expected<Prediction> P =
      evaluate(In.Kernel, In.Gpu, In.Used, In.Values, Options);
  if (P)
    return P->Time;
  consumeError(P.takeError());
  return std::nullopt;
}

static StackBar barOf(const Prediction &P) {
  StackBar Bar;
  Bar.Time = P.Time;
  Bar.Parts = cpiStack(P);
  return Bar;
}

std::vector<StackBar> stacksByOccupancy(const ChartInputs &In) {
  std::vector<StackBar> Bars;
  std::optional<Prediction> Full = evaluateChanged(In, In.Gpu, In.Used);
  if (!Full)
    return Bars;
  for (uint64_t Blocks : geometric(Full->Occ.BlocksPerSm)) {
    GpuModel Gpu = In.Gpu;
    Gpu.MaxBlocksPerSm = Blocks;
    std::optional<Prediction> P = evaluateChanged(In, Gpu, In.Used);
    if (!P)
      continue;
    StackBar &Bar = Bars.emplace_back(barOf(*P));
    Bar.Label = std::to_string(P->Occ.WarpsPerSm);
    Bar.IsUsed = Blocks == Full->Occ.BlocksPerSm;
  }
  return Bars;
}

/// The launch with at least the given number of its blocks, in whole rows and
/// planes.
static std::array<uint64_t, 3> firstBlocks(const std::array<uint64_t, 3> &Grid,
                                           uint64_t Blocks) {
  uint64_t X = std::min(Grid[0], Blocks);
  uint64_t Y = std::min(Grid[1], divideCeil(Blocks, X));
  return {X, Y, std::min(Grid[2], divideCeil(Blocks, X * Y))};
}

std::vector<StackBar> stacksByWarps(const ChartInputs &In) {
  std::vector<StackBar> Bars;
  uint64_t Last = 0;
  for (uint64_t Blocks : geometric(In.Used.blocks())) {
    Launch L = In.Used;
    L.Grid = firstBlocks(In.Used.Grid, Blocks);
    std::optional<Prediction> P;
    if (L.blocks() > Last)
      P = evaluateChanged(In, In.Gpu, L);
    if (!P)
      continue;
    Last = L.blocks();
    StackBar &Bar = Bars.emplace_back(barOf(*P));
    Bar.Label =
        std::to_string(Last * divideCeil(L.threadsPerBlock(), In.Gpu.WarpSize));
    Bar.IsUsed = Last == In.Used.blocks();
  }
  return Bars;
}

std::optional<GpuRow::Capability> capability(const Prediction &P) {
  auto ValueOf = [&](StringRef Name) {
    for (const auto &[Key, Value] : P.Intermediates)
      if (Key == Name)
        return Value;
    return 0.0;
  };
  double Operations = ValueOf("T'_op"), DeviceIntensity = ValueOf("O_dev"),
         Work = ValueOf("W_comp"), Traffic = ValueOf("W_traf");
  if (Operations <= 0 || DeviceIntensity <= 0 || Work <= 0)
    return std::nullopt;
  // O_dev = T'_op / B_mem
  return GpuRow::Capability{Operations, Operations / DeviceIntensity,
                            Traffic > 0 ? Work / Traffic : INFINITY};
}

std::vector<GpuRow>
rowsByGpu(const ChartInputs &In, ArrayRef<GpuModel> Gpus,
          function_ref<LaunchWithArguments(const GpuModel &)> LaunchOn) {
  EvaluateOptions Options = In.Options;
  Options.Wanted = {.Sensitivities = false};
  std::vector<std::string> Models = {Options.Model};
  if (Options.Model != Quantitative)
    Models.push_back(Quantitative.str());
  std::vector<GpuRow> Rows;
  for (const GpuModel &Gpu : Gpus) {
    GpuRow Row;
    Row.Id = Gpu.Id;
    Row.Name = Gpu.Name;
    Row.IsUsed = Gpu.Id == In.Gpu.Id;
    auto Take = [&](StringRef Model, Expected<Prediction> P) {
      bool IsOwn = Model == Options.Model;
      if (!P) {
        std::string Reason = toString(P.takeError());
        if (IsOwn)
          Row.Refusal = std::move(Reason);
        return;
      }
      if (Model == Quantitative)
        Row.Quantitative = capability(*P);
      if (!IsOwn)
        return;
      Row.Time = P->Time;
      Row.Bottleneck = P->Bottleneck;
      Row.Error = P->Error;
      Row.Occupancy = P->Occ.Fraction;
    };
    // Values of --set apply to the used GPU only.
    const GpuModel &Evaluated = Row.IsUsed ? In.Gpu : Gpu;
    LaunchWithArguments There = LaunchOn(Evaluated);
    if (Error E = evaluateModels(In.Kernel, Evaluated, There.Used, There.Values,
                                 Options, Models, Take))
      Row.Refusal = toString(std::move(E));
    Rows.push_back(std::move(Row));
  }
  return Rows;
}

} // namespace gpuestimate
