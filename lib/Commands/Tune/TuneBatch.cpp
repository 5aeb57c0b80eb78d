#include "TuneBatch.h"

#include "TuneScreen.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

/// After the screening, what came within ScreenedFactor of the fastest is
/// evaluated with all samples, at most RefinedPoints of them.
static constexpr size_t RefinedPoints = 256;
static constexpr double ScreenedFactor = 1.25;

namespace {

class BatchEvaluator {
public:
  /// Gpus: for which the launches are the same.
  BatchEvaluator(const TuneBatch &Batch, const TuningRequest &Request,
                 ArrayRef<SpacePoint> Points, ArrayRef<TunedGpu *> Gpus,
                 function_ref<void(size_t)> Advance)
      : Batch(Batch), Request(Request), Points(Points), Gpus(Gpus),
        Advance(Advance), Planner(Batch, Request, Gpus.front()->Gpu) {}

  void run();

private:
  using Evaluators = std::vector<std::unique_ptr<LaunchEvaluators>>;
  Evaluators evaluators(double Effort) const;
  void evaluatePoints(const Evaluators &With, bool Screened,
                      ArrayRef<size_t> Places);
  void evaluateAll(double Effort);
  void evaluateAsWritten();
  void screen();

  const TuneBatch &Batch;
  const TuningRequest &Request;
  ArrayRef<SpacePoint> Points;
  ArrayRef<TunedGpu *> Gpus;
  function_ref<void(size_t)> Advance;
  TuneLaunchPlanner Planner;
};

} // namespace

/// One evaluator for each GPU. Screened points are evaluated without details.
BatchEvaluator::Evaluators BatchEvaluator::evaluators(double Effort) const {
  EvaluateOptions Options = evaluateOptions(Batch.Reading.Settings.options());
  Options.Wanted.Sensitivities = false;
  Options.SampleEffort = Effort;
  Options.Wanted.Explanation = Effort == 1;
  Evaluators All;
  for (const TunedGpu *Run : Gpus)
    All.push_back(
        std::make_unique<LaunchEvaluators>(Run->Gpu, Options, Batch.Overrides));
  return All;
}

/// The times of all launches of a point, and their Total.
static TuneOutcome evaluateLaunches(LaunchEvaluators &With,
                                    ArrayRef<BoundLaunch> Launches,
                                    LaunchTotal &Total) {
  TuneOutcome Result;
  TunedConfiguration &Found = Result.Found;
  Seconds Longest;
  for (const BoundLaunch &L : Launches) {
    Expected<Prediction> P = predict(L, With);
    if (!P) {
      Result.Refusal = toString(P.takeError());
      return Result;
    }
    Total.add(*P);
    Found.DramBytes += P->Count.DramBytes;
    if (&L == Launches.begin() || P->Time > Longest) {
      Longest = P->Time;
      Found.Occupancy = P->Occ.Fraction;
      Found.RegistersPerThread = P->RegistersPerThread;
      Found.SharedBytesPerBlock = P->SharedBytesPerBlock;
      Found.Used = L.Plan.Used;
      Found.RatioError =
          P->Error ? std::optional(P->Error->Ratio) : std::nullopt;
    }
  }
  Found.Time = Total.Time;
  Found.Bottleneck = Total.Bottleneck;
  return Result;
}

void BatchEvaluator::evaluatePoints(const Evaluators &With, bool Screened,
                                    ArrayRef<size_t> Places) {
  std::vector<LaunchPlan> Base;
  std::optional<ArrayRef<uint32_t>> BaseOf; // arguments of Base
  std::vector<FastestPoint> Best(Gpus.size());
  for (size_t I : Places) {
    const SpacePoint &Point = Points[I];
    ArrayRef<uint32_t> Arguments =
        choicesOf(AxisKind::Parameter, Request.Axes, Point);
    if (!BaseOf || *BaseOf != Arguments) {
      BaseOf = Arguments;
      Base = Planner.base(Point);
    }
    Expected<std::vector<BoundLaunch>> Launches = Planner.launches(Base, Point);
    std::string Why = Launches ? "" : toString(Launches.takeError());
    for (auto [Run, Evaluators, Fast] : zip(Gpus, With, Best)) {
      LaunchTotal Total;
      Run->Outcomes[I] = Why.empty()
                             ? evaluateLaunches(*Evaluators, *Launches, Total)
                             : TuneOutcome{{}, Why};
      TunedConfiguration &Found = Run->Outcomes[I].Found;
      Found.Screened = Screened;
      Found.Choice = namedChoices(Request.Axes, Point);
      if (Run->Outcomes[I].Refusal.empty() && Found.Time < Fast.Time) {
        Fast.Time = Found.Time;
        Fast.Total = std::move(Total);
      }
    }
  }
  for (auto [Run, Fast] : zip(Gpus, Best)) {
    Fast.Kernel = Batch.Reading.Model.Mangled;
    Fast.Name = Batch.Reading.Model.Name;
    Fast.Location = Batch.Reading.Model.Location;
    Fast.IsNest = Batch.Reading.Model.Nest.has_value();
    Fast.Launches = std::max<size_t>(1, Base.size());
    std::lock_guard Guard(Run->Lock);
    if (Fast.Time < Run->Best.Time || Run->Best.Kernel.empty())
      Run->Best = std::move(Fast);
  }
}

void BatchEvaluator::evaluateAll(double Effort) {
  Evaluators With = evaluators(Effort);
  // The progress line advances once per MinBatchSize points.
  for (ArrayRef<size_t> Remaining = Batch.Places, Next; !Remaining.empty();
       Remaining = Remaining.drop_front(Next.size())) {
    Next = Remaining.take_front(MinBatchSize);
    evaluatePoints(With, /*Screened=*/Effort < 1, Next);
    Advance(Next.size() * Gpus.size());
  }
}

void BatchEvaluator::screen() {
  if (evaluateOptions(Batch.Reading.Settings.options()).Model != DefaultModel)
    return evaluateAll(WhatIfEffort);
  screenBatch(Batch, Request.Axes, Points, Planner, Gpus,
              evaluators(WhatIfEffort), Advance);
}

/// With the interval of the time, as an analysis of the source has it.
void BatchEvaluator::evaluateAsWritten() {
  std::vector<BoundLaunch> Launches = Planner.bindAll(Planner.asWritten());
  EvaluateOptions Options = evaluateOptions(Batch.Reading.Settings.options());
  Options.MaxSensitivityWork =
      whatIfWork(/*CompileWaits=*/false, /*Kernels=*/1, Launches.size());
  bool HasGuesses = any_of(
      Launches, [](const BoundLaunch &L) { return !L.Plan.Guesses.empty(); });
  for (TunedGpu *Run : Gpus) {
    LaunchEvaluators With(Run->Gpu, Options, Batch.Overrides);
    std::unique_lock Guard(Batch.SitesLock, std::defer_lock);
    if (HasGuesses) // they are planned again
      Guard.lock();
    Run->AsWritten = evaluateLaunches(With, Launches, Run->Written);
  }
}

void BatchEvaluator::run() {
  if (Batch.AsWritten)
    evaluateAsWritten();
  if (Batch.Places.size() <= MaxUnscreenedBatch)
    return evaluateAll(/*Effort=*/1);
  screen();
  // Points that are among the fastest on at least one GPU.
  std::vector<size_t> Refined;
  for (const TunedGpu *Run : Gpus) {
    std::vector<size_t> Order;
    for (size_t I : Batch.Places)
      if (Run->Outcomes[I].Refusal.empty())
        Order.push_back(I);
    auto Time = [&](size_t I) { return Run->Outcomes[I].Found.Time; };
    stable_sort(Order, [&](size_t A, size_t B) { return Time(A) < Time(B); });
    for (size_t I : ArrayRef(Order).take_front(RefinedPoints))
      if (Time(I).value() <= Time(Order.front()).value() * ScreenedFactor)
        Refined.push_back(I);
  }
  sort(Refined);
  Refined.erase(llvm::unique(Refined), Refined.end());
  evaluatePoints(evaluators(/*Effort=*/1), /*Screened=*/false, Refined);
}

void evaluateBatch(const TuneBatch &Batch, const TuningRequest &Request,
                   ArrayRef<SpacePoint> Points, ArrayRef<TunedGpu *> Gpus,
                   function_ref<void(size_t Count)> Advance) {
  if (!followDevice(Batch.Reading.Sites))
    return BatchEvaluator(Batch, Request, Points, Gpus, Advance).run();
  for (TunedGpu *Run : Gpus)
    BatchEvaluator(Batch, Request, Points, Run, Advance).run();
}

} // namespace gpuestimate
