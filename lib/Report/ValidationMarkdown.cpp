/// \file
/// The accuracy tables of README: the models on each dataset, then the first of
/// them on each GPU.
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

/// The first model's errors.
static void lines(raw_ostream &OS, const Validation &V,
                  const ValidatedDataset &D, GroupBy By) {
  for (const StatisticsRow &Row : statistics(V, By)) {
    if (Row.Dataset != D.Name || Row.Part || Row.Model != V.Models.front())
      continue;
    OS << "| " << (By == GroupBy::Dataset ? "**" + D.Name + "**" : D.Name)
       << " | " << (Row.Gpu.empty() ? "all" : Row.Gpu) << " | "
       << Row.Errors.Cases << " |";
    statisticsCells(OS, Row.Errors);
    OS << '\n';
  }
}

/// Every model on every dataset: mean errors, and how many cases a model
/// refused.
static void printModels(raw_ostream &OS, const Validation &V) {
  OS << "| dataset | cases |";
  for (const std::string &Model : V.Models)
    OS << ' ' << Model << " |";
  OS << "\n| --- | --: |";
  for (size_t I = 0; I < V.Models.size(); ++I)
    OS << " --: |";
  OS << '\n';
  for (const ValidatedDataset &D : V.Datasets) {
    std::vector<StatisticsRow> Rows;
    size_t Cases = 0;
    for (StatisticsRow &Row : statistics(V, GroupBy::Dataset))
      if (Row.Dataset == D.Name && !Row.Part) {
        Cases = std::max(Cases, Row.Errors.Cases);
        Rows.push_back(std::move(Row));
      }
    OS << "| " << D.Name << " | " << Cases << " |";
    for (const StatisticsRow &Row : Rows) {
      if (Row.Errors.Cases == 0) {
        OS << " refused |";
        continue;
      }
      OS << format(" %.1f%%", 100 * Row.Errors.MeanApe);
      if (Row.Errors.Cases < Cases)
        OS << " (of " << Row.Errors.Cases << ')';
      OS << " |";
    }
    OS << '\n';
  }
}

void printValidationMarkdown(raw_ostream &OS, const Validation &V) {
  if (V.Models.size() > 1) {
    printModels(OS, V);
    OS << '\n';
  }
  OS << "| dataset | GPU | cases | mean error | bias |\n"
        "| --- | --- | --: | --: | --: |\n";
  for (const ValidatedDataset &D : V.Datasets) {
    lines(OS, V, D, GroupBy::Dataset);
    lines(OS, V, D, GroupBy::Gpu);
  }
}

} // namespace gpuestimate
