#include "gpu-estimate/Commands/Sweep/Sweep.h"

#include "SurfaceEvaluator.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Report/Text/Sweep.h"
#include "gpu-estimate/Scaling/GpuClusters.h"
#include "gpu-estimate/Session/Pipeline/KernelLookup.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Session/Settings/KernelFilter.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

namespace {

class SweepRun {
public:
  explicit SweepRun(const Options &O) : O(O), Wanted(O) {}

  Error run();
  FileSweep result() && {
    return {std::move(Surfaces), std::move(Notices), std::move(Unresolved)};
  }

private:
  Error sweepFor(StringRef Arch, ArrayRef<const GpuModel *> Gpus);
  Error sweepKernel(const KernelPipeline &Pipeline, const KernelSource &Source,
                    ArrayRef<const GpuModel *> Gpus);
  /// The clusters of a GPU. Errors: --scaling needs them, and there are none.
  Expected<GpuClusters> clustersOf(const GpuModel &Gpu) const;
  /// What --profile says of the kernel; a notice says why not, or not all.
  std::optional<ProfiledRun> profiledOn(const GpuModel &Gpu,
                                        const KernelReading &Reading,
                                        const GpuClusters &Tables);
  /// Names of --vary that no swept kernel knows.
  Error checkParameters() const;
  void skip(const KernelSource &Source, std::string Why) {
    Unresolved.push_back({Source.Name, std::move(Why)});
  }

  const Options &O;
  KernelFilter Wanted;
  std::optional<Setup> S;
  std::vector<Surface> Surfaces;
  std::vector<Notice> Notices;
  std::vector<std::pair<std::string, std::string>> Unresolved;
  std::vector<std::string> ParameterNames;
};

} // namespace

Expected<GpuClusters> SweepRun::clustersOf(const GpuModel &Gpu) const {
  Expected<GpuClusters> Clusters =
      GpuClusters::load(Gpu.Id, FeatureKind::Static);
  const ScalingRequest &Asked = O.Scaling;
  bool NeedsThem =
      Asked.Compare ||
      Asked.Method.value_or(ScalingMethod::Analytic) != ScalingMethod::Analytic;
  if (!Clusters || !NeedsThem)
    return Clusters;
  StringRef Value = Asked.Compare ? "both" : name(*Asked.Method);
  if (O.Model.value_or(DefaultModel.str()) != DefaultModel)
    return make_error<UsageError>("--scaling " + Value.str() +
                                  ": clusters are about the default model, not "
                                  "about --model " +
                                  *O.Model);
  if (!Clusters->empty())
    return Clusters;
  Expected<std::vector<std::string>> Known = gpusWithClusters();
  if (!Known)
    return Known.takeError();
  return make_error<UsageError>("--scaling " + Value.str() +
                                ": no clusters were trained for " + Gpu.Id +
                                ", only for " + join(*Known, ", "));
}

std::optional<ProfiledRun> SweepRun::profiledOn(const GpuModel &Gpu,
                                                const KernelReading &Reading,
                                                const GpuClusters &Tables) {
  if (O.ProfileFile.empty())
    return std::nullopt;
  auto Note = [&](const Twine &Text) {
    Notices.push_back(
        {Reading.Model.Location, ("'" + Reading.Model.Name + "' on " + Gpu.Id +
                                  ": the profile " + O.ProfileFile + " " + Text)
                                     .str()});
  };
  LaunchInputs In = Reading.Settings.launchInputs(Reading.Model);
  In.Gpu = &Gpu;
  size_t Launches = planLaunches(In, Reading.Sites).size();
  const KernelProfile *Profile =
      findProfile(S->Profiles, Reading.Model.Mangled, Reading.Model.Name);
  if (!Profile || Launches > 1) {
    Note(Profile ? "has the mean of " + Twine(Launches) +
                       " different launches: predicted without it"
                 : "has no kernel of this name: predicted without it");
    return std::nullopt;
  }
  Expected<ProfiledRun> Run = profiledRun(O.ProfileFile, *Profile, Gpu, Tables);
  if (!Run) {
    Note(toString(Run.takeError()) + ": predicted without it");
    return std::nullopt;
  }
  if (!Tables.empty() && !Run->WhyNoCounters.empty())
    Note("gives no counters for the clusters, which static features choose: " +
         Run->WhyNoCounters);
  return std::move(*Run);
}

static BestAtSizes otherBest(const Surface &S) {
  BestAtSizes Best;
  for (const BestPoint &Of : bestPoints(S, {})) {
    if (!Of.Point)
      continue;
    const SurfacePoint &P = S.Points[*Of.Point];
    if (Of.Id == "fastest")
      Best.Fastest = {*Of.Point, P.Time.value()};
    else if (Of.Id == "least-energy")
      Best.LeastEnergy = {*Of.Point, P.joules()};
  }
  return Best;
}

Error SweepRun::sweepKernel(const KernelPipeline &Pipeline,
                            const KernelSource &Source,
                            ArrayRef<const GpuModel *> Gpus) {
  Expected<KernelReading> Reading = Pipeline.read(Source);
  if (!Reading) {
    skip(Source, toString(Reading.takeError()));
    return Error::success();
  }
  append_range(ParameterNames, Reading->ParameterNames);
  for (const GpuModel *Gpu : Gpus) {
    Expected<GpuClusters> Clusters = clustersOf(*Gpu);
    if (!Clusters)
      return Clusters.takeError();
    std::optional<ProfiledRun> Run = profiledOn(*Gpu, *Reading, *Clusters);
    if (Run && !Run->Counters.empty()) {
      Expected<GpuClusters> ByCounters =
          GpuClusters::load(Gpu->Id, FeatureKind::Counter);
      if (!ByCounters)
        return ByCounters.takeError();
      Clusters->take(*ByCounters, clockPoint(*Gpu, Run->Core, Run->Memory));
    }
    auto At = [&](SizePlace Place) {
      return SurfaceEvaluator(*Reading, *Gpu, O.Sweep.Axes, *Clusters,
                              Run ? &*Run : nullptr, O.Scaling, O.Part, Place)
          .run();
    };
    Expected<Surface> Found = At(SizePlace::Middle);
    if (!Found)
      return Found.takeError();
    if (!Found->Unknown.empty()) {
      Expected<Surface> Least = At(SizePlace::Least);
      if (!Least)
        return Least.takeError();
      Expected<Surface> Largest = At(SizePlace::Largest);
      if (!Largest)
        return Largest.takeError();
      Found->AtLeast = otherBest(*Least);
      Found->AtLargest = otherBest(*Largest);
    }
    for (const auto &[Name, Price] : O.Prices)
      if (Name == Gpu->Id || isProduct(*Gpu, Name))
        Found->PricePerHour = Price;
    Surfaces.push_back(std::move(*Found));
  }
  return Error::success();
}

Error SweepRun::sweepFor(StringRef Arch, ArrayRef<const GpuModel *> Gpus) {
  std::string Diagnostics;
  Expected<TranslationUnit> Unit =
      parse(parseRequest(S->Opts, O.Files.front(), Arch), Diagnostics);
  if (!Unit)
    return createStringError(toString(Unit.takeError()) +
                             firstError(Diagnostics));
  KernelPipeline Pipeline(std::move(*Unit), *S,
                          KernelPipeline::StepLimits::None, Notices);
  if (!Pipeline.failure().empty())
    return createStringError(Pipeline.failure());
  for (const KernelSource &Source : Pipeline.unit().Kernels) {
    if (!Wanted.matches(Source.Mangled, Source.Name))
      continue;
    std::optional<Error> Done;
    if (!runGuarded([&] { Done = sweepKernel(Pipeline, Source, Gpus); }))
      skip(Source, crashReason());
    else if (*Done)
      return std::move(*Done);
  }
  for (const UnemittedKernel &Missing : Pipeline.unit().NotEmitted)
    if (Wanted.matches(Missing.Name, Missing.Name))
      Unresolved.push_back({Missing.Name, Missing.Reason});
  return Error::success();
}

Error SweepRun::checkParameters() const {
  for (const SpaceAxis &Axis : O.Sweep.Axes) {
    const std::string &Name = Axis.Values.Name;
    if (Axis.Kind == AxisKind::Parameter && !is_contained(ParameterNames, Name))
      return make_error<UsageError>(
          "--vary " + Name +
          ": neither a value of a GPU, nor a block size, nor an argument or "
          "unknown of a kernel" +
          didYouMean(Name, ParameterNames));
  }
  return Error::success();
}

Error SweepRun::run() {
  if (Error E = checkAxes(O.Sweep.Axes))
    return E;
  if (!O.ProfileFile.empty())
    for (const SpaceAxis &Axis : O.Sweep.Axes)
      if (!Axis.isClock())
        return make_error<UsageError>(
            "--profile: the profile is of the launch and the card as they are, "
            "so that only core_clock and memory_clock can be varied, not " +
            Axis.Values.Name);
  Expected<Setup> Prepared = prepareSetup(O, O.Files.front());
  if (!Prepared)
    return Prepared.takeError();
  S = std::move(*Prepared);
  for (const auto &[Name, Price] : O.Prices)
    if (none_of(S->Gpus, [&, Name = StringRef(Name)](const GpuModel &Gpu) {
          return Name == Gpu.Id || isProduct(Gpu, Name);
        }))
      return make_error<UsageError>("--price " + Name +
                                    ": no --gpu has this name");
  std::map<std::string, std::vector<const GpuModel *>> Archs;
  for (const GpuModel &Gpu : S->Gpus)
    Archs[targetArch(S->Opts, Gpu)].push_back(&Gpu);
  for (const auto &[Arch, Gpus] : Archs)
    if (Error E = sweepFor(Arch, Gpus))
      return E;
  if (Surfaces.empty() && Unresolved.empty())
    return make_error<UsageError>(O.KernelRegex.empty()
                                      ? O.Files.front() + " contains no kernel"
                                      : "--kernel " + O.KernelRegex +
                                            ": matches no kernel");
  return Surfaces.empty() ? Error::success() : checkParameters();
}

static std::string render(const Options &O, ArrayRef<Surface> Surfaces) {
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.TuneAs) {
  case TuneFormat::Text:
    printSweepText(OS, Surfaces, O.Sweep.Limits, O.Tuning.Top);
    break;
  case TuneFormat::Csv:
    printSweepCsv(OS, Surfaces);
    break;
  case TuneFormat::Json:
    printSweepJson(OS, Surfaces, O.Sweep.Limits, toolVersion(),
                   {O.Part.Index, O.Part.Count,
                    utohexstr(xxh3_64bits(O.CommandText), true)});
    break;
  case TuneFormat::Html:
    printSweepHtml(OS, Surfaces, O.Sweep.Limits, toolVersion());
    break;
  }
  return Text;
}

Expected<FileSweep> sweepFile(const Options &O) {
  SweepRun Run(O);
  if (Error E = Run.run())
    return std::move(E);
  return std::move(Run).result();
}

ExitStatus runSweep(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  bool IsPart = O.Part.Count > 1;
  if (IsPart && O.TuneAs != TuneFormat::Json) {
    Err << "gpu-estimate: error: --shard: pass --format json, which 'report' "
           "combines\n";
    return WrongUsage;
  }
  Expected<FileSweep> Found = sweepFile(O);
  if (!Found) {
    Error E = Found.takeError();
    ExitStatus Status = E.isA<UsageError>() ? WrongUsage : NotAnalysed;
    Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
    return Status;
  }
  for (const Notice &N : Found->Notices)
    Err << "gpu-estimate: warning: "
        << (N.Location.isValid() ? N.Location.brief() + ": " : "") << N.Text
        << '\n';
  for (const auto &[Name, Why] : Found->Unresolved)
    Err << "gpu-estimate: warning: '" << Name << "': " << Why << '\n';
  auto HasNone = [](const Surface &S) {
    return none_of(S.Points, [](const SurfacePoint &P) { return P.hasTime(); });
  };
  if (!IsPart &&
      all_of(Found->Surfaces, HasNone)) { // another part may have one
    Err << "gpu-estimate: error: no point has an estimate\n";
    for (const Surface &S : Found->Surfaces)
      for (const auto &[Reason, Count] : S.Refused)
        Err << "  " << S.Gpu << ": " << Count << " x " << Reason << '\n';
    return NotAnalysed;
  }
  return writeOutput(O, render(O, Found->Surfaces), Out, Err);
}

} // namespace gpuestimate
