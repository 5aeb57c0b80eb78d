#include "gpu-estimate/Validate/TransferStatistics.h"

#include "WeightedQuantile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuestimate {

static double logError(const CaseResult &C) {
  return std::log(C.PredictedMs / C.MeasuredMs);
}

double TransferPair::error() const { return logError(*B) - logError(*A); }

std::vector<TransferPair> transferPairs(const Validation &V) {
  std::map<std::string, std::vector<const CaseResult *>> ByWork;
  for (const CaseResult &C : V.Cases)
    if (C.Model == DefaultModel && C.counts() && C.PredictedMs > 0 &&
        C.MeasuredMs > 0 && !C.GpuVendor.empty() && !C.Work.empty())
      ByWork[programOf(C.Dataset, C.Kernel) + "\n" + C.Work].push_back(&C);
  std::vector<TransferPair> Pairs;
  for (const auto &[Work, Cases] : ByWork)
    for (const CaseResult *A : Cases)
      for (const CaseResult *B : Cases)
        if (A->Gpu < B->Gpu)
          Pairs.push_back({A, B});
  return Pairs;
}

double transferSpread(const ErrorTable &Table, const TransferPair &P) {
  double Spreads = 0;
  for (const CaseResult *C : {P.A, P.B})
    Spreads +=
        errorSpread(Table, errorShares(C->Breakdown), C->GpuVendor == "AMD");
  return Spreads / 2;
}

static TransferRow rowOf(ArrayRef<TransferPair> Pairs) {
  StringMap<double> PairsOf;
  for (const TransferPair &P : Pairs)
    ++PairsOf[programOf(P.A->Dataset, P.A->Kernel)];
  TransferRow Row;
  Row.Pairs = Pairs.size();
  Row.Programs = PairsOf.size();
  std::vector<WeightedValue> Errors, Ratios;
  double Sum = 0, OfTimes = 0;
  for (const TransferPair &P : Pairs) {
    double Weight = 1 / (PairsOf[programOf(P.A->Dataset, P.A->Kernel)] *
                         double(Row.Programs));
    double Error = std::fabs(P.error());
    const ErrorTable &Table =
        errorTable(heldOutGroup(P.A->Dataset, P.A->Kernel));
    double High =
        transferFactor(Table, transferSpread(Table, P), DefaultIntervalLevel);
    Errors.push_back({std::expm1(Error), Weight});
    Ratios.push_back({High * High, Weight});
    Sum += Weight * Error;
    OfTimes += Weight * (std::fabs(logError(*P.A)) + std::fabs(logError(*P.B)));
    Row.Covered += Error <= std::log(High) ? Weight : 0;
  }
  Row.MedianApe = weightedQuantile(std::move(Errors), 0.5);
  Row.MedianRatio = weightedQuantile(std::move(Ratios), 0.5);
  Row.Factor = std::exp(Sum);
  Row.FactorOfTimes = std::exp(OfTimes / 2);
  return Row;
}

std::vector<TransferRow> transferStatistics(const Validation &V) {
  std::vector<TransferPair> All = transferPairs(V);
  if (All.empty())
    return {};
  std::map<std::pair<std::string, std::string>, std::vector<TransferPair>>
      ByGpus;
  for (const TransferPair &P : All)
    ByGpus[{P.A->Gpu, P.B->Gpu}].push_back(P);
  std::vector<TransferRow> Rows;
  for (const auto &[Gpus, Pairs] : ByGpus) {
    TransferRow &Row = Rows.emplace_back(rowOf(Pairs));
    Row.From = Gpus.first;
    Row.To = Gpus.second;
  }
  Rows.push_back(rowOf(All));
  return Rows;
}

} // namespace gpuestimate
