/// \file
/// The only place that knows the whole way: source -> module -> kernel models
/// -> launches -> predictions -> explanations -> report. The command line and
/// the plugin build Options and call in here.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_DRIVER_H
#define GPU_ESTIMATE_SESSION_PIPELINE_DRIVER_H

#include "gpu-estimate/Emulate/Arguments.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Model/Machine/Machines.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "gpu-estimate/Session/Settings/Config.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "gpu-estimate/Session/Settings/Profile.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Exit statuses of the contract.
enum ExitStatus : int {
  Done = 0,
  BoundExceeded = 1,
  WrongUsage = 2,
  NotAnalysed = 3,
};

/// The tool's version, as in "tool_version".
llvm::StringRef toolVersion();

/// A machine of --against.
struct Rival {
  AgainstRequest Request;
  CpuModel Cpu;   ///< Request.Kind == Cpu
  FpgaModel Fpga; ///< Request.Kind == Fpga

  const MachineIdentity &machine() const {
    if (Request.Kind == AgainstRequest::Cpu)
      return Cpu;
    return Fpga;
  }
};

/// Options and GPU models for one source file, the configuration included.
struct Setup {
  Options Given; ///< by the command line or as plugin arguments
  Options Opts;  ///< completed by what the configuration says for all kernels
  Config Project;
  std::vector<GpuModel> Gpus;    ///< with the overrides applied; not empty
  std::vector<GpuModel> AllGpus; ///< of the model folder; for charts only
  /// Models that are compared, in place of the options' one.
  std::vector<std::string> CompareModels;
  std::vector<KernelProfile> Profiles; ///< of the options' profile
  std::optional<GpuModel> ReferenceGpu;
  std::vector<Rival> Rivals;
  std::vector<GivenBuffer> Buffers; ///< of the options
  std::string ModelFolder;
  bool Details = true;    ///< what only reports show: loaded latencies, lines
  bool BreakEvens = true; ///< sizes from which another machine is faster
};

/// Finds the configuration and loads the GPU models. Errors are UsageErrors.
/// Before: that of another file with the same options, or null.
llvm::Expected<Setup> prepareSetup(const Options &O, llvm::StringRef SourceFile,
                                   const Setup *Before = nullptr);

/// What was said and meant nothing, after all files of a run: entries and names
/// of the configurations (see unusedSettings) and budgets of the options.
std::vector<Notice> unheard(llvm::ArrayRef<const Setup *> Setups,
                            llvm::ArrayRef<std::string> Analysed,
                            llvm::ArrayRef<const Analysis *> Results);

/// Analyses every kernel of one translation unit on the given models.
/// A kernel that cannot be estimated is an entry of Analysis::Unresolveds; the
/// only error is a UsageError: a launch from the command line that is
/// impossible, or a model or term that does not exist.
llvm::Expected<Analysis> analyze(TranslationUnit &&Unit, const Setup &S,
                                 llvm::ArrayRef<GpuModel> Gpus);

/// All that the plugin needs: prepareSetup() for the unit's main file, the
/// analysis, the JSON file that the options ask for, and the diagnostics that
/// neither options nor configuration silence.
llvm::Expected<std::vector<Diagnostic>> analyzeForPlugin(TranslationUnit &&Unit,
                                                         const Options &O);

/// Replaces the JSON file that the options ask for, where an analysis of
/// MainFile was ended from outside: no kernel has an estimate, for Reason. What
/// an earlier compile left there must not be taken for this one's.
llvm::Error recordFailure(const Options &O, llvm::StringRef MainFile,
                          llvm::StringRef Reason);

/// `gpu-estimate analyze`: the report goes to Out or to the options' file, all
/// at once and only when it is whole; problems go to Err.
ExitStatus runAnalyze(const Options &O, llvm::raw_ostream &Out,
                      llvm::raw_ostream &Err);

/// `gpu-estimate cc`'s analysis of one source (Options::Files) of a compiler's
/// command, just as the plugin would make it. Findings go to Err, and what
/// kept it from an estimate is a remark there: Done, or BoundExceeded where a
/// finding is an error.
ExitStatus runAnalyzeCommand(const Options &O, llvm::raw_ostream &Err);

/// `gpu-estimate report FOLDER...`: the records that compiles left there, as
/// one table or one JSON object.
ExitStatus runReport(const Options &O, llvm::raw_ostream &Out,
                     llvm::raw_ostream &Err);

/// `gpu-estimate golden`: compares what the files take with the golden file, or
/// writes it. BoundExceeded where anything has changed beyond the tolerance.
ExitStatus runGolden(const Options &O, llvm::raw_ostream &Out,
                     llvm::raw_ostream &Err);

/// `gpu-estimate diff BEFORE AFTER` (Options::Files): two results as JSON, or
/// two folders of records, compared in the same way.
ExitStatus runDiff(const Options &O, llvm::raw_ostream &Out,
                   llvm::raw_ostream &Err);

/// `gpu-estimate compare`: every model on the same launches and GPUs.
ExitStatus runCompare(const Options &O, llvm::raw_ostream &Out,
                      llvm::raw_ostream &Err);

/// `gpu-estimate tune`: configurations of one kernel, ranked. NotAnalysed where
/// none of them has an estimate.
ExitStatus runTune(const Options &O, llvm::raw_ostream &Out,
                   llvm::raw_ostream &Err);

/// `gpu-estimate validate`: predicts the measured cases of the datasets and
/// reports the errors; BoundExceeded where one is above its record, NotAnalysed
/// where a case could not be predicted.
ExitStatus runValidate(const Options &O, llvm::raw_ostream &Out,
                       llvm::raw_ostream &Err);

/// `gpu-estimate gpus`: the list of models; with a name, every value of one.
ExitStatus runGpus(llvm::StringRef Name, const Options &O,
                   llvm::raw_ostream &Out, llvm::raw_ostream &Err);

/// `gpu-estimate gpus --check FILE`: what is wrong with a model file.
ExitStatus runGpuCheck(llvm::StringRef File, llvm::raw_ostream &Out,
                       llvm::raw_ostream &Err);

/// `gpu-estimate measure`: runs the microbenchmarks on this machine's GPU, or
/// reads the raw samples of such a run, and writes a model file. NotAnalysed
/// where there is no compiler, no GPU, or no whole model in the samples.
ExitStatus runMeasure(const Options &O, llvm::raw_ostream &Out,
                      llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
