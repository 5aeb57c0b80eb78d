/// \file
/// The accuracy table of README.
#include "gpu-estimate/Report/Validation.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

static void statisticsCells(raw_ostream &OS, const ErrorStatistics &E) {
  if (E.Cases == 0) {
    OS << " - | - |";
    return;
  }
  OS << format(" %.1f%% | %+.1f%% |", 100 * E.MeanApe, 100 * E.Bias);
}

/// Rows of one dataset, GPU and split come model after model: one line each.
static void lines(raw_ostream &OS, const Validation &V,
                  const ValidatedDataset &D, GroupBy By) {
  size_t InLine = 0;
  for (const StatisticsRow &Row : statistics(V, By)) {
    if (Row.Dataset != D.Name || Row.Part)
      continue;
    if (InLine == 0)
      OS << "| " << (By == GroupBy::Dataset ? "**" + D.Name + "**" : D.Name)
         << " | " << (Row.Gpu.empty() ? "all" : Row.Gpu) << " | "
         << Row.Errors.Cases << " |";
    statisticsCells(OS, Row.Errors);
    if (++InLine < V.Models.size())
      continue;
    OS << '\n';
    InLine = 0;
  }
}

void printValidationMarkdown(raw_ostream &OS, const Validation &V) {
  OS << "| dataset | GPU | cases |";
  for (const std::string &Model : V.Models)
    OS << ' ' << Model << ": mean error | bias |";
  OS << "\n| --- | --- | --: |";
  for (size_t I = 0; I < V.Models.size(); ++I)
    OS << " --: | --: |";
  OS << '\n';
  for (const ValidatedDataset &D : V.Datasets) {
    lines(OS, V, D, GroupBy::Dataset);
    lines(OS, V, D, GroupBy::Gpu);
  }
}

} // namespace gpuestimate
