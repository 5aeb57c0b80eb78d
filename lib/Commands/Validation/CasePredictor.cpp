#include "CasePredictor.h"

#include "CpuCases.h"
#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Evaluate/Uncertainty/CombineEffects.h"
#include "gpu-estimate/Model/Kernel/HostMemory.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Scaling/Features.h"
#include "gpu-estimate/Session/Pipeline/KernelLookup.h"
#include "gpu-estimate/Session/Pipeline/KernelPipeline.h"
#include "gpu-estimate/Session/Pipeline/LaunchPipeline.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Session/Plan/HostVariables.h"
#include "gpu-estimate/Session/Plan/PointerParts.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuestimate {

namespace {

/// One launch of a case with its result. Written by one thread.
struct CaseLaunchPrediction {
  const CaseLaunch *Launch = nullptr;
  const GpuModel *Gpu = nullptr;
  /// A launch of one of the kernels that the task consists of: of plain C a
  /// function's loop nests, else one.
  struct Part {
    Prediction Predicted;
    double Repeats = 1;
    /// Milliseconds of one launch without each term, as termTable() lists them;
    /// empty unless they are wanted.
    std::vector<double> WithoutTerm;
    /// With the registers of ptxas, where they are compared: of one launch.
    std::optional<PtxasResult> Ptxas;
  };
  std::vector<std::vector<Part>> Parts; ///< for each model, unless Problem
  std::vector<std::string> Refusals;    ///< likewise; "" where there is none
  std::string Problem;
};

/// A kernel with copies of its launches in host code: it outlives the
/// translation unit.
struct KernelInUnit {
  KernelSettings Settings;
  KernelModel Model;
  std::vector<LaunchSite> Sites;
  /// With what ptxas says of it, where that is compared and it says anything.
  std::optional<KernelModel> Assembled;
};

/// A source that is compiled once.
struct SourceUnit {
  Setup S; ///< without a configuration
  ParseRequest Request;
  /// Function, as the cases name it -> its launches.
  std::map<std::string, std::vector<CaseLaunchPrediction *>> Launches;
  size_t Count = 0;

  void fail(const std::string &Why) {
    for (auto &[Function, Tasks] : Launches)
      for (CaseLaunchPrediction *Task : Tasks)
        Task->Problem = Why;
  }
};

class CasePredictor {
public:
  CasePredictor(const Options &O, StringRef ModelFolder, Validation &Into)
      : O(O), ModelFolder(ModelFolder), Into(Into) {}

  void run(ArrayRef<DatasetCases> Datasets);

private:
  struct CaseTask {
    const DatasetCases *From;
    const MeasuredCase *Case;
    std::vector<std::unique_ptr<CaseLaunchPrediction>> Launches;
    std::string Problem; ///< of the GPU
  };

  void plan(const DatasetCases &From, const MeasuredCase &Case);
  Expected<const GpuModel *> gpu(const MeasuredCase &Case);
  SourceUnit &unit(const DatasetCases &From, const CaseLaunch &Launch,
                   const GpuModel &Gpu);
  void compile(SourceUnit &Unit, ThreadPoolInterface &Pool);
  void evaluateKernels(ArrayRef<KernelInUnit> Kernels,
                       ArrayRef<CaseLaunchPrediction *> Tasks);
  std::vector<LaunchPlan> plansOf(const KernelInUnit &Kernel,
                                  const CaseLaunch &Measured,
                                  const GpuModel &Gpu) const;
  /// False: the task has a problem.
  bool predictPlan(const KernelInUnit &Kernel, const BoundLaunch &L,
                   LaunchEvaluators &On, CaseLaunchPrediction &Task);
  void evaluateTask(ArrayRef<KernelInUnit> Kernels, CaseLaunchPrediction &Task,
                    ArrayRef<std::string> Names);
  void collect(const CaseTask &Task);
  /// The case as model number Model of Into predicts it.
  CaseResult resultOf(const CaseTask &Task, size_t Model) const;

  const Options &O;
  StringRef ModelFolder;
  Validation &Into;
  std::map<std::string, std::unique_ptr<GpuModel>> Gpus;
  std::map<std::string, std::string> GpuProblems;
  std::map<std::string, std::unique_ptr<SourceUnit>> Units;
  std::vector<CaseTask> Tasks;
};

} // namespace

Expected<const GpuModel *> CasePredictor::gpu(const MeasuredCase &Case) {
  std::string Key = Case.Gpu + " " + join(Case.Overrides, " ");
  if (auto Entry = Gpus.find(Key); Entry != Gpus.end())
    return Entry->second.get();
  if (auto Entry = GpuProblems.find(Key); Entry != GpuProblems.end())
    return createStringError(Entry->second);
  auto Load = [&]() -> Expected<GpuModel> {
    Expected<GpuModel> Gpu = findGpuModel(Case.Gpu, ModelFolder);
    if (!Gpu)
      return Gpu;
    // Overrides of the user are applied last.
    for (ArrayRef<std::string> Overrides :
         {ArrayRef(Case.Overrides), ArrayRef(O.GpuOverrides)})
      for (const std::string &Override : Overrides)
        if (Error E = setGpuValue(*Gpu, Override))
          return E;
    return Gpu;
  };
  Expected<GpuModel> Gpu = Load();
  if (!Gpu) {
    GpuProblems[Key] = toString(Gpu.takeError());
    return createStringError(GpuProblems[Key]);
  }
  auto &Kept = Gpus[Key] = std::make_unique<GpuModel>(std::move(*Gpu));
  return Kept.get();
}

std::string checkoutFolder(StringRef Checkouts, StringRef Repository) {
  std::string Name = Repository.str();
  std::replace(Name.begin(), Name.end(), '/', '+');
  SmallString<128> Path(Checkouts);
  sys::path::append(Path, Name);
  return Path.str().str();
}

std::string DatasetCases::sourceFolder(const CaseLaunch &Launch) const {
  return Launch.Repository.empty()
             ? Data->Folder
             : checkoutFolder(Checkouts, Launch.Repository);
}

SourceUnit &CasePredictor::unit(const DatasetCases &From,
                                const CaseLaunch &Launch, const GpuModel &Gpu) {
  const std::string SourceFolder = From.sourceFolder(Launch);
  SmallString<128> File(SourceFolder);
  sys::path::append(File, Launch.File);
  Options Settings = O;
  Settings.KernelRegex.clear(); // it selects cases
  Settings.ClangArguments = From.Data->Arguments;
  for (StringRef Argument : Launch.Arguments) {
    StringRef Folder = Argument, Linked = Argument;
    if (Linked.consume_front("--link=")) {
      SmallString<128> InSources(SourceFolder);
      sys::path::append(InSources, Linked);
      Settings.Linked.push_back(InSources.str().str());
    } else if (Folder.consume_front("-I") && sys::path::is_relative(Folder)) {
      SmallString<128> InSources(SourceFolder);
      sys::path::append(InSources, Folder);
      Settings.ClangArguments.push_back(("-I" + InSources).str());
    } else {
      Settings.ClangArguments.push_back(Argument.str());
    }
  }
  for (const std::string &Define : Launch.Defines)
    Settings.ClangArguments.push_back("-D" + Define);
  Settings.Divisions = From.Data->Divisions;
  // The errors must not depend on what is installed.
  Settings.NoCudaSdk = true;
  std::string Arch = targetArch(Settings, Gpu);
  auto &Unit =
      Units[File.str().str() + "\n" + join(Settings.ClangArguments, "\n") +
            "\n" + join(Settings.Linked, "\n") + "\n" + Arch + "\n" +
            name(From.Data->Divisions).str()];
  if (!Unit) {
    Unit = std::make_unique<SourceUnit>();
    Unit->Request = parseRequest(Settings, File, Arch);
    Unit->S.ModelFolder = ModelFolder.str();
    Unit->S.Opts = Unit->S.Given = std::move(Settings);
  }
  return *Unit;
}

void CasePredictor::plan(const DatasetCases &From, const MeasuredCase &Case) {
  CaseTask &Task = Tasks.emplace_back(CaseTask{&From, &Case, {}, ""});
  if (!Case.Cpu.empty())
    return;
  Expected<const GpuModel *> Gpu = gpu(Case);
  if (!Gpu) {
    Task.Problem = toString(Gpu.takeError());
    return;
  }
  for (const CaseLaunch &Launch : Case.Launches) {
    auto &Part =
        Task.Launches.emplace_back(std::make_unique<CaseLaunchPrediction>());
    Part->Launch = &Launch;
    Part->Gpu = *Gpu;
    SourceUnit &Unit = unit(From, Launch, **Gpu);
    Unit.Launches[Launch.Function].push_back(Part.get());
    ++Unit.Count;
  }
}

void CasePredictor::compile(SourceUnit &Unit, ThreadPoolInterface &Pool) {
  std::string Diagnostics;
  Expected<TranslationUnit> Parsed = parse(Unit.Request, Diagnostics);
  if (!Parsed)
    return Unit.fail(toString(Parsed.takeError()) + firstError(Diagnostics));
  // Problems of ptxas and of annotations show in `gpu-estimate analyze`.
  std::vector<Notice> Notices;
  KernelPipeline Pipeline(std::move(*Parsed), Unit.S,
                          KernelPipeline::StepLimits::None, Notices);
  for (auto &[Function, Tasks] : Unit.Launches) {
    auto Extract = [&,
                    &Name = Function]() -> Expected<std::vector<KernelInUnit>> {
      Expected<std::vector<const KernelSource *>> Sources =
          findKernels(Pipeline.unit(), Name);
      if (!Sources)
        return Sources.takeError();
      std::vector<KernelInUnit> Kernels;
      for (const KernelSource *Source : *Sources) {
        Expected<KernelReading> Reading = Pipeline.read(*Source);
        if (!Reading)
          return Reading.takeError();
        KernelInUnit &Kernel = Kernels.emplace_back(KernelInUnit{
            std::move(Reading->Settings), std::move(Reading->Model), {}, {}});
        if (std::optional<Resources> Exact =
                Unit.S.Opts.Ptxas == ComparePtxas
                    ? Pipeline.assembled(Kernel.Model.Res, *Source)
                    : std::nullopt) {
          Kernel.Assembled = Kernel.Model;
          Kernel.Assembled->Res = std::move(*Exact);
        }
        for (const LaunchSite *Site : Reading->Sites)
          Kernel.Sites.push_back(*Site);
      }
      return Kernels;
    };
    Expected<std::vector<KernelInUnit>> Kernels = Extract();
    if (!Kernels) {
      std::string Why =
          Unit.Request.File + ": " + toString(Kernels.takeError());
      for (CaseLaunchPrediction *Task : Tasks)
        Task->Problem = Why;
      continue;
    }
    // A model's expressions belong to it alone, so kernels are independent of
    // each other and of the module.
    auto Kept =
        std::make_shared<std::vector<KernelInUnit>>(std::move(*Kernels));
    Pool.async([this, Kept, &Tasks = Tasks] { evaluateKernels(*Kept, Tasks); });
  }
}

/// Where host code puts the buffers, if all launches of the kernel agree. A
/// measured launch is not the first one: managed memory is on the GPU.
static void takePlaces(ArrayRef<LaunchSite> Sites, Bindings &Named) {
  if (Sites.empty())
    return;
  auto placeIn = [](const LaunchSite &Site,
                    StringRef Name) -> std::optional<double> {
    auto Found = Site.Arguments.find(Name);
    if (Found == Site.Arguments.end())
      return std::nullopt;
    std::optional<double> Place = Found->second.asConstant();
    return Place == placeValue(BufferPlace::FirstTouch)
               ? placeValue(BufferPlace::Managed)
               : Place;
  };
  for (const auto &Passed : Sites.front().Arguments) {
    StringRef Name = Passed.getKey();
    if (!Name.starts_with(PlacePrefix))
      continue;
    std::optional<double> Place = placeIn(Sites.front(), Name);
    if (Place && all_of(Sites, [&](const LaunchSite &Site) {
          return placeIn(Site, Name) == Place;
        }))
      Named.try_emplace(Name, *Place);
  }
}

/// What a launch in host code passes for arguments, and members of them, that
/// the case does not state, as far as it follows from what the case states.
static Bindings passedValues(const KernelModel &Kernel, const LaunchSite &Site,
                             const Bindings &Named, const GpuModel *Gpu) {
  HostVariables Host(Kernel, Site, nullptr, Named, Gpu);
  Bindings Passed;
  for (const auto &Argument : Site.Arguments) {
    StringRef Name = Argument.getKey();
    Expr Value = Argument.getValue();
    const KernelArgument *Declared = Host.argument(Name);
    bool IsNumber = !Name.starts_with(PlacePrefix) &&
                    (!Declared || Declared->Kind != KernelArgument::Pointer);
    if (!Value || !IsNumber || Named.contains(Name) || !Host.knows(Value))
      continue;
    std::optional<double> Number = Host.evaluate(Value);
    // An initial value that a branch may change is a guess.
    if (Number && !Host.guessed(Value))
      Passed[Name] = *Number;
  }
  return Passed;
}

/// Adds to Named what all launches in host code agree on: a dataset of a
/// profiler has no members of structures that are passed by value.
static void takePassedValues(const KernelModel &Kernel,
                             ArrayRef<LaunchSite> Sites, const GpuModel *Gpu,
                             Bindings &Named) {
  if (Sites.empty())
    return;
  Bindings Common = passedValues(Kernel, Sites.front(), Named, Gpu);
  for (const LaunchSite &Site : Sites.drop_front()) {
    Bindings Other = passedValues(Kernel, Site, Named, Gpu), Both;
    for (const auto &Entry : Common)
      if (auto Same = Other.find(Entry.getKey());
          Same != Other.end() && Same->second == Entry.getValue())
        Both[Entry.getKey()] = Entry.getValue();
    Common = std::move(Both);
  }
  for (const auto &Entry : Common)
    Named.try_emplace(Entry.getKey(), Entry.getValue());
}

/// What all launches in host code agree on of the buffers.
static void takeBuffers(ArrayRef<LaunchSite> Sites, LaunchInputs &In) {
  for (auto [I, Site] : enumerate(Sites)) {
    LaunchInputs AtSite = In;
    AtSite.Site = &Site;
    LaunchPlan Plan = planLaunch(std::move(AtSite));
    if (I == 0) {
      In.Parts = std::move(Plan.Parts);
      In.Contents = std::move(Plan.Contents);
      In.Premises = std::move(Plan.Premises);
      continue;
    }
    erase_if(In.Premises, [&](const std::string &Premise) {
      return !is_contained(Plan.Premises, Premise);
    });
    erase_if(In.Parts, [&](const BufferPart &Part) {
      return !is_contained(Plan.Parts, Part);
    });
    ContentsOfBuffers Both;
    for (const auto &Entry : In.Contents)
      if (auto Same = Plan.Contents.find(Entry.getKey());
          Same != Plan.Contents.end() &&
          sameContents(Entry.getValue(), Same->getValue()))
        Both[Entry.getKey()] = Entry.getValue();
    In.Contents = std::move(Both);
  }
}

/// Launches in host code that the case uses: those of loop nests. A case of a
/// CUDA kernel states its launch itself.
static std::vector<const LaunchSite *> sitesOf(const KernelInUnit &Kernel) {
  std::vector<const LaunchSite *> Sites;
  if (!Kernel.Model.Nest)
    return Sites;
  for (const LaunchSite &Site : Kernel.Sites)
    Sites.push_back(&Site);
  return Sites;
}

void CasePredictor::evaluateKernels(ArrayRef<KernelInUnit> Kernels,
                                    ArrayRef<CaseLaunchPrediction *> Tasks) {
  std::vector<std::string> Names;
  for (const KernelInUnit &Kernel : Kernels)
    collectParameterNames(Kernel.Model, sitesOf(Kernel), Names);
  sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
  for (CaseLaunchPrediction *Task : Tasks)
    evaluateTask(Kernels, *Task, Names);
}

/// Milliseconds of the launch without each of termTable(). A term whose removal
/// makes the launch impossible to predict changes nothing.
static std::vector<double> withoutEachTerm(const BoundLaunch &L,
                                           const LaunchEvaluators &On,
                                           const Prediction &Whole) {
  std::vector<double> Result;
  for (const TermInfo &Term : termTable()) {
    EvaluateOptions Ablated = On.options();
    Ablated.Without.insert(Term.Name);
    LaunchEvaluators Without(On.gpu(), std::move(Ablated));
    Expected<Prediction> P = predict(L, Without);
    if (!P)
      consumeError(P.takeError());
    Result.push_back((P ? P->Time : Whole.Time).value() * 1e3);
  }
  return Result;
}

/// The launch with the registers of ptxas.
static PtxasResult withPtxas(const KernelInUnit &Kernel, const BoundLaunch &L,
                             LaunchEvaluators &On,
                             const Prediction &Estimated) {
  PtxasResult R = {Estimated.Time.value() * 1e3, Estimated.RegistersPerThread,
                   Kernel.Assembled.has_value(), false};
  if (!Kernel.Assembled)
    return R;
  KernelCopies Copies(*Kernel.Assembled);
  BoundLaunch Assembled = cantFail(bind(L.Plan, On.gpu(), Copies));
  Expected<Prediction> P = predict(Assembled, On);
  if (!P) {
    consumeError(P.takeError());
    R.Refused = true;
    return R;
  }
  R.PredictedMs = P->Time.value() * 1e3;
  R.Registers = P->RegistersPerThread;
  R.Assembled = P->RegistersSource == "ptxas";
  return R;
}

/// Why a plan of the case cannot stand for its launch; "" if it can.
static std::string whyNotMeasured(const CaseLaunch &Measured,
                                  const KernelModel &Kernel,
                                  const LaunchPlan &Plan) {
  if (!Measured.Pointers.empty() && !Plan.Notices.empty())
    return Plan.Notices.front();
  // A measured time is that of known sizes.
  if (!Plan.Guesses.empty())
    return "'" + Kernel.Name + "': " + Plan.Guesses.front().Stated.What +
           " is not known (" + Plan.Guesses.front().Stated.Why + ")";
  if (Plan.Repeats <= 0)
    return "'" + Kernel.Name +
           "': the number of its launches in the loops around it is not known";
  return "";
}

/// The launches of a kernel that the case states, as far as it does: the rest
/// is what all launches in host code agree on.
std::vector<LaunchPlan> CasePredictor::plansOf(const KernelInUnit &Kernel,
                                               const CaseLaunch &Measured,
                                               const GpuModel &Gpu) const {
  gpuestimate::Options CaseSettings;
  CaseSettings.Parameters = Measured.Parameters;
  CaseSettings.Pointers = Measured.Pointers;
  CaseSettings.Launch.Grid = Measured.Grid;
  CaseSettings.Launch.Block = Measured.Block;
  CaseSettings.Launch.DynamicSharedBytes = Measured.DynamicSharedBytes;
  LaunchInputs In =
      Kernel.Settings.launchInputs(Kernel.Model, {"dataset", &CaseSettings});
  In.Gpu = &Gpu;
  takePlaces(Kernel.Sites, In.Named);
  if (!Kernel.Model.Nest) {
    takePassedValues(Kernel.Model, Kernel.Sites, &Gpu, In.Named);
    takeBuffers(Kernel.Sites, In);
  }
  return planLaunches(In, sitesOf(Kernel));
}

bool CasePredictor::predictPlan(const KernelInUnit &Kernel,
                                const BoundLaunch &L, LaunchEvaluators &On,
                                CaseLaunchPrediction &Task) {
  Expected<Prediction> P = predict(L, On);
  if (!P) {
    Error E = P.takeError();
    bool Refused = E.isA<ModelRefusal>();
    (Refused ? Task.Refusals.back() : Task.Problem) = toString(std::move(E));
    return Refused;
  }
  CaseLaunchPrediction::Part &Part = Task.Parts.back().emplace_back(
      CaseLaunchPrediction::Part{std::move(*P), L.Plan.Repeats, {}, {}});
  if (On.options().Model != DefaultModel)
    return true;
  if (O.Ptxas == ComparePtxas)
    Part.Ptxas = withPtxas(Kernel, L, On, Part.Predicted);
  if (O.Validation.Ablation)
    Part.WithoutTerm = withoutEachTerm(L, On, Part.Predicted);
  return true;
}

void CasePredictor::evaluateTask(ArrayRef<KernelInUnit> Kernels,
                                 CaseLaunchPrediction &Task,
                                 ArrayRef<std::string> Names) {
  const CaseLaunch &Measured = *Task.Launch;
  std::vector<std::string> InPointers;
  collectNames(Measured.Pointers, InPointers);
  for (const auto &[Name, Value] : Measured.Parameters)
    if (!is_contained(Names, Name) && !is_contained(InPointers, Name)) {
      Task.Problem = "params: '" + Measured.Function +
                     "' has no argument or unknown '" + Name + "'" +
                     didYouMean(Name, Names);
      return;
    }
  EvaluateOptions Options = evaluateOptions(O);
  Options.Caches = Measured.Caches;
  Options.Timing = Measured.Timing;
  if (Measured.L1Hit)
    Options.L1Hit = Measured.L1Hit;
  if (Measured.L2Hit)
    Options.L2Hit = Measured.L2Hit;
  std::vector<std::pair<const KernelInUnit *, BoundLaunch>> Launches;
  LaunchEvaluators ToAsk(*Task.Gpu, Options);
  for (const KernelInUnit &Kernel : Kernels) {
    KernelCopies Copies(Kernel.Model);
    for (LaunchPlan &Plan : plansOf(Kernel, Measured, *Task.Gpu)) {
      Task.Problem = whyNotMeasured(Measured, Kernel.Model, Plan);
      if (!Task.Problem.empty())
        return;
      if (std::string Why = whyNoTime(Plan, Copies, ToAsk); !Why.empty()) {
        Task.Parts.resize(Into.Models.size());
        Task.Refusals.assign(Into.Models.size(), Why);
        return;
      }
      // Only what is executed may have an error.
      Launches.emplace_back(&Kernel,
                            cantFail(bind(std::move(Plan), *Task.Gpu, Copies)));
    }
  }
  for (const std::string &Model : Into.Models) {
    Options.Model = Model;
    Options.Wanted.Sensitivities = Model == DefaultModel; // for the interval
    Task.Parts.emplace_back();
    Task.Refusals.emplace_back();
    const KernelInUnit *Last = nullptr;
    std::optional<LaunchEvaluators> On; // of the kernel
    for (const auto &[Kernel, L] : Launches) {
      if (Kernel != Last)
        On.emplace(*Task.Gpu, Options);
      Last = Kernel;
      if (!predictPlan(*Kernel, L, *On, Task))
        return;
    }
  }
}

static CaseConfiguration configurationOf(const GpuModel &Gpu) {
  auto Megahertz = [](Hertz Clock) { return std::round(Clock.value() * 1e-6); };
  return {Gpu.SmCount, Megahertz(Gpu.CoreClock),
          Gpu.DramClock ? Megahertz(*Gpu.DramClock) : 0};
}

/// CaseResult::Utilisation of the measured counters.
static CaseValues utilisation(const GpuModel &Gpu, const CaseValues &Measured,
                              double Milliseconds) {
  auto FlopRate = [&](OpClass Fma) {
    return 2 * Gpu.cost(Fma).Throughput * Gpu.SmCount * Gpu.CoreClock.value();
  };
  const std::pair<StringRef, double> Rates[] = {
      {"dram_bytes", Gpu.DramPeakBandwidth.value()},
      {"flop_fp32", FlopRate(OpClass::Fp32Fma)},
      {"flop_fp64", FlopRate(OpClass::Fp64Fma)}};
  CaseValues Result;
  for (const auto &[Counter, Value] : Measured)
    for (const auto &[Name, Rate] : Rates)
      if (Counter == Name && Rate > 0 && Milliseconds > 0)
        Result.push_back({Counter, Value / (Milliseconds * 1e-3 * Rate)});
  return Result;
}

/// Mean board power over launches: what the board draws, at its limit if need
/// be. Nothing if that of a launch is not known.
static std::optional<double> meanPower(
    ArrayRef<std::pair<const CaseLaunchPrediction::Part *, double>> Launches) {
  Joules Energy;
  Seconds Time;
  for (const auto &[Part, Repeat] : Launches) {
    const PowerEstimate &P = Part->Predicted.Power;
    if (!P.Board)
      return std::nullopt;
    Energy += (P.Throttled ? P.Throttled->Energy
                           : *P.drawn() * Part->Predicted.Time) *
              Repeat;
    Time += (P.Throttled ? P.Throttled->Time : Part->Predicted.Time) * Repeat;
  }
  return Time.value() > 0 ? std::optional((Energy / Time).value())
                          : std::nullopt;
}

/// CaseResult::InputFactors: the mean over the launches' times; nothing if that
/// of a launch is not known.
static std::optional<TimeFactors> inputFactors(
    ArrayRef<std::pair<const CaseLaunchPrediction::Part *, double>> Launches) {
  double Low = 0, High = 0, All = 0;
  for (const auto &[Part, Repeat] : Launches) {
    if (!Part->Predicted.Interval)
      return std::nullopt;
    TimeFactors Inputs = combinedEffect(Part->Predicted.Assumptions);
    double Ms = Part->Predicted.Time.value() * Repeat;
    All += Ms;
    Low += Ms * Inputs.Low;
    High += Ms * Inputs.High;
  }
  return All > 0 ? std::optional(TimeFactors{Low / All, High / All})
                 : std::nullopt;
}

/// CaseResult::Work.
static std::string workOf(const MeasuredCase &Case) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const CaseLaunch &L : Case.Launches) {
    OS << L.File << '\n' << L.Function << '\n' << join(L.Defines, " ") << '\n';
    for (const auto &Sizes : {L.Grid, L.Block})
      for (uint64_t Size : Sizes.value_or(std::array<uint64_t, 3>{}))
        OS << Size << ' ';
    OS << L.DynamicSharedBytes << ' ' << L.Repeat << ' ' << int(L.Caches) << ' '
       << int(L.Timing) << '\n';
    for (const auto &[Name, Value] : L.Parameters)
      OS << Name << '=' << Value << '\n';
  }
  return Text;
}

/// CaseResult::IntervalsMs: launches are off by the same factors. Group: of
/// heldOutGroup().
static decltype(CaseResult::IntervalsMs) intervalsOf(
    ArrayRef<std::pair<const CaseLaunchPrediction::Part *, double>> Launches,
    StringRef Group, bool IsAmd) {
  decltype(CaseResult::IntervalsMs) Sums;
  Sums.emplace();
  for (const auto &[Part, Repeat] : Launches) {
    const Prediction &P = Part->Predicted;
    if (!P.Interval)
      return std::nullopt;
    double Ms = P.Time.value() * 1e3 * Repeat;
    const ErrorTable &Table = errorTable(Group);
    ErrorPart Bound = boundPart(P.Bottleneck);
    TimeFactors Inputs = combinedEffect(P.Assumptions);
    for (auto [Sum, Level] : zip_equal(*Sums, intervalLevels())) {
      TimeFactors Model =
          modelError(Table, errorShares(P.Breakdown), Bound, IsAmd, Level).Time;
      TimeFactors Assumed = atLevel(Inputs, Level);
      if (!P.Assumptions.empty())
        for (TimeFactors *Part : {&Model, &Assumed})
          *Part = whereAssumed(Table, Bound, Level, *Part);
      TimeFactors Range = Model * Assumed;
      Sum.first += Ms * Range.Low;
      Sum.second += Ms * Range.High;
    }
  }
  return Sums;
}

namespace {

/// What the launches of a case add up to, for one model.
class CaseSum {
public:
  CaseSum(CaseResult &R, const GpuModel &Gpu, bool IsDefault)
      : R(R), Gpu(Gpu), IsDefault(IsDefault) {}

  void add(const CaseLaunchPrediction::Part &Part, double Repeat);
  void finish();

private:
  /// What the report names of a case is that of its longest launch.
  void describe(const CaseLaunchPrediction::Part &Part);

  CaseResult &R;
  const GpuModel &Gpu;
  bool IsDefault;
  double Longest = -1;
  CaseValues Counts;
  std::map<std::string, double> BreakdownMs;
};

void CaseSum::add(const CaseLaunchPrediction::Part &Part, double Repeat) {
  const Prediction &P = Part.Predicted;
  for (auto [Sum, Ms] : zip(R.Without, Part.WithoutTerm))
    Sum.second += Ms * Repeat;
  double Ms = P.Time.value() * 1e3 * Repeat;
  R.PredictedMs += Ms;
  if (Part.Ptxas) {
    if (!R.Ptxas)
      R.Ptxas.emplace();
    R.Ptxas->PredictedMs += Part.Ptxas->PredictedMs * Repeat;
    R.Ptxas->Assembled |= Part.Ptxas->Assembled;
    R.Ptxas->Refused |= Part.Ptxas->Refused;
  }
  CaseValues OfPart = namedCounts(P.Count);
  Counts.resize(OfPart.size());
  for (auto [Sum, Count] : zip(Counts, OfPart))
    Sum = {Count.first, Sum.second + Count.second * Repeat};
  for (const auto &[Name, Fraction] : P.Breakdown)
    BreakdownMs[Name] += Fraction * Ms;
  for (const std::string &Premise : P.Premises)
    if (!is_contained(R.Premises, Premise))
      R.Premises.push_back(Premise);
  for (const Assumption &A : P.Assumptions)
    if (!is_contained(R.Assumed, A.What))
      R.Assumed.push_back(A.What);
  if (Ms > Longest) {
    Longest = Ms;
    describe(Part);
  }
}

void CaseSum::describe(const CaseLaunchPrediction::Part &Part) {
  const Prediction &P = Part.Predicted;
  R.Bottleneck = P.Bottleneck;
  R.Warps = double(P.Used.blocks()) *
            divideCeil(P.Used.threadsPerBlock(), Gpu.WarpSize);
  if (IsDefault)
    R.StaticFeatures = staticFeatures(P, Gpu);
  R.Registers = P.RegistersPerThread;
  R.RegistersSource = P.RegistersSource;
  if (R.Ptxas)
    R.Ptxas->Registers = Part.Ptxas->Registers;
}

void CaseSum::finish() {
  R.Predicted = {{"registers", double(R.Registers)}};
  append_range(R.Predicted, Counts);
  for (const auto &[Name, Ms] : BreakdownMs)
    R.Breakdown.push_back({Name, R.PredictedMs > 0 ? Ms / R.PredictedMs : 0});
  stable_sort(R.Breakdown,
              [](auto &A, auto &B) { return A.second > B.second; });
}

} // namespace

/// The measured side of a result.
static CaseResult measuredResult(const Dataset &Data, const MeasuredCase &Case,
                                 const GpuModel &Gpu) {
  CaseResult R;
  R.Dataset = Data.Name;
  R.Case = Case.Id;
  R.Kernel = Case.Kernel;
  R.Gpu = Case.Gpu;
  R.GpuVendor = Gpu.Vendor;
  R.Base = Case.Base;
  R.Work = workOf(Case);
  R.Overrides = Case.Overrides;
  R.Configuration = configurationOf(Gpu);
  R.Part = Case.Part;
  R.Noisy = Case.Noisy;
  R.MeasuredMs = Case.Milliseconds;
  R.Spread = Case.Spread;
  R.Measured = Case.Counters;
  R.Utilisation = utilisation(Gpu, Case.Counters, Case.Milliseconds);
  if (std::optional<NamedFeatures> Known =
          counterFeatures(R.Measured, Seconds(R.MeasuredMs * 1e-3), Gpu))
    R.CounterFeatures = std::move(*Known);
  return R;
}

CaseResult CasePredictor::resultOf(const CaseTask &Task, size_t Model) const {
  const GpuModel &Gpu = *Task.Launches.front()->Gpu;
  CaseResult R = measuredResult(*Task.From->Data, *Task.Case, Gpu);
  R.Model = Into.Models[Model];
  bool IsDefault = R.Model == DefaultModel;
  if (O.Validation.Ablation && IsDefault)
    for (const TermInfo &Term : termTable())
      R.Without.push_back({Term.Name.str(), 0});
  std::vector<std::pair<const CaseLaunchPrediction::Part *, double>> All;
  for (const auto &Launch : Task.Launches)
    for (const CaseLaunchPrediction::Part &Part : Launch->Parts[Model])
      All.push_back({&Part, Part.Repeats * Launch->Launch->Repeat});
  CaseSum Sum(R, Gpu, IsDefault);
  for (const auto &[Part, Repeat] : All)
    Sum.add(*Part, Repeat);
  Sum.finish();
  if (IsDefault) {
    R.InputFactors = inputFactors(All);
    R.IntervalsMs = intervalsOf(All, heldOutGroup(R.Dataset, R.Kernel),
                                R.GpuVendor == "AMD");
  }
  if (std::optional<double> Power = meanPower(All))
    R.Predicted.push_back({"power_w", *Power});
  return R;
}

void CasePredictor::collect(const CaseTask &Task) {
  const MeasuredCase &Case = *Task.Case;
  const Dataset &Data = *Task.From->Data;
  auto At = [&](unsigned Line) {
    return Data.CasesFile + ":" + std::to_string(Line);
  };
  std::string Problem = Task.Problem;
  unsigned Line = Case.Launches.front().Line;
  for (const auto &Part : Task.Launches)
    if (Problem.empty() && !Part->Problem.empty()) {
      Problem = Part->Problem;
      Line = Part->Launch->Line;
    }
  if (!Problem.empty()) {
    Into.Failures.push_back(
        {Data.Name, Case.Id, Case.Gpu, At(Line), std::move(Problem)});
    return;
  }
  for (size_t M = 0; M < Into.Models.size(); ++M) {
    auto Refused = find_if(Task.Launches, [&](const auto &Part) {
      return !Part->Refusals[M].empty();
    });
    if (Refused == Task.Launches.end()) {
      Into.Cases.push_back(resultOf(Task, M));
      continue;
    }
    Into.Refusals.push_back({Data.Name, Case.Id, Case.Gpu,
                             At((*Refused)->Launch->Line),
                             (*Refused)->Refusals[M], Into.Models[M]});
  }
}

void CasePredictor::run(ArrayRef<DatasetCases> Datasets) {
  for (const DatasetCases &From : Datasets)
    for (const MeasuredCase *Case : From.Cases)
      plan(From, *Case);
  // The longest work first, so that no thread is left alone with it.
  std::vector<SourceUnit *> Order;
  for (auto &[Key, Unit] : Units)
    Order.push_back(Unit.get());
  stable_sort(Order, [](const SourceUnit *A, const SourceUnit *B) {
    return A->Count > B->Count;
  });
  DefaultThreadPool Pool(hardware_concurrency());
  for (SourceUnit *Unit : Order)
    Pool.async([this, Unit, &Pool] { compile(*Unit, Pool); });
  Pool.wait();
  for (const CaseTask &Task : Tasks)
    if (Task.Case->Cpu.empty())
      collect(Task);
    else
      predictCpuCase(*Task.From, *Task.Case, O, Into);
}

void predictCases(ArrayRef<DatasetCases> Datasets, const Options &O,
                  StringRef ModelFolder, Validation &Into) {
  CasePredictor(O, ModelFolder, Into).run(Datasets);
}

} // namespace gpuestimate
