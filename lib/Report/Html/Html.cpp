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
#include "gpu-estimate/Report/Text/Text.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class HtmlReport {
public:
  HtmlReport(raw_ostream &OS, const Analysis &A, ArrayRef<std::string> Silenced)
      : OS(OS), A(A), Silenced(Silenced) {}
  void print(StringRef ToolVersion);

private:
  void estimate(const ExplainedPrediction &E, unsigned Number);
  void curve(const ExplainedPrediction &E);
  void situation(const ExplainedPrediction &E);
  void breakdown(const Prediction &P);
  void advice(const ExplainedPrediction &E);
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
  if (!E.Curve)
    printFact(OS, "time",
              formatTime(P.Time) + " = " + formatTime(P.LaunchOverhead) +
                  " launch + " + formatTime(P.Execution) +
                  " execution, bound by " +
                  describeBottleneck(P.Bottleneck).str());
  if (P.Interval && !E.Curve)
    printFact(OS, "interval",
              intervalText(P) + " with probability " +
                  formatPercent(P.Interval->Level));
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
        "aria-label=\"Where the time goes\"><thead><tr><th "
        "class=\"name\">component</th><th>share</th><th>time</th><th>CPI</th>"
        "<th></th></tr></thead>\n<tbody>\n";
  for (const auto &[Component, Fraction] : P.Breakdown)
    if (Fraction >= 0.0005)
      OS << "<tr><td class=\"name\">" << escaped(Component) << "</td><td>"
         << formatPercent(Fraction) << "</td><td>"
         << formatTime(P.Time * Fraction) << "</td><td>"
         << formatRatio(Fraction * P.WarpCyclesPerInstruction)
         << "</td><td class=\"name\"><svg class=\"bar\" style=\"width: "
         << format("%.1f", 12 * Fraction)
         << "rem\" viewBox=\"0 0 1 1\" preserveAspectRatio=\"none\" "
            "aria-hidden=\"true\"><rect class=\""
         << componentClass(Component)
         << "\" width=\"1\" height=\"1\"/></svg></td></tr>\n";
  OS << "</tbody></table>\n</div>\n";
}

void HtmlReport::advice(const ExplainedPrediction &E) {
  std::vector<const Finding *> Advice = E.advice();
  if (Advice.empty() && !E.FoundAt)
    return;
  OS << "<h3>Advice: predicted gain of each change</h3>\n<ul>\n";
  if (E.FoundAt)
    OS << "<li>" << escaped(foundElsewhere(E)) << "</li>\n";
  for (const Finding *F : Advice)
    OS << "<li>" << formatPercent(*F->Gain) << " less time: "
       << (F->Location.isValid() ? escaped(F->Location.brief()) + ": " : "")
       << escaped(F->Remedy) << "</li>\n";
  OS << "</ul>\n";
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
  Both.front().Data = DataTable(); // it stands below, unfolded
  printCharts(OS, Both, Number);
  printTable(OS, Times, "Other GPUs", Used);
}

void HtmlReport::estimate(const ExplainedPrediction &E, unsigned Number) {
  const Prediction &P = E.Estimate;
  OS << "<section id=\"s" << Number << "\">\n<h2>" << escaped(P.Name) << " on "
     << escaped(P.GpuName) << "</h2>\n<p class=\"lead-line\">"
     << escaped(bottomLine(A, E)) << "</p>\n";
  if (E.Curve)
    curve(E);
  situation(E);
  breakdown(P);
  advice(E);
  if (E.Charts) {
    OS << "<h3>Charts</h3>\n";
    printCharts(OS, chartsOf(*E.Charts), Number);
    if (!E.Charts->NoBlocks.empty())
      OS << "<p class=\"pale\">No chart of block sizes: "
         << escaped(E.Charts->NoBlocks) << ".</p>\n";
    printSource(OS, A, E, Silenced);
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

void HtmlReport::print(StringRef ToolVersion) {
  beginPage(OS, "GPU kernel time estimates", ToolVersion);
  std::vector<std::string> Titles;
  for (const ExplainedPrediction &E : A.Estimates)
    Titles.push_back(bottomLine(A, E));
  printContents(OS, Titles);
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
      for (const auto &Charts : {chartsOf(*E.Charts), gpuChartsOf(*E.Charts)})
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
