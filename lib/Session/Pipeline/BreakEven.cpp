/// \file
/// The size from which a nest pays: the same comparison at other values of one
/// parameter.
#include "gpu-estimate/Session/Pipeline/NestComparison.h"

#include "gpu-estimate/Session/Pipeline/LaunchEvaluators.h"
#include "gpu-estimate/Targets/Nest/Reuse.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Sizes are tried by this factor until the answer turns, at most so often in
/// each direction; then the interval is halved down to this share.
constexpr double Step = 4;
constexpr unsigned MaxSteps = 8;
constexpr double Precision = 0.01;

bool isPointer(const KernelModel &Kernel, StringRef Name) {
  return any_of(Kernel.Arguments, [&](const KernelArgument &A) {
    return A.Name == Name && A.Kind == KernelArgument::Pointer;
  });
}

} // namespace

/// Executed blocks of a plan: what grows with the size that matters.
double NestComparison::work(const LaunchPlan &Plan) const {
  double Sum = 0;
  for (double Executions :
       numberNest(Kernel, Plan.Used, Plan.Values).Executions)
    Sum += Executions;
  return Sum;
}

std::pair<std::string, double>
NestComparison::sizeParameter(const LaunchPlan &Plan,
                              const LaunchInputs &Inputs) const {
  std::vector<std::pair<std::string, double>> Candidates;
  for (const auto &[Name, Value] : S.Opts.Parameters)
    Candidates.push_back({Name, Value});
  size_t Named = Candidates.size();
  for (const KernelArgument &A : Kernel.Arguments)
    if (auto Value = Plan.Values.find(A.Name);
        A.Kind == KernelArgument::Integer && Value != Plan.Values.end())
      Candidates.push_back({A.Name, Value->second});
  for (const LaunchGuess &Guess : Plan.Guesses)
    Candidates.push_back({Guess.Key, Guess.Stated.Value});

  double Here = work(Plan), MaxGrowth = 1 + Precision;
  std::pair<std::string, double> Best;
  for (size_t I = 0; I < Candidates.size(); ++I) {
    const auto &[Name, Value] = Candidates[I];
    if (isPointer(Kernel, Name) || Value < 1)
      continue;
    LaunchInputs In = Inputs;
    In.Named[Name] = 2 * Value;
    double Growth = work(planLaunch(In)) / Here;
    if (Growth > MaxGrowth) {
      MaxGrowth = Growth;
      Best = Candidates[I];
    }
    // Parameters named by the user have precedence.
    if (I + 1 == Named && !Best.first.empty())
      break;
  }
  return Best;
}

std::optional<BreakEven>
NestComparison::breakEven(size_t Index, const GpuModel &Gpu,
                          const LaunchPlan &Plan) const {
  // A grid from the command line would not follow the size.
  if (S.Opts.Launch.Grid)
    return std::nullopt;
  LaunchInputs In = *Plan.From;
  for (const KernelArgument &A : Kernel.Arguments)
    if (A.Kind == KernelArgument::Pointer)
      In.Named.erase(A.Name); // buffers grow with the size
  auto [Name, Start] = sizeParameter(Plan, In);
  if (Name.empty())
    return std::nullopt;

  EvaluateOptions Options = evaluateOptions(S.Opts);
  Options.Wanted.Sensitivities = false;
  Options.SampleEffort *= WhatIfEffort;
  auto Pays = [&, &Name = Name](double Value) -> std::optional<bool> {
    if (Value > std::numeric_limits<int32_t>::max())
      return std::nullopt; // as a size of C mostly is
    In.Named[Name] = Value;
    LaunchPlan There = planLaunch(In);
    PassedBytes Arrays =
        distinctBytes(numberNest(Kernel, There.Used, There.Values));
    if (std::max(Arrays.Read, Arrays.Written) > Gpu.DramSize)
      return std::nullopt;
    Expected<Prediction> P =
        evaluate(Kernel, Gpu, There.Used, There.Values, Options);
    if (!P) {
      consumeError(P.takeError()); // no such launch: a size out of range
      return std::nullopt;
    }
    return compare(Index, P->Time, Gpu, There).pays();
  };

  std::optional<bool> Here = Pays(Start);
  if (!Here)
    return std::nullopt;
  BreakEven E;
  E.Parameter = Name;
  E.From = E.To = Start;
  // Where it pays, smaller sizes are the likely ones where it does not.
  for (bool Down : {*Here, !*Here}) {
    double Same = Start;
    for (unsigned I = 0; I < MaxSteps; ++I) {
      double Other =
          Down ? std::max(1.0, std::floor(Same / Step)) : Same * Step;
      std::optional<bool> There = Other == Same ? std::nullopt : Pays(Other);
      if (!There)
        break;
      (Down ? E.From : E.To) = Other;
      if (*There == *Here) {
        Same = Other;
        continue;
      }
      double Win = *Here ? Same : Other, Lose = *Here ? Other : Same;
      while (std::fabs(Win - Lose) > std::max(1.0, Precision * Win)) {
        double Middle = std::floor((Win + Lose) / 2);
        std::optional<bool> Between = Pays(Middle);
        if (!Between)
          break;
        (*Between ? Win : Lose) = Middle;
      }
      E.Value = Win;
      E.AboveIsGpu = Win > Lose;
      return E;
    }
  }
  E.AboveIsGpu = *Here;
  return E;
}

} // namespace gpuestimate
