#include "gpu-estimate/Session/Pipeline/LaunchPipeline.h"

#include "gpu-estimate/Evaluate/Uncertainty/CombineEffects.h"
#include "gpu-estimate/Model/Kernel/ExecutedConsistency.h"
#include "gpu-estimate/Model/Result/Consistency.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// The copy of the kernel for the launch is well-formed.
static std::string checkBound(const BoundLaunch &L) {
  std::string Problem = checkConsistency(*L.Kernel);
  if (Problem.empty() && L.Executed)
    return checkExecuted(*L.Executed, *L.Kernel);
  return Problem;
}

Expected<BoundLaunch> bind(LaunchPlan Plan, const GpuModel &Gpu,
                           KernelCopies &Copies) {
  BoundLaunch L;
  L.Plan = std::move(Plan);
  if (Error E = Copies.set(L, Gpu.WarpSize))
    return std::move(E);
  atBorder("launch of '" + L.Kernel->Name + "'", [&] { return checkBound(L); });
  return L;
}

/// The pointers of each buffer that has several.
static std::vector<SharedBuffer> sharedBuffers(ArrayRef<BufferPart> Parts) {
  std::vector<SharedBuffer> Buffers;
  for (const BufferPart &Part : Parts) {
    auto Same = find_if(Buffers, [&](const SharedBuffer &B) {
      return B.Pointers.front().first == Part.Buffer;
    });
    if (Same == Buffers.end())
      Same = Buffers.insert(Same, {{{Part.Buffer, 0}}, Part.Source});
    Same->Pointers.push_back({Part.Pointer, Part.Offset});
  }
  return Buffers;
}

/// Adds the launches in one run of the program, buffers that arguments share,
/// and premises of the kernel and the plan.
static void addPlan(Prediction &P, const BoundLaunch &L) {
  append_range(P.Premises, L.Kernel->Premises);
  append_range(P.Premises, L.Plan.Premises);
  P.SharedBuffers = sharedBuffers(L.Plan.Parts);
  if (L.Kernel->Nest)
    P.HostFunction = L.Kernel->Nest->Function;
  P.Repeats = L.Plan.Repeats;
  if (!P.HostFunction.empty() && L.Plan.Repeats == 0) {
    P.Repeats = 1;
    P.Premises.push_back("one launch is assumed: the trip counts of the "
                         "loops around it are not known");
  }
}

/// The launch with another value in place of the guessed one; nullopt where
/// nobody would make such a launch.
static std::optional<LaunchWithArguments>
withGuess(const LaunchPlan &Plan, const LaunchGuess &Guess, double Value) {
  StringRef Key = Guess.Key;
  if (Key == "gridDim.x") {
    LaunchWithArguments Changed = Plan;
    Changed.Used.Grid[0] = static_cast<uint64_t>(std::ceil(Value));
    return Changed;
  }
  if (Key.starts_with("blockDim") || Key.starts_with("gridDim") ||
      Key == "dynamic-smem" || !Plan.From)
    return std::nullopt;
  LaunchInputs Inputs = *Plan.From;
  Inputs.Named[Key] = std::ceil(Value);
  for (const std::string &Element : Guess.Elements)
    Inputs.Named[Element] = std::ceil(Value);
  return planLaunch(std::move(Inputs));
}

/// Sets the relative change of the time per relative change of the guess, by
/// evaluation with the value raised by 10 %, and the factors of the time at the
/// ends of its range. False where the guess cannot be varied.
static bool varyGuess(Assumption &Stated, const LaunchGuess &Guess,
                      const LaunchPlan &Plan, KernelEvaluator &Evaluator,
                      Seconds Time) {
  constexpr double Step = 1.1;
  // The time by that of the plan; nothing where it has none. A parameter that
  // the kernel does not read costs no evaluation.
  auto Ratio = [&](double Value) -> std::optional<double> {
    std::optional<LaunchWithArguments> Changed = withGuess(Plan, Guess, Value);
    if (!Changed)
      return std::nullopt;
    std::optional<Seconds> There =
        Evaluator.whatIfTime(Changed->Used, Changed->Values);
    if (!There)
      return std::nullopt;
    return *There / Evaluator.whatIfTime(Plan.Used, Plan.Values).value_or(Time);
  };
  std::optional<double> Raised = Ratio(Stated.Value * Step);
  if (!Raised)
    return false;
  Stated.Sensitivity = std::log(*Raised) / std::log(Step);
  double AtLow = Ratio(Stated.Low).value_or(1);
  double AtHigh = Ratio(Stated.High).value_or(1);
  Stated.Effect = {std::min({1.0, AtLow, AtHigh}),
                   std::max({1.0, AtLow, AtHigh})};
  return true;
}

static void addGuesses(Prediction &P, const LaunchPlan &Plan,
                       KernelEvaluator &Evaluator) {
  int Variation = 0;
  for (const Assumption &A : P.Assumptions)
    Variation = std::max(Variation, A.Variation + 1);
  for (const LaunchGuess &Guess : Plan.Guesses) {
    if (workExhausted()) // predict() withdraws what was found so far
      return;
    Assumption &Stated = P.Assumptions.emplace_back(Guess.Stated);
    if (varyGuess(Stated, Guess, Plan, Evaluator, P.Time))
      Stated.Variation = Variation++;
  }
  combineEffects(P);
}

/// Local memory that the compiler has and its rules have not, or the other way
/// round: the time of the launch with it is an end of the interval.
static void addOtherLocal(Prediction &P, const BoundLaunch &L,
                          const LaunchEvaluators &On,
                          KernelEvaluator &Evaluator) {
  const KernelModel *Doubted = L.Kernel->OtherLocal.get();
  if (!Doubted || workExhausted())
    return;
  KernelEvaluator Other(*Doubted, On.gpu(), On.options());
  std::optional<Seconds> Time =
      Evaluator.whatIfTime(L.Plan.Used, L.Plan.Values);
  std::optional<Seconds> There = Other.whatIfTime(L.Plan.Used, L.Plan.Values);
  if (!Time || !There)
    return;
  int Variation = 0;
  for (const Assumption &A : P.Assumptions)
    Variation = std::max(Variation, A.Variation + 1);
  Assumption &A = P.Assumptions.emplace_back();
  A.What = "arrays of '" + P.Name + "' in local memory";
  A.Why = "nvcc's code and the rules for nvcc differ in it";
  A.Settle = "--nvcc off";
  A.High = 1;
  A.Variation = Variation;
  double Ratio = *There / *Time;
  A.Effect = {std::min(1.0, Ratio), std::max(1.0, Ratio)};
  A.Location = L.Kernel->Location;
  A.IsOfCompiler = true;
  combineEffects(P);
}

/// Guesses without their effect: the interval of the time is not known where
/// one of them may be wrong.
static void stateGuesses(Prediction &P, const LaunchPlan &Plan) {
  for (const LaunchGuess &Guess : Plan.Guesses) {
    P.Assumptions.push_back(Guess.Stated);
    if (Guess.Stated.Low < Guess.Stated.High)
      P.Interval.reset();
  }
}

static void withdrawEffects(Prediction &P, const LaunchPlan &Plan) {
  std::string Premise =
      "advice and the effect of assumptions are missing: " + endedEarly();
  if (is_contained(P.Premises, Premise))
    return;
  P.Premises.push_back(std::move(Premise));
  P.Interval.reset();
  for (const LaunchGuess &Guess : Plan.Guesses)
    erase_if(P.Assumptions,
             [&](const Assumption &A) { return A.What == Guess.Stated.What; });
  combineEffects(P);
  for (const LaunchGuess &Guess : Plan.Guesses)
    P.Assumptions.emplace_back(Guess.Stated).NotVaried = true;
}

Expected<Prediction> predict(const BoundLaunch &L, LaunchEvaluators &On) {
  KernelEvaluator &Evaluator = On.of(L);
  Expected<Prediction> P = Evaluator.evaluate(L.Plan.Used, L.Plan.Values);
  if (P && workExhausted())
    return createStringError(endedEarly());
  if (!P)
    return P;
  if (!On.overrides().empty())
    P->WhatIf = On.overrides().vec();
  addPlan(*P, L);
  if (!On.options().Wanted.Sensitivities)
    stateGuesses(*P, L.Plan);
  else
    addGuesses(*P, L.Plan, Evaluator);
  if (On.options().Wanted.Sensitivities)
    addOtherLocal(*P, L, On, Evaluator);
  if (workExhausted())
    withdrawEffects(*P, L.Plan);
  atBorder("prediction of '" + P->Name + "' on " + P->Gpu + " by " + P->Model,
           [&] { return checkFinished(*P); });
  return P;
}

std::vector<Finding> findings(const Prediction &P, const BoundLaunch &L,
                              const ExplainInputs &In) {
  return findCosts(P, *L.Kernel, In.On.gpu(), L.Plan.Used, L.Plan.Values,
                   In.On.options(L), In.Other, &In.On.of(L));
}

ExplainedPrediction explain(Prediction P, const BoundLaunch &L,
                            const ExplainInputs &In) {
  ExplainedPrediction E;
  E.Estimate = std::move(P);
  E.Count = L.Plan.Count;
  if (In.FindsCosts)
    E.Findings = findings(E.Estimate, L, In);
  if (workExhausted())
    withdrawWhatIfs(E, L.Plan);
  atBorder("list of findings of '" + E.Estimate.Name + "'",
           [&] { return checkFindings(E.Findings); });
  return E;
}

void withdrawWhatIfs(ExplainedPrediction &E, const LaunchPlan &Plan) {
  withdrawEffects(E.Estimate, Plan);
  E.Findings.clear();
  E.Against.clear();
}

} // namespace gpuestimate
