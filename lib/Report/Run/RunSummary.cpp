#include "RunSummary.h"

#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Collects values by name.
class Summarizer {
public:
  void add(StringRef Name, double Value, size_t Estimate = 0);
  std::vector<RunSummaryRow> rows();

private:
  struct Group {
    RunSummaryRow Row;
    std::vector<double> Values;
  };
  StringMap<size_t> Numbers;
  std::vector<Group> Groups;
};

} // namespace

void Summarizer::add(StringRef Name, double Value, size_t Estimate) {
  auto [Number, IsNew] = Numbers.try_emplace(Name, Groups.size());
  if (IsNew)
    Groups.emplace_back().Row.Name = Name.str();
  Group &G = Groups[Number->second];
  if (G.Values.empty() || Value > G.Row.Max) {
    G.Row.Max = Value;
    G.Row.Estimate = Estimate;
  }
  G.Values.push_back(Value);
}

static double medianOf(std::vector<double> &Values) {
  size_t Middle = Values.size() / 2;
  llvm::sort(Values);
  return Values.size() % 2 ? Values[Middle]
                           : (Values[Middle - 1] + Values[Middle]) / 2;
}

static double deviationOf(ArrayRef<double> Values, double Average) {
  double Squares = 0;
  for (double V : Values)
    Squares += (V - Average) * (V - Average);
  return Values.size() < 2
             ? 0
             : std::sqrt(Squares / static_cast<double>(Values.size() - 1));
}

std::vector<RunSummaryRow> Summarizer::rows() {
  std::vector<RunSummaryRow> Rows;
  double Sum = 0;
  for (Group &G : Groups) {
    RunSummaryRow &R = G.Row;
    R.Count = G.Values.size();
    R.Total = std::accumulate(G.Values.begin(), G.Values.end(), 0.0);
    R.Average = R.Total / static_cast<double>(R.Count);
    R.Deviation = deviationOf(G.Values, R.Average);
    R.Median = medianOf(G.Values);
    R.Min = G.Values.front();
    Sum += R.Total;
    Rows.push_back(std::move(R));
  }
  for (RunSummaryRow &R : Rows)
    R.Share = Sum > 0 ? R.Total / Sum : 0;
  stable_sort(Rows, [](const RunSummaryRow &A, const RunSummaryRow &B) {
    return A.Total > B.Total;
  });
  return Rows;
}

StringRef nsightName(const RunReportCopy &Copy) {
  bool Migrates = Copy.Migration != RunMigration::None;
  switch (Copy.Kind) {
  case OperationKind::CopyIn:
    return Migrates ? "[CUDA memcpy Unified Host-to-Device]"
                    : "[CUDA memcpy Host-to-Device]";
  case OperationKind::CopyOut:
    return Migrates ? "[CUDA memcpy Unified Device-to-Host]"
                    : "[CUDA memcpy Device-to-Host]";
  case OperationKind::DeviceCopy:
    return "[CUDA memcpy Device-to-Device]";
  case OperationKind::Memset:
    return "[CUDA memset]";
  case OperationKind::Kernel:
  case OperationKind::HostFunction:
  case OperationKind::Marker:
    break;
  }
  return "";
}

std::vector<RunSummaryRow> summarizeKernels(const RunReport &Run) {
  Summarizer S;
  for (const RunReportLaunch &L : Run.Launches)
    S.add(Run.Estimates[L.Estimate].Name, L.EndNs - L.StartNs, L.Estimate);
  return S.rows();
}

std::vector<RunSummaryRow> summarizeCopies(const RunReport &Run) {
  Summarizer S;
  for (const RunReportCopy &C : Run.Copies)
    S.add(nsightName(C), C.EndNs - C.StartNs);
  return S.rows();
}

std::vector<RunSummaryRow> summarizeCopySizes(const RunReport &Run) {
  Summarizer S;
  for (const RunReportCopy &C : Run.Copies)
    S.add(nsightName(C), static_cast<double>(C.Bytes));
  return S.rows();
}

std::vector<RunSummaryRow> summarizeCalls(const RunReport &Run) {
  Summarizer S;
  for (const RunReportCall &C : Run.Calls)
    S.add(C.Name, C.EndNs - C.StartNs);
  return S.rows();
}

std::string formatNs(double Ns) {
  constexpr double NsPerSecond = 1e9;
  return formatTime(Seconds(Ns / NsPerSecond));
}

std::vector<std::string> kernelAssumptions(const RunReport &Run) {
  std::vector<std::string> Lines;
  StringSet<> Known;
  for (const RunEstimate &E : Run.Estimates)
    for (const std::string &A : E.Assumptions)
      if (std::string Line = E.Name + ": " + A; Known.insert(Line).second)
        Lines.push_back(std::move(Line));
  return Lines;
}

const RunReport &fastestOf(ArrayRef<RunReport> Runs) {
  return *std::min_element(Runs.begin(), Runs.end(),
                           [](const RunReport &A, const RunReport &B) {
                             return A.Totals.WallNs < B.Totals.WallNs;
                           });
}

} // namespace gpuestimate
