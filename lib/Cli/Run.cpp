/// \file
/// `gpu-estimate analyze`: files in, one report out.
#include "gpu-estimate/Session/Pipeline/RunSupport.h"
#include "gpu-estimate/Session/Pipeline/UnitRuns.h"

#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "gpu-estimate/Report/Html/Html.h"
#include "gpu-estimate/Report/Json/Json.h"
#include "gpu-estimate/Report/Json/Sarif.h"
#include "gpu-estimate/Report/Text/Comparison.h"
#include "gpu-estimate/Report/Text/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral ErrorPrefix = "gpu-estimate: error: ";

static ExitStatus report(raw_ostream &Err, Error E) {
  ExitStatus Status = E.isA<UsageError>() ? WrongUsage : NotAnalysed;
  Err << ErrorPrefix << toString(std::move(E)) << '\n';
  return Status;
}

std::string archOf(const GpuModel &Gpu) {
  if (Gpu.ComputeCapability.empty())
    return "";
  std::string Arch = "sm_" + Gpu.ComputeCapability;
  erase(Arch, '.');
  return supportedArch(Arch);
}

static std::string render(const Options &O, const Analysis &A) {
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.Format) {
  case OutputFormat::Text: {
    TextOptions T;
    T.Formulas = O.Formulas;
    T.Assumptions = !is_contained(O.Silenced, "assumption");
    printText(OS, A, T);
    break;
  }
  case OutputFormat::Json:
    printJson(OS, A, toolVersion());
    break;
  case OutputFormat::Diagnostics:
    printDiagnostics(OS, diagnose(A, O.Silenced));
    break;
  case OutputFormat::Html:
    printHtml(OS, A, O.Silenced, toolVersion());
    break;
  case OutputFormat::Sarif:
    printSarif(OS, diagnose(A, O.Silenced), toolVersion());
    break;
  case OutputFormat::OptimisationRecords:
    printOptimisationRecords(OS, diagnose(A, O.Silenced));
    break;
  }
  return OS.str();
}

ExitStatus writeOutput(const Options &O, const std::string &Text,
                       raw_ostream &Out, raw_ostream &Err) {
  if (O.OutputFile.empty()) {
    Out << Text;
    return Done;
  }
  Error E = writeWhole(O.OutputFile, Text);
  return E ? report(Err, std::move(E)) : Done;
}

/// The report, and the charts where they are asked for.
static ExitStatus writeReport(const Options &O, const Analysis &A,
                              const std::string &Text, raw_ostream &Out,
                              raw_ostream &Err) {
  if (!O.ChartsFolder.empty()) {
    if (std::error_code Problem = sys::fs::create_directories(O.ChartsFolder)) {
      Err << ErrorPrefix << "--charts: " << O.ChartsFolder << ": "
          << Problem.message() << '\n';
      return WrongUsage;
    }
    for (const ChartFile &Chart : chartFiles(A)) {
      SmallString<128> Name(O.ChartsFolder);
      sys::path::append(Name, Chart.Name);
      if (Error E = writeWhole(Name.str().str(), Chart.Text))
        return report(Err, std::move(E));
    }
  }
  return writeOutput(O, Text, Out, Err);
}

ExitStatus analyzeAll(const Options &O, ArrayRef<std::string> Models,
                      Analysis &All, raw_ostream &Err) {
  if (O.Files.empty()) {
    Err << ErrorPrefix
        << "no file is named: analyze FILE..., or analyze -p DIR for a whole "
           "compilation database\n";
    return WrongUsage;
  }
  ExitStatus Status = Done;
  for (FileResult &File : analyzeFiles(O, Models)) {
    Err << File.Diagnostics;
    if (File.Result) {
      append(All, std::move(*File.Result));
      continue;
    }
    if (Status != WrongUsage)
      Status = report(Err, File.Result.takeError());
    else
      consumeError(File.Result.takeError());
  }
  return Status;
}

void printNotices(raw_ostream &Err, const Analysis &A) {
  for (const Notice &N : A.Notices)
    Err << "gpu-estimate: warning: "
        << (N.Location.isValid() ? N.Location.brief() + ": " : "") << N.Text
        << '\n';
}

/// What fails the run, for reports that do not show diagnostics, or only part
/// of them. True if anything does.
static bool printFailures(const Options &O, const Analysis &A,
                          raw_ostream &Err) {
  std::vector<Diagnostic> Failures = diagnose(A, O.Silenced);
  erase_if(Failures, [&](const Diagnostic &D) {
    bool TextHasIt =
        D.Group == DiagnosticGroup::Budget && O.Format == OutputFormat::Text;
    return D.Severity != DiagnosticSeverity::Error &&
           (D.Group != DiagnosticGroup::Budget || TextHasIt);
  });
  if (O.Format != OutputFormat::Diagnostics)
    printDiagnostics(Err, Failures);
  return any_of(Failures,
                [](const Diagnostic &D) {
                  return D.Severity == DiagnosticSeverity::Error;
                }) ||
         any_of(A.Budgets, [&](const BudgetCheck &C) {
           return C.exceeded() &&
                  !containsGroup(O.Silenced, DiagnosticGroup::Budget) &&
                  !containsGroup(C.Silenced, DiagnosticGroup::Budget);
         });
}

ExitStatus runAnalyze(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  if (O.Files.empty() && !O.CompilationDatabase.empty())
    return runDatabase(O, Out, Err);
  Analysis All;
  ExitStatus Status = analyzeAll(O, {}, All, Err);
  if (Status == WrongUsage)
    return Status;
  // A file that could not be read leaves the others' results worth printing,
  // but a lone failure leaves nothing to print.
  if (Status == NotAnalysed && All.Estimates.empty() && All.Unresolveds.empty())
    return Status;
  if (!O.JsonFile.empty())
    recallBudgets(All.Budgets, O.JsonFile);
  // As diagnostics they stand among the others.
  if (O.Format != OutputFormat::Diagnostics)
    printNotices(Err, All);
  if (O.PrintWork)
    for (const WorkDone &Part : All.Work)
      Err << "gpu-estimate: work: " << Part.Units << " units: " << Part.Part
          << '\n';
  if (ExitStatus Written = writeReport(O, All, render(O, All), Out, Err);
      Written != Done)
    return Written;
  if (!O.JsonFile.empty())
    if (Error E = writeJsonFile(
            O.JsonFile, All, originOf(O.Files.size() == 1 ? O.Files[0] : "")))
      return report(Err, std::move(E));
  bool Impossible = any_of(
      All.Unresolveds, [](const Unresolved &U) { return U.ImpossibleLaunch; });
  bool NothingEstimated =
      All.Estimates.empty() &&
      any_of(All.Unresolveds, [](const Unresolved &U) { return U.HasCode; });
  bool Failed = printFailures(O, All, Err);
  if (Impossible || NothingEstimated)
    return NotAnalysed;
  return Status == Done && Failed ? BoundExceeded : Status;
}

ExitStatus runCompare(const Options &Given, raw_ostream &Out,
                      raw_ostream &Err) {
  Options O = Given;
  // One parse then serves the architectures of a generation.
  if (O.Ptxas.empty())
    O.Ptxas = "off";
  // --profile and --reference are of one of the models that are compared.
  O.Model = "quantitative-roofline";
  if (O.Format != OutputFormat::Text && O.Format != OutputFormat::Json &&
      O.Format != OutputFormat::Html) {
    Err << ErrorPrefix << "--format: compare has text, json and html\n";
    return WrongUsage;
  }
  std::vector<std::string> Models;
  for (const ModelInfo &M : modelTable())
    Models.push_back(M.Name.str());
  Analysis All;
  ExitStatus Status = analyzeAll(O, Models, All, Err);
  if (Status == WrongUsage)
    return Status;
  printNotices(Err, All);
  std::string Text;
  raw_string_ostream OS(Text);
  if (O.Format == OutputFormat::Json)
    printComparisonJson(OS, All, toolVersion());
  else if (O.Format == OutputFormat::Html)
    printComparisonHtml(OS, All, toolVersion());
  else
    printComparisonText(OS, All);
  if (ExitStatus Written = writeReport(O, All, OS.str(), Out, Err);
      Written != Done)
    return Written;
  return All.Comparisons.empty() ? NotAnalysed : Status;
}

} // namespace gpuestimate
