/// \file
/// `gpu-estimate run`.
#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Run/RunProgram.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

static std::string render(const Options &, ArrayRef<RunReport> Reports) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const RunReport &R : Reports) {
    OS << R.GpuName << " wall " << R.Totals.WallNs * 1e-6 << " ms kernels "
       << R.Totals.KernelNs * 1e-6 << "\n";
    for (const RunReportLaunch &L : R.Launches)
      OS << "  " << R.Estimates[L.Estimate].Name << " "
         << (L.EndNs - L.StartNs) * 1e-3 << " us\n";
    for (auto &N : R.Notices)
      OS << "note: " << N << "\n";
    for (auto &N : R.Faults)
      OS << "fault: " << N << "\n";
  }
  return OS.str();
}

ExitStatus runRun(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  Expected<std::vector<RunReport>> Reports = runProgram(O, Err);
  if (!Reports) {
    Error E = Reports.takeError();
    ExitStatus Status = E.isA<UsageError>() ? WrongUsage : NotAnalysed;
    Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
    return Status;
  }
  ExitStatus Status = writeOutput(O, render(O, *Reports), Out, Err);
  bool Failed = any_of(*Reports, [](const RunReport &R) {
    return R.ExitStatus != 0 || !R.Faults.empty();
  });
  return Status == Done && Failed ? BoundExceeded : Status;
}

} // namespace gpuestimate
