/// \file
/// Launch plans of one kernel, predicted and explained on each GPU.
#include "KernelAnalysis.h"

#include "ChartData.h"
#include "Session/Settings/ModelOptions.h"
#include "Session/Settings/PrintedName.h"
#include "gpu-estimate/Evaluate/Evaluator/PrintLaunch.h"
#include "gpu-estimate/Model/Result/Notices.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Session/Plan/OpenSizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

/// Largest number of launches of a kernel that are estimated, in source order;
/// a notice names the number of all.
static constexpr size_t MaxLaunches = 16;
/// Limit of the launches of a file, which users ask for one by one.
static constexpr size_t MaxRecordedLaunches = 256;

KernelAnalysis::KernelAnalysis(const Setup &S, const AnalysedKernel &Analysed,
                               ArrayRef<GpuModel> Gpus,
                               const UnknownResolver *Resolver, Analysis &Into)
    : S(S), Analysed(Analysed), Settings(Analysed.Reading.Settings),
      Kernel(Analysed.Reading.Model), Sites(Analysed.Reading.Sites), Gpus(Gpus),
      Resolver(Resolver), Into(Into), Inputs(Settings.launchInputs(Kernel)),
      Copies(Kernel, {Resolver, nullptr,
                      sampleLimits(S.Opts, /*CompileWaits=*/!S.Details)}) {
  if (Resolver) // a file tells how long its buffer is, unless somebody has
    for (const auto &Buffer : Resolver->elementCounts())
      Inputs.Named.try_emplace(Buffer.first(), Buffer.second);
}

Error KernelAnalysis::run(const KernelAnalysis *KernelBefore) {
  Before = KernelBefore;
  if (S.Launches && findRecorded().empty()) {
    Into.Unresolveds.push_back({Kernel.Mangled, Kernel.Name, Kernel.Location,
                                S.Launches->File + " has no launch of it"});
    return Error::success();
  }
  if (!followDevice(Sites))
    return runOn(Gpus);
  for (const GpuModel &Gpu : Gpus)
    if (Error E = runOn(Gpu))
      return E;
  return Error::success();
}

ArrayRef<const RecordedLaunch *> KernelAnalysis::findRecorded() {
  if (Recorded.empty())
    for (const RecordedLaunch &L : S.Launches->Launches)
      if (meansKernel(L.Kernel, Kernel.Mangled, Kernel.Name)) {
        Recorded.push_back(&L);
        Into.UsedSettings.push_back(recordedKey(L.Kernel));
      }
  return Recorded;
}

void KernelAnalysis::planOn(const GpuModel *Gpu) {
  Inputs.Gpu = Gpu;
  size_t Limit = S.Launches ? MaxRecordedLaunches : MaxLaunches;
  if (S.Launches) {
    Plans.clear();
    for (const RecordedLaunch *L : Recorded) {
      Options Says = settingsOf(*L, Kernel);
      LaunchInputs In =
          Settings.launchInputs(Kernel, {LaunchFileSource, &Says});
      In.Gpu = Gpu;
      Plans.push_back(planRecorded(In, Sites, *L));
    }
  } else {
    Plans = planLaunches(Inputs, Sites);
  }
  if (Plans.size() > Limit) {
    addNotice(Into.Notices,
              {Kernel.Location, "'" + Kernel.Name + "' is launched in " +
                                    std::to_string(Plans.size()) +
                                    " different ways; the " +
                                    (S.Launches ? "longest " : "first ") +
                                    std::to_string(Limit) + " are estimated"});
    Plans.resize(Limit);
  }
  for (const LaunchPlan &Plan : Plans)
    for (const std::string &Text : Plan.Notices)
      addNotice(Into.Notices, {Kernel.Location, Text});
}

Error KernelAnalysis::runOn(ArrayRef<GpuModel> Alike) {
  planOn(Alike.empty() ? nullptr : &Alike.front());
  for (size_t I = 0; I < Plans.size(); ++I)
    for (const GpuModel &Gpu : Alike) {
      if (workExhausted()) { // in a launch before this one
        limitPassed(Gpu, Plans[I]);
        continue;
      }
      if (Error E = analyse(I, Gpu))
        return E;
    }
  findInLoops();
  return Error::success();
}

bool KernelAnalysis::hasTables() const {
  // Counters of a profile are those of one launch.
  return !Resolver && !S.Opts.Dump && S.Opts.ProfileFile.empty();
}

Error KernelAnalysis::analyse(size_t Place, const GpuModel &Gpu) {
  if (Resolver && !Kernel.Nest)
    if (std::string Why = whyNoLaunch(Plans[Place]); !Why.empty()) {
      noEstimate(Gpu, Plans[Place], "no warp is executed: " + Why,
                 /*Refused=*/true);
      return Error::success();
    }
  std::optional<SizeTable> Table;
  std::string WhyNoTime;
  if (S.Opts.Dump) {
    std::vector<OpenSize> Sizes;
    Plans[Place] = planAt(SizePlace::Middle, Plans[Place], {}, Sizes);
    DumpedFor = openSizesText(Sizes);
  }
  if (hasTables() && isOfLoop(Plans[Place])) {
    // The iterations that were chosen of the loop follow its sizes.
    WhyNoTime = whyNoLaunch(Plans[Place]);
  } else if (hasTables()) {
    Table = sizeTable(Plans[Place], Copies, evaluatorsOn(Gpu));
    if (!Table)
      WhyNoTime = whyNoLaunch(Plans[Place]);
  }
  Expected<BoundLaunch> L =
      bind(Table ? Table->Shown : Plans[Place], Gpu, Copies);
  if (!L)
    return usage(toString(L.takeError()));
  for (const Notice &N : L->Notices)
    addNotice(Into.Notices, N);
  estimate(Place, *L, Gpu,
           Table ? std::optional(std::move(Table->Curve)) : std::nullopt,
           WhyNoTime);
  return Error::success();
}

bool KernelAnalysis::isOfLoop(const LaunchPlan &Plan) const {
  return Plan.From->Variant && Kernel.Nest && !Resolver &&
         count_if(Plans, [&](const LaunchPlan &Other) {
           return Other.site() == Plan.site();
         }) > 1;
}

void KernelAnalysis::findInLoops() {
  if (workExhausted())
    return OfLoops.clear();
  auto Total = [&](const Unexplained &U) {
    const Prediction &P = Into.Estimates[U.Estimate].Estimate;
    return P.Time.value() * P.Repeats;
  };
  auto IsOfLoop = [](const Unexplained &U) {
    return [&](const Unexplained *Other) {
      return Other->Launch.Plan.site() == U.Launch.Plan.site() &&
             Other->Gpu == U.Gpu;
    };
  };
  std::vector<const Unexplained *> Chosen;
  for (const Unexplained &U : OfLoops) {
    auto Same = find_if(Chosen, IsOfLoop(U));
    if (Same == Chosen.end())
      Chosen.push_back(&U);
    else if (Total(U) > 1.01 * Total(**Same)) // alike: the first
      *Same = &U;
  }
  for (const Unexplained &U : OfLoops) {
    const Unexplained *At = *find_if(Chosen, IsOfLoop(U));
    ExplainedPrediction &E = Into.Estimates[U.Estimate];
    if (At == &U) {
      E.Findings = findings(
          E.Estimate, U.Launch,
          {evaluatorsOn(*U.Gpu), alternatives(U.Plan, /*IsKnown=*/true)});
    } else {
      const Prediction &P = Into.Estimates[At->Estimate].Estimate;
      E.FoundAt = {P.Used, P.Arguments};
    }
  }
  OfLoops.clear();
}

/// Blocks that are worth trying, by the number of coordinates that are used.
static ArrayRef<std::array<uint64_t, 3>> usualBlocks(size_t Coordinates) {
  static constexpr std::array<uint64_t, 3> Line[] = {
      {64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1}};
  static constexpr std::array<uint64_t, 3> Plane[] = {
      {32, 4, 1}, {32, 8, 1}, {16, 16, 1}, {64, 4, 1}, {128, 1, 1}};
  static constexpr std::array<uint64_t, 3> Volume[] = {
      {32, 4, 1}, {32, 4, 2}, {32, 2, 4}, {64, 2, 2}};
  return Coordinates == 1   ? ArrayRef(Line)
         : Coordinates == 2 ? ArrayRef(Plane)
                            : ArrayRef(Volume);
}

Alternatives KernelAnalysis::alternatives(size_t Place, bool IsKnown) const {
  const LaunchPlan &Plan = Plans[Place];
  Alternatives Other;
  bool Chosen = any_of(Inputs.Authorities, [](const LaunchAuthority &A) {
    return A.Launch.Grid || A.Launch.Block;
  });
  // A tile has the block's shape.
  if (!Chosen && IsKnown && !Kernel.parallelLoops().empty() &&
      Kernel.Res.StaticSharedBytes == 0)
    for (const BlockShape &Shape : usualBlocks(Kernel.parallelLoops().size()))
      Other.Shapes.push_back(planWithBlock(Plan, Shape, "advice"));
  if (Before && Kernel.Nest &&
      Before->Kernel.Mangled == Kernel.Nest->Predecessor &&
      Before->Plans.size() == Plans.size()) {
    const LaunchPlan &Same = Before->Plans[Place];
    if (Same.Repeats == Plan.Repeats) {
      Other.Before = &Before->Kernel;
      Other.BeforeLaunch = Same;
    }
  }
  return Other;
}

void KernelAnalysis::noEstimate(const GpuModel &Gpu, const LaunchPlan &Plan,
                                std::string Reason, bool Refused) {
  LaunchFault Fault = Refused ? LaunchFault::None
                      : Plan.Used.Source == "command-line"
                          ? LaunchFault::OfOptions
                          : LaunchFault::OfSource;
  if (Plan.Used.Location.isValid() && !Refused)
    Reason += " (launch at " + Plan.Used.Location.brief() + ")";
  Into.Unresolveds.push_back({Kernel.Mangled, Kernel.Name, Kernel.Location,
                              Gpu.Id + ": " + Reason, /*HasCode=*/true, Fault,
                              Settings.options().Silenced});
  Settings.missBudget(Kernel, Gpu, /*HasCode=*/true, Into.Budgets);
}

void KernelAnalysis::limitPassed(const GpuModel &Gpu, const LaunchPlan &Plan) {
  std::string Reason = endedEarly();
  // Launches have the limit in common.
  if (any_of(Into.Unresolveds, [&](const Unresolved &Other) {
        return Other.Kernel == Kernel.Mangled &&
               Other.Reason == Gpu.Id + ": " + Reason;
      }))
    return;
  noEstimate(Gpu, Plan, std::move(Reason), /*Refused=*/true);
}

/// What the models have in common is computed once.
void KernelAnalysis::compareModels(const BoundLaunch &L, const GpuModel &Gpu) {
  ModelComparison C;
  C.Kernel = Kernel.Mangled;
  C.Name = Kernel.Name;
  C.Location = Kernel.Location;
  C.Gpu = Gpu.Id;
  C.GpuName = Gpu.Name;
  C.Used = L.Plan.Used;
  EvaluationCache Memory(Gpu);
  for (const std::string &Model : S.CompareModels) {
    EvaluateOptions Options = optionsOn();
    Options.Model = Model;
    Options.Wanted.Sensitivities = Model == DefaultModel; // for the interval
    Options.Cache = &Memory;
    LaunchEvaluators On(Gpu, std::move(Options), S.Opts.GpuOverrides);
    // What no model can run is no launch.
    if (Expected<Occupancy> Occ = On.of(L).occupancy(L.Plan.Used); !Occ)
      return noEstimate(Gpu, L.Plan, toString(Occ.takeError()),
                        /*Refused=*/false);
    ModelEstimate &M = C.Models.emplace_back();
    M.Model = Model;
    Expected<Prediction> P = predict(L, On);
    if (!P) {
      M.Refusal = toString(P.takeError());
      continue;
    }
    C.Arguments = P->Arguments;
    M.Estimate = std::move(*P);
  }
  if (workExhausted())
    return limitPassed(Gpu, L.Plan);
  Into.Comparisons.push_back(std::move(C));
}

static LaunchDump launchDump(DumpKind Kind) {
  switch (Kind) {
  case DumpKind::KernelModel: // printed before launches are planned
    break;
  case DumpKind::Requests:
    return LaunchDump::Requests;
  case DumpKind::Traffic:
    return LaunchDump::Traffic;
  case DumpKind::Cache:
    return LaunchDump::Cache;
  case DumpKind::Schedule:
    return LaunchDump::Schedule;
  case DumpKind::Bounds:
    return LaunchDump::Bounds;
  }
  llvm_unreachable("not a dump of a launch");
}

void KernelAnalysis::dump(const BoundLaunch &L, const GpuModel &Gpu) {
  std::string Text;
  raw_string_ostream OS(Text);
  auto Sizes = [&](const std::array<uint64_t, 3> &S) {
    OS << S[0] << 'x' << S[1] << 'x' << S[2];
  };
  OS << "kernel " << Kernel.Name << " at " << Kernel.Location.brief() << " on "
     << Gpu.Id << ", grid ";
  Sizes(L.Plan.Used.Grid);
  OS << ", block ";
  Sizes(L.Plan.Used.Block);
  OS << '\n';
  if (!DumpedFor.empty())
    OS << "  " << DumpedFor << '\n';
  if (Error E =
          printLaunch(OS, launchDump(*S.Opts.Dump), *L.Kernel, Gpu, L.Plan.Used,
                      L.Plan.Values, evaluatorsOn(Gpu).options(L)))
    return noEstimate(Gpu, L.Plan, toString(std::move(E)), /*Refused=*/false);
  Into.Dump += Text;
}

EvaluateOptions KernelAnalysis::optionsOn() {
  EvaluateOptions Options = evaluateOptions(Settings.options());
  Options.MaxSensitivityWork = Options.MaxAdviceWork = whatIfWork(
      /*CompileWaits=*/!S.Details, Analysed.KernelsOfFile, Plans.size());
  if (S.ReferenceGpu) {
    Reference = {&*S.ReferenceGpu, Seconds(S.Opts.Reference->second * 1e-3)};
    Options.Quantitative.Reference = &Reference;
  }
  Options.Quantitative.Profile = Profile ? &*Profile : nullptr;
  return Options;
}

LaunchEvaluators &KernelAnalysis::evaluatorsOn(const GpuModel &Gpu) {
  auto Known = ByGpu.find(Gpu.Id);
  if (Known == ByGpu.end()) {
    EvaluateOptions Options = optionsOn();
    Options.Wanted.Latencies = Options.Wanted.Lines = S.Details;
    Options.Wanted.Formulas = S.Opts.wantsFormulas();
    Known =
        ByGpu.try_emplace(Gpu.Id, Gpu, std::move(Options), S.Opts.GpuOverrides)
            .first;
  }
  return Known->second;
}

Error KernelAnalysis::readProfile() {
  const KernelProfile *Of =
      findProfile(S.Profiles, Kernel.Mangled, Kernel.Name);
  if (!Of)
    return createStringError("has no kernel of this name");
  Expected<ProfileCounters> Counters = rooflineCounters(*Of);
  if (!Counters)
    return Counters.takeError();
  Profile = *Counters;
  return Error::success();
}

void KernelAnalysis::addCharts(ExplainedPrediction &E, const BoundLaunch &L,
                               const GpuModel &Gpu) {
  if (!S.Opts.wantsCharts())
    return;
  EvaluateOptions Options = evaluatorsOn(Gpu).options(L);
  Options.Wanted = {};
  // GPUs are compared once for each launch.
  bool IsFirst = Gpu.Id == S.Gpus.front().Id;
  E.Charts =
      makeCharts({L, Copies, Gpu, Options,
                  IsFirst ? ArrayRef(S.AllGpus) : ArrayRef<GpuModel>(), S.Opts},
                 E);
}

/// A budget of a launch whose size is not known.
static void withdrawTime(BudgetCheck &Check, const SizeCurve &Curve) {
  Check.Time.reset();
  Check.Interval.reset();
  Check.Terms.clear();
  Check.CannotTell = whyNoTime(Curve);
  if (std::string Range = keptUpTo(Curve, Check.Limit); !Range.empty())
    Check.CannotTell += "; it is kept " + Range;
}

RecordedTime KernelAnalysis::recordedTime(const RecordedLaunch &L) const {
  RecordedTime Of;
  Of.Launches = L.Count;
  Of.Time = L.Time;
  Of.Number = &L - S.Launches->Launches.data();
  if (L.Line)
    Of.Place = {S.Launches->File, L.Line, 1};
  if (const GpuModel *Gpu = S.measuredOn(L)) {
    Of.Gpu = Gpu->Id;
    Of.GpuName = Gpu->Name;
  }
  return Of;
}

void KernelAnalysis::estimate(size_t Place, const BoundLaunch &L,
                              const GpuModel &Gpu,
                              std::optional<SizeCurve> Curve,
                              const std::string &WhyNoTime) {
  if (!S.Opts.ProfileFile.empty())
    if (Error E = readProfile()) {
      Into.Unresolveds.push_back(
          {Kernel.Mangled, Kernel.Name, Kernel.Location,
           "the profile " + S.Opts.ProfileFile + " " + toString(std::move(E))});
      return;
    }
  if (S.Opts.Dump)
    return dump(L, Gpu);
  if (!S.CompareModels.empty()) {
    if (Curve)
      return noEstimate(Gpu, L.Plan,
                        "models cannot be compared: " + whyNoTime(*Curve),
                        /*Refused=*/true);
    return compareModels(L, Gpu);
  }
  LaunchEvaluators &On = evaluatorsOn(Gpu);
  Expected<Prediction> P = predict(L, On);
  if (!P) {
    Error E = P.takeError();
    bool Refused = E.isA<ModelRefusal>();
    std::string Why = toString(std::move(E));
    return workExhausted() ? limitPassed(Gpu, L.Plan)
                           : noEstimate(Gpu, L.Plan, std::move(Why), Refused);
  }
  if (!WhyNoTime.empty())
    return noEstimate(Gpu, L.Plan, WhyNoTime, /*Refused=*/true);
  if (Curve)
    addIntervals(*Curve, *P);
  bool IsOfLoop = isOfLoop(L.Plan);
  if (IsOfLoop)
    OfLoops.push_back({Place, L, &Gpu, Into.Estimates.size()});
  ExplainedPrediction E =
      explain(std::move(*P), L, {On, alternatives(Place, !Curve), !IsOfLoop});
  E.Curve = std::move(Curve);
  if (S.Launches)
    E.Recorded = recordedTime(*Recorded[Place]);
  if (!S.Targets.empty()) {
    E.Against = NestComparison(S, Kernel, Analysed.Variants)
                    .run(E.Estimate, Gpu, L.Plan);
    if (workExhausted())
      withdrawWhatIfs(E, L.Plan);
  }
  if (auto Check = checkBudget(Settings.budgets(),
                               Settings.options().BudgetWhen, E.Estimate)) {
    if (E.Curve)
      withdrawTime(*Check, *E.Curve);
    Check->Silenced = Settings.options().Silenced;
    Into.Budgets.push_back(std::move(*Check));
  }
  E.Silenced = Settings.options().Silenced;
  addCharts(E, L, Gpu);
  Into.Estimates.push_back(std::move(E));
}

} // namespace gpuestimate
