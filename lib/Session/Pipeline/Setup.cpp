#include "gpu-estimate/Session/Pipeline/Setup.h"

#include "BufferOptions.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace gpuestimate {

static Expected<ComparisonTarget> loadTarget(const TargetRequest &Request) {
  ComparisonTarget Target;
  Target.Request = Request;
  auto Load = [&](auto Model, auto &Into) -> Error {
    if (!Model)
      return make_error<UsageError>("--against: " +
                                    toString(Model.takeError()));
    Into = std::move(*Model);
    return Error::success();
  };
  StringRef Name = Request.Name;
  if (Error E =
          Request.Kind == TargetRequest::Cpu
              ? Load(findCpuModel(Name.empty() ? StringRef(DefaultCpu) : Name),
                     Target.Cpu)
              : Load(
                    findFpgaModel(Name.empty() ? StringRef(DefaultFpga) : Name),
                    Target.Fpga))
    return E;
  return Target;
}

Error checkTerms(ArrayRef<std::string> Without, const ModelInfo &Model) {
  StringSet<> Terms;
  for (const std::string &Term : Without)
    Terms.insert(Term);
  if (Error E = checkTerms(Model, Terms))
    return make_error<UsageError>(toString(std::move(E)));
  return Error::success();
}

/// The profile, of model quantitative-roofline or of a sweep, and the reference
/// GPU of that model.
static Error readMeasurements(Setup &S, StringRef ModelFolder) {
  const Options &O = S.Opts;
  if (O.Special || O.TrafficWeight != 1)
    if (O.Model.value_or(DefaultModel.str()) != "quantitative-roofline")
      return make_error<UsageError>(
          std::string(O.Special ? "--special-operations" : "--traffic-weight") +
          ": requires --model quantitative-roofline");
  if (O.ProfileFile.empty() && !O.Reference)
    return Error::success();
  StringRef Option = O.ProfileFile.empty() ? "--reference" : "--profile";
  std::string Model = O.Model.value_or(DefaultModel.str());
  bool Sweeps = !O.Sweep.Axes.empty();
  if (!O.Reference && Sweeps && Model != DefaultModel)
    return make_error<UsageError>("--profile: sweep scales the measured time "
                                  "by the default model, not by --model " +
                                  Model);
  if ((O.Reference || !Sweeps) && Model != "quantitative-roofline")
    return make_error<UsageError>(
        (Option + ": requires --model quantitative-roofline").str());
  if (!O.ProfileFile.empty()) {
    auto Text = MemoryBuffer::getFile(O.ProfileFile);
    if (!Text)
      return make_error<UsageError>("--profile: " + O.ProfileFile + ": " +
                                    Text.getError().message());
    auto Profiles = parseProfile(O.ProfileFile, (*Text)->getBuffer());
    if (!Profiles)
      return make_error<UsageError>("--profile: " +
                                    toString(Profiles.takeError()));
    S.Profiles = std::move(*Profiles);
  }
  if (O.Reference) {
    auto Gpu = findGpuModel(O.Reference->first, ModelFolder);
    if (!Gpu)
      return make_error<UsageError>("--reference: " +
                                    toString(Gpu.takeError()));
    S.ReferenceGpu = std::move(*Gpu);
  }
  return Error::success();
}

const GpuModel *Setup::measuredOn(const RecordedLaunch &L) const {
  for (StringRef Name : {StringRef(), StringRef(L.Device)})
    if (auto Card = MeasuredCards->find(Name); Card != MeasuredCards->end())
      return &Card->second;
  return nullptr;
}

/// The cards that the file names, as far as there are models of them.
static Expected<StringMap<GpuModel>> measuredCards(const LaunchFile &File,
                                                   const Setup &S) {
  StringMap<GpuModel> Cards;
  if (!S.Opts.LaunchFile.MeasuredOn.empty()) {
    Expected<GpuModel> Card =
        findGpuModel(S.Opts.LaunchFile.MeasuredOn, S.ModelFolder);
    if (!Card)
      return usage("--measured-on: " + toString(Card.takeError()));
    Cards.try_emplace("", std::move(*Card));
    return Cards;
  }
  std::vector<GpuModel> All;
  for (const RecordedLaunch &L : File.Launches) {
    if (L.Device.empty() || Cards.contains(L.Device))
      continue;
    if (All.empty()) {
      Expected<std::vector<GpuModel>> Loaded = loadGpuModels(S.ModelFolder);
      if (!Loaded)
        return usage(toString(Loaded.takeError()));
      All = std::move(*Loaded);
    }
    for (const GpuModel &Gpu : All)
      if (Gpu.Id == L.Device || isProduct(Gpu, L.Device))
        Cards.try_emplace(L.Device, Gpu);
  }
  return Cards;
}

/// The file of --launches. With --transfer its cards are predicted, too.
static Error readLaunches(Setup &S, const Setup *Previous) {
  const Options &O = S.Opts;
  if (O.LaunchFile.File.empty())
    return O.LaunchFile.Transfer || !O.LaunchFile.MeasuredOn.empty()
               ? usage(Twine(O.LaunchFile.Transfer ? "--transfer"
                                                   : "--measured-on") +
                       ": requires --launches FILE")
               : Error::success();
  if (O.Launch.any())
    return usage("--launches: the file tells grids and blocks; leave out "
                 "--grid, --block and --dynamic-smem");
  if (Previous && Previous->Launches) {
    S.Launches = Previous->Launches;
  } else {
    Expected<LaunchFile> File = readLaunchFile(O.LaunchFile.File);
    if (!File)
      return usage("--launches: " + toString(File.takeError()));
    S.Launches = std::make_shared<LaunchFile>(std::move(*File));
  }
  // As the profiler has run them, unless the user says otherwise.
  for (Options *Of : {&S.Given, &S.Opts}) {
    if (!Of->Caches && S.Launches->By == TimedBy::Counters)
      Of->Caches = CacheState::Cold;
    if (!Of->Timing && S.Launches->By == TimedBy::Timeline)
      Of->Timing = LaunchTiming::Single;
  }
  Expected<StringMap<GpuModel>> Cards = measuredCards(*S.Launches, S);
  if (!Cards)
    return Cards.takeError();
  S.MeasuredCards = std::make_shared<StringMap<GpuModel>>(std::move(*Cards));
  if (!O.LaunchFile.Transfer)
    return Error::success();
  if (S.MeasuredCards->empty())
    return usage("--transfer: " + S.Launches->File +
                 (S.Launches->device().empty()
                      ? " names no card"
                      : " is of '" + S.Launches->device() +
                            "', of which there is no model") +
                 "; pass --measured-on ID");
  for (const auto &Card : *S.MeasuredCards)
    if (none_of(S.Gpus,
                [&](const GpuModel &Gpu) { return Gpu.Id == Card.second.Id; }))
      S.Gpus.push_back(Card.second);
  return Error::success();
}

/// Models that another file's set-up has loaded are not read again.
static Error loadGpus(Setup &S, const Setup *Previous) {
  if (Previous && Previous->ModelFolder == S.ModelFolder &&
      Previous->Opts.Gpus == S.Opts.Gpus &&
      Previous->Opts.GpuOverrides == S.Opts.GpuOverrides) {
    S.Gpus = Previous->Gpus;
    S.AllGpus = Previous->AllGpus;
    return Error::success();
  }
  for (const std::string &Name : S.Opts.Gpus) {
    Expected<std::vector<GpuModel>> Gpus = findGpuModels(Name, S.ModelFolder);
    if (!Gpus)
      return make_error<UsageError>("--gpu: " + toString(Gpus.takeError()));
    for (GpuModel &Gpu : *Gpus) {
      for (const std::string &Override : S.Opts.GpuOverrides)
        if (Error E = setGpuValue(Gpu, Override))
          return make_error<UsageError>("--set: " + toString(std::move(E)));
      S.Gpus.push_back(std::move(Gpu));
    }
  }
  if (S.Opts.wantsCharts()) {
    Expected<std::vector<GpuModel>> All = loadGpuModels(S.ModelFolder);
    if (!All)
      return make_error<UsageError>(toString(All.takeError()));
    S.AllGpus = std::move(*All);
  }
  return Error::success();
}

Expected<Setup> prepareSetup(const Options &O, StringRef SourceFile,
                             const Setup *Previous) {
  Setup S;
  std::string File =
      O.ConfigFile.empty() ? findConfig(SourceFile) : O.ConfigFile;
  if (!File.empty()) {
    Expected<Config> Project = loadConfig(File);
    if (!Project)
      return Project.takeError();
    S.Project = std::move(*Project);
  }
  S.Given = O;
  S.Opts = merge(O, S.Project.Values);
  if (S.Opts.Model && !isModel(*S.Opts.Model))
    return make_error<UsageError>("--model: no model is called '" +
                                  *S.Opts.Model +
                                  "'; there are: " + modelNames());
  if (Error E =
          checkTerms(S.Opts.Without,
                     *findModel(S.Opts.Model.value_or(DefaultModel.str()))))
    return E;
  if (S.Opts.Gpus.empty())
    return make_error<UsageError>(
        "no GPU is named: pass --gpu ID (as a plugin argument: gpu=ID), or "
        "write 'gpu: ID' into .gpu-estimate.yaml; `gpu-estimate gpus` lists "
        "the ids");

  for (const TargetRequest &Request : S.Opts.Against) {
    Expected<ComparisonTarget> Target = loadTarget(Request);
    if (!Target)
      return Target.takeError();
    S.Targets.push_back(std::move(*Target));
  }

  Expected<std::string> Folder = findModelFolder(S.Opts.ModelFolder);
  if (!Folder)
    return make_error<UsageError>(toString(Folder.takeError()));
  S.ModelFolder = *Folder;
  if (Error E = loadGpus(S, Previous))
    return E;
  if (Error E = readMeasurements(S, *Folder))
    return E;
  if (Error E = readLaunches(S, Previous))
    return E;
  Expected<std::vector<BufferInput>> Buffers = readBuffers(S.Opts.Buffers);
  if (!Buffers)
    return Buffers.takeError();
  S.Buffers = std::move(*Buffers);
  if (Error E = resolveBudgets(S.Given.Budgets, *Folder))
    return make_error<UsageError>("--budget: " + toString(std::move(E)));
  auto Resolve = [&](std::vector<Budget> &Budgets, const Twine &Place) {
    Error E = resolveBudgets(Budgets, *Folder);
    return E ? make_error<UsageError>((Place + ": budget: ").str() +
                                      toString(std::move(E)))
             : Error::success();
  };
  if (Error E = Resolve(S.Project.Values.Budgets, S.Project.File))
    return E;
  for (ConfigEntry &Entry : S.Project.Kernels)
    if (Error E = Resolve(Entry.Values.Budgets, spell(Entry.Place)))
      return E;
  return S;
}

} // namespace gpuestimate
