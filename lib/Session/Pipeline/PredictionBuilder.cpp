#include "PredictionBuilder.h"

#include "gpu-estimate/Evaluate/Uncertainty/CombineEffects.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

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

PredictionBuilder::PredictionBuilder(Prediction Evaluated,
                                     const KernelModel &Kernel,
                                     const LaunchPlan &Plan,
                                     ArrayRef<std::string> Overrides)
    : Plan(Plan), Record(std::move(Evaluated)),
      EvaluatorsAssumptions(Record.Assumptions) {
  Record.WhatIf = Overrides.vec();
  append_range(Record.Premises, Kernel.Assumed);
  append_range(Record.Premises, Plan.Premises);
  Record.SharedBuffers = sharedBuffers(Plan.Parts);
  Record.HostFunction = Kernel.HostFunction;
  Record.Repeats = Plan.Repeats;
  if (!Record.HostFunction.empty() && Plan.Repeats == 0) {
    Record.Repeats = 1;
    Record.Premises.push_back("one launch is assumed: the trip counts of the "
                              "loops around it are not known");
  }
}

/// The launch with another value in place of the guessed one; nullopt where
/// nobody would make such a launch.
static std::optional<LaunchWithArguments> withGuess(const LaunchPlan &Plan,
                                                    const LaunchGuess &Guess,
                                                    LaunchInputs Inputs,
                                                    double Value) {
  StringRef Key = Guess.Key;
  if (Key == "gridDim.x") {
    LaunchWithArguments Changed = Plan;
    Changed.Used.Grid[0] = static_cast<uint64_t>(std::ceil(Value));
    return Changed;
  }
  if (Key.starts_with("blockDim") || Key.starts_with("gridDim") ||
      Key == "dynamic-smem")
    return std::nullopt;
  Inputs.Site = Plan.Site;
  Inputs.Variant = Plan.Variant;
  Inputs.Named[Key] = std::ceil(Value);
  return planLaunch(Inputs);
}

void PredictionBuilder::addGuesses(const LaunchInputs &Inputs,
                                   KernelEvaluator &Evaluator) {
  constexpr double Step = 1.1;
  int Variation = 0;
  for (const Assumption &A : Record.Assumptions)
    Variation = std::max(Variation, A.Variation + 1);
  for (const LaunchGuess &Guess : Plan.Guesses) {
    Assumption &Stated = Record.Assumptions.emplace_back(Guess.Stated);
    /// Its time by that of the plan; nothing where it has none.
    auto Ratio = [&](double Value) -> std::optional<double> {
      std::optional<LaunchWithArguments> Changed =
          withGuess(Plan, Guess, Inputs, Value);
      if (!Changed)
        return std::nullopt;
      // A parameter that the kernel does not read costs no evaluation.
      std::optional<Seconds> Time =
          Evaluator.whatIfTime(Changed->Used, Changed->Values);
      if (!Time)
        return std::nullopt;
      return *Time /
             Evaluator.whatIfTime(Plan.Used, Plan.Values).value_or(Record.Time);
    };
    std::optional<double> Raised = Ratio(Stated.Value * Step);
    if (!Raised)
      continue;
    Stated.Sensitivity = std::log(*Raised) / std::log(Step);
    double AtLow = Ratio(Stated.Low).value_or(1);
    double AtHigh = Ratio(Stated.High).value_or(1);
    Stated.Variation = Variation++;
    Stated.Effect = {std::min({1.0, AtLow, AtHigh}),
                     std::max({1.0, AtLow, AtHigh})};
  }
  combineEffects(Record);
}

void PredictionBuilder::withdrawWhatIfs(StringRef Reason) {
  Record.Assumptions = EvaluatorsAssumptions;
  Record.Interval.reset();
  for (const LaunchGuess &Guess : Plan.Guesses)
    Record.Assumptions.emplace_back(Guess.Stated).NotVaried = true;
  Record.Premises.push_back(
      "advice and the effect of assumptions are missing: " + Reason.str());
}

} // namespace gpuestimate
