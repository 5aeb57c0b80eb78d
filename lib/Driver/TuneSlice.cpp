#include "TuneSlice.h"

#include "KernelAnalysis.h"
#include "gpu-estimate/Driver/ParseValue.h"
#include "gpu-estimate/Evaluate/KernelEvaluator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuestimate {

/// A slice with more points than that is screened: all of it with the samples
/// of a what-if, then with all samples what came within ScreenedFactor of the
/// fastest, at most RefinedPoints of them.
static constexpr size_t ScreenedSlice = 1024, RefinedPoints = 256;
static constexpr double ScreenedFactor = 1.25;

namespace {

class SliceRun {
public:
  /// Gpus: for which the launches are the same.
  SliceRun(const TuneSlice &Of, const TuningRequest &Request,
           ArrayRef<TuningPoint> Points, ArrayRef<TunedGpu *> Gpus,
           function_ref<void(size_t)> Advance)
      : Of(Of), Request(Request), Points(Points), Gpus(Gpus), Advance(Advance),
        Inputs(Of.Inputs) {
    if (!Gpus.empty())
      Inputs.Gpu = &Gpus.front()->Gpu;
  }

  void run();

private:
  std::vector<std::unique_ptr<KernelEvaluator>> evaluators(double Effort) const;
  /// The launches of a point: of the host code, or with what it changes.
  Expected<std::vector<LaunchPlan>> plan(const LaunchInputs &In,
                                         ArrayRef<LaunchPlan> Base,
                                         const TuningPoint &Point) const;
  /// All points of the slice, or those at Refined.
  void evaluatePoints(double Effort, const std::vector<size_t> *Refined);

  const TuneSlice &Of;
  const TuningRequest &Request;
  ArrayRef<TuningPoint> Points;
  ArrayRef<TunedGpu *> Gpus;
  function_ref<void(size_t)> Advance;
  LaunchInputs Inputs;
};

} // namespace

static bool dependsOnBlock(const LaunchSite *Site) {
  return Site && any_of(Site->Grid, [](Expr E) {
           return E && (E.dependsOn("blockDim.x") ||
                        E.dependsOn("blockDim.y") || E.dependsOn("blockDim.z"));
         });
}

Expected<std::vector<LaunchPlan>>
SliceRun::plan(const LaunchInputs &In, ArrayRef<LaunchPlan> Base,
               const TuningPoint &Point) const {
  std::vector<LaunchPlan> Plans(Base.begin(), Base.end());
  for (LaunchPlan &Plan : Plans) {
    BlockShape Written = Plan.Used.Block;
    if (!Request.Blocks.empty()) {
      const BlockShape &Block = Request.Blocks[Point.Block];
      if (dependsOnBlock(Plan.Site)) {
        LaunchInputs Changed = In;
        Changed.Site = Plan.Site;
        Changed.Variant = Plan.Variant;
        LaunchSettings Settings;
        Settings.Block = Block;
        Changed.Authorities.insert(Changed.Authorities.begin(),
                                   {"command-line", Settings});
        std::lock_guard Guard(Of.SitesLock);
        Plan = planLaunch(Changed);
      } else {
        // As many threads as before, in whole blocks.
        for (unsigned I = 0; I < 3; ++I)
          Plan.Used.Grid[I] =
              divideCeil(Plan.Used.Grid[I] * Written[I], Block[I]);
        Plan.Used.Block = Block;
        Plan.Used.Source = "command-line";
      }
    }
    if (Request.Grid.empty() && Request.DynamicShared.empty())
      continue;
    TuningNames Names(Request, Point, &Plan.Used.Block);
    if (!Request.Grid.empty())
      Plan.Used.Grid = {1, 1, 1};
    for (auto [I, Text] : enumerate(Request.Grid)) {
      Expected<uint64_t> Size = Names.size("--grid", Text);
      if (!Size)
        return Size.takeError();
      Plan.Used.Grid[I] = *Size;
    }
    if (!Request.DynamicShared.empty()) {
      Expected<uint64_t> Size =
          Names.size("--dynamic-smem", Request.DynamicShared);
      if (!Size)
        return Size.takeError();
      Plan.Used.DynamicSharedBytes = *Size;
    }
  }
  return Plans;
}

/// One for each GPU. What is not shown of a screened point is left out.
std::vector<std::unique_ptr<KernelEvaluator>>
SliceRun::evaluators(double Effort) const {
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

void SliceRun::evaluatePoints(double Effort,
                              const std::vector<size_t> *Refined) {
  std::vector<LaunchPlan> Base;
  std::optional<ArrayRef<uint32_t>> BaseOf; // arguments of Base
  LaunchInputs In = Inputs;
  std::vector<FastestPoint> Best(Gpus.size());
  auto With = evaluators(Effort);
  size_t Count = Refined ? Refined->size() : Of.End - Of.First, Told = 0;
  for (size_t Done = 0; Done < Count; ++Done) {
    size_t I = Refined ? (*Refined)[Done] : Of.First + Done;
    const TuningPoint &Point = Points[I];
    if (!BaseOf || *BaseOf != ArrayRef(Point.Parameters)) {
      BaseOf = Point.Parameters;
      In = Inputs;
      for (auto [Axis, Choice] : zip(Request.Parameters, Point.Parameters))
        In.Named[Axis.Name] = cantFail(parseNumber(Axis.Values[Choice]));
      std::lock_guard Guard(Of.SitesLock);
      Base = planLaunches(In, Of.Read.Sites);
    }
    Expected<std::vector<LaunchPlan>> Plans = plan(In, Base, Point);
    std::string Why = Plans ? "" : toString(Plans.takeError());
    for (auto [Run, Evaluator, Fast] : zip(Gpus, With, Best)) {
      Run->Outcomes[I] = Why.empty()
                             ? evaluateLaunches(*Evaluator, *Plans, &Fast)
                             : TuneOutcome{{}, Why};
      TunedConfiguration &Found = Run->Outcomes[I].Found;
      Found.Screened = Effort < 1;
      append_range(Found.Choice, Point.Macros);
      append_range(Found.Choice, Point.Parameters);
    }
    // Not more often than anybody looks.
    if (!Refined && (Done + 1 - Told == SmallestSlice || Done + 1 == Count)) {
      Advance((Done + 1 - Told) * Gpus.size());
      Told = Done + 1;
    }
  }
  for (auto [Run, Fast] : zip(Gpus, Best)) {
    Fast.Kernel = Of.Read.Model.Mangled;
    Fast.Name = Of.Read.Model.Name;
    Fast.Location = Of.Read.Model.Location;
    Fast.IsNest = !Of.Read.Model.HostFunction.empty();
    Fast.Launches = std::max<size_t>(1, Base.size());
    std::lock_guard Guard(Run->Lock);
    if (Fast.Time < Run->Best.Time || Run->Best.Kernel.empty())
      Run->Best = std::move(Fast);
  }
}

void SliceRun::run() {
  if (Of.AsWritten) {
    // An argument of one value belongs to the source as it stands.
    LaunchInputs In = Inputs;
    for (const TuningAxis &Axis : Request.Parameters)
      if (Axis.Values.size() == 1)
        In.Named[Axis.Name] = cantFail(parseNumber(Axis.Values.front()));
    std::vector<LaunchPlan> Written;
    {
      std::lock_guard Guard(Of.SitesLock);
      Written = planLaunches(In, Of.Read.Sites);
    }
    auto With = evaluators(/*Effort=*/1);
    for (auto [Run, Evaluator] : zip(Gpus, With))
      Run->AsWritten = evaluateLaunches(*Evaluator, Written, nullptr);
  }
  if (Of.End - Of.First <= ScreenedSlice)
    return evaluatePoints(/*Effort=*/1, nullptr);
  evaluatePoints(WhatIfEffort, nullptr);
  // What is among the fastest on any of the GPUs.
  std::vector<size_t> Refined;
  for (const TunedGpu *Run : Gpus) {
    std::vector<size_t> Order;
    for (size_t I = Of.First; I < Of.End; ++I)
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
  evaluatePoints(/*Effort=*/1, &Refined);
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
