/// \file
/// Entry functions of the commands, called with the parsed command line.
/// Reports go to Out or to the options' file, all at once and only when they
/// are whole; problems go to Err.
#ifndef GPU_ESTIMATE_CLI_COMMANDS_H
#define GPU_ESTIMATE_CLI_COMMANDS_H

#include "gpu-estimate/Commands/Sweep/Sweep.h"
#include "gpu-estimate/Commands/Tune/Tune.h"
#include "gpu-estimate/Commands/Validation/Validate.h"
#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// `gpu-estimate analyze FILE...`.
ExitStatus runAnalyze(const Options &O, llvm::raw_ostream &Out,
                      llvm::raw_ostream &Err);

/// `gpu-estimate cc`: analyses one source (Options::Files) of a compiler's
/// command as the plugin does. Findings go to Err, and a remark if there is no
/// estimate. Done, or BoundExceeded if a finding is an error.
ExitStatus runAnalyzeCommand(const Options &O, llvm::raw_ostream &Err);

/// `gpu-estimate report FOLDER...`: the records that compiles left there, as
/// one table or one JSON object.
ExitStatus runReport(const Options &O, llvm::raw_ostream &Out,
                     llvm::raw_ostream &Err);

/// `gpu-estimate golden`: compares the predicted times with the golden file, or
/// writes it. BoundExceeded if one has changed beyond the tolerance.
ExitStatus runGolden(const Options &O, llvm::raw_ostream &Out,
                     llvm::raw_ostream &Err);

/// `gpu-estimate diff BEFORE AFTER` (Options::Files): compares two results as
/// JSON, or two folders of records.
ExitStatus runDiff(const Options &O, llvm::raw_ostream &Out,
                   llvm::raw_ostream &Err);

/// `gpu-estimate compare`: every model on equal launches and GPUs.
ExitStatus runCompare(const Options &O, llvm::raw_ostream &Out,
                      llvm::raw_ostream &Err);

/// `gpu-estimate run`: a whole program, executed on the CPU, with the time line
/// of each GPU. BoundExceeded if a kernel or the program failed.
ExitStatus runRun(const Options &O, llvm::raw_ostream &Out,
                  llvm::raw_ostream &Err);

/// `gpu-estimate gpus`: the list of models; with a name, every value of one.
ExitStatus runGpus(llvm::StringRef Name, const Options &O,
                   llvm::raw_ostream &Out, llvm::raw_ostream &Err);

/// `gpu-estimate gpus --scale A B`: for each bound, the ratio of the times that
/// a kernel with this bound takes on the two GPUs; with Options::Prices also
/// the ratio of the costs.
ExitStatus runGpuScale(llvm::StringRef A, llvm::StringRef B, const Options &O,
                       llvm::raw_ostream &Out, llvm::raw_ostream &Err);

/// `gpu-estimate gpus --derive FROM --set FACT...`: a model file for a GPU that
/// differs from FROM in the facts of --set, of which Source is the source.
ExitStatus runGpuDerive(llvm::StringRef From, llvm::StringRef Source,
                        const Options &O, llvm::raw_ostream &Out,
                        llvm::raw_ostream &Err);

/// `gpu-estimate gpus --check FILE`: the errors of a model file.
ExitStatus runGpuCheck(llvm::StringRef File, llvm::raw_ostream &Out,
                       llvm::raw_ostream &Err);

/// `gpu-estimate doctor`: what this machine has that gpu-estimate uses, and
/// what each missing component would add. NotAnalysed if a part of gpu-estimate
/// itself is missing.
ExitStatus runDoctor(const Options &O, llvm::raw_ostream &Out,
                     llvm::raw_ostream &Err);

/// `gpu-estimate bug-report FILE...`: analyses the files in a process of its
/// own and writes what a report of a fault needs; no source unless
/// Options::WithSource or Options::Reduce ask for it. Done, however the
/// analysis ends.
ExitStatus runBugReport(const Options &O, llvm::raw_ostream &Out,
                        llvm::raw_ostream &Err);

/// `gpu-estimate measure`: runs the microbenchmarks on this machine's GPU, or
/// reads the raw samples of such a run, and writes a model file. NotAnalysed if
/// there is no compiler, no GPU, or no complete model in the samples.
ExitStatus runMeasure(const Options &O, llvm::raw_ostream &Out,
                      llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
