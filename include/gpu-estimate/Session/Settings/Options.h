/// \file
/// Everything that a user can say, as one plain struct, and the one table of
/// options that fills it. The command line, the plugin's KEY=VALUE arguments,
/// the configuration file and docs/cli.md are all made from this table, so
/// they cannot drift apart.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_OPTIONS_H
#define GPU_ESTIMATE_SESSION_SETTINGS_OPTIONS_H

#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Model/Kernel/IndexPattern.h"
#include "gpu-estimate/Model/Result/TargetComparison.h"
#include "gpu-estimate/Session/Settings/Budget.h"
#include "gpu-estimate/Session/Settings/SearchSpace.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuestimate {

/// Form of `--formulas`: a part of the report, or functions in place of it.
enum class FormulaForm : uint8_t { Text, Python, C };

enum class OutputFormat : uint8_t {
  Text,
  Json,
  Diagnostics,
  Html,
  Sarif,
  OptimisationRecords
};
/// The intermediate results of --dump.
enum class DumpKind : uint8_t {
  KernelModel,
  Requests,
  Traffic,
  Cache,
  Schedule,
  Bounds
};
enum class ValidationFormat : uint8_t {
  Errors, ///< the table of ModelError.h
  Text,
  Json,
  Csv,
  Html,
  Markdown,
  Scaling
};
enum class ChangeFormat : uint8_t { Text, Markdown, Html };
enum class TuneFormat : uint8_t { Text, Csv, Json, Html };
/// Use of the recorded errors by `validate`: fail above them; print a file with
/// the errors found; none.
enum class BoundsMode : uint8_t { Check, Print, Off };

/// The parts of a launch that one source (command line, configuration,
/// annotation) states; the others come from a lower authority.
struct LaunchSettings {
  std::optional<std::array<uint64_t, 3>> Grid, Block;
  std::optional<uint64_t> DynamicSharedBytes;

  bool any() const { return Grid || Block || DynamicSharedBytes; }
};

/// NAME=VALUE in the order in which they were given.
using NamedValues = std::vector<std::pair<std::string, double>>;

/// Which launches of a run execute on the CPU.
enum class RunExecution : uint8_t {
  All,
  Sampled, ///< of each launch only the thread blocks that are traced
  None
};
enum class ServeProtocol : uint8_t {
  JsonLines,
  ModelContext,
  LanguageServer,
  Http
};

/// Part Index, from 1, of work that is divided among Count processes.
struct Shard {
  unsigned Index = 1, Count = 1;
};

enum class RunFormat : uint8_t { Text, Json, Html, ChromeTrace, Csv };

/// The options of `run`.
struct RunRequest {
  std::vector<std::string> ProgramArguments;
  RunExecution Execute = RunExecution::All;
  double ExecuteSeconds = 300;
  unsigned Devices = 1;  ///< that the program finds
  unsigned Threads = 0;  ///< that execute kernels; 0: one for each core
  bool Checks = true;    ///< wrong accesses of kernels are found
  bool AllRaces = false; ///< races are searched in all thread blocks
  double HostSpeed = 1;  ///< of the modelled host, relative to this one
  std::string SaveFile;
  RunFormat Format = RunFormat::Text;
  /// File descriptor of a socket to a program that runs already.
  std::optional<int> ProgramSocket;
};

/// The options of `golden` and `diff`.
struct ChangeRequest {
  std::string GoldenFile;  ///< of golden
  bool Update = false;     ///< write GoldenFile, in place of comparing
  double Tolerance = 0.05; ///< a fraction
  VerdictRule When = VerdictRule::Likely;
  ChangeFormat Format = ChangeFormat::Text;
  bool FailOnRegression = false; ///< false: on any change
  /// The compilers of golden's --compiler, in the order of the command line.
  std::vector<DeviceCompiler> Compilers;
  /// golden explains changes; the revision of the golden file, if not empty.
  std::optional<std::string> Explain;
};

/// The options of `validate`.
struct ValidationRequest {
  std::vector<std::string> Datasets; ///< names or folders; empty: all
  std::string Folder;                ///< empty: the shipped one
  std::string SourcesFolder;         ///< of checkouts, named owner+name
  BoundsMode Bounds = BoundsMode::Check;
  bool Record = false;
  bool Ablation = false; ///< also without each term of the default model
  ValidationFormat Format = ValidationFormat::Text;
};

/// The options of `measure`.
struct MeasureRequest {
  std::string Out; ///< model file; empty: <id>.yaml of the work folder
  std::string Work = "gpu-estimate-measure";
  std::string Raw;  ///< folder of raw samples: fit, do not run
  std::string Base; ///< model for what is not measured; empty: nearest
  std::string Compiler;
  std::vector<std::string> Only; ///< groups
  bool Quick = false;
};

/// The options of `serve`.
struct ServeRequest {
  std::optional<ServeProtocol> Protocol;
  std::string HttpAddress; ///< ADDRESS:PORT
};

/// The options of `bug-report`.
struct BugReportRequest {
  bool WithSource = false; ///< it contains the whole source
  bool Reduce = false;     ///< it contains a reduced one
};

/// Launches of a file, in place of those of host code (`--launches`).
struct LaunchFileRequest {
  std::string File;       ///< empty: none
  std::string MeasuredOn; ///< GPU of its times; empty: as the file says
  bool Transfer = false;  ///< multiply its times by the ratio of two GPUs
};

/// How Triton's compiler makes the code of a kernel in a file of Python.
struct TritonRequest {
  std::string Signature;              ///< "*fp32,*fp32,i32"
  std::vector<std::string> Constants; ///< NAME=VALUE of each tl.constexpr
  std::vector<std::string> Settings;  ///< NAME=VALUE: num_warps=8

  bool isGiven() const {
    return !Signature.empty() || !Constants.empty() || !Settings.empty();
  }
};

struct Options {
  std::vector<std::string> Files;

  // Machine.
  std::vector<std::string> Gpus;
  std::vector<std::string> GpuOverrides; ///< "KEY=VALUE" for setGpuValue
  std::string ModelFolder;               ///< empty: the shipped models

  // Launch and arguments.
  std::string KernelRegex; ///< empty: every kernel
  TritonRequest Triton;
  LaunchSettings Launch;
  NamedValues Parameters;
  /// Pointer arguments that point into the buffer of another one: NAME, and
  /// "OTHER + OFFSET" in elements of NAME.
  std::vector<std::pair<std::string, std::string>> Pointers;
  std::vector<IndexPattern> Patterns;
  bool Emulate = false;
  /// Contents of buffers: NAME, and a file or rule.
  std::vector<std::pair<std::string, std::string>> Buffers;
  LaunchFileRequest LaunchFile;
  std::string ConfigFile; ///< empty: searched upward from the source file

  // Model.
  std::optional<std::string> Model;
  std::optional<CacheState> Caches;
  CacheRule Hits = CacheRule::LayerConditions;
  std::optional<LaunchTiming> Timing;
  std::optional<double> L1Hit, L2Hit;
  std::optional<DivisionOperands> Divisions;
  std::vector<std::string> Without;
  std::optional<unsigned> Registers;
  WarpOrder Order = WarpOrder::GreedyThenOldest;
  double IntervalLevel = DefaultIntervalLevel;
  std::string ProfileFile; ///< empty: our own counters
  std::optional<SpecialOperations> Special;
  double TrafficWeight = 1;
  /// GPU and milliseconds: a time that was measured.
  std::optional<std::pair<std::string, double>> Reference;

  // Source.
  std::string CompilationDatabase; ///< folder of compile_commands.json
  bool NoCudaSdk = false;
  std::string CudaPath;
  /// Files whose device code is linked to that of each source.
  std::vector<std::string> Linked;
  std::string GpuArch; ///< empty: the compute capability of the GPU
  /// Compiler of a CUDA file's device code; nothing: that of the command line.
  std::optional<DeviceCompiler> Compiler;
  std::string MachineCode; ///< "on", "off"; empty: on, without a notice
  std::string Ptxas;       ///< empty: search PATH; "off": never; else its path
  std::string Nvcc;        ///< the same, if AsksNvcc
  bool AsksNvcc = false;   ///< of the command: it has the time
  /// "refused", "always", "never"; empty: refused if AsksNvcc, else never.
  std::string ViaPtx;
  std::vector<std::string> ClangArguments;
  /// analyze-command: the compiler and its arguments.
  std::vector<std::string> CompilerCommand;
  Shard Part; ///< of a database, tune or sweep
  /// Contents of the one file, in place of those on disk, if there are any.
  std::optional<std::string> SourceText;
  /// Becomes true when nobody waits for the analysis any more; it then ends
  /// soon, with an error or without estimates. Null: never.
  std::shared_ptr<const std::atomic<bool>> Cancelled;
  /// Headers that a process keeps which parses many sources; null: none.
  std::shared_ptr<HeaderCache> Headers;
  /// Records of a whole database; empty: gpu-estimate in its folder.
  std::string ResultsFolder;
  /// Seconds of processor time that the analysis may take, of a kernel on a
  /// GPU or, in the plugin, of a file; 0: no limit.
  std::optional<double> Deadline;
  /// Bytes that the analysis may take beyond what the process had; 0: no limit.
  std::optional<double> MemoryLimit;
  /// The command line but for what only shapes the output.
  std::string CommandText;

  // Loops of plain C and C++.
  OffloadRequest Offload;
  bool AssumeIndependent = false; ///< the user vouches for every loop
  std::vector<TargetRequest> Against;

  // Tuning; format and rows also of a sweep.
  TuningRequest Tuning;
  TuneFormat TuneAs = TuneFormat::Text;

  // Sweep and cards.
  SweepRequest Sweep;
  ScalingRequest Scaling; ///< also of validate
  NamedValues Prices;     ///< of an hour, by GPU

  // Runs of whole programs.
  RunRequest Run;

  // Other subcommands.
  ServeRequest Serve;
  ChangeRequest Changes;
  ValidationRequest Validation;
  MeasureRequest Measure;
  BugReportRequest BugReport;

  // Output.
  OutputFormat Format = OutputFormat::Text;
  std::string OutputFile;   ///< empty: standard output
  std::string JsonFile;     ///< also write JSON here
  std::string ChartsFolder; ///< also write charts here
  bool KeepGoing = false;   ///< plugin: our problems never fail a compile
  std::optional<FormulaForm> Formulas; ///< print them
  bool PrintWork = false;
  std::optional<DumpKind> Dump; ///< print this instead of the report
  bool AllFindings = false;     ///< diagnostics are neither selected nor merged
  std::vector<std::string> Silenced; ///< diagnostic groups, without prefix
  std::vector<std::string> Errors;   ///< groups that fail the run
  std::vector<Budget> Budgets;
  VerdictRule BudgetWhen = VerdictRule::Likely;

  /// Formulas are printed on request, and are part of every JSON file.
  bool wantsFormulas() const {
    return Formulas.has_value() || Format == OutputFormat::Json ||
           !JsonFile.empty();
  }
  bool wantsCharts() const {
    return Format == OutputFormat::Html || !ChartsFolder.empty();
  }
};

enum class OptionSection : uint8_t {
  Machine,
  Launch,
  Model,
  Source,
  Tuning,
  Sweep,
  Run,
  Serve,
  Validation,
  Measuring,
  Output
};
llvm::StringRef name(OptionSection Section);

/// The subcommands that take an option, to be combined.
enum TakenBy : uint16_t {
  ByAnalyze = 1, ///< and the plugin, by its key
  ByGpus = 2,
  ByValidate = 4,
  ByMeasure = 8,
  ByCompare = 16,
  ByReport = 32,
  ByGolden = 64,
  ByDiff = 128,
  ByTune = 256,
  BySweep = 512,
  ByRun = 1024,
  ByServe = 2048,
  ByDoctor = 4096,
  ByBugReport = 8192,
};

/// Where .gpu-estimate.yaml takes an option by its key.
enum class ConfigScope : uint8_t {
  None,
  File,      ///< for all kernels
  Kernel,    ///< in an entry of `kernels`
  Everywhere ///< in both
};

/// One row of the option table.
struct OptionSpec {
  llvm::StringRef Spelling; ///< command line: "--gpu", "-o"; "" = plugin only
  llvm::StringRef Key;      ///< plugin argument; "" = command line only
  ConfigScope Scope;
  /// "" for a flag; "[=A|B]" for a flag that may have a value.
  llvm::StringRef Metavariable;
  bool Repeatable;
  OptionSection Section;
  llvm::StringRef Help;
  llvm::Error (*Parse)(Options &, llvm::StringRef Value);
  unsigned Commands = ByAnalyze | ByCompare;

  bool isValueOptional() const { return Metavariable.starts_with("[="); }
  /// "--gpu ID", "--formulas[=text|c]"
  std::string withMetavariable() const {
    bool NeedsBlank = !Metavariable.empty() && !isValueOptional();
    return (Spelling + (NeedsBlank ? " " : "") + Metavariable).str();
  }
  bool inFile() const {
    return Scope == ConfigScope::File || Scope == ConfigScope::Everywhere;
  }
  bool inKernel() const {
    return Scope == ConfigScope::Kernel || Scope == ConfigScope::Everywhere;
  }
};

/// All options, in the order of the help text.
llvm::ArrayRef<OptionSpec> optionTable();

/// Applies one row; the error is a UsageError that starts with the spelling.
llvm::Error applyOption(Options &O, const OptionSpec &Spec,
                        llvm::StringRef SpelledAs, llvm::StringRef Value);

/// Applies a plugin argument "KEY=VALUE" (or "KEY" for a flag). Unknown keys
/// are UsageErrors that suggest the nearest ones.
llvm::Error applyPluginArgument(Options &O, llvm::StringRef KeyEqualsValue);

/// Text of `gpu-estimate --help` and of the subcommands', of at most 40 lines
/// of 80 columns: with All, every option of the command instead of those that
/// are most used.
std::string toolHelp();
std::string commandHelp(TakenBy Command, bool All = false);
std::string wrapperHelp(); ///< `gpu-estimate cc`

/// The reference page docs/cli.md, generated from the table.
std::string optionReference();

/// An error of the command line or configuration: exit status 2.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;
  explicit UsageError(std::string Message) : Message(std::move(Message)) {}
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string Message;
};

/// A UsageError that says Message.
llvm::Error usage(const llvm::Twine &Message);

} // namespace gpuestimate

#endif
