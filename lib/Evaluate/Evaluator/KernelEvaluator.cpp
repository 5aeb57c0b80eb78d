#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"

#include "Evaluate/Launch/FittingResources.h"
#include "Evaluate/Launch/LaunchTime.h"
#include "Evaluate/Power/Power.h"
#include "Evaluate/Uncertainty/AssumptionEffects.h"
#include "Evaluation.h"
#include "LaunchAtClocksImpl.h"
#include "PhysicalLaws.h"
#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Evaluate/Evaluator/EvaluationCache.h"
#include "gpu-estimate/Evaluate/Launch/LaunchCycles.h"
#include "gpu-estimate/Evaluate/Launch/Spills.h"
#include "gpu-estimate/Evaluate/Uncertainty/CombineEffects.h"
#include "gpu-estimate/Evaluate/Uncertainty/ModelError.h"
#include "gpu-estimate/Model/Machine/Configuration.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Support/Invariants.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuestimate {

/// The parts of a prediction that no model computes.
static Prediction describe(const KernelModel &Kernel, const GpuModel &Gpu,
                           const Launch &L, const BoundParameters &Bound,
                           const EvaluateOptions &Options) {
  Prediction P;
  P.Kernel = Kernel.Mangled;
  P.Name = Kernel.Name;
  P.Location = Kernel.Location;
  P.Gpu = Gpu.Id;
  P.GpuName = Gpu.Name;
  P.Terms = VendorTerms(Gpu.Vendor, Gpu.Architecture);
  P.WarpSize = Gpu.WarpSize;
  P.Used = L;
  P.Arguments = Bound.Arguments;
  P.Assumptions = Bound.Assumptions;
  for (const ExceededLimit &E :
       exceededLimits(Gpu, {Gpu.SmCount, Gpu.CoreClock, memoryClock(Gpu)}))
    P.Premises.push_back("a GPU that does not exist, extrapolated: " + E.Range +
                         ", " + E.Got + " (" + E.Key + ")");
  P.Caches = Options.Caches == CacheState::Warm ? "warm" : "cold";
  for (const auto &Entry : Gpu.Sources)
    if (Entry.second.Kind == "what-if")
      P.WhatIf.push_back((Entry.first() + "=" + Entry.second.Text).str());
  std::sort(P.WhatIf.begin(), P.WhatIf.end());
  return P;
}

/// No parameter stands for this assumption. It comes after those of
/// BoundParameters, which are parallel to their parameters while they are
/// varied.
static void addRegisterAssumption(Prediction &P, const KernelModel &Kernel,
                                  const GpuModel &Gpu, const Launch &L) {
  if (std::optional<Assumption> A = registerAssumption(Kernel, Gpu, L))
    P.Assumptions.push_back(std::move(*A));
}

/// The kernel with the spills of its registers, if the GPU has too few.
struct WholeKernel {
  WholeKernel(const KernelModel &Kernel, const GpuModel &Gpu,
              ScheduleCache &Cache)
      : Spilled(spilledRegisters(Gpu, Kernel.Res)) {
    if (Spilled)
      Spilling = withSpills(Kernel, Spilled);
    Model = Spilling ? &*Spilling : &Kernel;
    Schedule = scheduleBlocks(*Model, Cache);
  }
  WholeKernel(const WholeKernel &) = delete;

  RegisterSpills Spilled;
  std::optional<KernelModel> Spilling;
  const KernelModel *Model;
  std::vector<BlockSchedule> Schedule;
};

/// Names whose values an evaluation depends on: those in expressions, sizes of
/// buffers, and bounds.
static std::vector<std::string> valuesRead(const KernelModel &Kernel,
                                           const UsedParameters &Used) {
  std::vector<std::string> Names = Used.All;
  for (const Unknown &U : Kernel.Unknowns) {
    if (!U.Name.empty())
      Names.push_back(U.Name);
    if (U.UpperBound)
      append_range(Names, U.UpperBound->parameters());
  }
  for (const KernelArgument &A : Kernel.Arguments)
    if (A.Kind != KernelArgument::Integer && A.Kind != KernelArgument::Real)
      Names.push_back(A.Name);
  llvm::sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
  return Names;
}

static Error checkFilled(const Prediction &P, const EvaluateOptions &Options) {
  // Not a fault of the model: 2^n of an n that was given, for instance.
  if (!std::isfinite(P.Time.value()))
    return createStringError(
        inconvertibleErrorCode(),
        "its time is not finite: with the values given or assumed for its "
        "parameters a count has no value in floating point (--param)");
  std::string Problem = checkConsistency(P, Options.Wanted.Explanation);
  if (Problem.empty())
    return Error::success();
  return createStringError(inconvertibleErrorCode(),
                           "internal: the prediction of " + P.Name + " by " +
                               P.Model + " is inconsistent: " + Problem);
}

/// The error of an evaluation that exceeds its budget of work.
static Error endedEarly() {
  return createStringError("the evaluation ended early");
}

static Expected<Prediction> filled(Evaluation &Launch, Prediction P,
                                   const ModelInfo &Model,
                                   const EvaluateOptions &Options) {
  if (Error E = Launch.fill(P, Model))
    return E;
  if (workExhausted())
    return endedEarly();
  if (Error E = checkFilled(P, Options))
    return E;
  return P;
}

/// The model of that name, if it has every term that is switched off.
static Expected<const ModelInfo *> modelFor(StringRef Name,
                                            const EvaluateOptions &Options) {
  const ModelInfo *Model = findModel(Name);
  if (!Model)
    return createStringError("no model is called '" + Name.str() +
                             "'; there are: " + modelNames());
  if (Error E = checkTerms(*Model, Options.Without))
    return E;
  return Model;
}

/// Fills the throttled launch of P where its power exceeds the board's limit.
static void fillThrottled(Prediction &P, const KernelModel &Kernel,
                          const GpuModel &Gpu, const Launch &L,
                          const Bindings &Values,
                          const EvaluateOptions &Options) {
  if (!P.Power.Board || !P.Power.Limit || *P.Power.Board <= *P.Power.Limit)
    return;
  EvaluateOptions TimeOnly = Options;
  TimeOnly.Wanted = WantedResults::timeOnly();
  TimeOnly.Cache = nullptr; // of the GPU at its own clock
  P.Power.Throttled =
      throttle(P, Gpu, [&](Hertz Clock) -> std::optional<Prediction> {
        Expected<GpuModel> Slower =
            hypothetical(Gpu, {std::nullopt, Clock, std::nullopt});
        if (!Slower) {
          consumeError(Slower.takeError());
          return std::nullopt;
        }
        Expected<Prediction> At =
            gpuestimate::evaluate(Kernel, *Slower, L, Values, TimeOnly);
        if (At)
          return std::move(*At);
        consumeError(At.takeError());
        return std::nullopt;
      });
}

/// Fills the error and the interval of the default model.
static void fillInterval(Prediction &P, const KernelModel &Kernel,
                         const GpuModel &Gpu, const EvaluateOptions &Options,
                         const ModelInfo &Model) {
  bool IsKnown = Options.Wanted.Sensitivities ||
                 none_of(P.Assumptions,
                         [](const Assumption &A) { return A.Low < A.High; });
  // Of a called function that is not in the estimate nothing is known.
  bool IsWhole =
      none_of(Kernel.Unknowns, [](const Unknown &U) { return U.IsLeftOut; });
  if (Model.Name == DefaultModel && Options.Wanted.Explanation && IsWhole)
    P.Error = modelError(errorTable(), errorShares(P.Breakdown),
                         boundPart(P.Bottleneck), Gpu.Vendor == "AMD",
                         Options.IntervalLevel);
  if (P.Error && IsKnown)
    P.Interval = TimeInterval{Options.IntervalLevel, {}, {}};
  combineEffects(P);
}

struct KernelEvaluator::Impl {
  Impl(const KernelModel &Kernel, const GpuModel &Gpu, EvaluateOptions Options)
      : Kernel(Kernel), Gpu(Gpu), Options(std::move(Options)),
        Cache(cache(this->Options, Gpu, OwnCache)),
        Whole(Kernel, Gpu, Cache.Schedules), Used(Kernel),
        WhatIf(this->Options), NamesRead(valuesRead(Kernel, Used)) {
    this->Options.Cache = WhatIf.Cache = &Cache;
    WhatIf.SampleEffort *= WhatIfEffort;
  }

  Evaluation launch(const Launch &L, const Occupancy &Occ, const Bindings &All,
                    const EvaluateOptions &LaunchOptions) {
    return launch(L, Occ, All, LaunchOptions, sample(L, All, LaunchOptions));
  }
  std::unique_ptr<SampledLaunch> sample(const Launch &L, const Bindings &All,
                                        const EvaluateOptions &LaunchOptions) {
    return std::make_unique<SampledLaunch>(*Whole.Model, Gpu, L, All,
                                           LaunchOptions);
  }
  Evaluation launch(const Launch &L, const Occupancy &Occ, const Bindings &All,
                    const EvaluateOptions &LaunchOptions,
                    std::unique_ptr<SampledLaunch> Requests) {
    return Evaluation(*Whole.Model, Gpu, L, Occ, All, LaunchOptions,
                      std::move(Requests), Whole.Schedule);
  }

  /// Cached by the values that the evaluation reads.
  std::optional<Seconds> whatIfTime(const ModelInfo &Model, const Launch &L,
                                    const Occupancy &Occ, const Bindings &All) {
    std::vector<uint64_t> Key(L.Grid.begin(), L.Grid.end());
    Key.insert(Key.end(), L.Block.begin(), L.Block.end());
    Key.push_back(L.DynamicSharedBytes);
    for (const std::string &Name : NamesRead) {
      auto Value = All.find(Name);
      Key.push_back(Value != All.end());
      if (Value != All.end())
        Key.push_back(bit_cast<uint64_t>(Value->second));
    }
    auto [Entry, New] = WhatIfTimes.try_emplace(std::move(Key));
    if (New && !workExhausted()) {
      Expected<Seconds> Time = launch(L, Occ, All, WhatIf).time(Model);
      if (Time)
        Entry->second = *Time;
      else
        consumeError(Time.takeError());
    }
    return Entry->second;
  }

  /// The time with loaded indices that are in order or the same, by the time
  /// with those at random.
  TimeFactors indexEffect(const ModelInfo &Model, const Launch &L,
                          const Occupancy &Occ, const Bindings &All,
                          const Bindings &Values) {
    TimeFactors Effect;
    std::optional<Seconds> Base = whatIfTime(Model, L, Occ, All);
    if (!Base || Base->value() <= 0)
      return Effect;
    for (const std::optional<KernelModel> &Changed :
         {withSequentialIndices(Kernel), withOneIndex(Kernel)}) {
      if (!Changed || workExhausted())
        continue;
      Expected<Seconds> Time =
          KernelEvaluator(*Changed, Gpu, WhatIf).time(L, Values);
      if (!Time) {
        consumeError(Time.takeError());
        continue;
      }
      Effect.Low = std::min(Effect.Low, *Time / *Base);
      Effect.High = std::max(Effect.High, *Time / *Base);
    }
    return Effect;
  }

  static EvaluationCache &cache(const EvaluateOptions &Options,
                                const GpuModel &Gpu,
                                std::optional<EvaluationCache> &Own) {
    if (Options.Cache && Options.Cache->isAbout(Gpu))
      return *Options.Cache;
    return Own.emplace(Gpu);
  }

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  EvaluateOptions Options;
  std::optional<EvaluationCache> OwnCache;
  EvaluationCache &Cache;
  WholeKernel Whole;
  UsedParameters Used;
  EvaluateOptions WhatIf;
  std::vector<std::string> NamesRead;
  std::map<std::vector<uint64_t>, std::optional<Seconds>> WhatIfTimes;
};

KernelEvaluator::KernelEvaluator(const KernelModel &Kernel, const GpuModel &Gpu,
                                 EvaluateOptions Options)
    : I(std::make_unique<Impl>(Kernel, Gpu, std::move(Options))) {}
KernelEvaluator::~KernelEvaluator() = default;
const KernelModel &KernelEvaluator::kernel() const { return I->Kernel; }
const GpuModel &KernelEvaluator::gpu() const { return I->Gpu; }

Expected<Prediction>
KernelEvaluator::evaluate(const Launch &L, const Bindings &Values,
                          function_ref<bool(const LaunchSample &)> IsWorthIt) {
  const KernelModel &Kernel = I->Kernel;
  const GpuModel &Gpu = I->Gpu;
  const EvaluateOptions &Options = I->Options;
  Expected<const ModelInfo *> Model = modelFor(Options.Model, Options);
  if (!Model)
    return Model.takeError();
  Expected<Occupancy> Occ = computeOccupancy(Gpu, Kernel.Res, L);
  if (!Occ)
    return Occ.takeError();
  if (workExhausted())
    return endedEarly();
  BoundParameters Bound = bindParameters(Kernel, L, Values, I->Used);
  std::unique_ptr<SampledLaunch> Requests = I->sample(L, Bound.All, Options);
  if (IsWorthIt && !IsWorthIt(Requests->Sample))
    return createStringError("not worth it");
  Evaluation Evaluated =
      I->launch(L, *Occ, Bound.All, Options, std::move(Requests));
  Expected<Prediction> P = filled(
      Evaluated, describe(Kernel, Gpu, L, Bound, Options), **Model, Options);
  if (!P)
    return P;
  if (Options.Wanted.Explanation)
    fillThrottled(*P, Kernel, Gpu, L, Values, Options);
  std::optional<StringMap<double>> Reach; // few kernels need it
  if (Options.Wanted.Sensitivities && Options.KnownEffects) {
    takeEffects(P->Assumptions, Bound, *Options.KnownEffects);
  } else if (Options.Wanted.Sensitivities) {
    varyAssumptions(
        P->Assumptions, Bound, Options.MaxSensitivityWork,
        [&](const Bindings &All) {
          return I->whatIfTime(**Model, L, *Occ, All).value_or(Seconds(0));
        },
        [&](StringRef Parameter) {
          if (!Reach)
            Reach = reachOfParameters(*I->Whole.Model, Evaluated.sample());
          return Reach->lookup(Parameter);
        });
    if (any_of(Kernel.Unknowns, isRandomIndex))
      addIndexEffect(P->Assumptions, Kernel,
                     I->indexEffect(**Model, L, *Occ, Bound.All, Values));
  }
  addRegisterAssumption(*P, Kernel, Gpu, L);
  if (I->Whole.Spilled)
    P->Assumptions.push_back(spillAssumption(Kernel, I->Whole.Spilled));
  fillInterval(*P, Kernel, Gpu, Options, **Model);
  if ((*Model)->Name == DefaultModel && Options.Without.empty())
    atBorder("prediction of '" + P->Name + "' on " + P->Gpu,
             [&] { return checkPhysicalLaws(*P, Gpu); });
  return P;
}

Expected<Seconds> KernelEvaluator::time(const Launch &L,
                                        const Bindings &Values) {
  Expected<const ModelInfo *> Model = modelFor(I->Options.Model, I->Options);
  if (!Model)
    return Model.takeError();
  Expected<Occupancy> Occ = computeOccupancy(I->Gpu, I->Kernel.Res, L);
  if (!Occ)
    return Occ.takeError();
  if (workExhausted())
    return endedEarly();
  BoundParameters Bound = bindParameters(I->Kernel, L, Values, I->Used);
  return I->launch(L, *Occ, Bound.All, I->Options).time(**Model);
}

std::optional<Seconds> KernelEvaluator::whatIfTime(const Launch &L,
                                                   const Bindings &Values) {
  const ModelInfo *Model = findModel(I->Options.Model);
  Expected<Occupancy> Occ = computeOccupancy(I->Gpu, I->Kernel.Res, L);
  if (!Model || !Occ) {
    consumeError(Occ.takeError());
    return std::nullopt;
  }
  BoundParameters Bound = bindParameters(I->Kernel, L, Values, I->Used);
  return I->whatIfTime(*Model, L, *Occ, Bound.All);
}

Expected<Occupancy> KernelEvaluator::occupancy(const Launch &L) const {
  return computeOccupancy(I->Gpu, I->Kernel.Res, L);
}

Expected<LaunchDemand> KernelEvaluator::demand(const Launch &L,
                                               const Occupancy &Occ,
                                               const Bindings &Values) {
  BoundParameters Bound = bindParameters(I->Kernel, L, Values, I->Used);
  return I->launch(L, Occ, Bound.All, I->Options).demand();
}

Expected<Seconds> KernelEvaluator::time(const Launch &L, const Occupancy &Occ,
                                        const LaunchDemand &Demand) const {
  TermSet Without = switchedOff(I->Options);
  std::vector<PhaseExtent> Extents;
  for (const LaunchDemand::Phase &P : Demand.Phases)
    Extents.push_back(P.Extent);
  LaunchCycles Model(I->Gpu, L, Occ, Demand.Work, Extents, Without);
  double Cycles = Model.total(idleLatencies(I->Gpu, Without),
                              [&](const Wave &W) {
                                return Demand.Phases[W.Phase].warp(W.Which);
                              }) +
                  Demand.ColdCycles;
  if (!std::isfinite(Cycles) || Cycles < 0)
    return createStringError("internal: the time of " + I->Kernel.Name +
                             " is " + std::to_string(Cycles) + " cycles");
  return gpuestimate::Cycles(Cycles) / I->Gpu.CoreClock +
         migrationTime(I->Gpu, Demand.Work, Without) +
         launchOverhead(I->Gpu, I->Options);
}

Expected<LaunchAtClocks> KernelEvaluator::atClocks(const Launch &L,
                                                   const Bindings &Values) {
  Expected<const ModelInfo *> Model = modelFor(I->Options.Model, I->Options);
  if (!Model)
    return Model.takeError();
  if ((*Model)->Name != DefaultModel)
    return createStringError("only the model " + DefaultModel +
                             " is evaluated at many clocks");
  Expected<Occupancy> Occ = computeOccupancy(I->Gpu, I->Kernel.Res, L);
  if (!Occ)
    return Occ.takeError();
  auto Made = std::make_unique<LaunchAtClocks::Impl>(
      *I->Whole.Model, I->Gpu, L, *Occ,
      bindParameters(I->Kernel, L, Values, I->Used), I->Options,
      I->Whole.Schedule);
  if (Error E = Made->Evaluated.checkUnits())
    return E;
  if (workExhausted())
    return endedEarly();
  return LaunchAtClocks(std::move(Made));
}

Error KernelEvaluator::evaluateModels(
    const Launch &L, const Bindings &Values, ArrayRef<std::string> Models,
    function_ref<void(StringRef, Expected<Prediction>)> Take) {
  Expected<Occupancy> Occ = computeOccupancy(I->Gpu, I->Kernel.Res, L);
  if (!Occ)
    return Occ.takeError();
  BoundParameters Bound = bindParameters(I->Kernel, L, Values, I->Used);
  Evaluation Shared = I->launch(L, *Occ, Bound.All, I->Options);
  for (const std::string &Name : Models) {
    const ModelInfo *Model = findModel(Name);
    if (!Model)
      return modelFor(Name, I->Options).takeError();
    if (Error E = checkTerms(*Model, I->Options.Without)) {
      Take(Name, std::move(E));
      continue;
    }
    Expected<Prediction> P =
        filled(Shared, describe(I->Kernel, I->Gpu, L, Bound, I->Options),
               *Model, I->Options);
    if (P) {
      addRegisterAssumption(*P, I->Kernel, I->Gpu, L);
      fillInterval(*P, I->Kernel, I->Gpu, I->Options, *Model);
    }
    Take(Name, std::move(P));
  }
  return Error::success();
}

} // namespace gpuestimate
