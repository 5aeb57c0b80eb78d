/// \file
/// `gpu-estimate analyze`: files in, one report out.
#include "SourceAnalysis.h"
#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Commands/Run/RunProgram.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Session/Pipeline/AnalyzeFiles.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"

#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "gpu-estimate/Report/Html/Html.h"
#include "gpu-estimate/Report/Json/Json.h"
#include "gpu-estimate/Report/Json/Sarif.h"
#include "gpu-estimate/Report/Text/Comparison.h"
#include "gpu-estimate/Report/Text/FormulaCode.h"
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

/// Whether functions are printed instead of the report.
static bool printsFunctions(const Options &O) {
  return O.Formulas && *O.Formulas != FormulaForm::Text;
}

static std::string render(const Options &O, const Analysis &A) {
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.Format) {
  case OutputFormat::Text: {
    if (printsFunctions(O)) {
      printFormulaCode(OS, A,
                       O.Formulas == FormulaForm::Python ? CodeLanguage::Python
                                                         : CodeLanguage::C);
      break;
    }
    TextOptions T;
    T.Formulas = O.Formulas.has_value();
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
  auto Take = [&](Expected<Analysis> Result) {
    if (Result)
      append(All, std::move(*Result));
    else if (Status != WrongUsage)
      Status = report(Err, Result.takeError());
    else
      consumeError(Result.takeError());
  };
  Options Sources = O;
  Sources.Files.clear();
  for (const std::string &File : O.Files)
    if (isSavedRun(File))
      Take(analyzeSavedRun(O, File));
    else if (auto Code = codeFiles(File))
      append_range(Sources.Files, *Code);
    else
      Take(Code.takeError());
  if (Sources.Files.empty())
    return Status;
  for (FileResult &File : analyzeFiles(Sources, Models)) {
    Err << File.Diagnostics;
    Take(std::move(File.Result));
  }
  return Status;
}

void printNotices(raw_ostream &Err, const Analysis &A) {
  for (const Notice &N : A.Notices)
    Err << "gpu-estimate: warning: "
        << (N.Location.isValid() ? N.Location.brief() + ": " : "") << N.Text
        << '\n';
}

/// Prints the diagnostics that fail the run if the report does not show them.
/// Returns true if any fails it.
static bool printFailures(const Options &O, const Analysis &A,
                          raw_ostream &Err) {
  std::vector<Diagnostic> Failures = diagnose(A, O.Silenced);
  erase_if(Failures, [&](const Diagnostic &D) {
    bool TextHasIt = D.Group == DiagnosticGroup::Budget &&
                     O.Format == OutputFormat::Text && !printsFunctions(O);
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

ExitStatus runAnalyze(const Options &Given, raw_ostream &Out,
                      raw_ostream &Err) {
  Options O = Given;
  if (!O.Dump)
    O.Headers = createStoredHeaderCache();
  bool IsDatabase = O.Files.empty() && !O.CompilationDatabase.empty();
  O.AsksNvcc = !IsDatabase;
  if (printsFunctions(O) && (IsDatabase || O.Format != OutputFormat::Text)) {
    Err << ErrorPrefix
        << "--formulas: functions are printed instead of a report, so name "
           "files and no --format; JSON has the formulas under 'symbolic'\n";
    return WrongUsage;
  }
  if (O.Part.Count > 1 && !IsDatabase) {
    Err << ErrorPrefix << "--shard: pass -p DIR and no FILE\n";
    return WrongUsage;
  }
  if (IsDatabase) {
    if (!O.Dump)
      return runDatabase(O, Out, Err);
    Err << ErrorPrefix << "--dump: name the files to analyse\n";
    return WrongUsage;
  }
  Analysis All;
  ExitStatus Status = analyzeAll(O, {}, All, Err);
  if (Status == WrongUsage)
    return Status;
  if (O.Dump) {
    printNotices(Err, All);
    for (const Unresolved &U : All.Unresolveds)
      Err << ErrorPrefix << (U.Name.empty() ? U.Kernel : U.Name) << ": "
          << U.Reason << '\n';
    if (ExitStatus Written = writeOutput(O, All.Dump, Out, Err);
        Written != Done)
      return Written;
    return All.Dump.empty() ? NotAnalysed : Status;
  }
  // A file that could not be read leaves the others' results worth printing,
  // but a lone failure leaves nothing to print.
  if (Status == NotAnalysed && All.Estimates.empty() && All.Unresolveds.empty())
    return Status;
  if (!O.JsonFile.empty())
    recallBudgets(All.Budgets, O.JsonFile);
  // The diagnostics format includes the notices.
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
  bool Impossible = any_of(All.Unresolveds, [](const Unresolved &U) {
    return U.Fault == LaunchFault::OfSource;
  });
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
  Expected<std::vector<std::string>> Models =
      modelsOfList(O.Model.value_or(""), /*EmptyIsAll=*/true);
  if (!Models) {
    Err << ErrorPrefix << "--model: " << toString(Models.takeError()) << "\n";
    return WrongUsage;
  }
  // --profile and --reference are of one of the models that are compared.
  O.Model = "quantitative-roofline";
  if (O.Format != OutputFormat::Text && O.Format != OutputFormat::Json &&
      O.Format != OutputFormat::Html) {
    Err << ErrorPrefix << "--format: compare supports text, json and html\n";
    return WrongUsage;
  }
  Analysis All;
  ExitStatus Status = analyzeAll(O, *Models, All, Err);
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
