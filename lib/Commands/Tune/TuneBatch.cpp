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

/// The launches of points in turn; neighbours with equal arguments are planned
/// once.
class PlannedPoints {
public:
  PlannedPoints(TuneLaunchPlanner &Planner, ArrayRef<SpaceAxis> Axes)
      : Planner(Planner), Axes(Axes) {}

  Expected<std::vector<BoundLaunch>> at(const SpacePoint &Point) {
    ArrayRef<uint32_t> Arguments = choicesOf(AxisKind::Parameter, Axes, Point);
    if (!BaseOf || *BaseOf != Arguments) {
      BaseOf = Arguments;
      Base = Planner.base(Point);
    }
    return Planner.launches(Base, Point);
  }
  /// Launches of the last point.
  size_t count() const { return Base.size(); }

private:
  TuneLaunchPlanner &Planner;
  ArrayRef<SpaceAxis> Axes;
  std::vector<LaunchPlan> Base;
  std::optional<ArrayRef<uint32_t>> BaseOf; ///< arguments of Base
};

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
  /// Why the unchanged source cannot be compared: it has unknown sizes that the
  /// configurations state. "" where it can.
  std::string whyNotCompared(ArrayRef<OpenSize> Open) const;
  void screen();
  /// The places that are evaluated with all samples after a screening.
  std::vector<size_t> fastestPlaces() const;
  /// Evaluates the points at both ends of the tables of unknown sizes.
  void evaluateEnds(ArrayRef<size_t> Places);

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
  PlannedPoints Planned(Planner, Request.Axes);
  std::vector<FastestPoint> Best(Gpus.size());
  for (size_t I : Places) {
    const SpacePoint &Point = Points[I];
    Expected<std::vector<BoundLaunch>> Launches = Planned.at(Point);
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
    Fast.Launches = std::max<size_t>(1, Planned.count());
    Fast.Unknown = Planner.openSizes().vec();
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

std::string BatchEvaluator::whyNotCompared(ArrayRef<OpenSize> Open) const {
  std::string Names, Settle, Why;
  bool AreSeveral = false;
  for (const OpenSize &Size : Open) {
    if (any_of(Planner.openSizes(),
               [&](const OpenSize &O) { return O.Name == Size.Name; }))
      continue;
    AreSeveral = !Names.empty();
    Names += (AreSeveral ? ", " : "") + Size.Name;
    Settle += " " + Size.Settle;
    Why = Size.Why;
  }
  return Names.empty() ? ""
                       : "its launch depends on " + Names + ", which " +
                             (AreSeveral ? "are" : "is") + " not known (" +
                             Why + "); settle with" + Settle;
}

/// With the interval of the time, as an analysis of the source has it.
void BatchEvaluator::evaluateAsWritten() {
  std::vector<OpenSize> Open;
  std::vector<BoundLaunch> Launches = Planner.bindAll(Planner.asWritten(Open));
  // It is compared with the ranking, at the same sizes.
  std::string WhyNoTime = whyNotCompared(Open);
  EvaluateOptions Options = evaluateOptions(Batch.Reading.Settings.options());
  Options.MaxSensitivityWork =
      whatIfWork(/*CompileWaits=*/false, /*Kernels=*/1, Launches.size());
  bool HasGuesses = any_of(
      Launches, [](const BoundLaunch &L) { return !L.Plan.Guesses.empty(); });
  for (TunedGpu *Run : Gpus) {
    Run->AsWritten.Refusal = WhyNoTime;
    if (!WhyNoTime.empty())
      continue;
    LaunchEvaluators With(Run->Gpu, Options, Batch.Overrides);
    std::unique_lock Guard(Batch.SitesLock, std::defer_lock);
    if (HasGuesses) // they are planned again
      Guard.lock();
    Run->AsWritten = evaluateLaunches(With, Launches, Run->Written);
    // The error of a size that is not known is not known either.
    if (!Open.empty())
      Run->Written.IntervalMs.reset();
  }
}

/// The sum of the launches' times; nothing where one is impossible.
static std::optional<Seconds> timeOf(LaunchEvaluators &With,
                                     ArrayRef<BoundLaunch> Launches) {
  Seconds Sum;
  for (const BoundLaunch &L : Launches) {
    std::optional<Seconds> Time =
        With.of(L).whatIfTime(L.Plan.Used, L.Plan.Values);
    if (!Time)
      return std::nullopt;
    Sum += *Time;
  }
  return Sum;
}

void BatchEvaluator::evaluateEnds(ArrayRef<size_t> Places) {
  if (Planner.openSizes().empty())
    return;
  Evaluators With = evaluators(WhatIfEffort);
  auto EvaluateAt = [&](SizePlace End,
                        std::optional<Seconds> TunedConfiguration::*Time) {
    Planner.setPlace(End);
    PlannedPoints Planned(Planner, Request.Axes);
    for (size_t I : Places) {
      Expected<std::vector<BoundLaunch>> Launches = Planned.at(Points[I]);
      if (!Launches) { // told for the middle
        consumeError(Launches.takeError());
        continue;
      }
      for (auto [Run, Evaluators] : zip(Gpus, With))
        Run->Outcomes[I].Found.*Time = timeOf(*Evaluators, *Launches);
    }
  };
  EvaluateAt(SizePlace::Least, &TunedConfiguration::AtLeast);
  EvaluateAt(SizePlace::Largest, &TunedConfiguration::AtLargest);
}

/// Points that are among the fastest on at least one GPU.
std::vector<size_t> BatchEvaluator::fastestPlaces() const {
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
  return Refined;
}

void BatchEvaluator::run() {
  if (Batch.Places.size() <= MaxUnscreenedBatch) {
    evaluateAll(/*Effort=*/1);
    evaluateEnds(Batch.Places);
  } else {
    screen();
    std::vector<size_t> Refined = fastestPlaces();
    evaluatePoints(evaluators(/*Effort=*/1), /*Screened=*/false, Refined);
    evaluateEnds(Refined);
  }
  if (Batch.AsWritten) {
    Planner.setPlace(SizePlace::Middle);
    evaluateAsWritten();
  }
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
