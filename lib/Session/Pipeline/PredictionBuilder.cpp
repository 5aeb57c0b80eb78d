#include "PredictionBuilder.h"

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

/// The launch with the guessed value times Step; nullopt where nobody would
/// make such a launch.
static std::optional<LaunchWithArguments>
withRaisedGuess(const LaunchPlan &Plan, const LaunchGuess &Guess,
                LaunchInputs Inputs, double Step) {
  StringRef Key = Guess.Key;
  if (Key == "gridDim.x") {
    LaunchWithArguments Raised = Plan;
    Raised.Used.Grid[0] = static_cast<uint64_t>(
        std::ceil(static_cast<double>(Plan.Used.Grid[0]) * Step));
    return Raised;
  }
  if (Key.starts_with("blockDim") || Key.starts_with("gridDim") ||
      Key == "dynamic-smem")
    return std::nullopt;
  Inputs.Site = Plan.Site;
  Inputs.Variant = Plan.Variant;
  Inputs.Named[Key] = std::ceil(Guess.Stated.Value * Step);
  return planLaunch(Inputs);
}

void PredictionBuilder::addGuesses(const LaunchInputs &Inputs,
                                   KernelEvaluator &Evaluator) {
  constexpr double Step = 1.1;
  for (const LaunchGuess &Guess : Plan.Guesses) {
    Assumption &Stated = Record.Assumptions.emplace_back(Guess.Stated);
    std::optional<LaunchWithArguments> Raised =
        withRaisedGuess(Plan, Guess, Inputs, Step);
    if (!Raised)
      continue;
    // A parameter that the kernel does not read costs no evaluation.
    std::optional<Seconds> RaisedTime =
        Evaluator.whatIfTime(Raised->Used, Raised->Values);
    if (!RaisedTime)
      continue;
    Seconds Time =
        Evaluator.whatIfTime(Plan.Used, Plan.Values).value_or(Record.Time);
    Stated.Sensitivity = std::log(*RaisedTime / Time) / std::log(Step);
  }
  stable_sort(Record.Assumptions, [](const Assumption &A, const Assumption &B) {
    return std::fabs(A.Sensitivity) > std::fabs(B.Sensitivity);
  });
}

void PredictionBuilder::withdrawWhatIfs(StringRef Reason) {
  Record.Assumptions = EvaluatorsAssumptions;
  for (const LaunchGuess &Guess : Plan.Guesses)
    Record.Assumptions.emplace_back(Guess.Stated).NotVaried = true;
  Record.Premises.push_back(
      "advice and the effect of assumptions are missing: " + Reason.str());
}

} // namespace gpuestimate
