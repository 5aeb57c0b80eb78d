/// \file
/// A translation unit's kernels, one after the other.
#include "EmulatedKernel.h"
#include "KernelAnalysis.h"
#include "KernelReader.h"
#include "NestForms.h"
#include "gpu-estimate/Session/Pipeline/RunSupport.h"

#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Lowering/Extract.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace gpuestimate {

StringRef toolVersion() { return GPU_ESTIMATE_VERSION; }

static Expected<Rival> loadRival(const AgainstRequest &Request) {
  Rival R;
  R.Request = Request;
  auto Load = [&](auto Found, auto &Into) -> Error {
    if (!Found)
      return make_error<UsageError>("--against: " +
                                    toString(Found.takeError()));
    Into = std::move(*Found);
    return Error::success();
  };
  StringRef Name = Request.Name;
  if (Error E =
          Request.Kind == AgainstRequest::Cpu
              ? Load(findCpuModel(Name.empty() ? StringRef(DefaultCpu) : Name),
                     R.Cpu)
              : Load(
                    findFpgaModel(Name.empty() ? StringRef(DefaultFpga) : Name),
                    R.Fpga))
    return E;
  return R;
}

Error checkTerms(ArrayRef<std::string> Without, const ModelInfo &Model) {
  StringSet<> Terms;
  for (const std::string &Term : Without)
    Terms.insert(Term);
  if (Error E = checkTerms(Model, Terms))
    return make_error<UsageError>(toString(std::move(E)));
  return Error::success();
}

/// The profile and the reference GPU of model quantitative-roofline.
static Error readQuantitativeInputs(Setup &S, StringRef ModelFolder) {
  const Options &O = S.Opts;
  if (O.ProfileFile.empty() && !O.Reference)
    return Error::success();
  StringRef Option = O.ProfileFile.empty() ? "--reference" : "--profile";
  if (O.Model.value_or(DefaultModel.str()) != "quantitative-roofline")
    return make_error<UsageError>(
        (Option + ": only --model quantitative-roofline takes it").str());
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

/// Models that another file's set-up has loaded are not read again.
static Error loadGpus(Setup &S, const Setup *Before) {
  if (Before && Before->ModelFolder == S.ModelFolder &&
      Before->Opts.Gpus == S.Opts.Gpus &&
      Before->Opts.GpuOverrides == S.Opts.GpuOverrides) {
    S.Gpus = Before->Gpus;
    S.AllGpus = Before->AllGpus;
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
                             const Setup *Before) {
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

  for (const AgainstRequest &Request : S.Opts.Against) {
    Expected<Rival> R = loadRival(Request);
    if (!R)
      return R.takeError();
    S.Rivals.push_back(std::move(*R));
  }

  Expected<std::string> Folder = findModelFolder(S.Opts.ModelFolder);
  if (!Folder)
    return make_error<UsageError>(toString(Folder.takeError()));
  S.ModelFolder = *Folder;
  if (Error E = loadGpus(S, Before))
    return E;
  if (Error E = readQuantitativeInputs(S, *Folder))
    return E;
  Expected<std::vector<GivenBuffer>> Buffers = readBuffers(S.Opts.Buffers);
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

namespace {

class UnitAnalysis {
public:
  UnitAnalysis(TranslationUnit &Unit, const HostSide &Host, const Setup &S,
               ArrayRef<GpuModel> Gpus, std::string WhyNotPrepared)
      : Unit(Unit), Host(Host), S(S), Gpus(Gpus), Wanted(S.Opts.KernelRegex),
        WhyNotPrepared(std::move(WhyNotPrepared)),
        Reader(Unit, S, Result.Notices) {}

  Expected<Analysis> run();

private:
  bool isWanted(StringRef Mangled, StringRef Name) {
    return S.Opts.KernelRegex.empty() || Wanted.match(Name) ||
           Wanted.match(Mangled);
  }
  /// Within its limits, and whatever happens in it.
  Error kernel(const KernelSource &Source);
  Error analyseKernel(const KernelSource &Source);
  /// The passes over the whole module. Where they do not come to their end,
  /// WhyNotPrepared says why.
  void prepareModule();
  void unknownParameters();
  /// Source has only names and a place where there is no code.
  void unresolved(const KernelSource &Source, std::string Reason,
                  bool HasCode = true);

  TranslationUnit &Unit;
  const HostSide &Host;
  const Setup &S;
  ArrayRef<GpuModel> Gpus;
  Regex Wanted;
  std::vector<std::string> ParameterNames, BufferNames;
  /// The kernel before, for advice on both.
  struct AnalysedKernel {
    AnalysedKernel(KernelSettings Settings, KernelModel Model, NestForms Forms,
                   std::vector<const LaunchSite *> Sites)
        : Settings(std::move(Settings)), Model(std::move(Model)),
          Forms(std::move(Forms)), Sites(std::move(Sites)) {}
    KernelSettings Settings;
    KernelModel Model;
    NestForms Forms;
    std::vector<const LaunchSite *> Sites;
    std::optional<KernelAnalysis> Run;
  };
  std::unique_ptr<AnalysedKernel> Last;
  std::string WhyNotPrepared; ///< the reason why no kernel is analysed
  Analysis Result;
  KernelReader Reader; // after Result, which it adds to
};

} // namespace

static constexpr StringLiteral Crashed =
    "internal: the analysis crashed; please report it with the source";

void UnitAnalysis::prepareModule() {
  WorkBudget Budget(analysisLimits(S.Opts, Unit.Kernels.size(), /*Gpus=*/1));
  WorkScope Scope(Budget);
  if (!runGuarded([&] { prepareForAnalysis(*Unit.Module); })) {
    WhyNotPrepared = Crashed;
    // A pass left it half changed: not even its destructor may see it.
    (void)Unit.Module.release();
    (void)Unit.Context.release();
  } else if (workExhausted()) {
    WhyNotPrepared = endedEarly();
  }
  Result.Work.push_back({"passes over the file", Budget.spent()});
}

Error UnitAnalysis::kernel(const KernelSource &Source) {
  if (!WhyNotPrepared.empty()) {
    unresolved(Source, WhyNotPrepared);
    return Error::success();
  }
  WorkBudget Budget(analysisLimits(S.Opts, /*Kernels=*/1, Gpus.size()));
  WorkScope Scope(Budget);
  std::optional<Error> Done;
  bool Survived = runGuarded([&] { Done = analyseKernel(Source); });
  Result.Work.push_back({Source.Name, Budget.spent()});
  if (Survived)
    return std::move(*Done);
  (void)Last.release(); // in the middle of a change
  unresolved(Source, Crashed.str());
  return Error::success();
}

Error UnitAnalysis::analyseKernel(const KernelSource &Source) {
  Function *F = Unit.Module->getFunction(Source.Mangled);
  if (!F) {
    unresolved(Source, "the compiler removed it");
    return Error::success();
  }
  Expected<KernelReading> Read = Reader.read(*F, Source);
  if (workExhausted()) {
    if (!Read)
      consumeError(Read.takeError());
    unresolved(Source, endedEarly());
    return Error::success();
  }
  if (!Read) {
    unresolved(Source, toString(Read.takeError()));
    return Error::success();
  }
  KernelModel &Model = Read->Model;
  collectParameterNames(Model, Read->Sites, ParameterNames);
  Read->Settings.applyTo(Model, Read->Sites, Result.UsedSettings);
  Expected<NestForms> Forms = otherForms(*F, Source, Host, S);
  if (!Forms)
    return Forms.takeError();
  if (Forms->Unfused)
    nameUnknowns(*Forms->Unfused, Unit.Anchors);
  auto Before = std::move(Last);
  Last = std::make_unique<AnalysedKernel>(std::move(Read->Settings),
                                          std::move(Model), std::move(*Forms),
                                          std::move(Read->Sites));
  std::optional<EmulatedKernel> Emulated;
  if (S.Opts.Emulate) {
    Emulated.emplace(*F, Source, Last->Model, Read->Places, S.Buffers);
    append_range(BufferNames, Emulated->bufferNames());
  }
  Last->Run.emplace(S, Last->Settings, Gpus, Last->Model, Last->Forms,
                    Last->Sites, Emulated ? &*Emulated : nullptr, Result);
  size_t First = Result.Estimates.size();
  if (Error E = Last->Run->run(Before ? &*Before->Run : nullptr))
    return E;
  if (Last->Forms.Proposed)
    dropProposals(Result, Source, First);
  return Error::success();
}

void UnitAnalysis::unresolved(const KernelSource &Source, std::string Reason,
                              bool HasCode) {
  KernelSettings Settings = Reader.settings(Source);
  KernelModel Nothing;
  Settings.applyTo(Nothing, {}, Result.UsedSettings);
  for (const GpuModel &Gpu : Gpus)
    Settings.missBudget(Source, Gpu, HasCode, Result.Budgets);
  Result.Unresolveds.push_back(
      {Source.Mangled, Source.Name, Source.Location, std::move(Reason), HasCode,
       /*ImpossibleLaunch=*/false, Settings.options().Silenced});
}

/// A name that no kernel knows is most likely a misspelling.
void UnitAnalysis::unknownParameters() {
  for (const auto &[Name, Value] : S.Given.Parameters)
    if (!is_contained(ParameterNames, Name))
      Result.Notices.push_back(
          {SourceLocation(),
           "--param " + Name +
               ": no analysed kernel has an argument or unknown of this name" +
               didYouMean(Name, ParameterNames)});
  for (const auto &[Name, Contents] : S.Given.Buffers)
    if (!is_contained(BufferNames, Name))
      Result.Notices.push_back(
          {SourceLocation(), "--buffer " + Name +
                                 ": no analysed kernel has a pointer or "
                                 "variable of this name" +
                                 didYouMean(Name, BufferNames)});
  for (const IndexPattern &Pattern : S.Given.Patterns)
    if (!is_contained(Result.UsedSettings, Pattern.name()))
      Result.Notices.push_back(
          {SourceLocation(), "--assume access@" + Pattern.Place + "=" +
                                 Pattern.str() +
                                 ": no analysed kernel reads an index there"});
}

/// A kernel of which only its name is known.
static KernelSource named(StringRef Name, const SourceLocation &Location) {
  KernelSource Source;
  Source.Mangled = Source.Name = Name.str();
  Source.Location = Location;
  return Source;
}

Expected<Analysis> UnitAnalysis::run() {
  if (!Reader.registersNotice().empty())
    Result.Notices.push_back({SourceLocation(), Reader.registersNotice()});
  Result.Errors = S.Opts.Errors;
  for (const SourceNote &Idle : Unit.IdleNotes)
    Result.Notices.push_back({Idle.Place, Idle.Text});
  if (WhyNotPrepared.empty())
    prepareModule();
  bool Any = false;
  for (const KernelSource &Source : Unit.Kernels) {
    if (!isWanted(Source.Mangled, Source.Name))
      continue;
    Any = true;
    if (Error E = kernel(Source))
      return E;
  }
  for (const UnemittedKernel &Missing : Unit.NotEmitted)
    if (isWanted(Missing.Name, Missing.Name)) {
      Any = true;
      unresolved(named(Missing.Name, Missing.Location), Missing.Reason,
                 /*HasCode=*/false);
    }
  for (const RefusedNest &Nest : Unit.Refused)
    if (isWanted(Nest.Name, Nest.Name)) {
      Any = true;
      unresolved(named(Nest.Name, Nest.Location), Nest.Reason);
    }
  llvm::sort(ParameterNames);
  ParameterNames.erase(llvm::unique(ParameterNames), ParameterNames.end());
  if (Any)
    unknownParameters();
  else if (!S.Opts.KernelRegex.empty())
    Result.Notices.push_back(
        {SourceLocation(),
         "--kernel " + S.Opts.KernelRegex + ": matches no kernel"});
  else
    Result.Notices.push_back(
        {SourceLocation(), Unit.MainFile + " contains no kernel"});
  return Result;
}

Expected<Analysis> analyze(TranslationUnit &&Unit, const Setup &S,
                           ArrayRef<GpuModel> Gpus) {
  HostSide Host;
  std::string Ended;
  {
    WorkBudget Budget(analysisLimits(S.Opts, Unit.Nests.size(), /*Gpus=*/1));
    WorkScope Scope(Budget);
    Host = takeNests(Unit, S);
    // A proof of independence that was cut off is none.
    if (workExhausted())
      Ended = endedEarly();
  }
  return UnitAnalysis(Unit, Host, S, Gpus, std::move(Ended)).run();
}

Expected<std::vector<Diagnostic>> analyzeUnit(TranslationUnit &&Unit, Setup S,
                                              const RecordOrigin &Origin) {
  std::string MainFile = Unit.MainFile;
  // A compile should wait neither for what its diagnostics do not show nor for
  // a second run of the assembler.
  S.Details = !S.Opts.JsonFile.empty();
  if (S.Opts.Ptxas.empty())
    S.Opts.Ptxas = "off";
  Expected<Analysis> Result = analyze(std::move(Unit), S, S.Gpus);
  if (!Result)
    return Result.takeError();
  append_range(Result->Notices, unheard({&S}, MainFile, {&*Result}));
  if (!S.Opts.JsonFile.empty()) {
    recallBudgets(Result->Budgets, S.Opts.JsonFile);
    if (Error E = writeJsonFile(S.Opts.JsonFile, *Result, Origin))
      return E;
  }
  return diagnose(*Result, S.Opts.Silenced);
}

Expected<std::vector<Diagnostic>> analyzeForPlugin(TranslationUnit &&Unit,
                                                   const Options &O) {
  RecordOrigin Origin = originOf(Unit.MainFile);
  Expected<Setup> S = prepareSetup(O, Origin.Source);
  if (!S)
    return S.takeError();
  return analyzeUnit(std::move(Unit), std::move(*S), Origin);
}

Error recordFailure(const Options &O, StringRef MainFile, StringRef Reason) {
  if (O.JsonFile.empty())
    return Error::success();
  Analysis Nothing;
  Nothing.Unresolveds.push_back({"", "", {MainFile.str(), 1, 1}, Reason.str()});
  return writeJsonFile(O.JsonFile, Nothing, originOf(MainFile));
}

} // namespace gpuestimate
