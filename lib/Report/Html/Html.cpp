/// \file
/// The page of an analysis.
#include "gpu-estimate/Report/Html/Html.h"

#include "HtmlParts.h"
#include "Report/Text/FormulaText.h"
#include "Report/Text/LaunchGroups.h"
#include "Report/Text/TargetComparisonText.h"
#include "gpu-estimate/Advice/AccessGroups.h"
#include "gpu-estimate/Advice/Advice.h"
#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "gpu-estimate/Report/Json/Json.h"
#include "gpu-estimate/Report/Text/Text.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class HtmlReport {
public:
  HtmlReport(raw_ostream &OS, const Analysis &A, ArrayRef<std::string> Silenced)
      : OS(OS), A(A), Silenced(Silenced) {}
  void print(StringRef ToolVersion);

private:
  void overview();
  void estimate(const ExplainedPrediction &E, unsigned Number);
  void summary(const ExplainedPrediction &E, unsigned Number);
  void curve(const ExplainedPrediction &E);
  void situation(const ExplainedPrediction &E);
  void breakdown(const Prediction &P);
  void advice(const ExplainedPrediction &E, unsigned Number);
  void gpus(const EstimateCharts &Charts, unsigned Number);
  void accesses(const Prediction &P);
  void assumptions(const Prediction &P);
  void against(const ExplainedPrediction &E);
  void formulas(const Prediction &P);
  void budgets();

  raw_ostream &OS;
  const Analysis &A;
  ArrayRef<std::string> Silenced;
};

} // namespace

void HtmlReport::curve(const ExplainedPrediction &E) {
  const SizeCurve &C = *E.Curve;
  DataTable T;
  T.Heads = {C.Unknown, "time", "interval", "bound", "grid", "block"};
  for (const SizeCurve::Point &P : C.Points)
    T.Rows.push_back({Cell(formatSize(P.Value), P.Value),
                      Cell(formatTime(P.Time), P.Time.value()),
                      Cell(intervalText(P)), Cell(P.Bottleneck),
                      Cell(formatSizes(P.Grid)), Cell(formatSizes(P.Block))});
  OS << "<h3>Time over " << escaped(C.Unknown) << "</h3>\n<p>" << escaped(C.Why)
     << "; settle with <code>" << escaped(C.Settle) << "</code>.</p>\n";
  printTable(OS, T, "Time over " + C.Unknown);
  OS << "<ul>\n";
  for (const std::string &Fact : curveFacts(E))
    OS << "<li>" << escaped(Fact) << "</li>\n";
  OS << "</ul>\n<p class=\"pale\">The rest of this section is about "
     << escaped(sizeText(C, C.last().Value)) << ", the last row.</p>\n";
}

void HtmlReport::situation(const ExplainedPrediction &E) {
  const Prediction &P = E.Estimate;
  OS << "<dl>\n";
  printFact(OS, "kernel", P.Location.brief() + ", " + P.Kernel);
  printFact(OS, "model", P.Model + ", caches " + P.Caches);
  if (!P.WhatIf.empty())
    printFact(OS, "what if", join(P.WhatIf, ", "));
  printFact(
      OS, "launch",
      "grid " + formatSizes(P.Used.Grid) + ", block " +
          formatSizes(P.Used.Block) + ", " +
          std::to_string(P.Used.DynamicSharedBytes) +
          " bytes of dynamic shared memory; " +
          (E.Curve ? "of the last row" : "from " + P.Used.Source) +
          (P.Used.Location.isValid() ? " at " + P.Used.Location.brief() : ""));
  std::string Arguments;
  for (const auto &[Name, Value] : P.Arguments)
    Arguments +=
        (Arguments.empty() ? "" : ", ") + Name + " = " + formatNumber(Value);
  if (!Arguments.empty())
    printFact(OS, "arguments", Arguments);
  for (const auto &[Name, Text] :
       {std::pair("power", powerText(P.Power)),
        std::pair("throttled", throttledText(P.Power))})
    if (!Text.empty() && !E.Curve)
      printFact(OS, Name, Text);
  std::string Waves;
  raw_string_ostream(Waves) << format("%.2f", P.Occ.Waves);
  printFact(OS, "occupancy",
            std::to_string(P.Occ.BlocksPerSm) + " blocks, " +
                std::to_string(P.Occ.WarpsPerSm) +
                P.Terms.reword(" warps per multiprocessor = ") +
                formatPercent(P.Occ.Fraction) + ", limited by " +
                P.Terms.reword(P.Occ.LimitedBy) + "; " + Waves + " waves");
  printFact(OS, "resources",
            std::to_string(P.RegistersPerThread) +
                P.Terms.reword(" registers per thread (") + P.RegistersSource +
                "), " + std::to_string(P.SharedBytesPerBlock) +
                P.Terms.reword(" bytes of shared memory per block"));
  if (P.Code) {
    printFact(OS, "machine code", describeCode(*P.Code));
    if (std::string Of = describeInstructions(*P.Code); !Of.empty())
      printFact(OS, "instructions", Of);
  }
  OS << "</dl>\n";
}

void HtmlReport::breakdown(const Prediction &P) {
  OS << "<h3>Where the time goes</h3>\n<div class=\"wide\">\n<table "
        "class=\"r2 r3 r4\" aria-label=\"Where the time goes\"><thead><tr><th "
        "scope=\"col\" "
        "class=\"name\">component</th><th scope=\"col\">share</th><th "
        "scope=\"col\">time</th><th "
        "scope=\"col\">CPI</th><td></td></tr></thead>\n"
        "<tbody>\n";
  for (const auto &[Component, Fraction] : P.Breakdown)
    if (Fraction >= 0.0005)
      OS << "<tr><td>" << escaped(Component) << "</td><td>"
         << formatPercent(Fraction) << "</td><td>"
         << formatTime(P.Time * Fraction) << "</td><td>"
         << formatRatio(Fraction * P.WarpCyclesPerInstruction)
         << "</td><td><svg class=\"bar\" style=\"width: "
         << format("%.1f", 12 * Fraction)
         << "rem\" viewBox=\"0 0 1 1\" preserveAspectRatio=\"none\" "
            "aria-hidden=\"true\"><rect class=\""
         << componentClass(Component)
         << "\" width=\"1\" height=\"1\"/></svg></td></tr>\n";
  OS << "</tbody></table>\n</div>\n";
}

/// Findings that the summary shows; the others follow below.
static constexpr size_t MostFindings = 3;

/// "60.2% less time: make the stores coalesced (f.cu:24)", with a link to the
/// line.
static std::string findingHtml(const ExplainedPrediction &E, const Finding &F,
                               unsigned Number) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (F.Gain)
    OS << "<b>" << formatPercent(*F.Gain)
       << " less time</b>: " << escaped(F.Remedy);
  else
    OS << escaped(F.Problem);
  if (!F.Location.isValid())
    return Text;
  std::string Place = escaped(F.Location.brief()),
              Anchor = lineAnchor(E, Number, F.Location);
  if (Anchor.empty())
    OS << " (" << Place << ')';
  else
    OS << " (<a href=\"#" << Anchor << "\">" << Place << "</a>)";
  return Text;
}

void HtmlReport::summary(const ExplainedPrediction &E, unsigned Number) {
  const Prediction &P = E.Estimate;
  std::vector<SummaryFigure> Figures;
  if (E.Curve) {
    const SizeCurve::Point &Last = E.Curve->last();
    Figures.push_back(
        {"time", "depends on " + E.Curve->Unknown,
         formatTime(Last.Time) + " for " + sizeText(*E.Curve, Last.Value)});
  } else {
    Figures.push_back({"time", formatTime(P.Time),
                       formatTime(P.LaunchOverhead) + " launch + " +
                           formatTime(P.Execution) + " execution"});
    if (P.Interval)
      Figures.push_back(
          {"interval", intervalText(P),
           "with probability " + formatPercent(P.Interval->Level)});
    else
      Figures.push_back({"interval", "not known", "no measured errors apply"});
  }
  Figures.push_back(
      {"bound by", P.Bottleneck, describeBottleneck(P.Bottleneck).str()});
  if (E.Charts && E.Charts->Floor && *E.Charts->Floor > Seconds())
    Figures.push_back({"headroom",
                       formatRatio(P.Time / *E.Charts->Floor) + " x",
                       "above the roofline, " + formatTime(*E.Charts->Floor) +
                           ": operations and DRAM bytes at peak rates"});
  std::vector<std::string> Findings;
  if (E.FoundAt)
    Findings.push_back(escaped(foundElsewhere(E)));
  for (const Finding *F : E.advice())
    if (Findings.size() < MostFindings)
      Findings.push_back(findingHtml(E, *F, Number));
  printSummary(OS, Figures, "What would help most", Findings,
               "No change that was tried saves " + formatPercent(MinimumGain) +
                   " of the time.");
}

void HtmlReport::advice(const ExplainedPrediction &E, unsigned Number) {
  std::vector<const Finding *> Advice = E.advice();
  size_t Shown = MostFindings - (E.FoundAt ? 1 : 0);
  if (Advice.size() <= Shown)
    return;
  OS << "<h3>More advice</h3>\n<ul>\n";
  for (const Finding *F : ArrayRef(Advice).drop_front(Shown))
    OS << "<li>" << findingHtml(E, *F, Number) << "</li>\n";
  OS << "</ul>\n";
}

void HtmlReport::overview() {
  if (A.Estimates.size() < 2)
    return;
  OS << "<nav aria-label=\"Estimates\">\n<div class=\"wide\">\n<table "
        "class=\"r5 r6 r7\" aria-label=\"Estimates\">\n<thead><tr>";
  for (StringRef Head : {"kernel", "GPU", "launch", "bound by"})
    OS << "<th scope=\"col\" class=\"name\"><button>" << Head
       << "</button></th>";
  for (StringRef Head : {"time", "interval", "headroom"})
    OS << "<th scope=\"col\"><button>" << Head << "</button></th>";
  OS << "</tr></thead>\n<tbody>\n";
  for (auto [I, E] : enumerate(A.Estimates)) {
    const Prediction &P = E.Estimate;
    OS << "<tr><td><a href=\"#s" << I + 1 << "\">" << escaped(P.Name)
       << "</a></td><td>" << escaped(P.GpuName) << "</td><td>"
       << escaped(formatSizes(P.Used.Grid) + " of " + formatSizes(P.Used.Block))
       << "</td><td>" << escaped(P.Bottleneck) << "</td>";
    if (E.Curve)
      OS << "<td>depends on " << escaped(E.Curve->Unknown) << "</td><td></td>";
    else {
      OS << "<td>" << formatTime(P.Time) << "</td><td>"
         << escaped(intervalText(P)) << "</td>";
    }
    if (E.Charts && E.Charts->Floor && *E.Charts->Floor > Seconds())
      OS << "<td>" << formatRatio(P.Time / *E.Charts->Floor) << " x</td>";
    else
      OS << "<td>-</td>";
    OS << "</tr>\n";
  }
  OS << "</tbody>\n</table>\n</div>\n</nav>\n";
}

void HtmlReport::accesses(const Prediction &P) {
  if (P.Accesses.empty())
    return;
  DataTable T;
  T.Heads = {"line",   "access", "requests",  "per request", "ideal",
             "L1 hit", "L2 hit", "DRAM read", "written"};
  for (const AccessReport &R : mergeAccesses(P.Accesses)) {
    bool Shared = R.Space == "shared" || R.Space == "constant";
    double Units = Shared ? R.PassesPerRequest : R.SectorsPerRequest;
    double Ideal = Shared ? neededPasses(R) : R.IdealSectorsPerRequest;
    auto Hit = [&](double Rate) {
      return Shared ? Cell("-") : Cell(formatPercent(Rate), Rate);
    };
    auto Moved = [&](double Amount) {
      return Shared ? Cell("-") : Cell(formatBytes(Bytes(Amount)), Amount);
    };
    T.Rows.push_back({Cell(R.Location.brief()),
                      Cell(R.Space + " " + R.Kind + " " +
                           (R.Base.empty() ? "(unknown)" : R.Base) +
                           (R.DataDependent ? " (address from data)" : "")),
                      Cell(formatCount(R.Requests), R.Requests),
                      Cell(formatRatio(Units), Units),
                      Cell(formatRatio(Ideal), Ideal), Hit(R.L1Hit),
                      Hit(R.L2Hit), Moved(R.DramReadBytes),
                      Moved(R.DramWriteBytes)});
  }
  OS << "<h3>Memory accesses</h3>\n<p class=\"pale\">Sectors (shared and "
        "constant memory: passes) of one "
     << P.Terms.reword("warp") << " request. L1 hits "
     << formatPercent(P.L1HitRate) << ", L2 hits " << formatPercent(P.L2HitRate)
     << ".</p>\n";
  printTable(OS, T, "Memory accesses");
}

void HtmlReport::assumptions(const Prediction &P) {
  if (P.Assumptions.empty() || is_contained(Silenced, "assumption"))
    return;
  OS << "<h3>Assumptions</h3>\n<ul>\n";
  for (const AssumptionGroup &G : groupAssumptions(P.Assumptions)) {
    OS << "<li>" << escaped(P.Terms.reword(assumed(G) + ": " + G.Shown.Why))
       << format(" (10 %% more: %+.1f %% time)", G.Shown.Sensitivity * 10);
    if (!G.Shown.Settle.empty())
      OS << "; settle with <code>" << escaped(G.Shown.Settle) << "</code>";
    OS << "</li>\n";
  }
  for (const std::string &Text : P.Premises)
    OS << "<li>" << escaped(Text) << "</li>\n";
  OS << "</ul>\n";
}

void HtmlReport::against(const ExplainedPrediction &E) {
  if (E.Against.empty())
    return;
  std::string Text;
  raw_string_ostream Buffer(Text);
  for (const TargetComparison &C : E.Against)
    printTargetComparison(Buffer, E.Estimate, C);
  OS << "<h3>On other machines</h3>\n<pre tabindex=\"0\">"
     << escaped(Buffer.str()) << "</pre>\n";
}

void HtmlReport::formulas(const Prediction &P) {
  if (P.Formulas.Tuple.empty())
    return;
  std::string Text;
  raw_string_ostream Buffer(Text);
  printFormulas(Buffer, P.Formulas);
  OS << "<h3>Formulas of one thread</h3>\n<p class=\"pale\">The kernel model "
        "of "
        "Kleimenov &amp; Popova 2021.</p>\n<pre tabindex=\"0\">"
     << escaped(Buffer.str()) << "</pre>\n";
}

void HtmlReport::gpus(const EstimateCharts &Charts, unsigned Number) {
  if (Charts.ByGpu.empty())
    return;
  OS << "<h3>What it would take on other GPUs</h3>\n";
  std::string Used;
  for (const GpuRow &R : Charts.ByGpu)
    if (R.IsUsed)
      Used = R.Name;
  std::vector<Chart> Both = gpuChartsOf(Charts);
  DataTable Times = std::move(Both.front().Data);
  Both.front().Data = DataTable(); // it stands below
  printCharts(OS, Both, Number);
  OS << "<details><summary>All " << Times.Rows.size()
     << " GPU models</summary>\n";
  printTable(OS, Times, "Other GPUs", Used);
  OS << "</details>\n";
}

void HtmlReport::estimate(const ExplainedPrediction &E, unsigned Number) {
  const Prediction &P = E.Estimate;
  OS << "<section id=\"s" << Number << "\">\n<h2>" << escaped(P.Name) << " on "
     << escaped(P.GpuName) << "</h2>\n<p>" << escaped(bottomLine(A, E))
     << "</p>\n";
  summary(E, Number);
  if (E.Curve)
    curve(E);
  situation(E);
  breakdown(P);
  advice(E, Number);
  if (E.Charts) {
    OS << "<h3>Charts</h3>\n";
    printCharts(OS, chartsOf(P, *E.Charts), Number);
    if (!E.Charts->NoBlocks.empty())
      OS << "<p class=\"pale\">No chart of block sizes: "
         << escaped(E.Charts->NoBlocks) << ".</p>\n";
    printSource(OS, A, E, Silenced, Number);
    gpus(*E.Charts, Number);
  }
  accesses(P);
  assumptions(P);
  against(E);
  formulas(P);
  OS << "</section>\n";
}

void HtmlReport::budgets() {
  std::string Lines;
  for (const BudgetCheck &C : A.Budgets)
    if (std::string Line = budgetLine(C); !Line.empty())
      Lines += "<li>" + escaped(Line) + "</li>\n";
  if (!Lines.empty())
    OS << "<section>\n<h2>Budgets</h2>\n<ul>\n"
       << Lines << "</ul>\n</section>\n";
}

/// The result in one line.
static std::string resultJson(const Analysis &A, StringRef ToolVersion) {
  std::string Text, Line;
  raw_string_ostream OS(Text), Out(Line);
  printJson(OS, A, ToolVersion);
  Out << cantFail(json::parse(OS.str()));
  return Line;
}

void HtmlReport::print(StringRef ToolVersion) {
  beginPage(OS, "GPU kernel time estimates", ToolVersion);
  overview();
  OS << "<main>\n";
  for (auto [I, E] : enumerate(A.Estimates))
    estimate(E, static_cast<unsigned>(I) + 1);
  for (const FunctionTotal &F : functionTotals(A))
    OS << "<p>" << escaped(totalLine(F)) << "</p>\n";
  for (const SequenceTotal &S : A.SequenceTotals) {
    OS << "<p>" << escaped(totalLine(S)) << "</p>\n";
    for (const SequenceTotal::Missing &M : S.NotPredicted)
      OS << "<p>not predicted: " << escaped(missingLine(S, M)) << "</p>\n";
  }
  budgets();
  printVersions(OS, "", resultJson(A, ToolVersion));
  OS << "</main>\n";
  endPage(OS, A);
}

void printHtml(raw_ostream &OS, const Analysis &A,
               ArrayRef<std::string> Silenced, StringRef ToolVersion) {
  HtmlReport(OS, A, Silenced).print(ToolVersion);
}

/// Keeps the letters and digits of a name.
static std::string fileName(unsigned Number, StringRef Kernel, StringRef Gpu,
                            StringRef Chart) {
  constexpr size_t Longest = 40;
  std::string Name;
  for (char C : Kernel.take_while([](char C) { return C != '('; }))
    if (isAlnum(C) || C == '_')
      Name += C;
  Name = std::to_string(Number) + "-" + Name.substr(0, Longest);
  if (!Gpu.empty())
    Name += "-" + Gpu.str();
  return Name + "-" + Chart.str() + ".svg";
}

std::vector<ChartFile> chartFiles(const Analysis &A) {
  std::vector<ChartFile> Files;
  for (auto [I, E] : enumerate(A.Estimates))
    if (E.Charts)
      for (const auto &Charts :
           {chartsOf(E.Estimate, *E.Charts), gpuChartsOf(*E.Charts)})
        for (const Chart &C : Charts)
          Files.push_back(
              {fileName(I + 1, E.Estimate.Name, E.Estimate.Gpu, C.Name),
               svg(C, /*Alone=*/true)});
  for (auto [I, OnGpus] : enumerate(groupLaunches(A)))
    for (const Chart &C : chartsOf(OnGpus))
      Files.push_back({fileName(I + 1, OnGpus.front()->Name, "", C.Name),
                       svg(C, /*Alone=*/true)});
  return Files;
}

} // namespace gpuestimate
