/// \file
/// Changed copies of a kernel, and the accesses worth changing.
#include "Advisor.h"

#include "gpu-estimate/Advice/AccessGroups.h"
#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

Advisor::Advisor(const Prediction &Base, const KernelModel &Kernel,
                 const GpuModel &Gpu, const Launch &L, const Bindings &Values,
                 const EvaluateOptions &Options, KernelEvaluator &Evaluator)
    : Base(Base), Kernel(Kernel), Gpu(Gpu), L(L), Values(Values),
      Options(Options), Evaluator(Evaluator),
      Bound(bindParameters(Kernel, L, Values).All) {
  this->Options.Wanted = WantedResults::timeOnly();
  this->Options.SampleEffort *= WhatIfEffort;
}

static std::optional<Prediction> valueOf(Expected<Prediction> Result) {
  if (Result)
    return std::move(*Result);
  consumeError(Result.takeError());
  return std::nullopt;
}

std::optional<Prediction> Advisor::tryOut(const KernelModel &Changed) const {
  return tryOut(Changed, L);
}

std::optional<Prediction> Advisor::tryOut(const KernelModel &Changed,
                                          const Launch &ChangedLaunch) const {
  return tryOut(Changed, ChangedLaunch, Values);
}

std::optional<Prediction> Advisor::tryOut(const KernelModel &Changed,
                                          const Launch &ChangedLaunch,
                                          const Bindings &ChangedValues) const {
  if (!mayTry())
    return std::nullopt;
  return valueOf(evaluate(Changed, Gpu, ChangedLaunch, ChangedValues, Options));
}

std::optional<Prediction>
Advisor::tryOut(const KernelModel &Changed, unsigned Access,
                function_ref<bool(const AccessTotals &)> HasEffect) const {
  if (!mayTry())
    return std::nullopt;
  return valueOf(KernelEvaluator(Changed, Gpu, Options)
                     .evaluate(L, Values, [&](const LaunchSample &Sample) {
                       return HasEffect(Sample.Accesses[Access]);
                     }));
}

std::optional<Prediction> Advisor::tryWithout(StringRef Term) const {
  if (!mayTry())
    return std::nullopt;
  EvaluateOptions Less = Options;
  Less.Without.insert(Term);
  return valueOf(evaluate(Kernel, Gpu, L, Values, Less));
}

std::optional<Seconds>
Advisor::unchangedTime(const Launch &ChangedLaunch,
                       const Bindings &ChangedValues) const {
  return Evaluator.whatIfTime(ChangedLaunch, ChangedValues);
}

std::optional<double>
Advisor::gain(const std::optional<Prediction> &Changed) const {
  return Changed ? gain(Changed->Time) : std::nullopt;
}

std::optional<double> Advisor::gain(std::optional<Seconds> Changed) const {
  std::optional<Seconds> Unchanged =
      Changed ? unchangedTime() : std::optional<Seconds>();
  if (!Unchanged)
    return std::nullopt;
  return 1 - *Changed / *Unchanged;
}

std::optional<double>
Advisor::energyGain(const std::optional<Prediction> &Changed) const {
  if (!Changed || !Changed->Power.Board || !Base.Power.Board)
    return std::nullopt;
  return 1 - Changed->Power.Energy / Base.Power.Energy;
}

std::vector<AccessSite>
Advisor::sites(StringRef Space, function_ref<double(const AccessReport &)> Cost,
               function_ref<double(const AccessReport &)> Waste) const {
  std::vector<AccessSite> Sites;
  // There is one report per access, in the order of the model; reports of
  // spilled registers come last.
  if (Base.Accesses.size() < Kernel.Accesses.size())
    return Sites;
  double All = 0;
  for (auto [I, Report] : enumerate(Base.Accesses)) {
    if (Report.Space != Space || I >= Kernel.Accesses.size())
      continue;
    All += Report.Requests * Cost(Report);
    auto Site = find_if(Sites, [&, &R = Report](const AccessSite &S) {
      return isSameAccess(S.Report, R);
    });
    if (Site == Sites.end())
      Site = Sites.insert(Sites.end(), {Report, {}, 0});
    Site->Copies.push_back(static_cast<unsigned>(I));
  }
  for (AccessSite &S : Sites) {
    if (S.Copies.size() > 1) {
      std::vector<AccessReport> Copies;
      for (unsigned I : S.Copies)
        Copies.push_back(Base.Accesses[I]);
      S.Report = mergeAccesses(Copies).front();
    }
    S.Wasted = Waste(S.Report) * S.Report.Requests;
  }
  erase_if(Sites, [&](const AccessSite &S) {
    return S.Wasted <= 0 ||
           S.Report.Requests * Cost(S.Report) < MinimumShare * All;
  });
  stable_sort(Sites, [](const AccessSite &A, const AccessSite &B) {
    return A.Wasted > B.Wasted;
  });
  return Sites;
}

void Advisor::add(Finding F) {
  F.Problem = Base.Terms.reword(F.Problem);
  F.Remedy = Base.Terms.reword(F.Remedy);
  Findings.push_back(std::move(F));
}

Expr Advisor::thread() const {
  ExprContext &C = *Kernel.Context;
  Expr Rows = C.parameter("threadIdx.y") +
              C.parameter("blockDim.y") * C.parameter("threadIdx.z");
  return C.parameter("threadIdx.x") + C.parameter("blockDim.x") * Rows;
}

Expr Advisor::block() const {
  ExprContext &C = *Kernel.Context;
  Expr Planes = C.parameter("blockIdx.y") +
                C.parameter("gridDim.y") * C.parameter("blockIdx.z");
  return C.parameter("blockIdx.x") + C.parameter("gridDim.x") * Planes;
}

SmallVector<unsigned, 4> Advisor::loopsAround(unsigned Block) const {
  SmallVector<unsigned, 4> Around;
  auto Inner = find_if(Kernel.Loops, [&](const Loop &Candidate) {
    return any_of(Candidate.Body, [&](const RegionNode &I) {
      return I.Kind == RegionNode::IsBlock && I.Index == Block;
    });
  });
  if (Inner == Kernel.Loops.end())
    return Around;
  for (int LoopIndex = Inner - Kernel.Loops.begin(); LoopIndex >= 0;
       LoopIndex = Kernel.Loops[LoopIndex].Parent)
    Around.push_back(LoopIndex);
  return Around;
}

} // namespace gpuestimate
