/// \file
/// The accuracy tables of README (the first one) and of docs/accuracy.md.
#include "gpu-estimate/Report/Validation/Validation.h"
#include "gpu-estimate/Validate/Ablation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuestimate {

/// The model that the default one is compared with.
static constexpr StringLiteral Baseline = "sustained-roofline";

static void percentCell(raw_ostream &OS, double Fraction) {
  OS << format(" %.1f%% |", 100 * Fraction);
}

static void factorCell(raw_ostream &OS, const ErrorStatistics &E) {
  if (E.Factor)
    OS << format(*E.Factor < 100 ? " %.2f |" : " %.0f |", *E.Factor);
  else
    OS << " - |";
}

/// Cells for cases, median, factor, share within 25% and mean; dashes without a
/// case.
static void mainCells(raw_ostream &OS, const ErrorStatistics &E) {
  OS << ' ' << E.Cases << " |";
  if (E.Cases == 0) {
    OS << " - | - | - | - |";
    return;
  }
  percentCell(OS, E.MedianApe);
  factorCell(OS, E);
  percentCell(OS, E.Within25);
  percentCell(OS, E.MeanApe);
}

/// The rows of one model.
static std::vector<StatisticsRow> rowsOf(const Validation &V, GroupBy By,
                                         StringRef Model) {
  std::vector<StatisticsRow> Rows = statisticsWithRecords(V, By);
  erase_if(Rows, [&](const StatisticsRow &Row) { return Row.Model != Model; });
  return Rows;
}

static const StatisticsRow *find(ArrayRef<StatisticsRow> Rows,
                                 StringRef Dataset) {
  const StatisticsRow *Match = find_if(
      Rows, [&](const StatisticsRow &Row) { return Row.Dataset == Dataset; });
  return Match == Rows.end() ? nullptr : Match;
}

/// Whole datasets with the errors of the first model, the largest factor first.
static std::vector<StatisticsRow> worstFirst(const Validation &V) {
  std::vector<StatisticsRow> Rows =
      rowsOf(V, GroupBy::Dataset, V.Models.front());
  stable_sort(Rows, [](const StatisticsRow &A, const StatisticsRow &B) {
    return A.Errors.Factor.value_or(INFINITY) >
           B.Errors.Factor.value_or(INFINITY);
  });
  return Rows;
}

/// Errors of the cases of each dataset that are not bound by the launch.
static std::map<std::string, ErrorStatistics>
beyondLaunch(const Validation &V) {
  std::map<std::string, std::vector<ErrorStatistics>> Groups;
  for (const StatisticsRow &Row : rowsOf(V, GroupBy::Bound, V.Models.front()))
    if (Row.Bound != "launch")
      Groups[Row.Dataset].push_back(Row.Errors);
  std::map<std::string, ErrorStatistics> Result;
  for (const auto &[Dataset, Errors] : Groups)
    Result[Dataset] = combine(Errors);
  return Result;
}

/// "\* recorded 2026-11-23 at commit 6db0ba2: cache, ktt-pnpoly (1 case not
/// predicted)"
static void printRecords(raw_ostream &OS, const Validation &V) {
  std::map<std::pair<std::string, std::string>, std::string> Names;
  for (const RecordedDataset &D : V.Recorded) {
    std::string &List = Names[{D.Date, D.Commit}];
    List += (List.empty() ? "" : ", ") + D.Name;
    if (D.NotPredicted > 0)
      List += " (" + std::to_string(D.NotPredicted) +
              (D.NotPredicted == 1 ? " case" : " cases") + " not predicted)";
  }
  for (const auto &[When, List] : Names)
    OS << "\n\\* recorded " << When.first << " at commit " << When.second
       << ": " << List << '\n';
}

static void printDatasets(raw_ostream &OS, const Validation &V) {
  bool HasBaseline = is_contained(V.Models, Baseline);
  OS << "| dataset | cases | median | factor | within 25% | mean | mean by "
        "kernel | launch-bound | mean of the others |";
  OS << (HasBaseline ? " baseline: factor | mean |\n" : "\n");
  OS << "| --- | --: | --: | --: | --: | --: | --: | --: | --: |"
     << (HasBaseline ? " --: | --: |\n" : "\n");
  std::vector<StatisticsRow> Bases = rowsOf(V, GroupBy::Dataset, Baseline);
  std::map<std::string, ErrorStatistics> Others = beyondLaunch(V);
  for (const StatisticsRow &Row : worstFirst(V)) {
    bool Recorded = any_of(V.Recorded, [&](const RecordedDataset &D) {
      return D.Name == Row.Dataset;
    });
    OS << "| " << Row.Dataset << (Recorded ? "\\*" : "") << " |";
    mainCells(OS, Row.Errors);
    percentCell(OS, Row.Errors.KernelMeanApe);
    const ErrorStatistics &OtherErrors = Others[Row.Dataset];
    OS << ' ' << Row.Errors.Cases - OtherErrors.Cases << " |";
    if (OtherErrors.Cases > 0)
      percentCell(OS, OtherErrors.MeanApe);
    else
      OS << " - |";
    if (const StatisticsRow *Base = find(Bases, Row.Dataset);
        Base && Base->Errors.Cases > 0) {
      factorCell(OS, Base->Errors);
      percentCell(OS, Base->Errors.MeanApe);
    } else if (HasBaseline) {
      OS << " - | - |";
    }
    OS << '\n';
  }
  printRecords(OS, V);
}

/// Every model on every dataset: mean errors, and how many cases a model
/// refused.
static void printModels(raw_ostream &OS, const Validation &V) {
  OS << "\n### Mean error by model\n\n| dataset | cases |";
  for (const std::string &Model : V.Models)
    OS << ' ' << Model << " |";
  OS << "\n| --- | --: |";
  for (size_t I = 0; I < V.Models.size(); ++I)
    OS << " --: |";
  OS << '\n';
  std::vector<StatisticsRow> All = statisticsWithRecords(V, GroupBy::Dataset);
  for (const StatisticsRow &Dataset : worstFirst(V)) {
    OS << "| " << Dataset.Dataset << " | " << Dataset.Errors.Cases << " |";
    for (const std::string &Model : V.Models) {
      auto Row = find_if(All, [&](const StatisticsRow &R) {
        return R.Dataset == Dataset.Dataset && R.Model == Model;
      });
      if (Row == All.end()) // recorded before the model was there
        OS << " - |";
      else if (Row->Errors.Cases == 0)
        OS << " refused |";
      else {
        OS << format(" %.1f%%", 100 * Row->Errors.MeanApe);
        if (Row->Errors.Cases < Dataset.Errors.Cases)
          OS << " (of " << Row->Errors.Cases << ')';
        OS << " |";
      }
    }
    OS << '\n';
  }
}

/// Bounds over all datasets, those with most cases first.
static void printBounds(raw_ostream &OS, const Validation &V) {
  std::map<std::string, std::vector<ErrorStatistics>> Groups, BaseGroups;
  for (const StatisticsRow &Row : statisticsWithRecords(V, GroupBy::Bound)) {
    if (Row.Model == V.Models.front())
      Groups[Row.Bound].push_back(Row.Errors);
    if (Row.Model == Baseline)
      BaseGroups[Row.Bound].push_back(Row.Errors);
  }
  bool HasBaseline = !BaseGroups.empty();
  std::vector<std::pair<std::string, ErrorStatistics>> Rows;
  for (const auto &[Bound, Errors] : Groups)
    if (ErrorStatistics All = combine(Errors); All.Cases > 0)
      Rows.push_back({Bound, All});
  stable_sort(Rows, [](const auto &A, const auto &B) {
    return A.second.Cases > B.second.Cases;
  });
  OS << "\n### By bound, all datasets\n\n"
        "| bound | cases | factor | within 25% | mean | kernels | mean by "
        "kernel | bias |"
     << (HasBaseline ? " baseline: factor | mean |\n" : "\n")
     << "| --- | --: | --: | --: | --: | --: | --: | --: |"
     << (HasBaseline ? " --: | --: |\n" : "\n");
  for (const auto &[Bound, E] : Rows) {
    OS << "| " << Bound << " | " << E.Cases << " |";
    factorCell(OS, E);
    percentCell(OS, E.Within25);
    percentCell(OS, E.MeanApe);
    OS << ' ' << E.Kernels << " |";
    percentCell(OS, E.KernelMeanApe);
    OS << format(" %+.1f%% |", 100 * E.Bias);
    if (ErrorStatistics Base = combine(BaseGroups[Bound]); Base.Cases > 0) {
      factorCell(OS, Base);
      percentCell(OS, Base.MeanApe);
    } else if (HasBaseline) {
      OS << " - | - |";
    }
    OS << '\n';
  }
}

static StringRef titleOf(GroupBy By) {
  switch (By) {
  case GroupBy::Gpu:
    return "GPU";
  case GroupBy::Bound:
    return "bound";
  case GroupBy::Inputs:
    return "inputs";
  default:
    return "measured time";
  }
}

static StringRef groupOf(const StatisticsRow &Row, GroupBy By) {
  switch (By) {
  case GroupBy::Gpu:
    return Row.Gpu;
  case GroupBy::Bound:
    return Row.Bound;
  case GroupBy::Inputs:
    return Row.Inputs;
  default:
    return Row.Decade;
  }
}

/// The first model by dataset and one of GPU, bound, inputs and decade.
static void printParts(raw_ostream &OS, const Validation &V, GroupBy By) {
  StringRef Part = titleOf(By);
  OS << "\n### By dataset and " << Part << "\n\n| dataset | " << Part
     << " | cases | median | factor | within 25% | mean | mean by kernel | "
        "bias |\n"
        "| --- | --- | --: | --: | --: | --: | --: | --: | --: |\n";
  std::vector<StatisticsRow> Rows = rowsOf(V, By, V.Models.front());
  for (const StatisticsRow &Dataset : worstFirst(V))
    for (const StatisticsRow &Row : Rows)
      if (Row.Dataset == Dataset.Dataset && Row.Errors.Cases > 0) {
        OS << "| " << Row.Dataset << " | " << groupOf(Row, By) << " |";
        mainCells(OS, Row.Errors);
        percentCell(OS, Row.Errors.KernelMeanApe);
        OS << format(" %+.1f%% |\n", 100 * Row.Errors.Bias);
      }
}

/// A line for each term, with the datasets that it changes most.
static void printAblationTable(raw_ostream &OS, ArrayRef<AblationRow> Rows) {
  constexpr size_t DatasetsShown = 4;
  if (Rows.empty())
    return;
  OS << "| term | cases that it changes | factor without it -> with it |\n"
        "| --- | --: | --- |\n";
  while (!Rows.empty()) {
    StringRef Term = Rows.front().Term;
    ArrayRef<AblationRow> Mine = Rows.take_while(
        [&](const AblationRow &Row) { return Row.Term == Term; });
    Rows = Rows.drop_front(Mine.size());
    size_t Changed = 0;
    for (const AblationRow &Row : Mine)
      Changed += Row.Changed;
    OS << "| " << Term << " | " << Changed << " |";
    for (const AblationRow &Row : Mine.take_front(DatasetsShown))
      if (Row.With.Factor && Row.Without.Factor)
        OS << (&Row == Mine.begin() ? " " : ", ") << Row.Dataset
           << format(" %.2f -> %.2f", *Row.Without.Factor, *Row.With.Factor);
    OS << " |\n";
  }
}

void printValidationMarkdown(raw_ostream &OS, const Validation &V) {
  if (std::vector<AblationRow> Rows = ablation(V); !Rows.empty())
    return printAblationTable(OS, Rows);
  printDatasets(OS, V);
  if (V.Models.size() > 1)
    printModels(OS, V);
  printBounds(OS, V);
  printParts(OS, V, GroupBy::Inputs);
  printParts(OS, V, GroupBy::Decade);
  printParts(OS, V, GroupBy::Bound);
  printParts(OS, V, GroupBy::Gpu);
}

} // namespace gpuestimate
