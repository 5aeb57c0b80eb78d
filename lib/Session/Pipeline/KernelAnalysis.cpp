/// \file
/// Launch plans of one kernel, evaluated on each GPU.
#include "KernelAnalysis.h"

#include "ChartData.h"
#include "PredictionBuilder.h"
#include "Session/Settings/ModelOptions.h"
#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Evaluate/Access/HostContents.h"
#include "gpu-estimate/Evaluate/Evaluator/PrintLaunch.h"
#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

/// Largest number of launches of a kernel that are estimated, in source order;
/// a notice names the number of all.
static constexpr size_t MaxLaunches = 16;

EvaluateOptions evaluateOptions(const Options &O) {
  EvaluateOptions Result;
  Result.Model = O.Model.value_or(DefaultModel.str());
  Result.Caches = O.Caches.value_or(CacheState::Warm);
  Result.Timing = O.Timing;
  Result.Order = O.Order;
  Result.IntervalLevel = O.IntervalLevel;
  Result.Hits = O.Hits;
  Result.Special = O.Special;
  Result.TrafficWeight = O.TrafficWeight;
  Result.L1Hit = O.L1Hit;
  Result.L2Hit = O.L2Hit;
  for (const std::string &Term : O.Without)
    Result.Without.insert(Term);
  return Result;
}

KernelAnalysis::KernelAnalysis(const Setup &S, const KernelSettings &Settings,
                               ArrayRef<GpuModel> Gpus,
                               const KernelModel &Kernel,
                               const NestVariants &Variants,
                               ArrayRef<const LaunchSite *> Sites,
                               const UnknownResolver *Resolver,
                               size_t KernelsOfFile, Analysis &Into)
    : S(S), Settings(Settings), Gpus(Gpus), Kernel(Kernel), Variants(Variants),
      Sites(Sites), Resolver(Resolver), KernelsOfFile(KernelsOfFile),
      Into(Into), Inputs(Settings.launchInputs(Kernel)) {
  if (Resolver) // a file tells how long its buffer is, unless somebody has
    for (const auto &Buffer : Resolver->elementCounts())
      Inputs.Named.try_emplace(Buffer.first(), Buffer.second);
}

Error KernelAnalysis::run(const KernelAnalysis *Before) {
  if (!followDevice(Sites))
    return runOn(Gpus, Before);
  for (const GpuModel &Gpu : Gpus)
    if (Error E = runOn(Gpu, Before))
      return E;
  return Error::success();
}

Error KernelAnalysis::runOn(ArrayRef<GpuModel> Alike,
                            const KernelAnalysis *Before) {
  if (!Alike.empty())
    Inputs.Gpu = &Alike.front();
  // The launches of the next GPU deserve the same words only once.
  auto notice = [&](std::string Text) {
    if (none_of(Into.Notices, [&](const Notice &Said) {
          return Said.Text == Text && Said.Location == Kernel.Location;
        }))
      Into.Notices.push_back({Kernel.Location, std::move(Text)});
  };
  Plans = planLaunches(Inputs, Sites);
  if (Plans.size() > MaxLaunches) {
    notice("'" + Kernel.Name + "' is launched in " +
           std::to_string(Plans.size()) + " different ways; the first " +
           std::to_string(MaxLaunches) + " are estimated");
    Plans.resize(MaxLaunches);
  }
  for (const LaunchPlan &Plan : Plans) {
    for (const std::string &Text : Plan.Notices)
      notice(Text);
    std::map<unsigned, ResolvedKernel> Resolved; // by warp size
    for (const GpuModel &Gpu : Alike) {
      if (workExhausted()) { // in a launch before this one
        limitPassed(Gpu, Plan);
        continue;
      }
      auto Entry = Resolved.find(Gpu.WarpSize);
      if (Resolver && Entry == Resolved.end()) {
        Expected<ResolvedKernel> Result = Resolver->resolve(
            Plan.Used, Plan.Values,
            bindParameters(Kernel, Plan.Used, Plan.Values).All, Gpu.WarpSize,
            sampleLimits(S.Opts, /*CompileWaits=*/!S.Details));
        if (!Result)
          return usage(toString(Result.takeError()));
        append_range(Into.Notices, Result->Notices);
        Entry = Resolved.emplace(Gpu.WarpSize, std::move(*Result)).first;
      }
      const KernelModel &Apart = Resolver ? Entry->second.Model : Kernel;
      std::optional<KernelModel> OfPlan;
      if (!Plan.Parts.empty())
        OfPlan = withBufferParts(Apart, Plan.Parts);
      else if (!Resolver && dependsOnContents(Apart, Plan.Contents))
        OfPlan = withHostContents(Apart, Plan.Used, Plan.Values, Plan.Contents,
                                  Gpu.WarpSize);
      Subject Evaluated{OfPlan ? *OfPlan : Apart,
                        Resolver ? &Entry->second.Executed : nullptr,
                        Resolver || OfPlan};
      evaluateOn(Gpu, Evaluated, Plan, Before);
    }
  }
  findInLoops(Before);
  return Error::success();
}

bool KernelAnalysis::isOfLoop(const LaunchPlan &Plan) const {
  return Plan.Variant && !Kernel.HostFunction.empty() && !Resolver &&
         count_if(Plans, [&](const LaunchPlan &Other) {
           return Other.Site == Plan.Site;
         }) > 1;
}

void KernelAnalysis::findInLoops(const KernelAnalysis *Before) {
  if (workExhausted())
    return OfLoops.clear();
  auto Total = [&](const Unexplained &U) {
    const Prediction &P = Into.Estimates[U.Estimate].Estimate;
    return P.Time.value() * P.Repeats;
  };
  std::vector<const Unexplained *> Chosen;
  for (const Unexplained &U : OfLoops) {
    auto Same = find_if(Chosen, [&](const Unexplained *C) {
      return C->Plan->Site == U.Plan->Site && C->Gpu == U.Gpu;
    });
    if (Same == Chosen.end())
      Chosen.push_back(&U);
    else if (Total(U) > 1.01 * Total(**Same)) // alike: the first
      *Same = &U;
  }
  for (const Unexplained &U : OfLoops) {
    const Unexplained *At = *find_if(Chosen, [&](const Unexplained *C) {
      return C->Plan->Site == U.Plan->Site && C->Gpu == U.Gpu;
    });
    ExplainedPrediction &E = Into.Estimates[U.Estimate];
    if (At == &U) {
      Subject Evaluated{Kernel, nullptr, /*IsOfPlan=*/false};
      E.Findings =
          findCosts(E.Estimate, Kernel, *U.Gpu, U.Plan->Used, U.Plan->Values,
                    optionsOn(*U.Gpu, Evaluated), alternatives(*U.Plan, Before),
                    &*ByGpu.at(U.Gpu->Id).Evaluator);
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

Alternatives KernelAnalysis::alternatives(const LaunchPlan &Plan,
                                          const KernelAnalysis *Before) const {
  Alternatives Other;
  bool Chosen = any_of(Inputs.Authorities, [](const LaunchAuthority &A) {
    return A.Launch.Grid || A.Launch.Block;
  });
  // A tile has the block's shape.
  if (!Chosen && !Kernel.Coordinates.empty() &&
      Kernel.Res.StaticSharedBytes == 0)
    for (const std::array<uint64_t, 3> &Shape :
         usualBlocks(Kernel.Coordinates.size())) {
      LaunchInputs In = Inputs;
      In.Site = Plan.Site;
      In.Variant = Plan.Variant;
      LaunchSettings Settings;
      Settings.Block = Shape;
      In.Authorities.insert(In.Authorities.begin(), {"advice", Settings});
      Other.Shapes.push_back(planLaunch(In));
    }
  if (Before && Before->Kernel.Mangled == Kernel.Follows &&
      Before->Plans.size() == Plans.size()) {
    const LaunchPlan &Same = Before->Plans[&Plan - Plans.data()];
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

void KernelAnalysis::compareOn(const GpuModel &Gpu, const Subject &Evaluated,
                               const LaunchPlan &Plan,
                               const EvaluateOptions &Options) {
  ModelComparison C;
  C.Kernel = Kernel.Mangled;
  C.Name = Kernel.Name;
  C.Location = Kernel.Location;
  C.Gpu = Gpu.Id;
  C.GpuName = Gpu.Name;
  C.Used = Plan.Used;
  auto Take = [&](StringRef Model, Expected<Prediction> P) {
    ModelEstimate &M = C.Models.emplace_back();
    M.Model = Model;
    if (!P) {
      M.Refusal = toString(P.takeError());
      return;
    }
    C.Arguments = P->Arguments;
    M.Estimate = std::move(*P);
  };
  if (Error E = evaluateModels(Evaluated.Kernel, Gpu, Plan.Used, Plan.Values,
                               Options, S.CompareModels, Take))
    return noEstimate(Gpu, Plan, toString(std::move(E)), /*Refused=*/false);
  if (workExhausted())
    return limitPassed(Gpu, Plan);
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
  case DumpKind::Schedule:
    return LaunchDump::Schedule;
  case DumpKind::Bounds:
    return LaunchDump::Bounds;
  }
  llvm_unreachable("not a dump of a launch");
}

void KernelAnalysis::dumpOn(const GpuModel &Gpu, const Subject &Evaluated,
                            const LaunchPlan &Plan,
                            const EvaluateOptions &Options) {
  std::string Text;
  raw_string_ostream OS(Text);
  auto Sizes = [&](const std::array<uint64_t, 3> &S) {
    OS << S[0] << 'x' << S[1] << 'x' << S[2];
  };
  OS << "kernel " << Kernel.Name << " at " << Kernel.Location.brief() << " on "
     << Gpu.Id << ", grid ";
  Sizes(Plan.Used.Grid);
  OS << ", block ";
  Sizes(Plan.Used.Block);
  OS << '\n';
  if (Error E = printLaunch(OS, launchDump(*S.Opts.Dump), Evaluated.Kernel, Gpu,
                            Plan.Used, Plan.Values, Options))
    return noEstimate(Gpu, Plan, toString(std::move(E)), /*Refused=*/false);
  Into.Dump += Text;
}

EvaluateOptions KernelAnalysis::optionsOn(const GpuModel &Gpu,
                                          const Subject &Evaluated) {
  EvaluateOptions Options = evaluateOptions(Settings.options());
  Options.Cache = &ByGpu.try_emplace(Gpu.Id, Gpu).first->second.Memory;
  Options.Executed = Evaluated.Executed;
  Options.MaxSensitivityWork = Options.MaxAdviceWork =
      whatIfWork(/*CompileWaits=*/!S.Details, KernelsOfFile, Plans.size());
  if (S.ReferenceGpu) {
    Reference = {&*S.ReferenceGpu, Seconds(S.Opts.Reference->second * 1e-3)};
    Options.Reference = &Reference;
  }
  Options.Profile = Profile ? &*Profile : nullptr;
  return Options;
}

/// The time of a kernel without a known launch on grids of 64, 128 and 256
/// times the assumed one, if it is a line and only the grid is assumed.
static std::optional<GridTime> timeByGrid(const Prediction &P,
                                          const LaunchPlan &Plan,
                                          KernelEvaluator &Evaluator) {
  constexpr double MaxDeviation = 0.1, LeastSensitivity = 0.01;
  bool OnlySizes = all_of(P.Assumptions, [&](const Assumption &A) {
    return StringRef(A.What).starts_with("gridDim") ||
           StringRef(A.What).starts_with("blockDim") ||
           (!A.NotVaried && std::fabs(A.Sensitivity) < LeastSensitivity);
  });
  if (Plan.Site || Plan.Used.Source != "default" || !OnlySizes ||
      workExhausted())
    return std::nullopt;
  auto At = [&](uint64_t Factor) {
    Launch L = Plan.Used;
    L.Grid[0] *= Factor;
    return Evaluator.whatIfTime(L, Plan.Values);
  };
  std::optional<Seconds> First = At(64), Second = At(128), Third = At(256);
  if (!First || !Second || !Third || workExhausted())
    return std::nullopt;
  auto Blocks = static_cast<double>(Plan.Used.blocks());
  GridTime Line{P.LaunchOverhead, (*Third - *Second) / (128 * Blocks)};
  auto IsOnLine = [&](Seconds Time, double Factor) {
    Seconds Expected = Line.Launch + Line.PerBlock * (Factor * Blocks);
    return std::fabs(Time / Expected - 1) <= MaxDeviation;
  };
  if (!IsOnLine(*First, 64) || !IsOnLine(*Second, 128) ||
      !IsOnLine(*Third, 256))
    return std::nullopt;
  return Line;
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

void KernelAnalysis::evaluateOn(const GpuModel &Gpu, const Subject &Evaluated,
                                const LaunchPlan &Plan,
                                const KernelAnalysis *Before) {
  if (!S.Opts.ProfileFile.empty())
    if (Error E = readProfile()) {
      Into.Unresolveds.push_back(
          {Kernel.Mangled, Kernel.Name, Kernel.Location,
           "the profile " + S.Opts.ProfileFile + " " + toString(std::move(E))});
      return;
    }
  EvaluateOptions Options = optionsOn(Gpu, Evaluated);
  if (S.Opts.Dump)
    return dumpOn(Gpu, Evaluated, Plan, Options);
  if (!S.CompareModels.empty())
    return compareOn(Gpu, Evaluated, Plan, Options);
  EvaluateOptions Full = Options;
  Full.Latencies = Full.Lines = S.Details;
  Full.Formulas = S.Opts.wantsFormulas();
  std::optional<KernelEvaluator> OfPlan;
  std::optional<KernelEvaluator> &Evaluator =
      Evaluated.IsOfPlan ? OfPlan : ByGpu.at(Gpu.Id).Evaluator;
  if (!Evaluator)
    Evaluator.emplace(Evaluated.Kernel, Gpu, Full);
  Expected<Prediction> P = Evaluator->evaluate(Plan.Used, Plan.Values);
  if (workExhausted()) {
    if (!P)
      consumeError(P.takeError());
    return limitPassed(Gpu, Plan);
  }
  if (!P) {
    Error E = P.takeError();
    bool Refused = E.isA<ModelRefusal>();
    return noEstimate(Gpu, Plan, toString(std::move(E)), Refused);
  }
  PredictionBuilder Builder(std::move(*P), Evaluated.Kernel, Plan,
                            S.Opts.GpuOverrides);
  Builder.addGuesses(Inputs, *Evaluator);
  std::vector<Finding> Findings;
  if (isOfLoop(Plan))
    OfLoops.push_back({&Plan, &Gpu, Into.Estimates.size()});
  else
    Findings = findCosts(Builder.record(), Evaluated.Kernel, Gpu, Plan.Used,
                         Plan.Values, Options, alternatives(Plan, Before),
                         &*Evaluator);
  std::vector<TargetComparison> Against;
  if (!S.Targets.empty()) {
    LaunchInputs In = Inputs;
    In.Site = Plan.Site;
    In.Variant = Plan.Variant;
    Against = NestComparison(S, Kernel, Variants)
                  .run(Builder.record(), Gpu, Plan, In);
  }
  if (workExhausted()) { // the time stands, what-ifs do not
    Builder.withdrawWhatIfs(endedEarly());
    Findings.clear();
    Against.clear();
  }
  Prediction Record = std::move(Builder).finish();
  std::optional<GridTime> ByGrid = timeByGrid(Record, Plan, *Evaluator);
  if (auto Check = checkBudget(Settings.budgets(),
                               Settings.options().BudgetWhen, Record)) {
    Check->Silenced = Settings.options().Silenced;
    Into.Budgets.push_back(std::move(*Check));
  }
  ExplainedPrediction E{std::move(Record),
                        std::move(Findings),
                        Plan.Count,
                        ByGrid,
                        std::nullopt,
                        std::move(Against),
                        Settings.options().Silenced};
  if (S.Opts.wantsCharts()) {
    LaunchInputs In = Inputs;
    In.Site = Plan.Site;
    In.Variant = Plan.Variant;
    // GPUs are compared once for each launch.
    bool IsFirst = Gpu.Id == S.Gpus.front().Id;
    E.Charts = makeCharts({Evaluated.Kernel, Gpu, Plan, In, Options,
                           IsFirst ? ArrayRef(S.AllGpus) : ArrayRef<GpuModel>(),
                           S.Opts},
                          E);
  }
  Into.Estimates.push_back(std::move(E));
}

} // namespace gpuestimate
