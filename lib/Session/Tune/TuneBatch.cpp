#include "TuneBatch.h"

#include "Session/Pipeline/KernelAnalysis.h"
#include "TuneScreen.h"
#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"
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
                 ArrayRef<TuningPoint> Points, ArrayRef<TunedGpu *> Gpus,
                 function_ref<void(size_t)> Advance)
      : Batch(Batch), Request(Request), Points(Points), Gpus(Gpus),
        Advance(Advance), Planner(Batch, Request, Gpus.front()->Gpu) {}

  void run();

private:
  using Evaluators = std::vector<std::unique_ptr<KernelEvaluator>>;
  Evaluators evaluators(double Effort) const;
  void evaluatePoints(const Evaluators &With, bool Screened,
                      ArrayRef<size_t> Places);
  void evaluateAll(double Effort);
  void screen();

  const TuneBatch &Batch;
  const TuningRequest &Request;
  ArrayRef<TuningPoint> Points;
  ArrayRef<TunedGpu *> Gpus;
  function_ref<void(size_t)> Advance;
  TuneLaunchPlanner Planner;
};

} // namespace

/// One evaluator for each GPU. Screened points are evaluated without details.
BatchEvaluator::Evaluators BatchEvaluator::evaluators(double Effort) const {
  EvaluateOptions Options = evaluateOptions(Batch.Reading.Settings.options());
  Options.Sensitivities = false;
  Options.SampleEffort = Effort;
  Options.Explained = Effort == 1;
  std::vector<std::unique_ptr<KernelEvaluator>> All;
  for (const TunedGpu *Run : Gpus)
    All.push_back(std::make_unique<KernelEvaluator>(Batch.Reading.Model,
                                                    Run->Gpu, Options));
  return All;
}

/// The times of all launches of a point; Best, unless null, is replaced by a
/// faster one.
static TuneOutcome evaluateLaunches(KernelEvaluator &With,
                                    ArrayRef<LaunchPlan> Plans,
                                    FastestPoint *Best) {
  TuneOutcome Result;
  TunedConfiguration &Found = Result.Found;
  std::vector<Assumption> Assumptions;
  std::vector<std::string> Premises;
  Seconds Longest;
  for (const LaunchPlan &Plan : Plans) {
    Expected<Prediction> P = With.evaluate(Plan.Used, Plan.Values);
    if (!P) {
      Result.Refusal = toString(P.takeError());
      return Result;
    }
    Found.Time += P->Time;
    Found.DramBytes += P->Count.DramBytes;
    if (&Plan == Plans.begin() || P->Time > Longest) {
      Longest = P->Time;
      Found.Bottleneck = P->Bottleneck;
      Found.Occupancy = P->Occ.Fraction;
      Found.RegistersPerThread = P->RegistersPerThread;
      Found.SharedBytesPerBlock = P->SharedBytesPerBlock;
      Found.Used = Plan.Used;
      Found.RatioError =
          P->Error ? std::optional(P->Error->Ratio) : std::nullopt;
    }
    if (!Best)
      continue;
    for (const LaunchGuess &Guess : Plan.Guesses)
      Assumptions.push_back(Guess.Stated);
    append_range(Assumptions, P->Assumptions);
    append_range(Premises, P->Premises);
  }
  if (Best && Found.Time < Best->Time) {
    Best->Time = Found.Time;
    Best->Assumptions = std::move(Assumptions);
    Best->Premises = std::move(Premises);
  }
  return Result;
}

void BatchEvaluator::evaluatePoints(const Evaluators &With, bool Screened,
                                    ArrayRef<size_t> Places) {
  HostPlans Base;
  std::optional<ArrayRef<uint32_t>> BaseOf; // arguments of Base
  std::vector<FastestPoint> Best(Gpus.size());
  for (size_t I : Places) {
    const TuningPoint &Point = Points[I];
    if (!BaseOf || *BaseOf != ArrayRef(Point.Parameters)) {
      BaseOf = Point.Parameters;
      Base = Planner.base(Point.Parameters);
    }
    Expected<std::vector<LaunchPlan>> Plans = Planner.plan(Base, Point);
    std::string Why = Plans ? "" : toString(Plans.takeError());
    for (auto [Run, Evaluator, Fast] : zip(Gpus, With, Best)) {
      Run->Outcomes[I] = Why.empty()
                             ? evaluateLaunches(*Evaluator, *Plans, &Fast)
                             : TuneOutcome{{}, Why};
      TunedConfiguration &Found = Run->Outcomes[I].Found;
      Found.Screened = Screened;
      append_range(Found.Choice, Point.Macros);
      append_range(Found.Choice, Point.Parameters);
    }
  }
  for (auto [Run, Fast] : zip(Gpus, Best)) {
    Fast.Kernel = Batch.Reading.Model.Mangled;
    Fast.Name = Batch.Reading.Model.Name;
    Fast.Location = Batch.Reading.Model.Location;
    Fast.IsNest = !Batch.Reading.Model.HostFunction.empty();
    Fast.Launches = std::max<size_t>(1, Base.Plans.size());
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
  screenBatch(Batch, Request, Points, Planner, Gpus, evaluators(WhatIfEffort),
              Advance);
}

void BatchEvaluator::run() {
  if (Batch.AsWritten) {
    HostPlans Written = Planner.asWritten();
    auto With = evaluators(/*Effort=*/1);
    for (auto [Run, Evaluator] : zip(Gpus, With))
      Run->AsWritten = evaluateLaunches(*Evaluator, Written.Plans, nullptr);
  }
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
                   ArrayRef<TuningPoint> Points, ArrayRef<TunedGpu *> Gpus,
                   function_ref<void(size_t Count)> Advance) {
  if (!followDevice(Batch.Reading.Sites))
    return BatchEvaluator(Batch, Request, Points, Gpus, Advance).run();
  for (TunedGpu *Run : Gpus)
    BatchEvaluator(Batch, Request, Points, Run, Advance).run();
}

} // namespace gpuestimate
