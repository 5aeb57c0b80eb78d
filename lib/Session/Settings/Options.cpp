/// \file
/// The option table and the three ways in: command line, plugin, configuration.
#include "ModelOptions.h"
#include "SweepOptions.h"
#include "TuneOptions.h"

#include "RunOptions.h"
#include "gpu-estimate/Model/Kernel/HostMemory.h"
#include "gpu-estimate/Report/Diagnostics/DiagnosticTable.h"
#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/StringExtras.h"
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

/// Adds NAME=VALUE, whose value another program reads.
static Error addAssignment(std::vector<std::string> &To, StringRef Text) {
  auto [Name, Value] = Text.split('=');
  if (Name.empty() || Value.empty())
    return usage("expected NAME=VALUE, got '" + Text + "'");
  To.push_back(Text.str());
  return Error::success();
}

/// The member at the end of Path: memberAt<&Options::Measure,
/// &MeasureRequest::Out>(O) is O.Measure.Out.
template <auto... Path> static auto &memberAt(Options &O) {
  return (O.*....*Path);
}

/// Parsers that store the text, add it to a list, or raise a flag.
template <auto... Path> static Error setText(Options &O, StringRef Value) {
  memberAt<Path...>(O) = Value.str();
  return Error::success();
}
template <auto... Path> static Error append(Options &O, StringRef Value) {
  memberAt<Path...>(O).push_back(Value.str());
  return Error::success();
}
template <auto... Path> static Error raise(Options &O, StringRef) {
  memberAt<Path...>(O) = true;
  return Error::success();
}

static Error appendParameter(Options &O, StringRef Value) {
  return parseParameter(O, Value);
}

static Error appendPlace(Options &O, StringRef Value) {
  auto [Name, PlaceName] = Value.split('=');
  std::optional<BufferPlace> Place = placeFromName(PlaceName.trim());
  if (Name.trim().empty() || !Place)
    return usage("expected NAME=host, NAME=managed, NAME=first-touch or "
                 "NAME=device, got '" +
                 Value + "'");
  return appendParameter(O, placeParameter(Name.trim()) + "=" +
                                std::to_string(int(placeValue(*Place))));
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
  return choose<OutputFormat>(
      Value, O.Format,
      {{"text", OutputFormat::Text},
       {"json", OutputFormat::Json},
       {"html", OutputFormat::Html},
       {"diagnostics", OutputFormat::Diagnostics},
       {"sarif", OutputFormat::Sarif},
       {"opt-record", OutputFormat::OptimisationRecords}});
}

static Error parseTextOrJson(Options &O, StringRef Value) {
  return choose<OutputFormat>(
      Value, O.Format,
      {{"text", OutputFormat::Text}, {"json", OutputFormat::Json}});
}

static Error parseGoldenFormat(Options &O, StringRef Value) {
  return choose<ChangeFormat>(
      Value, O.Changes.Format,
      {{"text", ChangeFormat::Text}, {"markdown", ChangeFormat::Markdown}});
}

static Error parseDiffFormat(Options &O, StringRef Value) {
  return choose<ChangeFormat>(Value, O.Changes.Format,
                              {{"text", ChangeFormat::Text},
                               {"markdown", ChangeFormat::Markdown},
                               {"html", ChangeFormat::Html}});
}

static Error parseFailOn(Options &O, StringRef Value) {
  return choose<bool>(Value, O.Changes.FailOnRegression,
                      {{"change", false}, {"regression", true}});
}

static Error parseValidationFormat(Options &O, StringRef Value) {
  return choose<ValidationFormat>(Value, O.Validation.Format,
                                  {{"text", ValidationFormat::Text},
                                   {"json", ValidationFormat::Json},
                                   {"csv", ValidationFormat::Csv},
                                   {"html", ValidationFormat::Html},
                                   {"markdown", ValidationFormat::Markdown},
                                   {"scaling", ValidationFormat::Scaling},
                                   {"errors", ValidationFormat::Errors}});
}

static Error parseFormulas(Options &O, StringRef Value) {
  return choose<FormulaForm>(Value.empty() ? "text" : Value, O.Formulas,
                             {{"text", FormulaForm::Text},
                              {"python", FormulaForm::Python},
                              {"c", FormulaForm::C}});
}

static Error parseDump(Options &O, StringRef Value) {
  return choose<DumpKind>(Value, O.Dump,
                          {{"kernel-model", DumpKind::KernelModel},
                           {"requests", DumpKind::Requests},
                           {"traffic", DumpKind::Traffic},
                           {"cache", DumpKind::Cache},
                           {"schedule", DumpKind::Schedule},
                           {"bounds", DumpKind::Bounds}});
}

static Error parseBounds(Options &O, StringRef Value) {
  return choose<BoundsMode>(Value, O.Validation.Bounds,
                            {{"check", BoundsMode::Check},
                             {"print", BoundsMode::Print},
                             {"off", BoundsMode::Off}});
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
  std::vector<std::string> Terms = {"all"};
  for (const DiagnosticGroupInfo &Row : diagnosticTable())
    Terms.push_back(Row.Name.str());
  return usage("no diagnostic group is called '" + Name + "'" +
               didYouMean(Name, Terms) +
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

static Error parseCompiler(Options &O, StringRef Value) {
  return choose<DeviceCompiler>(
      Value, O.Compiler,
      {{"nvcc", DeviceCompiler::Nvcc}, {"clang", DeviceCompiler::Clang}});
}

/// Several compilers are asked one after the other.
static Error addGoldenCompiler(Options &O, StringRef Value) {
  if (Error E = parseCompiler(O, Value))
    return E;
  if (is_contained(O.Changes.Compilers, *O.Compiler))
    return usage("'" + Value + "' is given twice");
  O.Changes.Compilers.push_back(*O.Compiler);
  return Error::success();
}

static Error parseMachineCode(Options &O, StringRef Value) {
  return choose<const char *>(Value, O.MachineCode,
                              {{"on", "on"}, {"off", "off"}});
}

static Error parseViaPtx(Options &O, StringRef Value) {
  return choose<const char *>(
      Value, O.ViaPtx,
      {{"refused", "refused"}, {"always", "always"}, {"never", "never"}});
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
  TargetRequest Request;
  StringRef Rest = Value;
  // A path may have colons of its own; cores are digits.
  auto [Before, After] = Rest.rsplit(':');
  unsigned Cores = 0;
  if (!After.empty() && !After.getAsInteger(10, Cores)) {
    if (Cores == 0)
      return usage("number of cores must be >= 1, got '" + Value + "'");
    Request.Cores = Cores;
    Rest = Before;
  }
  auto [Kind, Name] = Rest.split('=');
  if (Kind == "fpga")
    Request.Kind = TargetRequest::Fpga;
  if ((Kind != "cpu" && Kind != "fpga") || (Name.empty() && Rest.contains('=')))
    return usage("expected cpu, cpu=NAME, cpu=NAME:CORES, fpga or fpga=NAME, "
                 "got '" +
                 Value + "'");
  if (Request.Cores && Request.Kind == TargetRequest::Fpga)
    return usage("a number of cores applies to cpu only, got '" + Value + "'");
  Request.Name = Name.str();
  O.Against.push_back(std::move(Request));
  return Error::success();
}

static Error setProtocol(Options &O, ServeProtocol Protocol) {
  if (O.Serve.Protocol && *O.Serve.Protocol != Protocol)
    return usage("only one protocol can be served");
  O.Serve.Protocol = Protocol;
  return Error::success();
}

static Error parseShard(Options &O, StringRef Value) {
  constexpr unsigned MaxCount = 1'000'000;
  auto [Index, Count] = Value.split('/');
  Shard Part;
  if (Index.getAsInteger(10, Part.Index) ||
      Count.getAsInteger(10, Part.Count) || Part.Index < 1 ||
      Part.Index > Part.Count || Part.Count > MaxCount)
    return usage("expected I/N with I from 1 to N, such as 2/8, got '" + Value +
                 "'");
  O.Part = Part;
  return Error::success();
}

static constexpr ConfigScope InConfig = ConfigScope::File,
                             NotInConfig = ConfigScope::None,
                             PerKernel = ConfigScope::Kernel,
                             Everywhere = ConfigScope::Everywhere;
static constexpr unsigned Sources = ByAnalyze | ByCompare | ByTune | BySweep,
                          Launches = ByAnalyze | ByCompare | BySweep;
static constexpr bool Repeats = true, Once = false;

// clang-format off
static const OptionSpec Table[] = {
    {"--gpu", "gpu", InConfig, "ID", Repeats, OptionSection::Machine,
     "GPU to predict for: the id or alias of a GPU model, an architecture (sm_90: all its models), or the path of a model file. `gpu-estimate gpus` lists the ids.",
     append<&Options::Gpus>, ByAnalyze | ByCompare | ByValidate | ByTune | BySweep | ByRun | ByDiff},
    {"--set", "set", InConfig, "GPUKEY=VALUE", Repeats, OptionSection::Machine,
     "Override one value of the GPU model for this run, with its unit: core_clock=1410MHz, sm_count=54. The output lists it.",
     [](Options &O, StringRef V) -> Error {
       if (!V.contains('='))
         return usage("expected GPUKEY=VALUE, got '" + V + "'");
       O.GpuOverrides.push_back(V.str());
       return Error::success();
     }, ByAnalyze | ByCompare | ByGpus | ByValidate | ByTune | BySweep | ByRun | ByDiff},
    {"--model-folder", "model-folder", NotInConfig, "DIR", Once, OptionSection::Machine,
     "Folder with GPU model files. Default: the shipped one.",
     setText<&Options::ModelFolder>, ByAnalyze | ByCompare | ByGpus | ByValidate | ByMeasure | ByTune | BySweep | ByRun | ByDiff | ByDoctor},

    {"--kernel", "kernel", NotInConfig, "REGEX", Once, OptionSection::Launch,
     "Analyse only kernels whose demangled or mangled name contains a match of REGEX; validate: kernels whose label contains one.", parseKernel, ByAnalyze | ByCompare | ByValidate | ByTune | BySweep},
    {"--grid", "grid", PerKernel, "X[,Y[,Z]]", Once, OptionSection::Launch,
     "Number of blocks in the grid. Overrides the source.",
     [](Options &O, StringRef V) { return store(O.Launch.Grid, parseSizes(V)); }, Launches},
    {"--block", "block", PerKernel, "X[,Y[,Z]]", Once, OptionSection::Launch,
     "Number of threads in a block. Overrides the source.",
     [](Options &O, StringRef V) { return store(O.Launch.Block, parseSizes(V)); }, Launches},
    {"--dynamic-smem", "dynamic-smem", PerKernel, "BYTES", Once, OptionSection::Launch,
     "Dynamic shared memory per block.",
     [](Options &O, StringRef V) { return store(O.Launch.DynamicSharedBytes, parseInteger(V)); }, Launches},
    {"--param", "param", Everywhere, "NAME=VALUE", Repeats, OptionSection::Launch,
     "Value of a kernel argument (for a pointer: the element count of its buffer, or OTHER+OFFSET for a pointer OFFSET elements behind the pointer OTHER, in its buffer), of a variable of the host code that a launch uses, or of an unknown by the name that the report gives it.",
     appendParameter, Launches},
    {"--memory", "memory", Everywhere, "NAME=host|managed|first-touch|device", Repeats, OptionSection::Launch,
     "Where the buffer of a pointer argument lies: in pinned memory of the host, which the kernel accesses through the link; in managed memory that is on the GPU already; in managed memory that host code wrote last, whose pages migrate when the kernel first touches them; or in memory of the GPU. Default: as the host code allocates it; what it wrote migrates in a launch with cold caches.",
     appendPlace, Launches},
    {"--budget", "budget", Everywhere, "[KERNEL=]TIME[@GPU]", Repeats, OptionSection::Launch,
     "Time limit of a launch, such as 1.5ms or 20us. Applies to the kernels whose whole name matches the regular expression KERNEL (default: all), on GPU (default: all).",
     [](Options &O, StringRef V) -> Error {
       auto Parsed = parseBudget(V);
       if (!Parsed)
         return Parsed.takeError();
       O.Budgets.push_back(std::move(*Parsed));
       return Error::success();
     }, ByAnalyze},
    {"--budget-when", "budget-when", InConfig, "likely|sure|possible", Once, OptionSection::Launch,
     "When a launch is over its budget: likely, its predicted time is; sure, even the shortest time of its interval is; possible, the longest time of its interval is, or it has no interval. Default: likely.",
     parseBudgetWhen, ByAnalyze},
    {"--emulate", "emulate", NotInConfig, "", Once, OptionSection::Launch,
     "Emulate some warps of each launch on the contents given by --buffer, to determine trip counts, branches and addresses that depend on data.",
     raise<&Options::Emulate>},
    {"--buffer", "buffer", NotInConfig, "NAME=FILE.npy|random|iota|zeros", Repeats, OptionSection::Launch,
     "Contents of a buffer for --emulate, which this option implies. NAME is a pointer argument (p.data for a member of a structure) or a device variable. Other buffers hold zeros.",
     appendBuffer},
    {"--launches", "", NotInConfig, "FILE", Once, OptionSection::Launch,
     "Launches to predict, in place of those of host code: a table (CSV) or YAML of yours, the CSV of ncu, nsys stats, nvprof or rocprof, a trace of PyTorch's profiler, or a saved run. Where the file has times, each stands beside the predicted one.",
     setText<&Options::LaunchFile, &LaunchFileRequest::File>, ByAnalyze},
    {"--measured-on", "", NotInConfig, "ID", Once, OptionSection::Launch,
     "GPU that the times of --launches were measured on. Default: the card that the file names.",
     setText<&Options::LaunchFile, &LaunchFileRequest::MeasuredOn>, ByAnalyze},
    {"--transfer", "", NotInConfig, "", Once, OptionSection::Launch,
     "With --launches: for each other GPU also the measured time multiplied by the predicted ratio of the two GPUs, with its interval.",
     raise<&Options::LaunchFile, &LaunchFileRequest::Transfer>, ByAnalyze},
    {"--config", "config", NotInConfig, "FILE", Once, OptionSection::Launch,
     "Configuration file. Default: the .gpu-estimate.yaml in the nearest parent folder of the source file.",
     setText<&Options::ConfigFile>, Sources | ByRun},

    {"--model", "model", InConfig, "M", Once, OptionSection::Model,
     "Performance model: latency-bandwidth, kleimenov, mwp-cwp, mwp-cwp-printed, mwp-cwp-baseline, quantitative-roofline, interval, interval-naive, interval-markov, sustained-roofline (the baseline of validations) or roofline (DRAM bytes and operations at peak rates). compare and validate take a list, and all. Default: latency-bandwidth; compare: all but mwp-cwp-printed, mwp-cwp-baseline, interval-naive and interval-markov, which papers compare theirs with.",
     setModel, ByAnalyze | ByCompare | ByValidate | ByTune | BySweep | ByRun | ByDiff},
    {"--caches", "caches", Everywhere, "cold|warm", Once, OptionSection::Model,
     "Contents of the caches at the start of the launch: cold, nothing (profilers flush and invalidate all of them: data, code, constants, address translations); warm, the data left by an identical launch before it. Default: warm.",
     parseCaches, Sources | ByRun | ByDiff},
    {"--cache-model", "cache-model", NotInConfig, "layer-conditions|set-associative", Once, OptionSection::Model,
     "How hits in L1 and L2 are computed: layer-conditions, in closed form for fully associative caches; set-associative, by reuse distances within the sets of a trace of some warps (CGPredict, equations 9 to 11), where the GPU model has l1.sets or l2.ways. Default: layer-conditions.",
     parseCacheRule, ByAnalyze | ByCompare | ByValidate | ByTune | BySweep | ByRun},
    {"--timing", "timing", Everywhere, "back-to-back|single|graph", Once, OptionSection::Model,
     "Launch overhead to add to the execution time: back-to-back, that of many launches in one stream; single, that of one launch as a profiler times it; graph, that of a node of a CUDA graph. Default: back-to-back with warm caches, single with cold ones.",
     parseTiming, Sources | ByRun | ByDiff},
    {"--assume", "assume", Everywhere, "l1=F,l2=F,NAME=VALUE,access@PLACE=PATTERN", Repeats, OptionSection::Model,
     "Cache hit fractions that override the computed ones, values of unknowns, and the pattern of a loaded index at PLACE: sequential (idx[i] = i), stride:K, constant or random.", parseAssume, Sources},
    {"--divisions", "divisions", Everywhere, "ordinary|zero|invalid", Once, OptionSection::Model,
     "Operands of IEEE divisions in fp32 and fp64 on NVIDIA GPUs: ordinary numbers, a dividend of zero, or 0/0. Special operands take the slow path, three to four times the instructions. Default: ordinary, reported as an assumption.",
     parseDivisions, Sources | ByRun},
    {"--registers", "registers", Everywhere, "N", Once, OptionSection::Model,
     "Registers per thread. Overrides the count of ptxas and the estimate.", parseRegisters, Sources | ByRun},
    {"--warp-order", "warp-order", NotInConfig, "round-robin|greedy-then-oldest", Once, OptionSection::Model,
     "Warp scheduling policy of the model interval. Default: greedy-then-oldest.",
     parseWarpOrder, ByAnalyze | ByCompare | ByValidate | ByTune | BySweep},
    {"--interval", "interval", InConfig, "50%|80%|90%|95%", Once, OptionSection::Model,
     "Probability with which the measured time lies in the interval that stands beside each predicted time. Default: 80%.",
     parseIntervalLevel, ByAnalyze | ByValidate | ByRun},
    {"--profile", "profile", NotInConfig, "FILE", Once, OptionSection::Model,
     "Profile of the kernels (CSV of nvprof or ncu). Model quantitative-roofline: its counters replace the estimated ones. sweep: its time replaces the predicted one at the clocks of the profile, and its counters choose the clusters of --scaling.",
     setText<&Options::ProfileFile>, ByAnalyze | ByCompare | BySweep},
    {"--reference", "reference", NotInConfig, "GPU=MS", Once, OptionSection::Model,
     "Model quantitative-roofline: measured time of the launch on one GPU, in milliseconds. The predictions for the other GPUs are multiplied by the ratio of the measured to the predicted time on it.",
     parseReference},
    {"--special-operations", "special-operations", NotInConfig, "COUNT[@RATE]", Once, OptionSection::Model,
     "Model quantitative-roofline: operations of all threads of the launch that are a class of their own, such as transcendental functions, and how many of them the GPU executes in a second. Default rate: that of operations.sfu.",
     parseSpecialOperations, ByAnalyze},
    {"--traffic-weight", "traffic-weight", NotInConfig, "FACTOR", Once, OptionSection::Model,
     "Model quantitative-roofline: factor of the DRAM bytes, for traffic that is known to be more or less on the predicted GPU. Default: 1.",
     parseTrafficWeight, ByAnalyze},
    {"--without", "without", InConfig, "TERM", Repeats, OptionSection::Model,
     "Disable one term of the default model, to see its contribution. The other models have no such terms.",
     append<&Options::Without>, ByAnalyze | ByValidate | ByTune | BySweep | ByRun},

    {"-p", "", NotInConfig, "DIR", Once, OptionSection::Source,
     "Folder of the compile_commands.json with the compile commands of the files. analyze without FILE analyses every source in it that is CUDA or HIP, or C or C++ with an offloading directive.",
     setText<&Options::CompilationDatabase>, Sources},
    {"--results", "", NotInConfig, "DIR", Once, OptionSection::Source,
     "With -p and no FILE: folder for the record of each source. A source with unchanged inputs is not analysed again. Default: gpu-estimate in the folder of -p.",
     setText<&Options::ResultsFolder>, ByAnalyze},
    {"--shard", "", NotInConfig, "I/N", Once, OptionSection::Source,
     "analyze with -p and no FILE: analyse part I of N, counted from 1. Which part a source belongs to depends on its name and N alone. tune, sweep: try part I of the configurations or points; pass --format json. `gpu-estimate report` combines the records, or the results.",
     parseShard, ByAnalyze | ByTune | BySweep},
    {"--no-cuda-sdk", "", NotInConfig, "", Once, OptionSection::Source,
     "Use the CUDA headers of gpu-estimate even if an SDK is installed, and no device library of ROCm.",
     raise<&Options::NoCudaSdk>, Sources | ByRun},
    {"--cuda-path", "", NotInConfig, "DIR", Once, OptionSection::Source,
     "CUDA SDK to use. Default: the SDK that clang finds, else the CUDA headers of gpu-estimate.",
     setText<&Options::CudaPath>, Sources | ByRun},
    {"--link", "", NotInConfig, "FILE", Repeats, OptionSection::Source,
     "CUDA or HIP source whose device functions the kernels call: its device code is compiled with the same arguments and linked, as programs of nvcc -dc are. Give the files of the program that define what a report says is not in the estimate.",
     append<&Options::Linked>, Sources},
    {"--gpu-arch", "", NotInConfig, "sm_XX", Once, OptionSection::Source,
     "Architecture to compile for. Default: the compute capability of the GPU.",
     setText<&Options::GpuArch>, Sources | ByRun},
    {"--compiler", "compiler", InConfig, "nvcc|clang", Once, OptionSection::Source,
     "Compiler that CUDA files are meant for, where compilers decide differently: which loops are laid out, and so which arrays are in registers. Default: the compiler of the command line (cc, a compilation database); clang in the plugin; else nvcc. HIP files are always clang's.",
     parseCompiler, (Sources & ~ByGolden) | ByRun},
    {"--compiler", "", NotInConfig, "nvcc|clang", Repeats, OptionSection::Source,
     "golden: compiler that CUDA files are meant for, as for analyze. Given for both, the file has a line of each kernel for each compiler.",
     addGoldenCompiler, ByGolden},
    {"--signature", "", NotInConfig, "TYPES", Once, OptionSection::Source,
     "A kernel of Triton in a file of Python, which --kernel names: the types of its arguments that are no tl.constexpr, in their order: '*fp32,*fp32,i32'. A type may end in :16, a multiple of 16, or :1, the number 1. Triton's own compiler makes the code, in the Python of GPU_ESTIMATE_PYTHON, or python3.",
     [](Options &O, StringRef V) -> Error {
       O.Triton.Signature = V.str();
       return Error::success();
     }, ByAnalyze},
    {"--constexpr", "", NotInConfig, "NAME=VALUE", Repeats, OptionSection::Source,
     "Value of a tl.constexpr of that kernel: a number, True, False, None, or a text.",
     [](Options &O, StringRef V) { return addAssignment(O.Triton.Constants, V); }, ByAnalyze},
    {"--triton", "", NotInConfig, "NAME=VALUE", Repeats, OptionSection::Source,
     "Option of Triton's compiler for that kernel: num_warps=8, num_stages=3, num_ctas=2, maxnreg=128.",
     [](Options &O, StringRef V) { return addAssignment(O.Triton.Settings, V); }, ByAnalyze},
    {"--ptxas", "ptxas", InConfig, "PATH|off|both", Once, OptionSection::Source,
     "ptxas to run for exact register counts; off: registers are estimated. Default: the ptxas on PATH; off in the plugin, validate and compare. validate only: both predicts each case with the ptxas on PATH and without, and prints the errors side by side.",
     setText<&Options::Ptxas>, ByAnalyze | ByCompare | ByValidate | ByTune | BySweep | ByRun | ByDiff},

    {"--nvcc", "nvcc", InConfig, "PATH|off", Once, OptionSection::Source,
     "nvcc to compile each CUDA file with, once: registers, spills and arrays in local memory of its kernels are then those of its code. It runs beside the analysis, for at most four times --deadline, and its answers are kept in the user's cache folder. Default: the nvcc on PATH, where the kernels are meant for nvcc and no --ptxas is given, in analyze of named files; else off.",
     setText<&Options::Nvcc>, ByAnalyze | ByCompare | ByValidate | ByTune | BySweep},

    {"--via-ptx", "via-ptx", InConfig, "refused|always|never", Once, OptionSection::Source,
     "CUDA files whose code is the PTX that nvcc makes of them, in place of clang's: those that clang refuses, always, or never. Lines are those of the source, and launches and arguments those of the declarations that clang can read. nvcc is that of --nvcc, or of PATH, and has sixty times --deadline. Default: refused in analyze of named files, else never.",
     parseViaPtx, ByAnalyze},

    {"--machine-code", "machine-code", InConfig, "on|off", Once, OptionSection::Source,
     "HIP files. on: registers, spills and shared memory are those of the code that LLVM's AMDGPU back end makes for the GPU at the -O level of the compile, and a notice says where it cannot; off: registers are estimated. Default: on without the notice; off in the plugin.",
     parseMachineCode, ByAnalyze | ByCompare | ByValidate | ByTune | BySweep | ByRun | ByDiff},
    {"--deadline", "deadline", InConfig, "SECONDS", Once, OptionSection::Source,
     "Limit of the processor time for the analysis of one kernel on one GPU, in the plugin for the whole file. A kernel that exceeds it has no estimate, and a remark says so. 0: no limit. Default: 5; in the plugin half of the compile time so far, at least 1.",
     [](Options &O, StringRef V) {
       return store(O.Deadline, parseQuantity(V, Dimension::Time));
     }},
    {"--memory-limit", "memory-limit", InConfig, "BYTES", Once, OptionSection::Source,
     "Limit of the memory that the analysis allocates, such as 2GiB. 0: no limit. Default: 4GiB.",
     [](Options &O, StringRef V) {
       return store(O.MemoryLimit, parseQuantity(V, Dimension::Bytes));
     }},

    {"--offload", "offload", InConfig, "FUNCTION[:LOOP]|auto", Repeats, OptionSection::Source,
     "Loops of plain C or C++ to offload as GPU kernels, in addition to loops with a directive: the outermost loops of FUNCTION, its loop at a line or with a counter (gemm:12, gemm:i), or with auto every loop of the file that is proven parallel.",
     parseOffload, Sources},
    {"--assume-independent", "assume-independent", InConfig, "", Once, OptionSection::Source,
     "Assume that the iterations of every offloaded loop are independent, even if the dependence analysis cannot prove it.",
     raise<&Options::AssumeIndependent>, Sources},
    {"--against", "against", InConfig, "cpu[=NAME][:CORES]|fpga[=NAME]", Repeats, OptionSection::Source,
     "Compare each offloaded loop nest with its time on a CPU (default: all cores) or on an FPGA: speed-up with and without copies of its arrays, and the break-even size. NAME is a file of cpumodels or fpgamodels without .yaml, or a path.",
     parseAgainst},

    {"--block", "", NotInConfig, "SHAPES", Once, OptionSection::Tuning,
     "Block shapes to try: 32:1024:32 (first, last, step), 32:1024:*2 (doubling), 16x16,32x8, or a range per dimension, 8:32:8x1:8. Without --grid, a launch keeps its number of threads per dimension. Default: the block of the launch.",
     parseTunedBlocks, ByTune},
    {"-D", "", NotInConfig, "NAME=VALUES", Repeats, OptionSection::Tuning,
     "Values of a macro to try: 8,16,32 or 8:32:8, or types. The source is compiled once per combination. A single value is only defined.",
     appendMacro, ByTune},
    {"--param", "", NotInConfig, "NAME=VALUES", Repeats, OptionSection::Tuning,
     "Values to try of a kernel argument, a host variable or an unknown; a single value is only set. NAME may occur in --grid, --dynamic-smem and --where.",
     appendTunedParameter, ByTune},
    {"--grid", "", NotInConfig, "X[,Y[,Z]]", Once, OptionSection::Tuning,
     "Number of blocks in the grid, as expressions of macros, arguments and blockDim.x, .y, .z: (n+TILE*blockDim.x-1)/(TILE*blockDim.x).",
     parseTunedGrid, ByTune},
    {"--dynamic-smem", "", NotInConfig, "BYTES", Once, OptionSection::Tuning,
     "Dynamic shared memory per block, as an expression like those of --grid: 2*TILE*TILE*4.",
     parseTunedShared, ByTune},
    {"--where", "", NotInConfig, "CONDITION", Repeats, OptionSection::Tuning,
     "Try only configurations for which CONDITION is not 0: blockDim.x == TILE, TILE*TILE*8 <= 49152.",
     parseTuneCondition, ByTune},
    {"--tie", "", NotInConfig, "FRACTION", Once, OptionSection::Tuning,
     "Configurations whose times differ by at most FRACTION share a rank. Default: configurations that the model cannot tell apart share one (--interval).",
     parseTie, ByTune},
    {"--top", "", NotInConfig, "N", Once, OptionSection::Tuning,
     "Number of rows in the formats text and html; 0: all. csv and json list all rows. Default: 20.",
     parseTop, ByTune},
    {"--format", "", NotInConfig, "text|csv|json|html", Once, OptionSection::Tuning,
     "Output format of the ranking. Default: text.",
     parseTuneFormat, ByTune},

    {"--vary", "", NotInConfig, "NAME=VALUES", Repeats, OptionSection::Sweep,
     "A thing to vary, with its values: 700MHz,900MHz or 700:1500:100MHz (first, last, step) or 1:64:*2. NAME is sm_count, core_clock, memory_clock, any other GPUKEY of --set, block (shapes as for tune), block.x, block.y, block.z, or an argument or unknown of the kernel. A number without a unit is in MHz, GB/s, bytes, cycles or us. All combinations are predicted.",
     appendSweptAxis, BySweep},
    {"--power-cap", "", NotInConfig, "WATTS", Once, OptionSection::Sweep,
     "Also show the fastest point whose mean power is at most WATTS: 250W.",
     parsePowerCap, BySweep},
    {"--budget-energy", "", NotInConfig, "JOULES", Once, OptionSection::Sweep,
     "Also show the fastest point whose launch takes at most JOULES: 3J, 50mJ.",
     parseEnergyBudget, BySweep},
    {"--time-limit", "", NotInConfig, "TIME", Once, OptionSection::Sweep,
     "Also show the point of least energy whose launch takes at most TIME: 3ms.",
     parseTimeLimit, BySweep},
    {"--scaling", "", NotInConfig, "analytic|clusters|correction|both", Once, OptionSection::Sweep,
     "How times follow the clocks: analytic, by the model; clusters, as measured kernels scaled that are alike; correction, by the model, corrected by its errors for such kernels. both: the default, and the three beside each other; validate: the errors of ratios of all three. Default: what has the least error on kernels left out of the training, of this GPU.",
     parseScaling, BySweep | ByValidate},
    {"--price", "", NotInConfig, "GPU=PRICE", Repeats, OptionSection::Sweep,
     "Price of an hour of a GPU, in any currency: sweep shows what a launch costs, gpus --scale how the cost changes.",
     [](Options &O, StringRef V) -> Error {
       auto Price = parseNamedValue(V);
       if (!Price)
         return Price.takeError();
       if (!(Price->second > 0))
         return usage("expected a price above 0, got '" + V + "'");
       O.Prices.push_back(std::move(*Price));
       return Error::success();
     }, BySweep | ByGpus},
    {"--top", "", NotInConfig, "N", Once, OptionSection::Sweep,
     "Number of rows of points in the format text; 0: all. Default: 20.",
     parseTop, BySweep},
    {"--format", "", NotInConfig, "text|csv|json|html", Once, OptionSection::Sweep,
     "Output format of the surface; html: a page with surface and contour plots. Default: text.",
     parseTuneFormat, BySweep},

    {"--http", "", NotInConfig, "ADDRESS:PORT", Once, OptionSection::Serve,
     "A page for a browser on this machine: the kernels of the current folder, with sliders. ADDRESS is 127.0.0.1, localhost or [::1]; port 0 is a free one. Prints the address with its token.",
     [](Options &O, StringRef V) { O.Serve.HttpAddress = V.str(); return setProtocol(O, ServeProtocol::Http); }, ByServe},
    {"--jsonl", "", NotInConfig, "", Once, OptionSection::Serve,
     "Requests and answers are lines of JSON on standard input and output (docs/serve.md).",
     [](Options &O, StringRef) { return setProtocol(O, ServeProtocol::JsonLines); }, ByServe},
    {"--lsp", "", NotInConfig, "", Once, OptionSection::Serve,
     "The Language Server Protocol on standard input and output, for editors.",
     [](Options &O, StringRef) { return setProtocol(O, ServeProtocol::LanguageServer); }, ByServe},
    {"--mcp", "", NotInConfig, "", Once, OptionSection::Serve,
     "The Model Context Protocol, for agents that write kernels.",
     [](Options &O, StringRef) { return setProtocol(O, ServeProtocol::ModelContext); }, ByServe},

    {"--args", "", NotInConfig, "ARGS...", Once, OptionSection::Run,
     "What follows is for the program. A program that is built already takes what follows its own name.",
     appendProgramArgument, ByRun},
    {"--program-socket", "", NotInConfig, "FD", Once, OptionSection::Run,
     "Predicts a program that runs already: the other end of the socket with this file descriptor. Without FILE. For interpreters that load the runtime library themselves, such as the package for Python.",
     parseProgramSocket, ByRun},
    {"--execute", "", NotInConfig, "all|sampled|none", Once, OptionSection::Run,
     "Which kernels execute on the CPU: all; sampled, of each launch only the thread blocks from which the prediction takes trip counts, branches and addresses; none. What does not execute has no results. Default: all.",
     parseExecution, ByRun},
    {"--execute-seconds", "", NotInConfig, "SECONDS", Once, OptionSection::Run,
     "Kernels stop executing after this time of this machine; launches after it are predicted without data. Default: 300.",
     parseExecuteSeconds, ByRun},
    {"--devices", "", NotInConfig, "N", Once, OptionSection::Run,
     "Number of GPUs that the program finds, each of them the first --gpu. Default: 1.",
     parseRunDevices, ByRun},
    {"--threads", "", NotInConfig, "N", Once, OptionSection::Run,
     "Number of threads of this machine that execute thread blocks. Default: one for each core.",
     parseRunThreads, ByRun},
    {"--checks", "", NotInConfig, "on|off|races", Once, OptionSection::Run,
     "Report wrong accesses to memory, races on shared memory, failed assertions and barriers that not all threads reach with kernel, thread and line. Races are searched between the warps of some thread blocks, or (races) between the threads of all. Default: on.",
     parseRunChecks, ByRun},
    {"--host-speed", "", NotInConfig, "FACTOR", Once, OptionSection::Run,
     "Speed of the modelled host relative to this machine: 2 halves the time between the program's calls of the runtime. Default: 1.",
     parseHostSpeed, ByRun},
    {"--save", "", NotInConfig, "FILE.gpurun", Once, OptionSection::Run,
     "Also save the run: `gpu-estimate run FILE.gpurun` predicts it again, on other GPUs, too, without executing it.",
     [](Options &O, StringRef V) -> Error {
       if (!V.ends_with(".gpurun"))
         return usage("expected a name that ends in .gpurun, got '" + V + "'");
       O.Run.SaveFile = V.str();
       return Error::success();
     }, ByRun},
    {"--format", "", NotInConfig, "text|json|html|chrome-trace|csv", Once, OptionSection::Run,
     "Output format of the run: chrome-trace, for Perfetto and chrome://tracing; csv, the tables of `nsys stats`; html, a page with the time line. Default: text.",
     parseRunFormat, ByRun},

    {"--dataset", "", NotInConfig, "D", Repeats, OptionSection::Validation,
     "Dataset to predict: a name in the validation folder, or a folder. Default: all of them.",
     append<&Options::Validation, &ValidationRequest::Datasets>, ByValidate},
    {"--validation", "", NotInConfig, "DIR", Once, OptionSection::Validation,
     "Folder with the datasets and bounds.yaml. Default: the shipped one.",
     setText<&Options::Validation, &ValidationRequest::Folder>, ByValidate},
    {"--sources", "", NotInConfig, "DIR", Once, OptionSection::Validation,
     "Folder with checkouts, named owner+name, for datasets of third-party sources; without it these datasets are skipped.",
     setText<&Options::Validation, &ValidationRequest::SourcesFolder>, ByValidate},
    {"--bounds", "", NotInConfig, "check|print|off", Once, OptionSection::Validation,
     "Recorded errors in bounds.yaml: check, exit with status 1 if an error exceeds its record; print, print a file with the errors found; off, neither. Records are of whole datasets: --gpu, --kernel, --set and --without disable the check. Default: check.",
     parseBounds, ByValidate},
    {"--record", "", NotInConfig, "", Once, OptionSection::Validation,
     "Write the errors found into the GPU model files, where `gpu-estimate gpus` shows them. Whole datasets only, as for --bounds.",
     raise<&Options::Validation, &ValidationRequest::Record>, ByValidate},
    {"--ablation", "", NotInConfig, "", Once, OptionSection::Validation,
     "Predict each case again without each term of the default model, and print what each term brings on each dataset.",
     raise<&Options::Validation, &ValidationRequest::Ablation>, ByValidate},
    {"--check", "", NotInConfig, "GOLDEN", Once, OptionSection::Output,
     "golden: compare with the file GOLDEN; print the differences and a patch for the file, and exit with status 1 if there are any.",
     setText<&Options::Changes, &ChangeRequest::GoldenFile>, ByGolden},
    {"--update", "", NotInConfig, "GOLDEN", Once, OptionSection::Output,
     "golden: write the file GOLDEN.",
     [](Options &O, StringRef V) -> Error {
       if (!O.Changes.GoldenFile.empty())
         return usage("--check and --update exclude each other");
       O.Changes.Update = true;
       O.Changes.GoldenFile = V.str();
       return Error::success();
     }, ByGolden},
    {"--tolerance", "", NotInConfig, "FRACTION", Once, OptionSection::Output,
     "golden and diff: largest relative difference (of the larger value) that counts as equal. Default: 5%.",
     [](Options &O, StringRef V) {
       return store(O.Changes.Tolerance, parseQuantity(V, Dimension::Fraction));
     }, ByGolden | ByDiff},
    {"--changed-when", "", NotInConfig, "likely|sure|possible", Once, OptionSection::Output,
     "golden and diff: when a time has changed: likely, the predicted times differ by more than --tolerance; sure, all ratios of the two times that the model's error allows do; possible, the times differ at all and one of these ratios does. Default: likely.",
     parseChangedWhen, ByGolden | ByDiff},
    {"--fail-on", "", NotInConfig, "change|regression", Once, OptionSection::Output,
     "golden and diff: what ends with status 1: change, every difference; regression, only a longer time, where the interval of the ratio of both times does not hold 1. Default: change.",
     parseFailOn, ByGolden | ByDiff},
    {"--explain", "", NotInConfig, "[=REV]", Once, OptionSection::Output,
     "golden: name the edit of the source behind each difference. The sources of the revision REV of git, by default the last one that changed the golden file, are analysed as they are and with each edit alone.",
     [](Options &O, StringRef V) -> Error {
       O.Changes.Explain = V.str();
       return Error::success();
     }, ByGolden},
    {"--format", "", NotInConfig, "text|markdown", Once, OptionSection::Output,
     "golden: output format; markdown, a table for a comment on a pull request. Default: text.",
     parseGoldenFormat, ByGolden},
    {"--format", "", NotInConfig, "text|markdown|html", Once, OptionSection::Output,
     "diff: output format; markdown, a table for a comment on a pull request; html, a page with both versions side by side. Default: text.",
     parseDiffFormat, ByDiff},
    {"--format", "", NotInConfig, "text|json|csv|html|markdown|scaling|errors", Once, OptionSection::Validation,
     "Output format of the validation. markdown: only the accuracy tables, with the recorded figures of skipped datasets; scaling: the cases with a base point, with features of the launch, for programs that learn; errors: the table of errors from which the intervals of predictions are made, for lib/Evaluate/Uncertainty/ErrorTable.inc. Default: text.",
     parseValidationFormat, ByValidate},

    {"--out", "", NotInConfig, "FILE", Once, OptionSection::Measuring,
     "Model file to write. Default: the GPU's id with .yaml, in the work folder.",
     setText<&Options::Measure, &MeasureRequest::Out>, ByMeasure},
    {"--only", "", NotInConfig, "GROUP", Repeats, OptionSection::Measuring,
     "Measure only GROUP, and the group device; the values of other groups are inherited.",
     append<&Options::Measure, &MeasureRequest::Only>, ByMeasure},
    {"--quick", "", NotInConfig, "", Once, OptionSection::Measuring,
     "Fewer sizes and repetitions.",
     raise<&Options::Measure, &MeasureRequest::Quick>, ByMeasure},
    {"--work", "", NotInConfig, "DIR", Once, OptionSection::Measuring,
     "Folder for programs and raw samples; groups whose samples exist there are not measured again. Default: gpu-estimate-measure.",
     setText<&Options::Measure, &MeasureRequest::Work>, ByMeasure},
    {"--base", "", NotInConfig, "MODEL", Once, OptionSection::Measuring,
     "GPU model, by id or file, for values that are not measured. Default: the shipped model of equal compute capability with the nearest number of multiprocessors.",
     setText<&Options::Measure, &MeasureRequest::Base>, ByMeasure},
    {"--compiler", "", NotInConfig, "PATH", Once, OptionSection::Measuring,
     "Compiler to use: nvcc, hipcc or clang++. Default: the first of them on PATH.",
     setText<&Options::Measure, &MeasureRequest::Compiler>, ByMeasure},
    {"--raw", "", NotInConfig, "DIR", Once, OptionSection::Measuring,
     "Build the model from the raw samples in DIR, without measuring.",
     setText<&Options::Measure, &MeasureRequest::Raw>, ByMeasure},

    {"--format", "", NotInConfig, "text|json|html|diagnostics|sarif|opt-record", Once, OptionSection::Output,
     "Output format. html: a page with charts, for analyze and compare. diagnostics, sarif (SARIF 2.1.0) and opt-record (LLVM optimisation records in YAML): the findings of analyze. Default: text.", parseFormat, ByAnalyze | ByCompare | ByReport},
    {"--with-source", "", NotInConfig, "", Once, OptionSection::Output,
     "bug-report: add the whole source, and the lines that the compiler shows below its messages.",
     raise<&Options::BugReport, &BugReportRequest::WithSource>, ByBugReport},
    {"--reduce", "", NotInConfig, "", Once, OptionSection::Output,
     "bug-report: add the smallest source that gives the same error, which C-Reduce or cvise makes in at most 15 minutes.",
     raise<&Options::BugReport, &BugReportRequest::Reduce>, ByBugReport},
    {"--format", "", NotInConfig, "text|json", Once, OptionSection::Output,
     "doctor: output format. Default: text.", parseTextOrJson, ByDoctor},
    {"-o", "", NotInConfig, "FILE", Once, OptionSection::Output,
     "Write the output to FILE. Default: standard output.",
     setText<&Options::OutputFile>, ByAnalyze | ByCompare | ByValidate | ByReport | ByTune | BySweep | ByRun | ByDoctor | ByBugReport | ByGolden | ByDiff},
    {"--charts", "", NotInConfig, "DIR", Once, OptionSection::Output,
     "Also write the charts of --format html as SVG files into DIR, which is created if necessary.",
     setText<&Options::ChartsFolder>, ByAnalyze | ByCompare},
    {"--json", "json", NotInConfig, "FILE", Once, OptionSection::Output,
     "Also write the result as JSON to FILE, atomically. The ending .jsonl writes one line for `gpu-estimate report`.",
     setText<&Options::JsonFile>, ByAnalyze},
    {"", "keep-going", NotInConfig, "", Once, OptionSection::Output,
     "Report a wrong plugin argument as a remark, not as an error of the compile; the file is not analysed.",
     raise<&Options::KeepGoing>},
    {"--formulas", "", NotInConfig, "[=text|python|c]", Once, OptionSection::Output,
     "Also print the kernel model as formulas of the kernel arguments: time with the latencies of each instruction class, issue delay, memory traffic and so on. python, c: print it as functions of that language instead of the report.",
     parseFormulas, ByAnalyze},
    {"--print-work", "", NotInConfig, "", Once, OptionSection::Output,
     "Also print the work units spent on each file and kernel, which --deadline limits (5 million units per second).",
     raise<&Options::PrintWork>, ByAnalyze},
    {"--dump", "", NotInConfig, "kernel-model|requests|traffic|cache|schedule|bounds", Once, OptionSection::Output,
     "Print an intermediate result of each kernel instead of the report: the kernel model, the memory requests, the cache and DRAM traffic, the decisions of the cache model behind it, the issue order of each basic block, or the throughput bounds (docs/dump.md).",
     parseDump, ByAnalyze},
    {"--all-findings", "all-findings", InConfig, "", Once, OptionSection::Output,
     "Give every diagnostic of each launch by itself, also where a size is not known, and gains below 5% (docs/diagnostics-selection.md).",
     raise<&Options::AllFindings>, ByAnalyze},
    {"--no-warning", "no-warning", Everywhere, "GROUP", Repeats, OptionSection::Output,
     "Silence a group of diagnostics, as -Wno-gpu-estimate-GROUP does in a compiler; all: every group.", parseGroups<&Options::Silenced>, ByAnalyze},
    {"--error", "error", InConfig, "GROUP", Repeats, OptionSection::Output,
     "Turn a group of diagnostics into errors, as -Werror=gpu-estimate-GROUP does in a compiler: compiles with the plugin fail, and analyze exits with status 1.", parseGroups<&Options::Errors>, ByAnalyze},
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
  case OptionSection::Sweep:
    return "Sweep";
  case OptionSection::Run:
    return "Run";
  case OptionSection::Serve:
    return "Protocol";
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
  std::vector<std::string> Keys;
  for (const OptionSpec &Spec : Table) {
    if (Spec.Key.empty())
      continue;
    if (Spec.Key == Key)
      return applyOption(O, Spec, Key, Value);
    Keys.push_back(Spec.Key.str());
  }
  return usage("no plugin argument is called '" + Key + "'" +
               didYouMean(Key, Keys) + "; there are: " + join(Keys, ", "));
}

} // namespace gpuestimate
