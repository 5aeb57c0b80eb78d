#include "gpu-estimate/Validate/Statistics.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace llvm;

namespace gpuestimate {

using CasePointers = std::vector<const CaseResult *>;

double quantile(ArrayRef<double> Sorted, double Q) {
  if (Sorted.empty())
    return 0;
  double Place = Q * static_cast<double>(Sorted.size() - 1);
  size_t Below = static_cast<size_t>(Place);
  size_t Above = std::min(Below + 1, Sorted.size() - 1);
  double Part = Place - static_cast<double>(Below);
  return Sorted[Below] + Part * (Sorted[Above] - Sorted[Below]);
}

/// Ranks from 1; equal values share the mean of theirs.
static std::vector<double> ranks(ArrayRef<double> Values) {
  std::vector<size_t> Order(Values.size());
  std::iota(Order.begin(), Order.end(), 0);
  stable_sort(Order, [&](size_t A, size_t B) { return Values[A] < Values[B]; });
  std::vector<double> Ranks(Values.size());
  for (size_t First = 0; First < Order.size();) {
    size_t End = First + 1;
    while (End < Order.size() && Values[Order[End]] == Values[Order[First]])
      ++End;
    for (size_t I = First; I < End; ++I)
      Ranks[Order[I]] = static_cast<double>(First + End + 1) / 2;
    First = End;
  }
  return Ranks;
}

std::optional<double> spearman(ArrayRef<double> A, ArrayRef<double> B) {
  if (A.size() < 3 || A.size() != B.size())
    return std::nullopt;
  std::vector<double> RanksA = ranks(A), RanksB = ranks(B);
  double Mean = static_cast<double>(A.size() + 1) / 2;
  double Together = 0, SquaresA = 0, SquaresB = 0;
  for (size_t I = 0; I < A.size(); ++I) {
    Together += (RanksA[I] - Mean) * (RanksB[I] - Mean);
    SquaresA += (RanksA[I] - Mean) * (RanksA[I] - Mean);
    SquaresB += (RanksB[I] - Mean) * (RanksB[I] - Mean);
  }
  if (SquaresA <= 0 || SquaresB <= 0)
    return std::nullopt;
  return Together / std::sqrt(SquaresA * SquaresB);
}

static std::optional<double> spearmanOf(const CasePointers &Group) {
  std::vector<double> Predicted, Measured;
  for (const CaseResult *C : Group) {
    Predicted.push_back(C->PredictedMs);
    Measured.push_back(C->MeasuredMs);
  }
  return spearman(Predicted, Measured);
}

/// Where several configurations are predicted to be the fastest, one is picked
/// at random: their mean.
static double pickLoss(const CasePointers &Group) {
  double Least = INFINITY, Best = INFINITY, Sum = 0, Count = 0;
  for (const CaseResult *C : Group) {
    Best = std::min(Best, C->MeasuredMs);
    if (C->PredictedMs < Least)
      Least = C->PredictedMs, Sum = Count = 0;
    if (C->PredictedMs == Least)
      Sum += C->MeasuredMs, ++Count;
  }
  return Sum / Count / Best - 1;
}

ErrorStatistics summarize(ArrayRef<const CaseResult *> Cases) {
  ErrorStatistics S;
  std::vector<double> Ape;
  std::map<std::pair<std::string, std::string>, CasePointers> Groups;
  for (const CaseResult *C : Cases) {
    if (!C->counts())
      continue;
    Ape.push_back(std::fabs(C->error()));
    S.Bias += C->error();
    Groups[{C->Gpu, C->Kernel}].push_back(C);
  }
  S.Cases = Ape.size();
  if (Ape.empty())
    return S;
  double Count = static_cast<double>(S.Cases);
  S.Bias /= Count;
  S.MeanApe = std::accumulate(Ape.begin(), Ape.end(), 0.0) / Count;
  llvm::sort(Ape);
  S.MedianApe = quantile(Ape, 0.5);
  S.P90Ape = quantile(Ape, 0.9);
  S.MaxApe = Ape.back();

  double Ranked = 0, Correlations = 0, Losses = 0;
  for (const auto &[Names, Group] : Groups) {
    if (auto Correlation = spearmanOf(Group)) {
      Correlations += *Correlation;
      Ranked += 1;
    }
    Losses += pickLoss(Group);
  }
  if (Ranked > 0)
    S.Spearman = Correlations / Ranked;
  S.PickLoss = Losses / static_cast<double>(Groups.size());
  return S;
}

std::vector<StatisticsRow> statistics(const Validation &V, GroupBy By) {
  std::vector<StatisticsRow> Rows;
  for (const ValidatedDataset &D : V.Datasets) {
    // Groups in the order of their first case, models in that of V.
    std::vector<std::pair<std::string, std::string>> Groups;
    std::map<std::pair<std::string, std::string>,
             std::map<std::string, CasePointers>>
        Members;
    for (const CaseResult &C : V.Cases) {
      if (C.Dataset != D.Name)
        continue;
      std::pair<std::string, std::string> Group(
          By == GroupBy::Gpu || By == GroupBy::GpuAndKernel ? C.Gpu : "",
          By == GroupBy::Kernel || By == GroupBy::GpuAndKernel ? C.Kernel : "");
      if (!Members.count(Group))
        Groups.push_back(Group);
      Members[Group][C.Model].push_back(&C);
    }
    for (const auto &Group : Groups)
      for (const std::string &Model : V.Models) {
        const CasePointers &All = Members[Group][Model];
        auto Add = [&](std::optional<Split> Part) {
          CasePointers Of;
          copy_if(All, std::back_inserter(Of), [&](const CaseResult *C) {
            return !Part || C->Part == *Part;
          });
          StatisticsRow Row{D.Name, Group.first, Group.second,
                            Model,  Part,        summarize(Of)};
          if (!D.Tuning)
            Row.Errors.PickLoss.reset();
          Rows.push_back(std::move(Row));
        };
        if (By == GroupBy::Dataset) {
          Add(Split::Fit);
          Add(Split::Check);
        }
        Add(std::nullopt);
      }
  }
  return Rows;
}

std::vector<const CaseResult *>
worstCases(const Validation &V, StringRef Dataset, StringRef Model, size_t N) {
  CasePointers Worst;
  for (const CaseResult &C : V.Cases)
    if (C.Dataset == Dataset && C.Model == Model && C.counts())
      Worst.push_back(&C);
  stable_sort(Worst, [](auto *A, auto *B) {
    return std::fabs(A->error()) > std::fabs(B->error());
  });
  if (Worst.size() > N)
    Worst.resize(N);
  return Worst;
}

std::vector<FailureGroup> groupFailures(ArrayRef<CaseFailure> Failures) {
  std::vector<FailureGroup> Groups;
  for (const CaseFailure &F : Failures) {
    auto Same = find_if(Groups, [&](const FailureGroup &G) {
      return G.First.Dataset == F.Dataset && G.First.Model == F.Model &&
             G.First.Reason == F.Reason;
    });
    if (Same == Groups.end())
      Groups.push_back({F});
    else
      ++Same->Count;
  }
  return Groups;
}

} // namespace gpuestimate
