#include "gpu-estimate/Validate/ErrorTraining.h"
#include "WeightedQuantile.h"
#include "gpu-estimate/Validate/TransferStatistics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
/// A case that trains the table.
struct TrainingCase {
  ErrorShares Shares;
  ErrorPart Bound;
  double Error;       ///< ln(measured / predicted)
  TimeFactors Inputs; ///< CaseResult::InputFactors
  bool IsAmd;
  double Weight;

  unsigned largestPart() const {
    return unsigned(llvm::max_element(Shares) - Shares.begin());
  }
};
} // namespace

/// Whether anything is known of the error of a time of C by the default model.
static bool hasError(const CaseResult &C, StringRef Without) {
  return C.Model == DefaultModel && C.counts() &&
         heldOutGroup(C.Dataset, C.Kernel) != Without && C.PredictedMs > 0 &&
         C.MeasuredMs > 0 && !C.GpuVendor.empty();
}

static double errorOf(const CaseResult &C) {
  return std::log(C.MeasuredMs / C.PredictedMs);
}

/// The cases that assume something, or those that do not.
static std::vector<TrainingCase>
trainingCases(const Validation &V, StringRef Without, bool WithAssumptions) {
  auto IsTraining = [&](const CaseResult &C) {
    return hasError(C, Without) && C.Assumed.empty() != WithAssumptions &&
           (!WithAssumptions || C.InputFactors);
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
        {errorShares(C.Breakdown), boundPart(C.Bottleneck), errorOf(C),
         C.InputFactors.value_or(TimeFactors()), C.GpuVendor == "AMD",
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

/// |error| / mean spread of launches on two GPUs. What an assumption does to
/// both cancels mostly, so that assumed cases count, too. Programs weigh as in
/// trainingCases().
static std::vector<WeightedValue> transferErrors(const Validation &V,
                                                 const ErrorTable &Table) {
  std::vector<TransferPair> Pairs = transferPairs(V);
  erase_if(Pairs, [&](const TransferPair &P) {
    return !hasError(*P.A, Table.Without) || !hasError(*P.B, Table.Without);
  });
  StringMap<double> PairsOf;
  StringMap<StringSet<>> OursOf; // dataset -> programs that we wrote
  for (const TransferPair &P : Pairs) {
    std::string Program = programOf(P.A->Dataset, P.A->Kernel);
    ++PairsOf[Program];
    if (!isOfWholeProgram(P.A->Kernel))
      OursOf[P.A->Dataset].insert(Program);
  }
  std::vector<WeightedValue> Errors;
  for (const TransferPair &P : Pairs) {
    double Alike =
        isOfWholeProgram(P.A->Kernel) ? 1 : double(OursOf[P.A->Dataset].size());
    Errors.push_back({std::fabs(P.error()) / transferSpread(Table, P),
                      1 / (PairsOf[programOf(P.A->Dataset, P.A->Kernel)] *
                           std::sqrt(Alike))});
  }
  return Errors;
}

/// Errors in units of their interval of the level DefaultIntervalLevel: 1 at
/// its end. Parallel to the cases.
static std::array<double, NumErrorParts>
factorsOfBounds(ArrayRef<TrainingCase> Cases, ArrayRef<double> Scaled) {
  double All = 0;
  for (const TrainingCase &C : Cases)
    All += C.Weight;
  std::array<double, NumErrorParts> Factors;
  for (auto [Bound, Factor] : enumerate(Factors)) {
    std::vector<WeightedValue> Values;
    for (auto [C, Value] : zip_equal(Cases, Scaled))
      Values.push_back({Value, unsigned(C.Bound) == Bound
                                   ? C.Weight
                                   : C.Weight * OtherBoundsWeight / All});
    Factor = Cases.empty() ? 1 : weightedQuantile(Values, DefaultIntervalLevel);
  }
  return Factors;
}

/// |Error| by the distance of the interval's end on its side.
static double inUnitsOf(double Low, double High, double Error) {
  constexpr double Least = 1e-6; // an end at the predicted time itself
  return Error < 0 ? Error / std::min(Low, -Least)
                   : Error / std::max(High, Least);
}

static double defaultQuantile(ArrayRef<std::pair<double, double>> Quantiles,
                              bool IsLow) {
  const auto Levels = intervalLevels();
  const auto &[Low, High] =
      Quantiles[llvm::find(Levels, DefaultIntervalLevel) - Levels.begin()];
  return IsLow ? Low : High;
}

/// Fills OfBound.
static void trainBounds(ErrorTable &Table, ArrayRef<TrainingCase> Cases) {
  std::vector<double> Scaled;
  for (const TrainingCase &C : Cases) {
    double Spread = errorSpread(Table, C.Shares, C.IsAmd);
    Scaled.push_back(inUnitsOf(defaultQuantile(Table.Quantiles, true) * Spread,
                               defaultQuantile(Table.Quantiles, false) * Spread,
                               C.Error));
  }
  Table.OfBound = factorsOfBounds(Cases, Scaled);
}

/// Fills Assumed and AssumedOfBound from cases with assumptions.
static void trainAssumed(ErrorTable &Table, ArrayRef<TrainingCase> Cases) {
  Table.Assumed.fill({1, 1});
  Table.AssumedOfBound.fill(1);
  if (Cases.empty())
    return;
  // The interval as if the assumptions' ranges were right.
  auto Unscaled = [&](const TrainingCase &C, double Level) {
    TimeFactors F = modelError(Table, C.Shares, C.Bound, C.IsAmd, Level).Time *
                    atLevel(C.Inputs, Level);
    return std::pair(std::log(F.Low), std::log(F.High));
  };
  for (auto [Ends, Level] : zip_equal(Table.Assumed, intervalLevels())) {
    std::vector<WeightedValue> Below, Above;
    for (const TrainingCase &C : Cases) {
      auto [Low, High] = Unscaled(C, Level);
      double Error = inUnitsOf(Low, High, C.Error);
      Below.push_back({C.Error < 0 ? Error : 0, C.Weight});
      Above.push_back({C.Error > 0 ? Error : 0, C.Weight});
    }
    Ends = {weightedQuantile(Below, (1 + Level) / 2),
            weightedQuantile(Above, (1 + Level) / 2)};
  }
  std::vector<double> Scaled;
  for (const TrainingCase &C : Cases) {
    auto [Low, High] = Unscaled(C, DefaultIntervalLevel);
    Scaled.push_back(inUnitsOf(Low * defaultQuantile(Table.Assumed, true),
                               High * defaultQuantile(Table.Assumed, false),
                               C.Error));
  }
  Table.AssumedOfBound = factorsOfBounds(Cases, Scaled);
}

ErrorTable trainErrors(const Validation &V, StringRef Without) {
  ErrorTable Table{};
  Table.Without = Without;
  Table.Amd = 1;
  std::vector<TrainingCase> Cases =
      trainingCases(V, Without, /*WithAssumptions=*/false);
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
  trainBounds(Table, Cases);
  trainAssumed(Table, trainingCases(V, Without, /*WithAssumptions=*/true));
  std::vector<WeightedValue> Ratios = ratioErrors(V, Table);
  for (auto [Quantile, Level] :
       zip_equal(Table.RatioQuantiles, intervalLevels()))
    Quantile = weightedQuantile(Ratios, Level);
  std::vector<WeightedValue> Transfers = transferErrors(V, Table);
  for (auto [Quantile, Level] :
       zip_equal(Table.TransferQuantiles, intervalLevels()))
    Quantile = weightedQuantile(Transfers, Level);
  return Table;
}

static void print(raw_ostream &OS, const ErrorTable &Table) {
  auto List = [&](ArrayRef<double> Values, const char *Form) {
    ListSeparator Comma;
    OS << '{';
    for (double Value : Values)
      OS << Comma << format(Form, Value);
    OS << '}';
  };
  auto Pairs = [&](ArrayRef<std::pair<double, double>> Values) {
    ListSeparator Comma;
    OS << "{{";
    for (auto [Low, High] : Values)
      OS << Comma << '{' << format("%.3f", Low) << ", " << format("%.3f", High)
         << '}';
    OS << "}}";
  };
  OS << "{\"" << Table.Without << "\",\n ";
  List(Table.Spread, "%.4f");
  OS << ",\n " << format("%.3f", Table.Amd) << ",\n ";
  Pairs(Table.Quantiles);
  OS << ",\n ";
  List(Table.OfBound, "%.3f");
  OS << ",\n ";
  Pairs(Table.Assumed);
  OS << ",\n ";
  List(Table.AssumedOfBound, "%.3f");
  OS << ",\n ";
  List(Table.RatioQuantiles, "%.3f");
  OS << ",\n ";
  List(Table.TransferQuantiles, "%.3f");
  OS << "},\n";
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
  OS << ";\n// factor of the spread by the part that bounds the launch; where "
        "something is\n// assumed, exponents of both ends by level and their "
        "factor by part; quantiles of\n// the errors of ratios, and of those "
        "of two GPUs, by level\n"
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
