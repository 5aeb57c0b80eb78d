/// \file
/// Behind `gpu-estimate cc`: one source of a compiler's command; and the table
/// of what such runs left.
#include "SourceAnalysis.h"
#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Session/Pipeline/FirstRemark.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"

#include "gpu-estimate/Report/Records/Records.h"
#include "gpu-estimate/Report/Records/SpaceParts.h"
#include "gpu-estimate/Report/Text/Sweep.h"
#include "gpu-estimate/Report/Text/Tuning.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

Expected<std::vector<Diagnostic>> analyzeCommandSource(
    Setup S, const CommandSource &C, RecordOrigin Origin,
    function_ref<void(RecordOrigin &, ArrayRef<std::string>)> FilesRead) {
  const Options &O = S.Opts;
  // An architecture in the command has precedence.
  ParseRequest Request =
      parseRequest(O, C.Source, targetArch(O, S.Gpus.front()));
  Request.CommandLine = C.CommandLine;
  Request.Directory = C.Directory;
  Request.ClangArgs.clear();
  Request.BuildPath.clear();
  // The compiler of the command prints the warnings.
  std::string CompilerOutput;
  Expected<TranslationUnit> Unit = parse(Request, CompilerOutput);
  if (!Unit) {
    std::string Reason = toString(Unit.takeError());
    StringRef Output(CompilerOutput);
    size_t Start = Output.find("error: ");
    if (Start != StringRef::npos)
      Reason += ": " + Output.substr(Start + 7).split('\n').first.str();
    return createStringError(Reason);
  }
  FilesRead(Origin, Unit->Files);
  return analyzeUnit(std::move(*Unit), std::move(S), Origin);
}

ExitStatus runAnalyzeCommand(const Options &O, raw_ostream &Err) {
  RecordOrigin Origin = originOf(O.Files.front());
  const std::string &Source = Origin.Source;
  auto Analyse = [&]() -> Expected<std::vector<Diagnostic>> {
    Expected<Setup> S = prepareSetup(O, Source);
    if (!S)
      return S.takeError();
    return analyzeCommandSource(
        std::move(*S), {O.CompilerCommand, Origin.Directory, Source}, Origin,
        [](RecordOrigin &, ArrayRef<std::string>) {});
  };
  Expected<std::vector<Diagnostic>> Found = Analyse();
  if (Found) {
    addFirstRemarkNote(*Found, O, Source);
    printDiagnostics(Err, *Found);
    bool Failed = any_of(*Found, [](const Diagnostic &D) {
      return D.Severity == DiagnosticSeverity::Error;
    });
    return Failed ? BoundExceeded : Done;
  }
  std::string Reason = toString(Found.takeError());
  Err << "gpu-estimate: remark: no estimate for " << Source << ": " << Reason
      << '\n';
  if (O.JsonFile.empty())
    return Done;
  Analysis Nothing;
  Nothing.Unresolveds.push_back({"", "", {Source, 1, 1}, Reason});
  if (Error E = writeJsonFile(O.JsonFile, Nothing, Origin))
    Err << "gpu-estimate: remark: " << toString(std::move(E)) << '\n';
  return Done;
}

/// The parts of a space that `tune --shard` has tried.
static ExitStatus reportTunings(const Options &O, raw_ostream &Out,
                                raw_ostream &Err) {
  Expected<std::vector<Tuning>> Merged = mergeTunings(O.Files);
  if (!Merged) {
    Err << "gpu-estimate: error: " << toString(Merged.takeError()) << '\n';
    return WrongUsage;
  }
  std::string Text;
  raw_string_ostream OS(Text);
  if (O.Format == OutputFormat::Json) {
    printTuningJson(OS, *Merged, toolVersion());
  } else if (O.Format == OutputFormat::Text) {
    printTuningText(OS, *Merged, O.Tuning.Top);
  } else {
    Err << "gpu-estimate: error: --format: report supports text and json\n";
    return WrongUsage;
  }
  return writeOutput(O, OS.str(), Out, Err);
}

/// The parts of a space that `sweep --shard` has predicted.
static ExitStatus reportSweeps(const Options &O, raw_ostream &Out,
                               raw_ostream &Err) {
  Expected<MergedSweep> Merged = mergeSweeps(O.Files);
  if (!Merged) {
    Err << "gpu-estimate: error: " << toString(Merged.takeError()) << '\n';
    return WrongUsage;
  }
  const auto &[Surfaces, Limits] = *Merged;
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.Format) {
  case OutputFormat::Text:
    printSweepText(OS, Surfaces, Limits, O.Tuning.Top);
    break;
  case OutputFormat::Json:
    printSweepJson(OS, Surfaces, Limits, toolVersion());
    break;
  case OutputFormat::Html:
    printSweepHtml(OS, Surfaces, Limits, toolVersion());
    break;
  default:
    Err << "gpu-estimate: error: --format: report supports text, json and html "
           "for a sweep\n";
    return WrongUsage;
  }
  return writeOutput(O, OS.str(), Out, Err);
}

ExitStatus runReport(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  if (isTuningResult(O.Files.front()))
    return reportTunings(O, Out, Err);
  if (isSweepResult(O.Files.front()))
    return reportSweeps(O, Out, Err);
  Expected<Records> Found = readRecords(O.Files);
  if (!Found) {
    Err << "gpu-estimate: error: " << toString(Found.takeError()) << '\n';
    return WrongUsage;
  }
  for (const std::string &Problem : Found->Problems)
    Err << "gpu-estimate: warning: " << Problem << '\n';
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.Format) {
  case OutputFormat::Text:
    printRecordsText(OS, *Found);
    break;
  case OutputFormat::Json:
    printRecordsJson(OS, std::move(*Found), toolVersion());
    break;
  default:
    Err << "gpu-estimate: error: --format: report supports text and json\n";
    return WrongUsage;
  }
  return writeOutput(O, OS.str(), Out, Err);
}

} // namespace gpuestimate
