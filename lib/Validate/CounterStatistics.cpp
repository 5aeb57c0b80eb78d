/// \file
/// Predicted against measured counters, and predicted bounds against those that
/// counters tell.
#include "gpu-estimate/Validate/Statistics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {
/// Ratios of predicted to measured values of one counter.
struct Ratios {
  std::string Counter;
  std::vector<std::pair<std::string, double>> ByGpu; ///< GPU, ratio; by case
};
} // namespace

static std::optional<double> find(const CaseValues &Values, StringRef Name) {
  for (const auto &[Key, Value] : Values)
    if (Key == Name)
      return Value;
  return std::nullopt;
}

static CounterRow row(const ValidatedDataset &D, StringRef Gpu,
                      const Ratios &R) {
  CounterRow Row;
  Row.Dataset = D.Name;
  Row.Gpu = Gpu.str();
  Row.Counter = R.Counter;
  std::vector<double> Sorted;
  for (const auto &[CaseGpu, Ratio] : R.ByGpu) {
    if (!Gpu.empty() && CaseGpu != Gpu)
      continue;
    Sorted.push_back(Ratio);
    Row.MeanApe += std::fabs(Ratio - 1);
    Row.Bias += Ratio - 1;
  }
  llvm::sort(Sorted);
  Row.Cases = Sorted.size();
  Row.MedianRatio = quantile(Sorted, 0.5);
  Row.MeanApe /= static_cast<double>(Row.Cases);
  Row.Bias /= static_cast<double>(Row.Cases);
  return Row;
}

std::vector<CounterRow> counterStatistics(const Validation &V) {
  std::vector<CounterRow> Rows;
  for (const ValidatedDataset &D : V.Datasets) {
    std::vector<Ratios> Counters;
    for (const CaseResult &C : V.Cases) {
      if (C.Dataset != D.Name || C.Model != V.Models.front() || !C.counts())
        continue;
      for (const auto &[Name, Measured] : C.Measured) {
        std::optional<double> Predicted = find(C.Predicted, Name);
        if (!Predicted || Measured <= 0)
          continue;
        auto Entry = find_if(Counters, [&, &Name = Name](const Ratios &R) {
          return R.Counter == Name;
        });
        if (Entry == Counters.end())
          Entry = Counters.insert(Counters.end(), {Name, {}});
        Entry->ByGpu.push_back({C.Gpu, *Predicted / Measured});
      }
    }
    for (const Ratios &R : Counters) {
      Rows.push_back(row(D, "", R));
      std::vector<std::string> Gpus;
      for (const auto &[Gpu, Ratio] : R.ByGpu)
        if (!is_contained(Gpus, Gpu))
          Gpus.push_back(Gpu);
      for (const std::string &Gpu : Gpus)
        if (Gpus.size() > 1)
          Rows.push_back(row(D, Gpu, R));
    }
  }
  return Rows;
}

/// Is Bound the resource that Counter counts? Where each instruction of a pipe
/// takes an issue slot, as fp32 does on most GPUs, the two are one limit.
static bool isBoundOf(StringRef Counter, StringRef Bound) {
  if (Counter == "dram_bytes")
    return Bound == "dram-bandwidth";
  if (Counter == "flop_fp64")
    return Bound == "fp64";
  return Bound == "fp32" || Bound == "issue" || Bound == "register-read";
}

std::vector<LabelRow> labelStatistics(const Validation &V) {
  std::vector<LabelRow> Rows;
  for (const CaseResult &C : V.Cases) {
    auto Most = llvm::max_element(
        C.Utilisation, [](auto &A, auto &B) { return A.second < B.second; });
    if (C.Model != V.Models.front() || !C.counts() ||
        Most == C.Utilisation.end() || Most->second < TellingUtilisation)
      continue;
    auto Row = find_if(Rows, [&](const LabelRow &R) {
      return R.Dataset == C.Dataset && R.Counter == Most->first;
    });
    if (Row == Rows.end())
      Row = Rows.insert(Rows.end(), {C.Dataset, Most->first, 0, 0, {}});
    ++Row->Cases;
    if (isBoundOf(Most->first, C.Bottleneck)) {
      ++Row->Same;
      continue;
    }
    auto Other =
        find_if(Row->Others, [&](auto &O) { return O.first == C.Bottleneck; });
    if (Other == Row->Others.end())
      Other = Row->Others.insert(Row->Others.end(), {C.Bottleneck, 0});
    ++Other->second;
  }
  for (LabelRow &Row : Rows)
    llvm::stable_sort(Row.Others,
                      [](auto &A, auto &B) { return A.second > B.second; });
  return Rows;
}

} // namespace gpuestimate
