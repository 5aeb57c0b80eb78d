#include "TuneSlice.h"

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

class SliceRun {
public:
  /// Gpus: for which the launches are the same.
  SliceRun(const TuneSlice &Of, const TuningRequest &Request,
           ArrayRef<TuningPoint> Points, ArrayRef<TunedGpu *> Gpus,
           function_ref<void(size_t)> Advance)
      : Of(Of), Request(Request), Points(Points), Gpus(Gpus), Advance(Advance),
        Planner(Of, Request, Gpus.front()->Gpu) {}

  void run();

private:
  using Evaluators = std::vector<std::unique_ptr<KernelEvaluator>>;
  Evaluators evaluators(double Effort) const;
  void evaluatePoints(const Evaluators &With, bool Screened,
                      ArrayRef<size_t> Places);
  void evaluateAll(double Effort);
  void screen();

  const TuneSlice &Of;
  const TuningRequest &Request;
  ArrayRef<TuningPoint> Points;
  ArrayRef<TunedGpu *> Gpus;
  function_ref<void(size_t)> Advance;
  TunePlans Planner;
};

} // namespace

/// One for each GPU. What is not shown of a screened point is left out.
SliceRun::Evaluators SliceRun::evaluators(double Effort) const {
  EvaluateOptions Options = evaluateOptions(Of.Read.Settings.options());
  Options.Sensitivities = false;
  Options.SampleEffort = Effort;
  Options.Explained = Effort == 1;
  std::vector<std::unique_ptr<KernelEvaluator>> All;
  for (const TunedGpu *Run : Gpus)
    All.push_back(
        std::make_unique<KernelEvaluator>(Of.Read.Model, Run->Gpu, Options));
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

void SliceRun::evaluatePoints(const Evaluators &With, bool Screened,
                              ArrayRef<size_t> Places) {
  BasePlans Base;
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
    Fast.Kernel = Of.Read.Model.Mangled;
    Fast.Name = Of.Read.Model.Name;
    Fast.Location = Of.Read.Model.Location;
    Fast.IsNest = !Of.Read.Model.HostFunction.empty();
    Fast.Launches = std::max<size_t>(1, Base.Plans.size());
    std::lock_guard Guard(Run->Lock);
    if (Fast.Time < Run->Best.Time || Run->Best.Kernel.empty())
      Run->Best = std::move(Fast);
  }
}

void SliceRun::evaluateAll(double Effort) {
  Evaluators With = evaluators(Effort);
  // Nobody looks at the progress more often.
  for (ArrayRef<size_t> Left = Of.Places, Next; !Left.empty();
       Left = Left.drop_front(Next.size())) {
    Next = Left.take_front(SmallestSlice);
    evaluatePoints(With, /*Screened=*/Effort < 1, Next);
    Advance(Next.size() * Gpus.size());
  }
}

void SliceRun::screen() {
  if (evaluateOptions(Of.Read.Settings.options()).Model != DefaultModel)
    return evaluateAll(WhatIfEffort);
  screenSlice(Of, Request, Points, Planner, Gpus, evaluators(WhatIfEffort),
              Advance);
}

void SliceRun::run() {
  if (Of.AsWritten) {
    BasePlans Written = Planner.asWritten();
    auto With = evaluators(/*Effort=*/1);
    for (auto [Run, Evaluator] : zip(Gpus, With))
      Run->AsWritten = evaluateLaunches(*Evaluator, Written.Plans, nullptr);
  }
  if (Of.Places.size() <= ScreenedSlice)
    return evaluateAll(/*Effort=*/1);
  screen();
  // What is among the fastest on any of the GPUs.
  std::vector<size_t> Refined;
  for (const TunedGpu *Run : Gpus) {
    std::vector<size_t> Order;
    for (size_t I : Of.Places)
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

void evaluateSlice(const TuneSlice &Of, const TuningRequest &Request,
                   ArrayRef<TuningPoint> Points, ArrayRef<TunedGpu *> Gpus,
                   function_ref<void(size_t Count)> Advance) {
  if (!followDevice(Of.Read.Sites))
    return SliceRun(Of, Request, Points, Gpus, Advance).run();
  for (TunedGpu *Run : Gpus)
    SliceRun(Of, Request, Points, Run, Advance).run();
}

} // namespace gpuestimate
