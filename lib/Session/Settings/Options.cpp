/// \file
/// The option table and the three ways in: command line, plugin, configuration.
#include "ModelOptions.h"
#include "TuneOptions.h"

#include "ParseValue.h"
#include "gpu-estimate/Report/Diagnostics/DiagnosticTable.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace gpuestimate {

char UsageError::ID = 0;
void UsageError::log(raw_ostream &OS) const { OS << Message; }
std::error_code UsageError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}

Error usage(const Twine &Message) {
  return make_error<UsageError>(Message.str());
}

template <typename T, typename U>
static Error store(T &Target, Expected<U> Value) {
  if (!Value)
    return Value.takeError();
  Target = std::move(*Value);
  return Error::success();
}

/// Parsers that store the text, add it to a list, or raise a flag.
template <std::string Options::*Member>
static Error setText(Options &O, StringRef Value) {
  O.*Member = Value.str();
  return Error::success();
}
template <std::vector<std::string> Options::*Member>
static Error append(Options &O, StringRef Value) {
  (O.*Member).push_back(Value.str());
  return Error::success();
}
template <bool Options::*Member> static Error raise(Options &O, StringRef) {
  O.*Member = true;
  return Error::success();
}

static Error appendParameter(Options &O, StringRef Value) {
  auto Named = parseNamedValue(Value);
  if (!Named)
    return Named.takeError();
  O.Parameters.push_back(std::move(*Named));
  return Error::success();
}

static Error appendBuffer(Options &O, StringRef Value) {
  auto [Name, Contents] = Value.split('=');
  if (Name.trim().empty() || Contents.trim().empty())
    return usage("expected NAME=FILE.npy, random, iota or zeros, got '" +
                 Value + "'");
  O.Buffers.push_back({Name.trim().str(), Contents.trim().str()});
  O.Emulate = true;
  return Error::success();
}

static Error setModel(Options &O, StringRef Value) {
  O.Model = Value.str();
  return Error::success();
}

static Error parseFormat(Options &O, StringRef Value) {
  auto Known = StringSwitch<std::optional<OutputFormat>>(Value)
                   .Case("text", OutputFormat::Text)
                   .Case("json", OutputFormat::Json)
                   .Case("html", OutputFormat::Html)
                   .Case("diagnostics", OutputFormat::Diagnostics)
                   .Case("sarif", OutputFormat::Sarif)
                   .Case("opt-record", OutputFormat::OptimisationRecords)
                   .Default(std::nullopt);
  if (!Known)
    return usage("expected text, json, html, diagnostics, sarif or "
                 "opt-record, got '" +
                 Value + "'");
  O.Format = *Known;
  return Error::success();
}

static Error parseValidationFormat(Options &O, StringRef Value) {
  using Format = ValidationFormat;
  auto Known = StringSwitch<std::optional<Format>>(Value)
                   .Case("text", Format::Text)
                   .Case("json", Format::Json)
                   .Case("csv", Format::Csv)
                   .Case("html", Format::Html)
                   .Case("markdown", Format::Markdown)
                   .Default(std::nullopt);
  if (!Known)
    return usage("expected text, json, csv, html or markdown, got '" + Value +
                 "'");
  O.ValidationAs = *Known;
  return Error::success();
}

static Error parseBounds(Options &O, StringRef Value) {
  auto Known = StringSwitch<std::optional<BoundsMode>>(Value)
                   .Case("check", BoundsMode::Check)
                   .Case("print", BoundsMode::Print)
                   .Case("off", BoundsMode::Off)
                   .Default(std::nullopt);
  if (!Known)
    return usage("expected check, print or off, got '" + Value + "'");
  O.Bounds = *Known;
  return Error::success();
}

static Error parseKernel(Options &O, StringRef Value) {
  std::string Problem;
  if (!Regex(Value).isValid(Problem))
    return usage("not a regular expression: '" + Value + "': " + Problem);
  O.KernelRegex = Value.str();
  return Error::success();
}

static Error checkDiagnosticGroup(StringRef Name) {
  if (Name == "all" || findDiagnosticGroup(Name))
    return Error::success();
  std::vector<std::string> Known = {"all"};
  for (const DiagnosticGroupInfo &Row : diagnosticTable())
    Known.push_back(Row.Name.str());
  return usage("no diagnostic group is called '" + Name + "'" +
               didYouMean(Name, Known) +
               "; there are: " + diagnosticGroupNames() + ", all");
}

template <std::vector<std::string> Options::*Member>
static Error parseGroups(Options &O, StringRef Value) {
  SmallVector<StringRef, 4> Groups;
  Value.split(Groups, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Group : Groups) {
    if (Error E = checkDiagnosticGroup(Group))
      return E;
    (O.*Member).push_back(Group.str());
  }
  return Error::success();
}

static Error parseOffload(Options &O, StringRef Value) {
  if (Value == "auto") {
    O.Offload.Propose = true;
    return Error::success();
  }
  // A qualified name has colons of its own.
  size_t Colon = Value.rfind(':');
  if (Colon != StringRef::npos && Colon > 0 && Value[Colon - 1] == ':')
    Colon = StringRef::npos;
  StringRef Function = Value.take_front(Colon);
  StringRef Loop =
      Colon == StringRef::npos ? StringRef() : Value.drop_front(Colon + 1);
  if (Function.empty() || (Colon != StringRef::npos && Loop.empty()))
    return usage("expected FUNCTION, FUNCTION:LOOP or auto, got '" + Value +
                 "'");
  O.Offload.Targets.push_back({Function.str(), Loop.str()});
  return Error::success();
}

static Error parseAgainst(Options &O, StringRef Value) {
  AgainstRequest Request;
  StringRef Rest = Value;
  // A path may have colons of its own; cores are digits.
  auto [Before, After] = Rest.rsplit(':');
  unsigned Cores = 0;
  if (!After.empty() && !After.getAsInteger(10, Cores)) {
    if (Cores == 0)
      return usage("--against needs at least one core, got '" + Value + "'");
    Request.Cores = Cores;
    Rest = Before;
  }
  auto [Kind, Name] = Rest.split('=');
  if (Kind == "fpga")
    Request.Kind = AgainstRequest::Fpga;
  if ((Kind != "cpu" && Kind != "fpga") || (Name.empty() && Rest.contains('=')))
    return usage("expected cpu, cpu=NAME, cpu=NAME:CORES, fpga or fpga=NAME, "
                 "got '" +
                 Value + "'");
  if (Request.Cores && Request.Kind == AgainstRequest::Fpga)
    return usage("an FPGA has no cores, got '" + Value + "'");
  Request.Name = Name.str();
  O.Against.push_back(std::move(Request));
  return Error::success();
}

static constexpr ConfigScope InConfig = ConfigScope::File,
                             NotInConfig = ConfigScope::None,
                             PerKernel = ConfigScope::Kernel,
                             Everywhere = ConfigScope::Everywhere;
static constexpr unsigned Sources = ByAnalyze | ByCompare | ByTune;
static constexpr bool Repeats = true, Once = false;

// clang-format off
static const OptionSpec Table[] = {
    {"--gpu", "gpu", InConfig, "ID", Repeats, OptionSection::Machine,
     "GPU to predict for: an id or alias of a GPU model, an architecture (sm_90: every model of it), or a model file's path. `gpu-estimate gpus` lists the ids.",
     append<&Options::Gpus>, ByAnalyze | ByCompare | ByValidate | ByTune},
    {"--set", "set", InConfig, "GPUKEY=VALUE", Repeats, OptionSection::Machine,
     "Override one value of the GPU model for this run, with its unit: core_clock=1410MHz, sm_count=54. Shown in the output.",
     [](Options &O, StringRef V) -> Error {
       if (!V.contains('='))
         return usage("expected GPUKEY=VALUE, got '" + V + "'");
       O.GpuOverrides.push_back(V.str());
       return Error::success();
     }, ByAnalyze | ByCompare | ByGpus | ByValidate | ByTune},
    {"--model-folder", "model-folder", NotInConfig, "DIR", Once, OptionSection::Machine,
     "Folder with GPU model files, in place of the shipped one.",
     setText<&Options::ModelFolder>, ByAnalyze | ByCompare | ByGpus | ByValidate | ByMeasure | ByTune},

    {"--kernel", "kernel", NotInConfig, "REGEX", Once, OptionSection::Launch,
     "Analyse only the kernels whose demangled or mangled name contains a match; in a validation, the kernels with such a label.", parseKernel, ByAnalyze | ByCompare | ByValidate | ByTune},
    {"--grid", "grid", PerKernel, "X[,Y[,Z]]", Once, OptionSection::Launch,
     "Blocks of the launch, in place of what the source says.",
     [](Options &O, StringRef V) { return store(O.Launch.Grid, parseSizes(V)); }},
    {"--block", "block", PerKernel, "X[,Y[,Z]]", Once, OptionSection::Launch,
     "Threads of a block, in place of what the source says.",
     [](Options &O, StringRef V) { return store(O.Launch.Block, parseSizes(V)); }},
    {"--dynamic-smem", "dynamic-smem", PerKernel, "BYTES", Once, OptionSection::Launch,
     "Dynamic shared memory of a block.",
     [](Options &O, StringRef V) { return store(O.Launch.DynamicSharedBytes, parseInteger(V)); }},
    {"--param", "param", Everywhere, "NAME=VALUE", Repeats, OptionSection::Launch,
     "Value of a kernel argument (for a pointer: the element count of its buffer), of a variable of the host code that a launch uses, or of an unknown by the name that the report gives it.",
     appendParameter},
    {"--budget", "budget", Everywhere, "[KERNEL=]TIME[@GPU]", Repeats, OptionSection::Launch,
     "Most that a launch may take, as 1.5ms or 20us: of the kernels whose whole name the regular expression KERNEL matches, or of all; on a GPU, or on all.",
     [](Options &O, StringRef V) -> Error {
       auto Parsed = parseBudget(V);
       if (!Parsed)
         return Parsed.takeError();
       O.Budgets.push_back(std::move(*Parsed));
       return Error::success();
     }, ByAnalyze},
    {"--emulate", "emulate", NotInConfig, "", Once, OptionSection::Launch,
     "Settle trip counts, branches and addresses that depend on data by emulating some warps of each launch, on the contents that --buffer gives.",
     raise<&Options::Emulate>},
    {"--buffer", "buffer", NotInConfig, "NAME=FILE.npy|random|iota|zeros", Repeats, OptionSection::Launch,
     "What a buffer holds when a launch is emulated; NAME is a pointer argument (p.data for a member of a structure) or a variable of the device. Implies --emulate. Other buffers hold zeros.",
     appendBuffer},
    {"--config", "config", NotInConfig, "FILE", Once, OptionSection::Launch,
     "Configuration file, in place of the .gpu-estimate.yaml that is found upward from the source file.",
     setText<&Options::ConfigFile>, Sources},

    {"--model", "model", InConfig, "M", Once, OptionSection::Model,
     "Performance model: latency-bandwidth, mwp-cwp, quantitative-roofline, interval, sustained-roofline (the baseline of validations) or roofline (DRAM bytes and operations at peak rates); a validation also takes all. Default: latency-bandwidth.",
     setModel, ByAnalyze | ByValidate | ByTune},
    {"--caches", "caches", Everywhere, "cold|warm", Once, OptionSection::Model,
     "What the launch finds in L2: cold, nothing (profilers flush it); warm, what the same launch left behind (back-to-back timing). Default: warm.",
     parseCaches, Sources},
    {"--timing", "timing", Everywhere, "back-to-back|single|graph", Once, OptionSection::Model,
     "How launches follow each other, which decides what one costs beside its execution: many in a stream, one alone, or nodes of a graph. Default: back-to-back with warm caches, single with cold ones.",
     parseTiming, Sources},
    {"--assume", "assume", Everywhere, "l1=F,l2=F,NAME=VALUE,access@PLACE=PATTERN", Repeats, OptionSection::Model,
     "Hit fractions in place of the computed ones, values of unknowns, and the pattern of data that addresses depend on: sequential (idx[i] = i), stride:K, constant or random.", parseAssume, Sources},
    {"--divisions", "divisions", Everywhere, "ordinary|zero|invalid", Once, OptionSection::Model,
     "What the IEEE divisions of fp32 and fp64 meet on NVIDIA's GPUs: ordinary numbers, a dividend of zero, or 0/0. A quotient that needs care takes three to four times the instructions. Default: ordinary, which is stated.",
     parseDivisions, Sources},
    {"--registers", "registers", Everywhere, "N", Once, OptionSection::Model,
     "Registers per thread, in place of ptxas's or our own number.", parseRegisters, Sources},
    {"--warp-order", "warp-order", NotInConfig, "round-robin|greedy-then-oldest", Once, OptionSection::Model,
     "Model interval: which ready warp a scheduler takes. Default: greedy-then-oldest.",
     parseWarpOrder, ByAnalyze | ByCompare | ByValidate | ByTune},
    {"--profile", "profile", NotInConfig, "FILE", Once, OptionSection::Model,
     "Model quantitative-roofline: the kernels' counters from a profile, the CSV of nvprof or ncu, in place of our own.",
     setText<&Options::ProfileFile>},
    {"--reference", "reference", NotInConfig, "GPU=MS", Once, OptionSection::Model,
     "Model quantitative-roofline: milliseconds that the launch was measured to take on a GPU; by how much the prediction is off there, it is corrected elsewhere.",
     parseReference},
    {"--without", "without", InConfig, "TERM", Repeats, OptionSection::Model,
     "Switch one term of the default model off, to see what it contributes. The other models have no terms to switch off and refuse it.",
     append<&Options::Without>, ByAnalyze | ByValidate | ByTune},

    {"-p", "", NotInConfig, "DIR", Once, OptionSection::Source,
     "Folder of the compile_commands.json that tells how the files are compiled. analyze without a FILE takes every source of it that is CUDA or HIP, or C or C++ with a directive.",
     setText<&Options::CompilationDatabase>, Sources},
    {"--results", "", NotInConfig, "DIR", Once, OptionSection::Source,
     "With -p and no FILE: folder for what each source gives; one whose inputs are unchanged is not analysed again. Default: gpu-estimate in the folder of -p.",
     setText<&Options::ResultsFolder>, ByAnalyze},
    {"--no-cuda-sdk", "", NotInConfig, "", Once, OptionSection::Source,
     "Use our own CUDA headers even where an SDK is installed.",
     raise<&Options::NoCudaSdk>, Sources},
    {"--cuda-path", "", NotInConfig, "DIR", Once, OptionSection::Source,
     "CUDA SDK to use. Default: the one that clang finds, else our own headers.",
     setText<&Options::CudaPath>, Sources},
    {"--gpu-arch", "", NotInConfig, "sm_XX", Once, OptionSection::Source,
     "Architecture to compile for. Default: the compute capability of the GPU.",
     setText<&Options::GpuArch>, Sources},
    {"--ptxas", "ptxas", InConfig, "PATH|off", Once, OptionSection::Source,
     "The ptxas that tells exact register counts. Default: the one on PATH, in the plugin, a validation and a comparison none; without one, or with off, registers are estimated.",
     setText<&Options::Ptxas>, ByAnalyze | ByCompare | ByValidate | ByTune},

    {"--deadline", "deadline", InConfig, "SECONDS", Once, OptionSection::Source,
     "Processor time that the analysis of a kernel on a GPU may take; a kernel that takes longer has no estimate, and a remark says so. In the plugin it is the time for the whole file. 0: no limit. Default: 5; in the plugin half of what the compile took so far, and at least 1.",
     [](Options &O, StringRef V) {
       return store(O.Deadline, parseQuantity(V, Dimension::Time));
     }},
    {"--memory-limit", "memory-limit", InConfig, "BYTES", Once, OptionSection::Source,
     "Memory that the analysis may take beyond what the process had when it began, 2GiB for example. 0: no limit. Default: 4GiB.",
     [](Options &O, StringRef V) {
       return store(O.MemoryLimit, parseQuantity(V, Dimension::Bytes));
     }},

    {"--offload", "offload", InConfig, "FUNCTION[:LOOP]|auto", Repeats, OptionSection::Source,
     "Loops of plain C or C++ to be taken as GPU kernels, beside those that a directive marks: the outermost ones of a function, the one of a line or of a counter (gemm:12, gemm:i), or with auto every loop of the file that can be proven parallel.",
     parseOffload, Sources},
    {"--assume-independent", "assume-independent", InConfig, "", Once, OptionSection::Source,
     "Take the iterations of every loop that becomes a kernel for independent, also where an analysis of its dependences says otherwise.",
     raise<&Options::AssumeIndependent>, Sources},
    {"--against", "against", InConfig, "cpu[=NAME][:CORES]|fpga[=NAME]", Repeats, OptionSection::Source,
     "Compare each loop nest with the same nest on a CPU (all cores unless a number is given) or on an FPGA: speed-up with and without copies of its arrays, and the size at which it breaks even. NAME is a file of cpumodels or fpgamodels without .yaml, or a path.",
     parseAgainst},

    {"--block", "", NotInConfig, "SHAPES", Once, OptionSection::Tuning,
     "Blocks to try: 32:1024:32 (first, last, step), 32:1024:*2 (doubling), 16x16,32x8, or ranges in each direction, 8:32:8x1:8. Without --grid, a launch keeps its number of threads in each direction. Default: the launch's own block.",
     parseTunedBlocks, ByTune},
    {"-D", "", NotInConfig, "NAME=VALUES", Repeats, OptionSection::Tuning,
     "Values of a macro to try: 8,16,32 or 8:32:8, or types. The source is compiled once for each combination. A single value is simply defined.",
     appendMacro, ByTune},
    {"--param", "", NotInConfig, "NAME=VALUES", Repeats, OptionSection::Tuning,
     "Values of a kernel argument, of a host variable or of an unknown to try; a single value is simply taken. Also a name for --grid, --dynamic-smem and --where.",
     appendTunedParameter, ByTune},
    {"--grid", "", NotInConfig, "X[,Y[,Z]]", Once, OptionSection::Tuning,
     "Blocks of each launch, as expressions of the macros' and arguments' values and of blockDim.x, .y, .z: (n+TILE*blockDim.x-1)/(TILE*blockDim.x).",
     parseTunedGrid, ByTune},
    {"--dynamic-smem", "", NotInConfig, "BYTES", Once, OptionSection::Tuning,
     "Dynamic shared memory of a block, as such an expression: 2*TILE*TILE*4.",
     parseTunedShared, ByTune},
    {"--where", "", NotInConfig, "CONDITION", Repeats, OptionSection::Tuning,
     "Try only configurations for which this is other than 0: blockDim.x == TILE, TILE*TILE*8 <= 49152.",
     parseTuneCondition, ByTune},
    {"--tie", "", NotInConfig, "FRACTION", Once, OptionSection::Tuning,
     "Times that differ by no more are a tie and share their rank. Default: 5%.",
     parseTie, ByTune},
    {"--top", "", NotInConfig, "N", Once, OptionSection::Tuning,
     "Rows that text and html show, 0 for all; csv and json have all of them. Default: 20.",
     parseTop, ByTune},
    {"--format", "", NotInConfig, "text|csv|json|html", Once, OptionSection::Tuning,
     "Form of the ranking. Default: text.",
     parseTuneFormat, ByTune},

    {"--dataset", "", NotInConfig, "D", Repeats, OptionSection::Validation,
     "Dataset to predict: a name in the validation folder, or a folder. Default: all of them.",
     append<&Options::Datasets>, ByValidate},
    {"--validation", "", NotInConfig, "DIR", Once, OptionSection::Validation,
     "Folder with the datasets and bounds.yaml, in place of the shipped one.",
     setText<&Options::ValidationFolder>, ByValidate},
    {"--sources", "", NotInConfig, "DIR", Once, OptionSection::Validation,
     "Folder of checkouts, named owner+name, for datasets about sources that are not ours; without it they are skipped.",
     setText<&Options::SourcesFolder>, ByValidate},
    {"--bounds", "", NotInConfig, "check|print|off", Once, OptionSection::Validation,
     "The recorded errors of bounds.yaml: compare with them and exit with 1 above one; print the file that records the errors found; or neither. They are about whole datasets: with --gpu, --kernel, --set or --without nothing is compared. Default: check.",
     parseBounds, ByValidate},
    {"--record", "", NotInConfig, "", Once, OptionSection::Validation,
     "Write the errors found into the files of the GPU models, which gpus shows. Whole datasets only, as for --bounds.",
     raise<&Options::RecordValidation>, ByValidate},
    {"--check", "", NotInConfig, "GOLDEN", Once, OptionSection::Output,
     "golden: compare with the file GOLDEN; print what changed and a patch for it, and end with status 1 if anything did.",
     setText<&Options::GoldenFile>, ByGolden},
    {"--update", "", NotInConfig, "GOLDEN", Once, OptionSection::Output,
     "golden: write the file GOLDEN.",
     [](Options &O, StringRef V) -> Error {
       if (!O.GoldenFile.empty())
         return usage("either --check or --update, not both");
       O.GoldenUpdate = true;
       O.GoldenFile = V.str();
       return Error::success();
     }, ByGolden},
    {"--tolerance", "", NotInConfig, "FRACTION", Once, OptionSection::Output,
     "golden and diff: what is still the same, as a share of the larger value. Default: 5%.",
     [](Options &O, StringRef V) {
       return store(O.Tolerance, parseQuantity(V, Dimension::Fraction));
     }, ByGolden | ByDiff},
    {"--format", "", NotInConfig, "text|json|csv|html|markdown", Once, OptionSection::Validation,
     "Form of the validation's report. markdown: the tables of accuracy alone, recorded figures of skipped datasets among them. Default: text.",
     parseValidationFormat, ByValidate},

    {"--out", "", NotInConfig, "FILE", Once, OptionSection::Measuring,
     "Model file to write. Default: the GPU's id with .yaml, in the work folder.",
     setText<&Options::MeasureOut>, ByMeasure},
    {"--only", "", NotInConfig, "GROUP", Repeats, OptionSection::Measuring,
     "Measure only this group, and device; the values of the others are inherited.",
     append<&Options::MeasureOnly>, ByMeasure},
    {"--quick", "", NotInConfig, "", Once, OptionSection::Measuring,
     "Fewer sizes and repetitions.",
     raise<&Options::MeasureQuick>, ByMeasure},
    {"--work", "", NotInConfig, "DIR", Once, OptionSection::Measuring,
     "Folder for programs and raw samples; groups whose samples lie there are not measured again. Default: gpu-estimate-measure.",
     setText<&Options::MeasureWork>, ByMeasure},
    {"--base", "", NotInConfig, "MODEL", Once, OptionSection::Measuring,
     "GPU model, by id or file, for what is not measured. Default: the shipped one of the same compute capability with the nearest number of multiprocessors.",
     setText<&Options::MeasureBase>, ByMeasure},
    {"--compiler", "", NotInConfig, "PATH", Once, OptionSection::Measuring,
     "Compiler: an nvcc, hipcc or clang++. Default: the first of them on PATH.",
     setText<&Options::MeasureCompiler>, ByMeasure},
    {"--raw", "", NotInConfig, "DIR", Once, OptionSection::Measuring,
     "Make the model from the raw samples in DIR, without measuring.",
     setText<&Options::MeasureRaw>, ByMeasure},

    {"--format", "", NotInConfig, "text|json|html|diagnostics|sarif|opt-record", Once, OptionSection::Output,
     "Form of the output. html: one page with charts, for a browser, of an analysis or a comparison. Of an analysis also its findings: diagnostics, one line each, as a compiler prints them; sarif, SARIF 2.1.0; opt-record, LLVM's optimisation records in YAML. Default: text.", parseFormat, ByAnalyze | ByCompare | ByReport},
    {"-o", "", NotInConfig, "FILE", Once, OptionSection::Output,
     "Write the output to FILE. Default: standard output.",
     setText<&Options::OutputFile>, ByAnalyze | ByCompare | ByValidate | ByReport | ByTune},
    {"--charts", "", NotInConfig, "DIR", Once, OptionSection::Output,
     "Also write the charts of the page that --format html makes as SVG files into DIR, which is made where it does not exist.",
     setText<&Options::ChartsFolder>, ByAnalyze | ByCompare},
    {"--json", "json", NotInConfig, "FILE", Once, OptionSection::Output,
     "Also write the result as JSON to FILE: whole or not at all. A FILE that ends in .jsonl is one line, as `gpu-estimate report` reads it.",
     setText<&Options::JsonFile>, ByAnalyze},
    {"", "keep-going", NotInConfig, "", Once, OptionSection::Output,
     "A wrong argument is a remark and the file is not analysed, in place of an error of the compile.",
     raise<&Options::KeepGoing>},
    {"--formulas", "", NotInConfig, "", Once, OptionSection::Output,
     "Also print the time, issue delay and memory traffic as formulas in the kernel's arguments.",
     raise<&Options::Formulas>, ByAnalyze},
    {"--print-work", "", NotInConfig, "", Once, OptionSection::Output,
     "Also print the units of work that the passes over each file and the analysis of each kernel took, which --deadline limits: one second stands for 5 million units.",
     raise<&Options::PrintWork>, ByAnalyze},
    {"--no-warning", "no-warning", Everywhere, "GROUP", Repeats, OptionSection::Output,
     "Silence a group of diagnostics: -Wno-gpu-estimate-GROUP in compiler terms. all silences every group.", parseGroups<&Options::Silenced>, ByAnalyze},
    {"--error", "error", InConfig, "GROUP", Repeats, OptionSection::Output,
     "Make errors of a group of diagnostics: -Werror=gpu-estimate-GROUP in compiler terms. A compile with the plugin fails then, and analyze ends with status 1.", parseGroups<&Options::Errors>, ByAnalyze},
};
// clang-format on

ArrayRef<OptionSpec> optionTable() { return Table; }

StringRef name(OptionSection Section) {
  switch (Section) {
  case OptionSection::Machine:
    return "Machine";
  case OptionSection::Launch:
    return "Launch and arguments";
  case OptionSection::Model:
    return "Model";
  case OptionSection::Source:
    return "Source";
  case OptionSection::Tuning:
    return "Tuning";
  case OptionSection::Validation:
    return "Validation";
  case OptionSection::Measuring:
    return "Measuring";
  case OptionSection::Output:
    return "Output";
  }
  llvm_unreachable("all sections are named");
}

Error applyOption(Options &O, const OptionSpec &Spec, StringRef SpelledAs,
                  StringRef Value) {
  if (Error E = Spec.Parse(O, Value))
    return usage(SpelledAs + ": " + toString(std::move(E)));
  return Error::success();
}

Error applyPluginArgument(Options &O, StringRef KeyEqualsValue) {
  auto [Key, Value] = KeyEqualsValue.split('=');
  std::vector<std::string> Known;
  for (const OptionSpec &Spec : Table) {
    if (Spec.Key.empty())
      continue;
    if (Spec.Key == Key)
      return applyOption(O, Spec, Key, Value);
    Known.push_back(Spec.Key.str());
  }
  return usage("no plugin argument is called '" + Key + "'" +
               didYouMean(Key, Known) + "; there are: " + join(Known, ", "));
}

} // namespace gpuestimate
