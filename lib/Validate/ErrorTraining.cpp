#include "gpu-estimate/Validate/ErrorTraining.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <set>

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

/// Whether anything is known of the error of a time of C by the default model.
static bool hasError(const CaseResult &C, StringRef Without) {
  return C.Model == DefaultModel && C.counts() &&
         heldOutGroup(C.Dataset, C.Kernel) != Without && C.PredictedMs > 0 &&
         C.MeasuredMs > 0 && !C.GpuVendor.empty();
}

static double errorOf(const CaseResult &C) {
  return std::log(C.MeasuredMs / C.PredictedMs);
}

static std::vector<TrainingCase> trainingCases(const Validation &V,
                                               StringRef Without) {
  auto IsTraining = [&](const CaseResult &C) {
    return hasError(C, Without) && C.Assumed.empty();
  };
  StringMap<double> CasesOf;
  StringMap<StringSet<>> OursOf; // dataset -> programs that we wrote
  for (const CaseResult &C : V.Cases)
    if (IsTraining(C)) {
      std::string Program = programOf(C.Dataset, C.Kernel);
      ++CasesOf[Program];
      if (!isOfWholeProgram(C.Kernel))
        OursOf[C.Dataset].insert(Program);
    }
  std::vector<TrainingCase> Cases;
  for (const CaseResult &C : V.Cases) {
    if (!IsTraining(C))
      continue;
    double Alike =
        isOfWholeProgram(C.Kernel) ? 1 : double(OursOf[C.Dataset].size());
    Cases.push_back(
        {errorShares(C.Breakdown), errorOf(C), C.GpuVendor == "AMD",
         1 / (CasesOf[programOf(C.Dataset, C.Kernel)] * std::sqrt(Alike))});
  }
  return Cases;
}

/// |r1 - r2| / mean spread of pairs of configurations. What an assumption does
/// to all configurations cancels, so that assumed cases count, too. Kernels of
/// a dataset share its weight, and datasets weigh the same.
static std::vector<WeightedValue> ratioErrors(const Validation &V,
                                              const ErrorTable &Table) {
  // Dataset -> kernel and GPU -> cases.
  StringMap<StringMap<std::vector<const CaseResult *>>> Tuned;
  for (const CaseResult &C : V.Cases)
    if (hasError(C, Table.Without) &&
        any_of(V.Datasets, [&](const ValidatedDataset &D) {
          return D.Tuning && D.Name == C.Dataset;
        }))
      Tuned[C.Dataset][C.Kernel + "/" + C.Gpu].push_back(&C);
  std::vector<WeightedValue> Errors;
  for (const auto &OfDataset : Tuned)
    for (const auto &OfKernel : OfDataset.second) {
      const std::vector<const CaseResult *> &Cases = OfKernel.second;
      size_t First = Errors.size();
      for (auto A = Cases.begin(); A != Cases.end(); ++A)
        for (auto B = Cases.begin(); B != A; ++B) {
          double Ratio = (*A)->PredictedMs / (*B)->PredictedMs;
          if (std::max(Ratio, 1 / Ratio) > MaxTrainedRatio)
            continue;
          double Spreads = 0;
          for (const CaseResult *C : {*A, *B})
            Spreads += errorSpread(Table, errorShares(C->Breakdown),
                                   C->GpuVendor == "AMD");
          Errors.push_back(
              {std::abs(errorOf(**A) - errorOf(**B)) / (Spreads / 2), 1});
        }
      for (WeightedValue &E : drop_begin(Errors, First))
        E.Weight =
            1 / double((Errors.size() - First) * OfDataset.second.size());
    }
  return Errors;
}

ErrorTable trainErrors(const Validation &V, StringRef Without) {
  ErrorTable Table{};
  Table.Without = Without;
  Table.Amd = 1;
  std::vector<TrainingCase> Cases = trainingCases(V, Without);
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
  std::vector<WeightedValue> Ratios = ratioErrors(V, Table);
  for (auto [Quantile, Level] :
       zip_equal(Table.RatioQuantiles, intervalLevels()))
    Quantile = weightedQuantile(Ratios, Level);
  return Table;
}

static void print(raw_ostream &OS, const ErrorTable &Table) {
  OS << "{\"" << Table.Without << "\",\n {";
  ListSeparator Comma;
  for (double Spread : Table.Spread)
    OS << Comma << format("%.4f", Spread);
  OS << "},\n " << format("%.3f", Table.Amd) << ",\n {{";
  ListSeparator Next;
  for (auto [Low, High] : Table.Quantiles)
    OS << Next << '{' << format("%.3f", Low) << ", " << format("%.3f", High)
       << '}';
  OS << "}},\n {";
  ListSeparator Last;
  for (double Quantile : Table.RatioQuantiles)
    OS << Last << format("%.3f", Quantile);
  OS << "}},\n";
}

std::string errorTableText(const Validation &V) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "// Written by gpu-estimate validate --format errors (ModelError.h).\n"
        "// Group that took no part; spread of";
  ListSeparator Comma;
  for (unsigned Part = 0; Part < NumErrorParts; ++Part)
    OS << Comma << (Part ? "" : " ") << name(ErrorPart(Part));
  OS << ";\n// factor of AMD's GPUs; quantiles of error / spread by level:";
  ListSeparator Next;
  for (double Level : intervalLevels())
    OS << Next << (Level == intervalLevels()[0] ? " " : "")
       << format("%.2f", Level);
  OS << ";\n// quantiles of the errors of ratios by level\n"
        "// clang-format off\n";
  print(OS, trainErrors(V, ""));
  std::set<std::string> Groups;
  for (const CaseResult &C : V.Cases)
    if (hasError(C, ""))
      Groups.insert(heldOutGroup(C.Dataset, C.Kernel));
  for (const std::string &Group : Groups)
    print(OS, trainErrors(V, Group));
  OS << "// clang-format on\n";
  return Text;
}

} // namespace gpuestimate
