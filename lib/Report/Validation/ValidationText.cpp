/// \file
/// A validation for people.
#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Report/Validation/Validation.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Validate/Ablation.h"
#include "gpu-estimate/Validate/IntervalStatistics.h"
#include "gpu-estimate/Validate/PtxasComparison.h"
#include "gpu-estimate/Validate/RatioStatistics.h"
#include "gpu-estimate/Validate/TransferStatistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

static constexpr size_t WorstShown = 10, PartsShown = 4;

static std::string milliseconds(double Ms) {
  return formatTime(Seconds(Ms * 1e-3));
}

static std::string percent(double Fraction) {
  std::string Text;
  raw_string_ostream(Text) << format("%.1f%%", 100 * Fraction);
  return Text;
}

static std::string signedPercent(double Fraction) {
  return (Fraction >= 0 ? "+" : "") + percent(Fraction);
}

/// "-" if a prediction of 0 has no ratio.
static std::string factor(const ErrorStatistics &E) {
  if (!E.Factor)
    return "-";
  std::string Text;
  raw_string_ostream(Text) << format("%.2f", *E.Factor);
  return Text;
}

/// "SAME lbm/known: 82% of the measured times in the 80% intervals"
static std::string describeCoverage(const BoundCheck &C) {
  std::string Text = name(C.Verdict).str() + " " + C.Dataset + ": " +
                     formatPercent(C.Current) +
                     " of the measured times in the " +
                     formatPercent(DefaultIntervalLevel) + " intervals";
  if (C.Verdict == BoundVerdict::Worse)
    Text += ", at least " + formatPercent(C.Recorded.value_or(LeastCoverage)) +
            (C.Recorded ? " is recorded" : " must be");
  if (C.Verdict == BoundVerdict::Improved)
    Text += C.Current < LeastCoverage
                ? "; commit this line in bounds.yaml:\n" + C.line()
                : "; remove its line from bounds.yaml";
  return Text;
}

std::string describe(const BoundCheck &C) {
  auto Number = [](double Value) {
    std::string Text;
    raw_string_ostream(Text) << format("%.4f", Value);
    return Text;
  };
  if (C.IsCoverage)
    return describeCoverage(C);
  std::string Text = name(C.Verdict).str() + " " + C.Dataset + ": mean error " +
                     Number(C.Current);
  if (C.Recorded && C.Verdict != BoundVerdict::Same)
    Text += ", recorded is " + Number(*C.Recorded);
  if (C.Verdict == BoundVerdict::New || C.Verdict == BoundVerdict::Improved)
    Text += "; commit this line in bounds.yaml:\n" + C.line();
  return Text;
}

std::string describe(const FailureGroup &G) {
  const CaseFailure &F = G.First;
  std::string Text = F.Place + ": " + F.Case + " on " + F.Gpu;
  if (G.Count > 1)
    Text += " and " + std::to_string(G.Count - 1) + " more";
  if (!F.Model.empty())
    Text += " with " + F.Model;
  return Text + ": " + F.Reason;
}

std::string describe(const RecordedDataset &D) {
  std::string Text = "recorded " + D.Date + " at commit " + D.Commit;
  for (const StatisticsRow &Row : D.Rows)
    if (Row.Model == DefaultModel && Row.Gpu.empty() && Row.Bound.empty() &&
        Row.Inputs.empty() && Row.Decade.empty())
      Text += ": " + std::to_string(Row.Errors.Cases) + " cases, median " +
              percent(Row.Errors.MedianApe) + ", factor " + factor(Row.Errors) +
              ", mean " + percent(Row.Errors.MeanApe);
  if (D.NotPredicted > 0)
    Text += ", not predicted " + std::to_string(D.NotPredicted);
  return Text;
}

/// Which columns of the statistics a table has.
struct StatisticsColumns {
  bool ByKernel = false; ///< rows of more than one kernel
  bool Tuning = false;
};

/// Header and cells of the statistics, after the naming columns.
static std::vector<std::string> heads(StatisticsColumns Columns) {
  std::vector<std::string> Cells = {"cases", "median", "factor", "within 25%",
                                    "mean"};
  if (Columns.ByKernel)
    append_range(Cells, ArrayRef<StringRef>{"kernels", "mean by kernel"});
  append_range(Cells, ArrayRef<StringRef>{"p90", "max", "bias", "rank"});
  if (Columns.Tuning)
    Cells.push_back("pick loss");
  return Cells;
}

static std::vector<std::string> cells(const ErrorStatistics &E,
                                      StatisticsColumns Columns) {
  if (E.Cases == 0) {
    std::vector<std::string> None(heads(Columns).size(), "-");
    None.front() = "0";
    return None;
  }
  std::vector<std::string> Cells = {std::to_string(E.Cases),
                                    percent(E.MedianApe), factor(E),
                                    percent(E.Within25), percent(E.MeanApe)};
  if (Columns.ByKernel)
    append_range(Cells, std::vector<std::string>{std::to_string(E.Kernels),
                                                 percent(E.KernelMeanApe)});
  append_range(Cells,
               std::vector<std::string>{percent(E.P90Ape), percent(E.MaxApe),
                                        signedPercent(E.Bias)});
  std::string Rank = "-";
  if (E.Spearman) {
    Rank.clear();
    raw_string_ostream(Rank) << format("%.3f", *E.Spearman);
  }
  Cells.push_back(Rank);
  if (Columns.Tuning)
    Cells.push_back(E.PickLoss ? percent(*E.PickLoss) : "-");
  return Cells;
}

static void printTable(raw_ostream &OS, const Validation &V,
                       const ValidatedDataset &D, GroupBy By) {
  bool ByKernel = By == GroupBy::Kernel || By == GroupBy::GpuAndKernel;
  bool ByGpu = By == GroupBy::Gpu || By == GroupBy::GpuAndKernel;
  bool BySplit = By == GroupBy::Dataset;
  bool ByBound = By == GroupBy::Bound;
  bool ByInputs = By == GroupBy::Inputs || By == GroupBy::InputsAndDecade;
  bool ByDecade = By == GroupBy::Decade || By == GroupBy::InputsAndDecade;
  StatisticsColumns Numbers = {!ByKernel, D.Tuning};
  bool Models = V.Models.size() > 1;
  std::vector<std::string> Head;
  auto Name = [&](bool Wanted, std::string Text, std::vector<std::string> &To) {
    if (Wanted)
      To.push_back(std::move(Text));
  };
  Name(ByGpu, "gpu", Head);
  Name(ByKernel, "kernel", Head);
  Name(ByBound, "bound", Head);
  Name(ByInputs, "inputs", Head);
  Name(ByDecade, "measured time", Head);
  Name(Models, "model", Head);
  Name(BySplit, "split", Head);
  std::vector<Align> Columns(Head.size(), Align::Left);
  append_range(Head, heads(Numbers));
  Columns.resize(Head.size(), Align::Right);
  Table T(Columns);
  T.row(Head);
  for (const StatisticsRow &Row : statistics(V, By)) {
    if (Row.Dataset != D.Name)
      continue;
    std::vector<std::string> Cells;
    Name(ByGpu, Row.Gpu, Cells);
    Name(ByKernel, Row.Kernel, Cells);
    Name(ByBound, Row.Bound, Cells);
    Name(ByInputs, Row.Inputs, Cells);
    Name(ByDecade, Row.Decade, Cells);
    Name(Models, Row.Model, Cells);
    Name(BySplit, Row.Part ? name(*Row.Part).str() : "all", Cells);
    append_range(Cells, cells(Row.Errors, Numbers));
    T.row(std::move(Cells));
  }
  T.print(OS, 4);
}

static std::string breakdown(const CaseResult &C) {
  std::string Text;
  for (const auto &[Name, Part] : ArrayRef(C.Breakdown).take_front(PartsShown))
    Text += (Text.empty() ? "" : ", ") + Name + " " + percent(Part);
  return Text;
}

static void printCases(raw_ostream &OS, ArrayRef<const CaseResult *> Cases) {
  Table T({Align::Right, Align::Right, Align::Right, Align::Left, Align::Left,
           Align::Left, Align::Left, Align::Left});
  T.row({"error", "measured", "predicted", "gpu", "kernel", "case", "bound by",
         "where the predicted time goes"});
  for (const CaseResult *C : Cases)
    T.row({signedPercent(C->error()), milliseconds(C->MeasuredMs),
           milliseconds(C->PredictedMs), C->Gpu, C->Kernel, C->Case,
           C->Bottleneck, breakdown(*C)});
  T.print(OS, 4);
}

/// Noisy cases: the reason in place of the breakdown.
static void printNoisy(raw_ostream &OS, const Validation &V,
                       const ValidatedDataset &D, StringRef Model) {
  Table T({Align::Right, Align::Right, Align::Right, Align::Left, Align::Left,
           Align::Left, Align::Left});
  size_t Count = 0;
  for (const CaseResult &C : V.Cases)
    if (C.Dataset == D.Name && C.Model == Model && !C.counts()) {
      ++Count;
      T.row({signedPercent(C.error()), milliseconds(C.MeasuredMs),
             milliseconds(C.PredictedMs), C.Gpu, C.Kernel, C.Case, C.Noisy});
    }
  if (Count == 0)
    return;
  OS << "\n  noisy, shown and not counted\n";
  T.print(OS, 4);
}

/// Counters of the dataset, if it has any.
static void printCounters(raw_ostream &OS, const Validation &V,
                          const ValidatedDataset &D) {
  Table T({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right,
           Align::Right});
  T.row({"counter", "gpu", "cases", "median ratio", "mean", "bias"});
  bool Any = false;
  for (const CounterRow &Row : counterStatistics(V)) {
    if (Row.Dataset != D.Name)
      continue;
    Any = true;
    std::string Ratio;
    raw_string_ostream(Ratio) << format("%.3f", Row.MedianRatio);
    T.row({Row.Counter, Row.Gpu.empty() ? "all" : Row.Gpu,
           std::to_string(Row.Cases), Ratio, percent(Row.MeanApe),
           signedPercent(Row.Bias)});
  }
  if (!Any)
    return;
  OS << "\n  counters: predicted / measured\n";
  T.print(OS, 4);
}

/// How the times scale, where cases have a base point.
static void printRatios(raw_ostream &OS, const Validation &V,
                        const ValidatedDataset &D, bool ByKernel) {
  std::vector<RatioRow> Rows = ratioStatistics(V, ByKernel);
  erase_if(Rows, [&](const RatioRow &Row) { return Row.Dataset != D.Name; });
  if (Rows.empty())
    return;
  OS << "\n  ratio of the time to that at the base point"
     << (ByKernel ? ", by kernel" : "") << '\n';
  bool HasScaling = any_of(
      Rows, [](const RatioRow &Row) { return Row.Clusters.has_value(); });
  std::vector<Align> Columns(4, Align::Left);
  Columns.resize(HasScaling ? 14 : 12, Align::Right);
  std::vector<std::string> Heads = {"gpu",   "base point",   "kernel",
                                    "model", "cases",        "median",
                                    "mean",  "max",          "bias",
                                    "power", "1/core clock", "mean of others"};
  if (HasScaling)
    append_range(Heads, ArrayRef<const char *>{"clusters", "correction"});
  Table T(Columns);
  T.row(Heads);
  auto Known = [](std::optional<double> Error) {
    return Error ? percent(*Error) : "-";
  };
  for (const RatioRow &Row : Rows) {
    std::vector<std::string> Cells = {Row.Gpu,
                                      Row.Base,
                                      Row.Kernel.empty() ? "all" : Row.Kernel,
                                      Row.Model,
                                      std::to_string(Row.Cases),
                                      percent(Row.MedianApe),
                                      percent(Row.MeanApe),
                                      percent(Row.MaxApe),
                                      signedPercent(Row.Bias),
                                      Known(Row.Power),
                                      percent(Row.InverseClock),
                                      Known(Row.MeanOfOthers)};
    if (HasScaling)
      append_range(Cells, ArrayRef<std::string>{Known(Row.Clusters),
                                                Known(Row.Correction)});
    T.row(Cells);
  }
  T.print(OS, 4);
  if (!ByKernel &&
      any_of(Rows, [](const RatioRow &Row) { return Row.Power.has_value(); }))
    OS << "    power: mean error of the ratio of the board power to that at "
          "the "
          "base point\n";
  if (HasScaling && !ByKernel)
    OS << "    clusters, correction: mean error; a kernel that they were "
          "trained "
          "with was left out\n";
}

/// Predicted bounds where a counter tells the bound.
static void printLabels(raw_ostream &OS, const Validation &V,
                        const ValidatedDataset &D) {
  Table T({Align::Left, Align::Right, Align::Right, Align::Left});
  T.row({"counter", "cases", "same bound", "others"});
  bool Any = false;
  for (const LabelRow &Row : labelStatistics(V)) {
    if (Row.Dataset != D.Name)
      continue;
    Any = true;
    std::string Others;
    for (const auto &[Bound, Cases] : Row.Others)
      Others +=
          (Others.empty() ? "" : ", ") + Bound + " " + std::to_string(Cases);
    T.row({Row.Counter, std::to_string(Row.Cases), std::to_string(Row.Same),
           Others});
  }
  if (!Any)
    return;
  OS << "\n  bound where a counter reaches " << percent(TellingUtilisation)
     << " of its rate or more\n";
  T.print(OS, 4);
}

/// How often measured times lie in the intervals.
static void printIntervals(raw_ostream &OS, const Validation &V,
                           const ValidatedDataset &D) {
  std::vector<Align> Columns(2, Align::Left);
  Columns.resize(10, Align::Right);
  Table T(Columns);
  std::vector<std::string> Head = {"inputs", "group", "cases"};
  for (double Level : intervalLevels())
    Head.push_back("in " + formatPercent(Level));
  append_range(Head, ArrayRef<StringRef>{"shorter", "longer", "median width"});
  T.row(Head);
  bool Any = false;
  for (GroupBy By :
       {GroupBy::Dataset, GroupBy::Inputs, GroupBy::InputsAndDecade,
        GroupBy::InputsAndGpu, GroupBy::InputsAndBound})
    for (const IntervalRow &Row : intervalStatistics(V, By)) {
      bool IsSmall =
          Row.Cases < GroupedCases &&
          (By == GroupBy::InputsAndGpu || By == GroupBy::InputsAndBound);
      if (Row.Dataset != D.Name || IsSmall)
        continue;
      Any = true;
      std::vector<std::string> Cells = {Row.Inputs.empty() ? "all" : Row.Inputs,
                                        !Row.Decade.empty()  ? Row.Decade
                                        : !Row.Bound.empty() ? Row.Bound
                                        : !Row.Gpu.empty()   ? Row.Gpu
                                                             : "all",
                                        std::to_string(Row.Cases)};
      for (double Share : Row.Covered)
        Cells.push_back(percent(Share));
      std::string Ratio;
      raw_string_ostream(Ratio) << format("%.2f", Row.MedianRatio);
      append_range(Cells, std::vector<std::string>{percent(Row.Shorter),
                                                   percent(Row.Longer), Ratio});
      T.row(Cells);
    }
  if (!Any)
    return;
  OS << "\n  measured times in the intervals, which are made without this "
        "dataset; the rest, and the width (high / low), of that of "
     << formatPercent(DefaultIntervalLevel) << '\n';
  T.print(OS, 4);
}

/// Measured times of one GPU as times of another one.
static void printTransfers(raw_ostream &OS, const Validation &V) {
  std::vector<TransferRow> Rows = transferStatistics(V);
  if (Rows.empty())
    return;
  std::vector<Align> Columns(2, Align::Left);
  Columns.resize(9, Align::Right);
  Table T(Columns);
  T.row({"measured on", "time on", "pairs", "programs", "median error",
         "factor", "each time", "in 80%", "median width"});
  auto Ratio = [](double Value) {
    std::string Text;
    raw_string_ostream(Text) << format("%.2f", Value);
    return Text;
  };
  for (const TransferRow &Row : Rows)
    T.row({Row.From.empty() ? "all" : Row.From, Row.To.empty() ? "all" : Row.To,
           std::to_string(Row.Pairs), std::to_string(Row.Programs),
           percent(Row.MedianApe), Ratio(Row.Factor), Ratio(Row.FactorOfTimes),
           percent(Row.Covered), Ratio(Row.MedianRatio)});
  OS << "measured times of one GPU times the predicted ratio, against those of "
        "another GPU; each\nprogram has the same weight, and its intervals are "
        "made without it\n";
  T.print(OS, 4);
  OS << '\n';
}

static void printDataset(raw_ostream &OS, const Validation &V,
                         const ValidatedDataset &D) {
  OS << D.Name << ": " << D.Description << "\n\n"
     << "  all of it; docs/fitted.md lists the values that were fitted to its "
        "rows\n";
  printTable(OS, V, D, GroupBy::Dataset);
  OS << "\n  by GPU\n";
  printTable(OS, V, D, GroupBy::Gpu);
  OS << "\n  by bound"
     << (V.Models.size() > 1 ? ", that of " + V.Models.front() : "") << "\n";
  printTable(OS, V, D, GroupBy::Bound);
  OS << "\n  by inputs: all known, or something assumed\n";
  printTable(OS, V, D, GroupBy::Inputs);
  OS << "\n  by measured time\n";
  printTable(OS, V, D, GroupBy::Decade);
  OS << "\n  by inputs and measured time\n";
  printTable(OS, V, D, GroupBy::InputsAndDecade);
  OS << "\n  by kernel\n";
  printTable(OS, V, D, GroupBy::Kernel);
  OS << "\n  by GPU and kernel\n";
  printTable(OS, V, D, GroupBy::GpuAndKernel);
  printIntervals(OS, V, D);
  printRatios(OS, V, D, /*ByKernel=*/false);
  printRatios(OS, V, D, /*ByKernel=*/true);
  for (const std::string &Model : V.Models) {
    OS << "\n  furthest off with " << Model << '\n';
    printCases(OS, worstCases(V, D.Name, Model, WorstShown));
  }
  printNoisy(OS, V, D, V.Models.front());
  printCounters(OS, V, D);
  printLabels(OS, V, D);
  OS << '\n';
}

static void printAblation(raw_ostream &OS, ArrayRef<AblationRow> Rows) {
  if (Rows.empty())
    return;
  OS << "what each term brings: errors without it, and with it\n";
  Table T({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right,
           Align::Right, Align::Right});
  T.row({"term", "dataset", "changed", "factor without", "with", "mean without",
         "with"});
  for (const AblationRow &Row : Rows)
    T.row({Row.Term, Row.Dataset, std::to_string(Row.Changed),
           factor(Row.Without), factor(Row.With), percent(Row.Without.MeanApe),
           percent(Row.With.MeanApe)});
  T.print(OS, 2);
  OS << '\n';
}

static void printPtxas(raw_ostream &OS, ArrayRef<PtxasRow> Rows) {
  if (Rows.empty())
    return;
  OS << "registers estimated, and told by ptxas\n";
  Table T({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
           Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
           Align::Right, Align::Right});
  T.row({"dataset", "cases", "told", "refused", "median estimated", "ptxas",
         "factor estimated", "ptxas", "mean estimated", "ptxas",
         "registers within 2 estimated", "ptxas"});
  for (const PtxasRow &Row : Rows) {
    auto Near = [&](double Share) {
      return Row.Counted > 0 ? percent(Share) : "-";
    };
    T.row({Row.Dataset, std::to_string(Row.Estimated.Cases + Row.Refused),
           std::to_string(Row.Assembled), std::to_string(Row.Refused),
           percent(Row.Estimated.MedianApe), percent(Row.WithPtxas.MedianApe),
           factor(Row.Estimated), factor(Row.WithPtxas),
           percent(Row.Estimated.MeanApe), percent(Row.WithPtxas.MeanApe),
           Near(Row.NearEstimated), Near(Row.NearWithPtxas)});
  }
  T.print(OS, 2);
  OS << '\n';
}

void printValidationText(raw_ostream &OS, const Validation &V) {
  OS << "error = (predicted - measured) / measured; median, mean, p90 and max "
        "of its absolute value,\nbias is its mean, rank Spearman's correlation "
        "within the sizes of a kernel;\nfactor = exp(mean |ln(predicted / "
        "measured)|); mean by kernel: each kernel counts once\n\n";
  for (const ValidatedDataset &D : V.Datasets)
    printDataset(OS, V, D);
  printTransfers(OS, V);
  printAblation(OS, ablation(V));
  printPtxas(OS, ptxasComparison(V));
  for (const std::string &Line : V.Skipped)
    OS << Line << '\n';
  if (!V.Bounds.empty())
    OS << "recorded bounds\n";
  for (const BoundCheck &C : V.Bounds)
    OS << "  " << describe(C) << '\n';
  for (auto [Title, Cases] : {std::pair{"refused by a model: ", &V.Refusals},
                              {"not predicted: ", &V.Failures}}) {
    if (Cases->empty())
      continue;
    OS << Title << Cases->size() << '\n';
    for (const FailureGroup &G : groupFailures(*Cases))
      OS << "  " << describe(G) << '\n';
  }
}

} // namespace gpuestimate
