/// \file
/// The command line tool: arguments to Options, Options to Driver.
#include "CommandLine.h"

#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Commands/Run/RunProgram.h"
#include "gpu-estimate/Serve/Serve.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "llvm/Support/InitLLVM.h"

using namespace gpuestimate;

int main(int ArgCount, char **Args) {
  llvm::InitLLVM Crashes(ArgCount, Args);
  Command Parsed = parseCommandLine(ArgCount, Args);
  switch (Parsed.Kind) {
  case Command::Analyze:
    return runAnalyze(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::AnalyzeCommand:
    return runAnalyzeCommand(Parsed.Opts, llvm::errs());
  case Command::Report:
    return runReport(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Golden:
    return runGolden(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Diff:
    return runDiff(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Compare:
    return runCompare(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Tune:
    return runTune(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Sweep:
    return runSweep(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Run:
    return runRun(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Serve:
    return runServe(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::BuildCommand:
    return buildForRun(Parsed.Opts, llvm::errs());
  case Command::ListGpus:
    return runGpus(Parsed.GpuName, Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::ScaleGpus:
    return runGpuScale(Parsed.ScaledGpus[0], Parsed.ScaledGpus[1], Parsed.Opts,
                       llvm::outs(), llvm::errs());
  case Command::DeriveGpu:
    return runGpuDerive(Parsed.DerivedFrom, Parsed.FactSource, Parsed.Opts,
                        llvm::outs(), llvm::errs());
  case Command::CheckGpu:
    return runGpuCheck(Parsed.GpuFile, llvm::outs(), llvm::errs());
  case Command::Validate:
    return runValidate(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Measure:
    return runMeasure(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Doctor:
    return runDoctor(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::BugReport:
    return runBugReport(Parsed.Opts, llvm::outs(), llvm::errs());
  case Command::Print:
    llvm::outs() << Parsed.Text;
    return Done;
  case Command::Remark:
    llvm::errs() << "gpu-estimate: remark: " << Parsed.Text << '\n';
    return Done;
  case Command::Complain:
    llvm::errs() << "gpu-estimate: error: " << Parsed.Text << '\n';
    return WrongUsage;
  }
  llvm_unreachable("all commands are handled");
}
