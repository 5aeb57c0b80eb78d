#include "gpu-estimate/Validate/IntervalStatistics.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuestimate {

static bool hasInterval(const CaseResult &C) {
  return C.Model == DefaultModel && C.counts() && C.IntervalsMs;
}

static IntervalRow rowOf(ArrayRef<const CaseResult *> Cases) {
  IntervalRow Row;
  Row.Cases = Cases.size();
  double Weight = 1 / double(Cases.size()), LogRatios = 0;
  std::vector<double> Ratios;
  for (const CaseResult *C : Cases) {
    for (auto [Covered, Interval] : zip_equal(Row.Covered, *C->IntervalsMs))
      if (C->MeasuredMs >= Interval.first && C->MeasuredMs <= Interval.second)
        Covered += Weight;
    const auto &[Low, High] = (*C->IntervalsMs)[DefaultLevelIndex];
    if (C->MeasuredMs < Low)
      Row.Shorter += Weight;
    if (C->MeasuredMs > High)
      Row.Longer += Weight;
    Ratios.push_back(High / Low);
    LogRatios += Weight * std::log(High / Low);
  }
  llvm::sort(Ratios);
  Row.MedianRatio = quantile(Ratios, 0.5);
  Row.MeanRatio = std::exp(LogRatios);
  return Row;
}

std::vector<IntervalRow> intervalStatistics(const Validation &V, GroupBy By) {
  bool ByDecade = By == GroupBy::Decade || By == GroupBy::InputsAndDecade;
  bool ByBound = By == GroupBy::InputsAndBound;
  bool ByGpu = By == GroupBy::InputsAndGpu;
  bool ByInputs = By == GroupBy::Inputs || By == GroupBy::InputsAndDecade ||
                  ByBound || ByGpu;
  std::vector<IntervalRow> Rows;
  for (const ValidatedDataset &D : V.Datasets) {
    std::map<std::tuple<bool, size_t, std::string>,
             std::vector<const CaseResult *>>
        Groups;
    for (const CaseResult &C : V.Cases)
      if (C.Dataset == D.Name && hasInterval(C))
        Groups[{ByInputs && !C.Assumed.empty(),
                ByDecade ? decadeOf(C.MeasuredMs) : 0,
                ByBound ? C.Bottleneck
                : ByGpu ? C.Gpu
                        : ""}]
            .push_back(&C);
    for (const auto &[Group, Cases] : Groups) {
      const auto &[Assumed, Decade, Name] = Group;
      IntervalRow Row = rowOf(Cases);
      Row.Dataset = D.Name;
      if (ByInputs)
        Row.Inputs = Assumed ? "assumed" : "known";
      if (ByDecade)
        Row.Decade = decadeName(Decade).str();
      if (ByBound)
        Row.Bound = Name;
      if (ByGpu)
        Row.Gpu = Name;
      Rows.push_back(std::move(Row));
    }
  }
  return Rows;
}

double sharpness(const Validation &V) {
  std::vector<double> Errors;
  double Covered = 0, InverseWidths = 0;
  for (const CaseResult &C : V.Cases) {
    if (!hasInterval(C))
      continue;
    const auto &[Low, High] = (*C.IntervalsMs)[DefaultLevelIndex];
    Errors.push_back(std::log(C.MeasuredMs / C.PredictedMs));
    Covered += C.MeasuredMs >= Low && C.MeasuredMs <= High;
    InverseWidths += 1 / std::log(High / Low);
  }
  if (Errors.empty())
    return 1;
  double Count = double(Errors.size()), Outside = 1 - Covered / Count;
  llvm::sort(Errors);
  double Constant =
      quantile(Errors, 1 - Outside / 2) - quantile(Errors, Outside / 2);
  return Constant * InverseWidths / Count;
}

} // namespace gpuestimate
