/// \file
/// `gpu-estimate run`.
#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Commands/Run/RunProgram.h"
#include "gpu-estimate/Report/Run/Run.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

static std::string render(const Options &O, ArrayRef<RunReport> Reports) {
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.Run.Format) {
  case RunFormat::Text:
    printRunText(OS, Reports);
    break;
  case RunFormat::Json:
    printRunJson(OS, Reports, toolVersion());
    break;
  case RunFormat::Html:
    printRunHtml(OS, Reports, toolVersion());
    break;
  case RunFormat::ChromeTrace:
    printRunTrace(OS, Reports);
    break;
  case RunFormat::Csv:
    for (const RunReport &Report : Reports)
      for (const RunTable &Table : runTables(Report))
        OS << Table.Name << (Reports.size() > 1 ? " on " + Report.Gpu : "")
           << '\n'
           << Table.Text << '\n';
    break;
  }
  return OS.str();
}

/// As `nsys stats --output BASE` does: one file BASE_TABLE.csv for each table.
/// With several GPUs, BASE_GPU_TABLE.csv.
static ExitStatus writeTables(const Options &O, ArrayRef<RunReport> Reports,
                              raw_ostream &Err) {
  for (const RunReport &Report : Reports)
    for (const RunTable &Table : runTables(Report)) {
      std::string File = O.OutputFile + "_" +
                         (Reports.size() > 1 ? Report.Gpu + "_" : "") +
                         Table.Name + ".csv";
      if (Error E = writeWhole(File, Table.Text)) {
        Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
        return WrongUsage;
      }
    }
  return Done;
}

ExitStatus runRun(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  Expected<std::vector<RunReport>> Reports = runProgram(O, Err);
  if (!Reports) {
    Error E = Reports.takeError();
    ExitStatus Status = E.isA<UsageError>() ? WrongUsage : NotAnalysed;
    Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
    return Status;
  }
  bool Tables = O.Run.Format == RunFormat::Csv && !O.OutputFile.empty();
  ExitStatus Status = Tables ? writeTables(O, *Reports, Err)
                             : writeOutput(O, render(O, *Reports), Out, Err);
  bool Failed = any_of(*Reports, [](const RunReport &R) {
    return R.ExitStatus != 0 || !R.Faults.empty();
  });
  bool LacksResults = any_of(
      *Reports, [](const RunReport &R) { return !R.Unexecuted.empty(); });
  if (Status != Done)
    return Status;
  return LacksResults ? NotAnalysed : Failed ? BoundExceeded : Done;
}

} // namespace gpuestimate
