/// \file
/// The report of a run for a terminal.
#include "RunSummary.h"
#include "gpu-estimate/Report/Run/Run.h"
#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

namespace {

class RunTextPrinter {
public:
  RunTextPrinter(raw_ostream &OS, const RunReport &Run) : OS(OS), Run(Run) {}
  void print();

private:
  void totals();
  void kernels();
  void copies();
  void calls();
  void criticalPath();
  void suggestions();
  void list(StringRef Head, ArrayRef<std::string> Lines);
  std::string share(double Ns) const {
    return formatPercent(Run.Totals.WallNs > 0 ? Ns / Run.Totals.WallNs : 0);
  }

  raw_ostream &OS;
  const RunReport &Run;
};

} // namespace

void RunTextPrinter::totals() {
  const TimelineTotals &T = Run.Totals;
  Table Rows({Align::Left, Align::Right, Align::Right, Align::Left});
  Rows.row({"wall time", formatNs(T.WallNs), "",
            "exit status " + std::to_string(Run.ExitStatus)});
  Rows.row(
      {"GPU in kernels", formatNs(T.KernelNs), share(T.KernelNs),
       formatCount(static_cast<double>(Run.Launches.size())) + " launches"});
  Rows.row({"GPU in copies", formatNs(T.CopyNs), share(T.CopyNs),
            formatCount(static_cast<double>(Run.Copies.size())) + " copies"});
  Rows.row({"GPU idle", formatNs(T.IdleNs), share(T.IdleNs), ""});
  Rows.row(
      {"host in the program", formatNs(T.ProgramNs), share(T.ProgramNs), ""});
  Rows.row({"host in calls", formatNs(T.CallNs), share(T.CallNs),
            formatCount(static_cast<double>(Run.Calls.size())) + " calls"});
  Rows.row({"host waits", formatNs(T.WaitNs), share(T.WaitNs), ""});
  Rows.print(OS, 2);
}

void RunTextPrinter::kernels() {
  if (Run.Launches.empty())
    return;
  OS << "\n  kernels\n";
  Table Rows({Align::Right, Align::Right, Align::Right, Align::Right,
              Align::Right, Align::Right, Align::Right, Align::Left,
              Align::Left});
  Rows.row({"share", "total", "launches", "average", "median", "shortest",
            "longest", "bound by", "kernel"});
  for (const RunSummaryRow &R : summarizeKernels(Run))
    Rows.row({formatPercent(R.Share), formatNs(R.Total),
              std::to_string(R.Count), formatNs(R.Average), formatNs(R.Median),
              formatNs(R.Min), formatNs(R.Max),
              Run.Estimates[R.Estimate].Bottleneck, R.Name});
  Rows.print(OS, 4);
}

void RunTextPrinter::copies() {
  if (Run.Copies.empty())
    return;
  OS << "\n  copies and sets\n";
  Table Rows({Align::Right, Align::Right, Align::Right, Align::Right,
              Align::Right, Align::Left});
  Rows.row({"share", "total", "count", "average", "bytes", "operation"});
  std::map<std::string, double> Sizes;
  for (const RunSummaryRow &R : summarizeCopySizes(Run))
    Sizes[R.Name] = R.Total;
  for (const RunSummaryRow &R : summarizeCopies(Run))
    Rows.row({formatPercent(R.Share), formatNs(R.Total),
              std::to_string(R.Count), formatNs(R.Average),
              formatBytes(Bytes(Sizes[R.Name])), R.Name});
  Rows.print(OS, 4);
}

void RunTextPrinter::calls() {
  if (Run.Calls.empty())
    return;
  OS << "\n  calls of the host\n";
  Table Rows({Align::Right, Align::Right, Align::Right, Align::Right,
              Align::Right, Align::Left});
  Rows.row({"share", "total", "calls", "average", "longest", "name"});
  for (const RunSummaryRow &R : summarizeCalls(Run))
    Rows.row({formatPercent(R.Share), formatNs(R.Total),
              std::to_string(R.Count), formatNs(R.Average), formatNs(R.Max),
              R.Name});
  Rows.print(OS, 4);
}

void RunTextPrinter::criticalPath() {
  if (Run.CriticalPath.empty())
    return;
  OS << "\n  what the wall time consists of (critical path)\n";
  Table Rows({Align::Right, Align::Right, Align::Left});
  for (const CriticalPiece &P : Run.CriticalPath)
    Rows.row({share(P.Ns), formatNs(P.Ns), P.What});
  Rows.print(OS, 4);
}

void RunTextPrinter::suggestions() {
  if (Run.Suggestions.empty())
    return;
  OS << "\n  what would help most (of the time without the program's own "
        "work)\n";
  Table Rows({Align::Right, Align::Right, Align::Left});
  for (const Suggestion &S : Run.Suggestions)
    Rows.row({"-" + formatPercent(S.Gain), formatNs(S.SavedNs), S.What});
  Rows.print(OS, 4);
}

void RunTextPrinter::list(StringRef Head, ArrayRef<std::string> Lines) {
  if (Lines.empty())
    return;
  OS << "\n  " << Head << '\n';
  for (const std::string &Line : Lines)
    OS << "    " << Line << '\n';
}

void RunTextPrinter::print() {
  const TimelineTotals &T = Run.Totals;
  OS << "the program takes " << formatNs(T.WallNs) << " on " << Run.GpuName
     << ": kernels " << formatNs(T.KernelNs) << ", copies "
     << formatNs(T.CopyNs);
  if (size_t Count = Run.Unexecuted.size())
    OS << "; " << Count << (Count == 1 ? " kernel does" : " kernels do")
       << " not execute, so that results are missing";
  OS << '\n';
  list("kernels that do not execute", Run.Unexecuted);
  OS << '\n';
  totals();
  kernels();
  copies();
  calls();
  criticalPath();
  suggestions();
  list("faults", Run.Faults);
  list("notices", Run.Notices);
  list("assumptions of the kernels", kernelAssumptions(Run));
  list("assumptions of the time line", Run.Assumptions);
}

static void printGpuComparison(raw_ostream &OS, ArrayRef<RunReport> Runs) {
  double Fastest = fastestOf(Runs).Totals.WallNs;
  Table Rows({Align::Left, Align::Right, Align::Right, Align::Right,
              Align::Right, Align::Right});
  Rows.row({"GPU", "wall time", "kernels", "copies", "idle", "slower by"});
  for (const RunReport &R : Runs)
    Rows.row({R.GpuName, formatNs(R.Totals.WallNs), formatNs(R.Totals.KernelNs),
              formatNs(R.Totals.CopyNs), formatNs(R.Totals.IdleNs),
              Fastest > 0 ? formatPercent(R.Totals.WallNs / Fastest - 1) : ""});
  Rows.print(OS, 0);
  OS << '\n';
}

void printRunText(raw_ostream &OS, ArrayRef<RunReport> Runs) {
  if (Runs.size() > 1)
    printGpuComparison(OS, Runs);
  for (auto [I, Run] : enumerate(Runs)) {
    if (I)
      OS << '\n';
    RunTextPrinter(OS, Run).print();
  }
}

} // namespace gpuestimate
