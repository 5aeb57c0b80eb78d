/// \file
/// A translation unit's kernels, one after the other.
#include "gpu-estimate/Session/Pipeline/UnitAnalysis.h"

#include "KernelAnalysis.h"
#include "gpu-estimate/Model/Kernel/PrintKernel.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Session/Pipeline/FirstRemark.h"
#include "gpu-estimate/Session/Pipeline/KernelPipeline.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Plan/PointerParts.h"
#include "gpu-estimate/Session/Settings/KernelFilter.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class UnitAnalysis {
public:
  UnitAnalysis(TranslationUnit &&Parsed, const Setup &S,
               ArrayRef<GpuModel> Gpus)
      : S(S), Gpus(Gpus), Wanted(S.Opts),
        Pipeline(std::move(Parsed), S, KernelPipeline::StepLimits::Deadline,
                 Result.Notices),
        Unit(Pipeline.unit()) {}

  Expected<Analysis> run();

private:
  /// Within its limits, and whatever happens in it.
  Error kernel(const KernelSource &Source);
  Error analyseKernel(const KernelSource &Source);
  void warnOfUnknownNames();
  void noticeLibraries();
  /// Source has only names and a place where there is no code.
  void unresolved(const KernelSource &Source, std::string Reason,
                  bool HasCode = true);

  const Setup &S;
  ArrayRef<GpuModel> Gpus;
  KernelFilter Wanted;
  Analysis Result;
  KernelPipeline Pipeline; // after Result, which it adds notices to
  const TranslationUnit &Unit;
  size_t WantedKernels = 0;
  std::vector<std::string> ParameterNames, BufferNames;
  /// The previous kernel, for advice on both.
  struct PreviousKernel : AnalysedKernel {
    explicit PreviousKernel(AnalysedKernel Analysed)
        : AnalysedKernel(std::move(Analysed)) {}
    std::optional<KernelAnalysis> Run;
  };
  std::unique_ptr<PreviousKernel> Previous;
};

} // namespace

Error UnitAnalysis::kernel(const KernelSource &Source) {
  if (!Pipeline.failure().empty()) {
    unresolved(Source, Pipeline.failure());
    return Error::success();
  }
  WorkBudget Budget(analysisLimits(S.Opts, /*Kernels=*/1, Gpus.size()));
  WorkScope Scope(Budget);
  std::optional<Error> Done;
  bool Survived = runGuarded([&] { Done = analyseKernel(Source); });
  Result.Work.push_back({Source.Name, Budget.spent()});
  if (Survived)
    return std::move(*Done);
  (void)Previous.release(); // in the middle of a change
  unresolved(Source, crashReason());
  return Error::success();
}

Error UnitAnalysis::analyseKernel(const KernelSource &Source) {
  Expected<KernelReading> Reading = Pipeline.read(Source);
  if (workExhausted()) {
    if (!Reading)
      consumeError(Reading.takeError());
    unresolved(Source, endedEarly());
    return Error::success();
  }
  if (!Reading) {
    unresolved(Source, toString(Reading.takeError()));
    return Error::success();
  }
  append_range(ParameterNames, Reading->ParameterNames);
  append_range(Result.UsedSettings, Reading->UsedSettings);
  Expected<NestVariants> Variants = Pipeline.variants(Source);
  if (!Variants)
    return Variants.takeError();
  if (S.Opts.Dump == DumpKind::KernelModel) {
    raw_string_ostream OS(Result.Dump);
    print(OS, Reading->Model);
    return Error::success();
  }
  IrOrigins Places = std::move(Reading->Places);
  auto Before = std::move(Previous);
  Previous = std::make_unique<PreviousKernel>(
      AnalysedKernel{std::move(*Reading), std::move(*Variants), WantedKernels});
  std::optional<UnknownResolver> Resolver;
  if (S.Opts.Emulate) {
    Resolver.emplace(*Pipeline.code(Source), Source, Previous->Reading.Model,
                     Places, S.Buffers);
    append_range(BufferNames, Resolver->bufferNames());
  }
  Previous->Run.emplace(S, *Previous, Gpus, Resolver ? &*Resolver : nullptr,
                        Result);
  size_t First = Result.Estimates.size();
  if (Error E = Previous->Run->run(Before ? &*Before->Run : nullptr))
    return E;
  if (Source.Nest && Source.Nest->Proposed)
    dropProposals(Result, Source, First);
  return Error::success();
}

void UnitAnalysis::unresolved(const KernelSource &Source, std::string Reason,
                              bool HasCode) {
  KernelSettings Settings = Pipeline.settings(Source);
  KernelModel Nothing;
  Settings.applyTo(Nothing, {}, Result.UsedSettings);
  for (const GpuModel &Gpu : Gpus)
    Settings.missBudget(Source, Gpu, HasCode, Result.Budgets);
  Result.Unresolveds.push_back({Source.Mangled, Source.Name, Source.Location,
                                std::move(Reason), HasCode, LaunchFault::None,
                                Settings.options().Silenced});
}

/// "cuBLAS" of "cublasSgemm".
static StringRef libraryOf(StringRef Function) {
  return StringSwitch<StringRef>(Function)
      .StartsWith("cublas", "cuBLAS")
      .StartsWith("cufft", "cuFFT")
      .StartsWith("cudnn", "cuDNN")
      .StartsWith("cusparse", "cuSPARSE")
      .Default("cuSOLVER");
}

/// Names the calls of libraries whose time is in no estimate.
void UnitAnalysis::noticeLibraries() {
  SetVector<StringRef> Libraries, Functions;
  for (const LibraryCall &Call : Unit.NotModelled) {
    StringRef Name = Call.Function;
    Name.consume_back("_v2");
    Libraries.insert(libraryOf(Name));
    Functions.insert(Name);
  }
  if (Functions.empty())
    return;
  constexpr size_t MaxNames = 4;
  ArrayRef<StringRef> Names = Functions.getArrayRef();
  std::string Text =
      "calls of " + join(Libraries, ", ") + " are not modelled here (" +
      join(Names.take_front(MaxNames), ", ") +
      (Names.size() > MaxNames
           ? " and " + std::to_string(Names.size() - MaxNames) + " more"
           : "") +
      ")";
  if (Libraries.contains("cuBLAS"))
    Text += "; 'gpu-estimate run' predicts those of cuBLAS";
  Result.Notices.push_back(
      {Unit.NotModelled.front().Location, std::move(Text)});
}

/// A name that no kernel knows is most likely a misspelling.
void UnitAnalysis::warnOfUnknownNames() {
  for (const auto &[Name, Text] : S.Given.Pointers)
    if (!is_contained(ParameterNames, Name))
      Result.Notices.push_back(
          {SourceLocation(), "--param " + Name +
                                 ": no analysed kernel has a pointer of this "
                                 "name" +
                                 didYouMean(Name, ParameterNames)});
  collectNames(S.Given.Pointers, ParameterNames);
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
  Result.Errors = S.Opts.Errors;
  Result.AllFindings = S.Opts.AllFindings;
  noticeLibraries();
  Result.LibraryKernels = Unit.LibraryKernels;
  Result.Compiler = Unit.Compiler;
  Result.Edits = Unit.Edits;
  Result.Files = Unit.Files;
  if (!Unit.Sequence.Steps.empty())
    Result.Sequence = std::make_shared<LaunchSequence>(Unit.Sequence);
  for (const SourceAnnotation &Idle : Unit.UnusedAnnotations)
    Result.Notices.push_back({Idle.Place, Idle.Text});
  if (Pipeline.preparationWork())
    Result.Work.push_back(
        {"passes over the file", *Pipeline.preparationWork()});
  WantedKernels = count_if(Unit.Kernels, [&](const KernelSource &Source) {
    return Wanted.matches(Source.Mangled, Source.Name);
  });
  bool Any = WantedKernels > 0;
  for (const KernelSource &Source : Unit.Kernels) {
    if (!Wanted.matches(Source.Mangled, Source.Name))
      continue;
    if (Error E = kernel(Source))
      return E;
  }
  for (const UnemittedKernel &Missing : Unit.NotEmitted)
    if (Wanted.matches(Missing.Name, Missing.Name)) {
      Any = true;
      unresolved(named(Missing.Name, Missing.Location), Missing.Reason,
                 /*HasCode=*/false);
    }
  for (const RefusedNest &Nest : Unit.Refused)
    if (Wanted.matches(Nest.Name, Nest.Name)) {
      Any = true;
      unresolved(named(Nest.Name, Nest.Location), Nest.Reason);
    }
  llvm::sort(ParameterNames);
  ParameterNames.erase(llvm::unique(ParameterNames), ParameterNames.end());
  if (Any)
    warnOfUnknownNames();
  else if (!S.Opts.KernelRegex.empty())
    Result.Notices.push_back(
        {SourceLocation(),
         "--kernel " + S.Opts.KernelRegex + ": matches no kernel"});
  else if (Unit.Sequence.Steps.empty()) // else a part with the constants
    Result.Notices.push_back(
        {SourceLocation(), Unit.MainFile + " contains no kernel"});
  return std::move(Result);
}

Expected<Analysis> analyze(TranslationUnit &&Unit, const Setup &S,
                           ArrayRef<GpuModel> Gpus) {
  return UnitAnalysis(std::move(Unit), S, Gpus).run();
}

Error wrongLaunch(ArrayRef<const Analysis *> Results) {
  const Unresolved *Wrong = nullptr;
  for (const Analysis *A : Results) {
    if (!A->Estimates.empty() || !A->Comparisons.empty() || !A->Dump.empty())
      return Error::success();
    for (const Unresolved &U : A->Unresolveds)
      if (!Wrong && U.Fault == LaunchFault::OfOptions)
        Wrong = &U;
  }
  if (!Wrong)
    return Error::success();
  return make_error<UsageError>("'" + Wrong->Name + "' on " + Wrong->Reason);
}

Expected<std::vector<Diagnostic>> analyzeUnit(TranslationUnit &&Unit, Setup S,
                                              const RecordOrigin &Origin) {
  std::string MainFile = Unit.MainFile;
  // A compile should not wait for details that its diagnostics do not show,
  // nor for a second run of nvcc, ptxas or a back end.
  S.Details = !S.Opts.JsonFile.empty();
  S.Opts.Nvcc = "off";
  if (S.Opts.Ptxas.empty())
    S.Opts.Ptxas = "off";
  if (S.Opts.MachineCode.empty())
    S.Opts.MachineCode = "off";
  Expected<Analysis> Result = analyze(std::move(Unit), S, S.Gpus);
  if (!Result)
    return Result.takeError();
  if (Error E = wrongLaunch({&*Result}))
    return std::move(E);
  append_range(Result->Notices,
               unusedSettingNotices({&S}, MainFile, {&*Result}));
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
  if (O.Compiler && Unit.Compiler && !Unit.Hip)
    Unit.setCompiler(*O.Compiler);
  Expected<Setup> S = prepareSetup(O, Origin.Source);
  if (!S)
    return S.takeError();
  auto Found = analyzeUnit(std::move(Unit), std::move(*S), Origin);
  if (Found)
    addFirstRemarkNote(*Found, O, Origin.Source);
  return Found;
}

Error recordFailure(const Options &O, StringRef MainFile, StringRef Reason) {
  if (O.JsonFile.empty())
    return Error::success();
  Analysis Nothing;
  Nothing.Unresolveds.push_back({"", "", {MainFile.str(), 1, 1}, Reason.str()});
  return writeJsonFile(O.JsonFile, Nothing, originOf(MainFile));
}

} // namespace gpuestimate
