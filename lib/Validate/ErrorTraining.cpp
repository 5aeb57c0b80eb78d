#include "gpu-estimate/Validate/ErrorTraining.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {
struct WeightedValue {
  double Value, Weight;
};

/// A case that trains the table.
struct TrainingCase {
  ErrorShares Shares;
  double Error; ///< ln(measured / predicted)
  bool IsAmd;
  double Weight;

  unsigned largestPart() const {
    return unsigned(llvm::max_element(Shares) - Shares.begin());
  }
};
} // namespace

/// The smallest value at and below which the fraction Q of the weight lies.
static double weightedQuantile(std::vector<WeightedValue> Values, double Q) {
  llvm::sort(Values, [](const WeightedValue &A, const WeightedValue &B) {
    return A.Value < B.Value;
  });
  double All = 0, Below = 0;
  for (const WeightedValue &V : Values)
    All += V.Weight;
  for (const WeightedValue &V : Values) {
    Below += V.Weight;
    if (Below >= Q * All)
      return V.Value;
  }
  return 0;
}

static std::vector<TrainingCase> trainingCases(const Validation &V,
                                               StringRef WithoutDataset) {
  auto IsTraining = [&](const CaseResult &C) {
    return C.Model == DefaultModel && C.counts() && C.Assumed.empty() &&
           C.Dataset != WithoutDataset && C.PredictedMs > 0 &&
           C.MeasuredMs > 0 && !C.GpuVendor.empty();
  };
  StringMap<double> OfKernel, OfDataset;
  auto Kernel = [](const CaseResult &C) { return C.Dataset + "/" + C.Kernel; };
  for (const CaseResult &C : V.Cases)
    if (IsTraining(C))
      ++OfKernel[Kernel(C)];
  for (const CaseResult &C : V.Cases)
    if (IsTraining(C))
      OfDataset[C.Dataset] += 1 / std::sqrt(OfKernel[Kernel(C)]);
  std::vector<TrainingCase> Cases;
  for (const CaseResult &C : V.Cases)
    if (IsTraining(C))
      Cases.push_back(
          {errorShares(C.Breakdown), std::log(C.MeasuredMs / C.PredictedMs),
           C.GpuVendor == "AMD",
           1 / std::sqrt(OfKernel[Kernel(C)] * OfDataset[C.Dataset])});
  return Cases;
}

ErrorTable trainErrors(const Validation &V, StringRef WithoutDataset) {
  ErrorTable Table{};
  Table.WithoutDataset = WithoutDataset;
  Table.Amd = 1;
  std::vector<TrainingCase> Cases = trainingCases(V, WithoutDataset);
  std::vector<WeightedValue> All;
  std::array<std::vector<WeightedValue>, NumErrorParts> OfPart;
  for (const TrainingCase &C : Cases) {
    All.push_back({std::abs(C.Error), C.Weight});
    OfPart[C.largestPart()].push_back(All.back());
  }
  double Median = weightedQuantile(All, 0.5);
  for (auto [Spread, Values] : zip_equal(Table.Spread, OfPart)) {
    double Weight = 0;
    for (const WeightedValue &Value : Values)
      Weight += Value.Weight;
    Spread = (weightedQuantile(Values, 0.5) * Weight + Median * PriorWeight) /
             (Weight + PriorWeight);
  }
  std::vector<WeightedValue> OfVendor[2];
  for (const TrainingCase &C : Cases)
    OfVendor[C.IsAmd].push_back(
        {std::abs(C.Error) / errorSpread(Table, C.Shares, false), C.Weight});
  if (!OfVendor[0].empty() && !OfVendor[1].empty())
    Table.Amd = std::max(1.0, weightedQuantile(OfVendor[1], 0.5) /
                                  weightedQuantile(OfVendor[0], 0.5));
  std::vector<WeightedValue> Scaled;
  for (const TrainingCase &C : Cases)
    Scaled.push_back(
        {C.Error / errorSpread(Table, C.Shares, C.IsAmd), C.Weight});
  for (auto [Quantiles, Level] : zip_equal(Table.Quantiles, intervalLevels()))
    Quantiles = {std::min(0.0, weightedQuantile(Scaled, (1 - Level) / 2)),
                 std::max(0.0, weightedQuantile(Scaled, (1 + Level) / 2))};
  return Table;
}

static void print(raw_ostream &OS, const ErrorTable &Table) {
  OS << "{\"" << Table.WithoutDataset << "\",\n {";
  ListSeparator Comma;
  for (double Spread : Table.Spread)
    OS << Comma << format("%.4f", Spread);
  OS << "},\n " << format("%.3f", Table.Amd) << ",\n {{";
  ListSeparator Next;
  for (auto [Low, High] : Table.Quantiles)
    OS << Next << '{' << format("%.3f", Low) << ", " << format("%.3f", High)
       << '}';
  OS << "}}},\n";
}

std::string errorTableText(const Validation &V) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "// Written by gpu-estimate validate --format errors (ModelError.h).\n"
        "// Dataset that took no part; spread of";
  ListSeparator Comma;
  for (unsigned Part = 0; Part < NumErrorParts; ++Part)
    OS << Comma << (Part ? "" : " ") << name(ErrorPart(Part));
  OS << ";\n// factor of AMD's GPUs; quantiles of error / spread by level:";
  ListSeparator Next;
  for (double Level : intervalLevels())
    OS << Next << (Level == intervalLevels()[0] ? " " : "")
       << format("%.2f", Level);
  OS << "\n// clang-format off\n";
  print(OS, trainErrors(V, ""));
  for (const ValidatedDataset &D : V.Datasets)
    if (any_of(V.Cases,
               [&](const CaseResult &C) { return C.Dataset == D.Name; }))
      print(OS, trainErrors(V, D.Name));
  OS << "// clang-format on\n";
  return Text;
}

} // namespace gpuestimate
