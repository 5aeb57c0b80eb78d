/// \file
/// The page of a run: its time line, tables, and the CPI stacks of its kernels.
#include "Report/Html/HtmlParts.h"
#include "RunSummary.h"
#include "gpu-estimate/Report/Run/Run.h"
#include "gpu-estimate/Run/DeviceStreams.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Draws intervals of time in rows, one for the host and one for each stream.
/// However many intervals a run has, the picture has a bounded size: those that
/// are closer than a pixel are drawn as one.
class TimelineChart {
public:
  explicit TimelineChart(const RunReport &Run) : Run(Run) {}
  Chart draw();

private:
  struct Block {
    double StartNs, EndNs;
    size_t Colour; ///< of the first interval
    std::string Label;
    size_t Count = 1;
  };
  struct Row {
    std::string Label;
    std::vector<Block> Blocks;
  };

  /// The part of the run that is drawn: from the first work of the GPU to the
  /// last where that is a small part of all, else the whole run.
  std::pair<double, double> window() const;
  void collect();
  void addCalls(Row &To);
  size_t colourOf(const std::string &Name);
  void merge(Row &R) const;
  void drawRow(Svg &Out, const Row &R, double Y) const;

  static constexpr double RowHeight = 28, BarHeight = 20, Top = 8, Right = 630;
  static constexpr size_t MaxRows = 16;

  const RunReport &Run;
  /// The pixel of a time of the run, at most at the ends of the picture.
  double at(double Ns) const {
    return X.at(std::clamp(Ns - Origin, 0.0, X.High));
  }

  double Origin = 0; ///< of X
  Scale X;
  std::vector<Row> Rows;
  std::vector<std::string> Names; ///< [colour]
  std::map<std::string, size_t> Colours;
};

} // namespace

size_t TimelineChart::colourOf(const std::string &Name) {
  auto [Found, IsNew] = Colours.try_emplace(Name, Names.size());
  if (IsNew)
    Names.push_back(Name);
  return Found->second;
}

/// Classes of the style sheet, over and over.
static std::string colourClass(size_t Colour) {
  constexpr size_t NumClasses = 8;
  return "k" + std::to_string(Colour % NumClasses);
}

void TimelineChart::addCalls(Row &To) {
  size_t InCall = colourOf("host in a call"), Waits = colourOf("host waits");
  for (const RunReportCall &C : Run.Calls) {
    double WorkedNs = C.EndNs - C.WaitNs;
    if (WorkedNs > C.StartNs)
      To.Blocks.push_back({C.StartNs, WorkedNs, InCall, C.Name});
    if (C.WaitNs > 0)
      To.Blocks.push_back({WorkedNs, C.EndNs, Waits, C.Name + " waits"});
  }
}

void TimelineChart::collect() {
  addCalls(Rows.emplace_back(Row{"host", {}}));
  std::map<RunHandle, std::vector<Block>> Streams;
  for (const RunReportLaunch &L : Run.Launches) {
    const std::string &Name = Run.Estimates[L.Estimate].Name;
    Streams[L.Stream].push_back({L.StartNs, L.EndNs, colourOf(Name), Name});
  }
  for (const RunReportCopy &C : Run.Copies) {
    std::string Name = nsightName(C).str();
    Streams[C.Stream].push_back({C.StartNs, C.EndNs, colourOf(Name),
                                 Name + " of " + formatBytes(Bytes(C.Bytes))});
  }
  for (auto &[Stream, Blocks] : Streams) {
    if (Rows.size() == MaxRows)
      break;
    Rows.push_back({streamName(Stream), std::move(Blocks)});
  }
}

std::pair<double, double> TimelineChart::window() const {
  double Wall = std::max(Run.Totals.WallNs, 1.0), First = Wall, Last = 0;
  auto Include = [&](const auto &Work) {
    First = std::min(First, Work.StartNs);
    Last = std::max(Last, Work.EndNs);
  };
  for_each(Run.Launches, Include);
  for_each(Run.Copies, Include);
  constexpr double SmallPart = 0.6, Margin = 0.03;
  double Length = Last - First;
  if (Length <= 0 || Length > SmallPart * Wall)
    return {0, Wall};
  return {std::max(0.0, First - Margin * Length),
          std::min(Wall, Last + Margin * Length)};
}

void TimelineChart::merge(Row &R) const {
  erase_if(R.Blocks, [&](const Block &B) {
    return B.EndNs < Origin || B.StartNs > Origin + X.High;
  });
  stable_sort(R.Blocks, [](const Block &A, const Block &B) {
    return A.StartNs < B.StartNs;
  });
  std::vector<Block> Merged;
  for (Block &B : R.Blocks) {
    // A gap or a bar below this many pixels cannot be told apart.
    constexpr double Visible = 1, VisibleGap = 2;
    bool IsClose = false;
    if (!Merged.empty()) {
      const Block &Last = Merged.back();
      IsClose = at(B.EndNs) - at(Last.StartNs) < Visible ||
                (B.Colour == Last.Colour &&
                 at(B.StartNs) - at(Last.EndNs) < VisibleGap);
    }
    if (!IsClose) {
      Merged.push_back(std::move(B));
      continue;
    }
    Merged.back().EndNs = std::max(Merged.back().EndNs, B.EndNs);
    ++Merged.back().Count;
  }
  R.Blocks = std::move(Merged);
}

void TimelineChart::drawRow(Svg &Out, const Row &R, double Y) const {
  Out.text("", X.From - 8, Y + 15, R.Label, Anchor::End);
  for (const Block &B : R.Blocks) {
    std::string Said = B.Label;
    if (B.Count > 1)
      Said += " and " + std::to_string(B.Count - 1) + " more";
    Said += ": " + formatNs(B.StartNs) + " to " + formatNs(B.EndNs) + " (" +
            formatNs(B.EndNs - B.StartNs) + ")";
    double From = at(B.StartNs), To = at(B.EndNs);
    Out.item(Said, [&] {
      Out.rect(colourClass(B.Colour), From, Y, std::max(0.5, To - From),
               BarHeight);
    });
  }
}

Chart TimelineChart::draw() {
  Chart C;
  C.Name = "time-line";
  C.Title = "Time line";
  auto [First, Last] = window();
  C.Caption = "What the host and each stream do. ";
  if (First > 0)
    C.Caption += "Times are from " + formatNs(First) +
                 " after the start on, where the work of the GPU begins. ";
  C.Caption += "Equal pieces that lie closer than two pixels are drawn as "
               "one; the trace (--format chrome-trace) shows every piece.";
  C.Width = ChartWidth;
  Origin = First;
  X = {0, Last - First, 110, Right, false};
  collect();
  raw_string_ostream OS(C.Elements);
  Svg Out(OS);
  double Bottom = Top + RowHeight * static_cast<double>(Rows.size());
  for (double Ns : X.ticks(6)) {
    Out.line("grid", X.at(Ns), Top, X.at(Ns), Bottom);
    Out.text("", X.at(Ns), Bottom + 16, formatNs(Ns), Anchor::Middle);
  }
  double Y = Top;
  for (Row &R : Rows) {
    merge(R);
    drawRow(Out, R, Y);
    Y += RowHeight;
  }
  constexpr size_t MaxLegend = 8;
  std::vector<LegendEntry> Legend;
  for (auto [I, Name] : enumerate(ArrayRef(Names).take_front(MaxLegend)))
    Legend.push_back({colourClass(I), Name});
  Y += 28;
  C.Height = Y + drawLegend(Out, Y, Legend) + 4;
  return C;
}

namespace {

class RunHtmlPrinter {
public:
  RunHtmlPrinter(raw_ostream &OS, const RunReport &Run, unsigned Number)
      : OS(OS), Run(Run), Number(Number) {}
  void print();

private:
  void card();
  void totals();
  void kernels();
  void summary(StringRef Title, StringRef What, ArrayRef<RunSummaryRow> Rows);
  void criticalPath();
  void suggestions();
  void list(StringRef Title, ArrayRef<std::string> Lines);

  raw_ostream &OS;
  const RunReport &Run;
  unsigned Number;
};

} // namespace

static std::string lead(const RunReport &Run) {
  return "The program takes " + formatNs(Run.Totals.WallNs) + " on " +
         Run.GpuName;
}

void RunHtmlPrinter::card() {
  const TimelineTotals &T = Run.Totals;
  auto Share = [&](double Ns) {
    return formatPercent(T.WallNs > 0 ? Ns / T.WallNs : 0) +
           " of the wall time";
  };
  std::vector<SummaryFigure> Figures = {
      {"wall time", formatNs(T.WallNs), "of the program on " + Run.GpuName},
      {"GPU in kernels", formatNs(T.KernelNs), Share(T.KernelNs)},
      {"GPU idle", formatNs(T.IdleNs), Share(T.IdleNs)}};
  const CriticalPiece *Longest = nullptr;
  for (const CriticalPiece &P : Run.CriticalPath)
    if (!Longest || P.Ns > Longest->Ns)
      Longest = &P;
  if (Longest)
    Figures.push_back(
        {"most of the critical path", formatNs(Longest->Ns), Longest->What});
  std::vector<std::string> Findings;
  constexpr size_t MostFindings = 3;
  for (const Suggestion &S : ArrayRef(Run.Suggestions).take_front(MostFindings))
    Findings.push_back("<b>" + formatPercent(S.Gain) + " (" +
                       formatNs(S.SavedNs) + ") less</b>: " + escaped(S.What));
  printSummary(OS, Figures, "What would help most", Findings,
               "No change that was tried saves 5% of the time.");
}

void RunHtmlPrinter::totals() {
  const TimelineTotals &T = Run.Totals;
  auto Share = [&](double Ns) {
    return formatNs(Ns) + ", " +
           formatPercent(T.WallNs > 0 ? Ns / T.WallNs : 0) +
           " of the wall time";
  };
  OS << "<dl>\n";
  printFact(OS, "exit status", std::to_string(Run.ExitStatus));
  printFact(OS, "GPU in kernels", Share(T.KernelNs));
  printFact(OS, "GPU in copies", Share(T.CopyNs));
  printFact(OS, "GPU idle", Share(T.IdleNs));
  printFact(OS, "host in the program", Share(T.ProgramNs));
  printFact(OS, "host in calls", Share(T.CallNs));
  printFact(OS, "host waits", Share(T.WaitNs));
  OS << "</dl>\n";
}

static Cell timeCell(double Ns) { return Cell(formatNs(Ns), Ns); }

static Cell countCell(size_t Count) {
  return Cell(std::to_string(Count), static_cast<double>(Count));
}

void RunHtmlPrinter::kernels() {
  std::vector<RunSummaryRow> Rows = summarizeKernels(Run);
  if (Rows.empty())
    return;
  DataTable T;
  T.Heads = {"kernel",  "share",    "total",   "launches",
             "average", "shortest", "longest", "bound by"};
  std::vector<StackBar> Stacks;
  for (const RunSummaryRow &R : Rows) {
    const RunEstimate &E = Run.Estimates[R.Estimate];
    T.Rows.push_back({Cell(R.Name), Cell(formatPercent(R.Share), R.Share),
                      timeCell(R.Total), countCell(R.Count),
                      timeCell(R.Average), timeCell(R.Min), timeCell(R.Max),
                      Cell(E.Bottleneck)});
    if (E.WarpCyclesPerInstruction <= 0)
      continue;
    StackBar &Bar = Stacks.emplace_back();
    Bar.Label = StringRef(R.Name).take_until([](char C) { return C == '('; });
    constexpr double NsPerSecond = 1e9;
    Bar.Time = Seconds(E.Ns / NsPerSecond);
    for (const auto &[Component, Fraction] : E.Breakdown)
      Bar.Parts.emplace_back(Component, Fraction * E.WarpCyclesPerInstruction);
  }
  OS << "<h3>Kernels</h3>\n";
  printTable(OS, T, "Kernels");
  constexpr size_t MaxStacks = 24;
  if (Stacks.size() > MaxStacks)
    Stacks.resize(MaxStacks);
  if (!Stacks.empty())
    printCharts(OS,
                stackChart("cpi-by-kernel", "CPI stacks of the kernels",
                           "The longest launch of each kernel, alone on the "
                           "GPU: cycles of a resident warp for each "
                           "instruction.",
                           "kernel", Stacks),
                Number);
}

void RunHtmlPrinter::summary(StringRef Title, StringRef What,
                             ArrayRef<RunSummaryRow> Rows) {
  if (Rows.empty())
    return;
  DataTable T;
  T.Heads = {What.str(), "share",    "total",  "count",
             "average",  "shortest", "longest"};
  for (const RunSummaryRow &R : Rows)
    T.Rows.push_back({Cell(R.Name), Cell(formatPercent(R.Share), R.Share),
                      timeCell(R.Total), countCell(R.Count),
                      timeCell(R.Average), timeCell(R.Min), timeCell(R.Max)});
  OS << "<h3>" << Title << "</h3>\n";
  printTable(OS, T, Title);
}

void RunHtmlPrinter::criticalPath() {
  if (Run.CriticalPath.empty())
    return;
  DataTable T;
  T.Heads = {"piece", "time", "share"};
  for (const CriticalPiece &P : Run.CriticalPath) {
    double Share = Run.Totals.WallNs > 0 ? P.Ns / Run.Totals.WallNs : 0;
    T.Rows.push_back(
        {Cell(P.What), timeCell(P.Ns), Cell(formatPercent(Share), Share)});
  }
  OS << "<h3>What the wall time consists of</h3>\n<p class=\"pale\">The "
        "longest chain of dependences: only what is on it can make the run "
        "shorter.</p>\n";
  printTable(OS, T, "Critical path");
}

void RunHtmlPrinter::suggestions() {
  if (Run.Suggestions.empty())
    return;
  OS << "<h3>All suggestions</h3>\n<ul>\n";
  for (const Suggestion &S : Run.Suggestions)
    OS << "<li>" << formatPercent(S.Gain) << " (" << formatNs(S.SavedNs)
       << ") less: " << escaped(S.What) << "</li>\n";
  OS << "</ul>\n<p class=\"pale\">Of the wall time without the program's own "
        "work; each is the schedule of the changed program.</p>\n";
}

void RunHtmlPrinter::list(StringRef Title, ArrayRef<std::string> Lines) {
  if (Lines.empty())
    return;
  OS << "<h3>" << Title << "</h3>\n<ul>\n";
  for (const std::string &Line : Lines)
    OS << "<li>" << escaped(Line) << "</li>\n";
  OS << "</ul>\n";
}

void RunHtmlPrinter::print() {
  OS << "<section id=\"s" << Number << "\">\n<h2>" << escaped(Run.GpuName)
     << "</h2>\n";
  card();
  list("Kernels that do not execute", Run.Unexecuted);
  printCharts(OS, TimelineChart(Run).draw(), Number);
  totals();
  criticalPath();
  suggestions();
  kernels();
  summary("Copies and sets", "operation", summarizeCopies(Run));
  summary("Calls of the host", "call", summarizeCalls(Run));
  list("Faults", Run.Faults);
  list("Notices", Run.Notices);
  list("Assumptions of the kernels", kernelAssumptions(Run));
  list("Assumptions of the time line", Run.Assumptions);
  OS << "</section>\n";
}

static void printGpuComparisonTable(raw_ostream &OS, ArrayRef<RunReport> Runs) {
  DataTable T;
  T.Heads = {"GPU",    "wall time", "kernels",
             "copies", "idle",      "against fastest"};
  const RunReport &Fastest = fastestOf(Runs);
  for (const RunReport &R : Runs) {
    double Factor =
        Fastest.Totals.WallNs > 0 ? R.Totals.WallNs / Fastest.Totals.WallNs : 1;
    T.Rows.push_back({Cell(R.GpuName), timeCell(R.Totals.WallNs),
                      timeCell(R.Totals.KernelNs), timeCell(R.Totals.CopyNs),
                      timeCell(R.Totals.IdleNs),
                      Cell("+" + formatPercent(Factor - 1), Factor)});
  }
  OS << "<section>\n<h2>Which GPU pays</h2>\n";
  printTable(OS, T, "GPUs", Fastest.GpuName);
  OS << "</section>\n";
}

void printRunHtml(raw_ostream &OS, ArrayRef<RunReport> Runs,
                  StringRef ToolVersion) {
  beginPage(OS, "A GPU program's run", ToolVersion);
  std::vector<std::string> Titles;
  for (const RunReport &Run : Runs)
    Titles.push_back(lead(Run));
  printContents(OS, Titles);
  OS << "<main>\n";
  if (Runs.size() > 1)
    printGpuComparisonTable(OS, Runs);
  for (auto [I, Run] : enumerate(Runs))
    RunHtmlPrinter(OS, Run, static_cast<unsigned>(I) + 1).print();
  OS << "</main>\n";
  endPage(OS, Analysis());
}

} // namespace gpuestimate
