#include "gpu-estimate/Validate/Statistics.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
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

/// Ranks from 1; equal values share the mean of their ranks.
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

/// Relative time lost by the configuration that is predicted to be the fastest;
/// the mean over several that tie.
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

static constexpr double NearEnough = 0.25;

/// Mean over kernels of the mean of their errors.
static void meanByKernel(ErrorStatistics &S,
                         ArrayRef<const CaseResult *> Cases) {
  std::map<std::string, std::pair<double, double>> SumAndCount;
  for (const CaseResult *C : Cases)
    if (C->counts()) {
      auto &[Sum, Count] = SumAndCount[C->Kernel];
      Sum += std::fabs(C->error());
      Count += 1;
    }
  for (const auto &[Kernel, Errors] : SumAndCount)
    S.KernelMeanApe += Errors.first / Errors.second;
  S.Kernels = SumAndCount.size();
  S.KernelMeanApe /= static_cast<double>(S.Kernels);
}

ErrorStatistics summarize(ArrayRef<const CaseResult *> Cases) {
  ErrorStatistics S;
  std::vector<double> Ape;
  double LogRatios = 0;
  std::map<std::pair<std::string, std::string>, CasePointers> Groups;
  for (const CaseResult *C : Cases) {
    if (!C->counts())
      continue;
    Ape.push_back(std::fabs(C->error()));
    S.Bias += C->error();
    LogRatios += std::fabs(std::log(C->PredictedMs / C->MeasuredMs));
    S.Within25 += std::fabs(C->error()) <= NearEnough;
    Groups[{C->Gpu, C->Kernel}].push_back(C);
  }
  S.Cases = Ape.size();
  if (Ape.empty())
    return S;
  double Count = static_cast<double>(S.Cases);
  S.Bias /= Count;
  S.Within25 /= Count;
  if (std::isfinite(LogRatios))
    S.Factor = std::exp(LogRatios / Count);
  meanByKernel(S, Cases);
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

ErrorStatistics combine(ArrayRef<ErrorStatistics> Groups) {
  ErrorStatistics All;
  double LogFactors = 0;
  for (const ErrorStatistics &G : Groups) {
    double Cases = static_cast<double>(G.Cases);
    double Kernels = static_cast<double>(G.Kernels);
    All.Cases += G.Cases;
    All.Kernels += G.Kernels;
    All.MeanApe += Cases * G.MeanApe;
    All.Bias += Cases * G.Bias;
    All.Within25 += Cases * G.Within25;
    All.KernelMeanApe += Kernels * G.KernelMeanApe;
    if (G.Cases > 0)
      LogFactors += G.Factor ? Cases * std::log(*G.Factor) : INFINITY;
  }
  if (All.Cases == 0)
    return All;
  double Cases = static_cast<double>(All.Cases);
  All.MeanApe /= Cases;
  All.Bias /= Cases;
  All.Within25 /= Cases;
  All.KernelMeanApe /= static_cast<double>(All.Kernels);
  if (std::isfinite(LogFactors))
    All.Factor = std::exp(LogFactors / Cases);
  return All;
}

/// The bound of each case of a dataset by the first model of V.
static std::map<std::string, std::string> boundsOf(const Validation &V,
                                                   StringRef Dataset) {
  std::map<std::string, std::string> Bounds;
  for (const CaseResult &C : V.Cases)
    if (C.Dataset == Dataset && C.Model == V.Models.front())
      Bounds[C.Case] = C.Bottleneck;
  return Bounds;
}

/// Names of the decades of measured time, shortest first.
static constexpr std::pair<double, StringLiteral> Decades[] = {
    {0.01, "below 10 us"},
    {0.1, "10 us to 100 us"},
    {1, "100 us to 1 ms"},
    {10, "1 ms to 10 ms"},
    {INFINITY, "10 ms and more"}};

StringRef decadeName(size_t Decade) { return Decades[Decade].second; }

size_t decadeOf(double Milliseconds) {
  size_t Index = 0;
  while (Milliseconds >= Decades[Index].first)
    ++Index;
  return Index;
}

static bool groupsBy(GroupBy By, GroupBy One, GroupBy Both) {
  return By == One || By == Both;
}

std::vector<StatisticsRow> statistics(const Validation &V, GroupBy By) {
  std::vector<StatisticsRow> Rows;
  for (const ValidatedDataset &D : V.Datasets) {
    // Groups in the order of their first case, models in the order of V.
    struct GroupName {
      std::string Gpu, Kernel, Bound;
      bool Assumed = false;
      size_t Decade = 0;
      auto operator<=>(const GroupName &) const = default;
    };
    bool ByInputs = groupsBy(By, GroupBy::Inputs, GroupBy::InputsAndDecade);
    bool ByDecade = groupsBy(By, GroupBy::Decade, GroupBy::InputsAndDecade);
    std::vector<GroupName> Groups;
    std::map<GroupName, std::map<std::string, CasePointers>> Members;
    std::map<std::string, std::string> Bounds;
    if (By == GroupBy::Bound)
      Bounds = boundsOf(V, D.Name);
    for (const CaseResult &C : V.Cases) {
      if (C.Dataset != D.Name)
        continue;
      GroupName Group;
      if (groupsBy(By, GroupBy::Gpu, GroupBy::GpuAndKernel))
        Group.Gpu = C.Gpu;
      if (groupsBy(By, GroupBy::Kernel, GroupBy::GpuAndKernel))
        Group.Kernel = C.Kernel;
      // A case that the first model refuses counts for the bound of its own
      // model.
      if (By == GroupBy::Bound)
        Group.Bound = Bounds.try_emplace(C.Case, C.Bottleneck).first->second;
      if (ByInputs)
        Group.Assumed = !C.Assumed.empty();
      if (ByDecade)
        Group.Decade = decadeOf(C.MeasuredMs);
      if (!Members.count(Group))
        Groups.push_back(Group);
      Members[Group][C.Model].push_back(&C);
    }
    // The groups of these two have an order of their own.
    if (ByInputs || ByDecade)
      llvm::sort(Groups);
    for (const GroupName &Group : Groups)
      for (const std::string &Model : V.Models) {
        const CasePointers &All = Members[Group][Model];
        auto Add = [&](std::optional<Split> Part) {
          CasePointers Selected;
          copy_if(All, std::back_inserter(Selected), [&](const CaseResult *C) {
            return !Part || C->Part == *Part;
          });
          StatisticsRow Row;
          Row.Dataset = D.Name;
          Row.Gpu = Group.Gpu;
          Row.Kernel = Group.Kernel;
          Row.Bound = Group.Bound;
          Row.Model = Model;
          if (ByInputs)
            Row.Inputs = Group.Assumed ? "assumed" : "known";
          if (ByDecade)
            Row.Decade = Decades[Group.Decade].second.str();
          Row.Part = Part;
          Row.Errors = summarize(Selected);
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

std::vector<WarpsRow> statisticsByWarps(const Validation &V) {
  constexpr double GroupsPerDecade = 2;
  std::vector<WarpsRow> Rows;
  for (const ValidatedDataset &D : V.Datasets)
    for (const std::string &Model : V.Models) {
      std::map<int, CasePointers> Groups;
      for (const CaseResult &C : V.Cases)
        if (C.Dataset == D.Name && C.Model == Model && C.Warps > 0)
          Groups[int(std::floor(GroupsPerDecade * std::log10(C.Warps)))]
              .push_back(&C);
      for (const auto &[Group, Cases] : Groups) {
        WarpsRow Row = {D.Name, Model,
                        std::pow(10, (Group + 0.5) / GroupsPerDecade),
                        summarize(Cases)};
        if (Row.Errors.Cases > 0)
          Rows.push_back(std::move(Row));
      }
    }
  return Rows;
}

static bool isRowBy(const StatisticsRow &Row, GroupBy By) {
  return Row.Gpu.empty() == (By != GroupBy::Gpu) &&
         Row.Bound.empty() == (By != GroupBy::Bound) &&
         Row.Inputs.empty() !=
             groupsBy(By, GroupBy::Inputs, GroupBy::InputsAndDecade) &&
         Row.Decade.empty() !=
             groupsBy(By, GroupBy::Decade, GroupBy::InputsAndDecade);
}

std::vector<StatisticsRow> statisticsWithRecords(const Validation &V,
                                                 GroupBy By) {
  std::vector<StatisticsRow> Rows = statistics(V, By);
  erase_if(Rows, [](const StatisticsRow &Row) { return Row.Part; });
  for (const RecordedDataset &D : V.Recorded)
    copy_if(D.Rows, std::back_inserter(Rows), [&](const StatisticsRow &Row) {
      return isRowBy(Row, By) && is_contained(V.Models, Row.Model);
    });
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
