#include "gpu-estimate/Evaluate/Evaluator/LaunchAtClocks.h"

#include "Evaluate/Launch/LaunchTime.h"
#include "Evaluate/Power/Power.h"
#include "LaunchAtClocksImpl.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

LaunchAtClocks::Impl::Impl(const KernelModel &Kernel, const GpuModel &Gpu,
                           const Launch &L, const Occupancy &Occ,
                           BoundParameters Parameters,
                           const EvaluateOptions &Options,
                           const std::vector<BlockSchedule> &Schedule)
    : Card(Gpu), L(L), Occ(Occ), Bound(std::move(Parameters)), Options(Options),
      Without(switchedOff(Options)), WaitsForClocks(!Kernel.Waits.empty()),
      SmsInUse(smsInUse(Gpu, L)),
      Evaluated(Kernel, Card, this->L, this->Occ, Bound.All, this->Options,
                std::make_unique<SampledLaunch>(Kernel, Card, this->L,
                                                Bound.All, this->Options),
                Schedule),
      Clocks(Card), OwnMemoryClock(memoryClock(Card)), Clocked(Card),
      Model(Evaluated.modelAt(Clocked)) {}

const LaunchDemand &LaunchAtClocks::Impl::demand(TermSet Off) {
  double Core = Clocked.CoreClock.value();
  if (!Current || CurrentClock != Core) {
    Current = &Demands[Core];
    CurrentClock = Core;
  }
  for (const auto &[Terms, Known] : *Current)
    if (Terms == Off)
      return Known;
  return Current->emplace_back(Off, Model.demand(Off)).second;
}

LaunchCycles LaunchAtClocks::Impl::launchCycles(const LaunchDemand &Demand,
                                                TermSet Off) {
  Extents.clear();
  for (const LaunchDemand::Phase &P : Demand.Phases)
    Extents.push_back(P.Extent);
  return {Clocked, L, Occ, Evaluated.workload(), Extents, Off};
}

double LaunchAtClocks::Impl::seconds(TermSet Off) {
  const LaunchDemand &Demand = demand(Off);
  double Total = launchCycles(Demand, Off)
                     .total(idleLatencies(Clocked, Off), [&](const Wave &W) {
                       return Demand.Phases[W.Phase].warp(W.Which);
                     });
  return (Cycles(Total + Demand.ColdCycles) / Clocked.CoreClock +
          migrationTime(Clocked, Demand.Work, Off))
      .value();
}

double LaunchAtClocks::Impl::shareOf(Term Asked, const ClockedPrediction &P) {
  if (Without.contains(Asked) || (Asked == Term::Wait && !WaitsForClocks))
    return 0;
  if (Asked == Term::Tail) {
    // What the tail adds is at most this, since other terms are only added to
    // what is there before it.
    TermSet Before = Without, With = Without;
    Before.insert(Term::Cold);
    Before.insert(Term::Tail);
    With.insert(Term::Cold);
    if (seconds(With) - seconds(Before) <= 0.5 * P.Time.value())
      return 0;
  }
  double Cost = 0;
  double Sum = addTermsOneByOne(
      Without, [&](TermSet Off) { return seconds(Off); },
      [&](const TermInfo &T, double Part) {
        if (T.Id == Asked)
          Cost = Part;
      });
  return Sum > 0 && P.Time.value() > 0 ? Cost * (P.Execution / P.Time / Sum)
                                       : 0;
}

StringRef LaunchAtClocks::Impl::largestLimit() {
  const LaunchDemand &Demand = demand(Without);
  StringRef Largest = name(Term::Launch);
  double Longest = -INFINITY;
  launchCycles(Demand, Without)
      .forEachLimit(
          idleLatencies(Clocked, Without),
          [&](const Wave &W) { return Demand.Phases[W.Phase].warp(W.Which); },
          [&](StringRef Name, double Limit) {
            if (Limit > Longest) {
              Longest = Limit;
              Largest = Name;
            }
          });
  return Largest;
}

Expected<ClockedPrediction>
LaunchAtClocks::Impl::at(Hertz Core, std::optional<Hertz> Memory) {
  if (Memory && !OwnMemoryClock)
    return createStringError("memory_clock: " + Card.Name +
                             " states no memory clock");
  Clocks.apply(Clocked, Core / Card.CoreClock,
               Memory ? *Memory / *OwnMemoryClock : 1);
  Clocked.CoreClock = Core; // without the rounding of the factor
  if (Memory && Clocked.DramClock)
    Clocked.DramClock = Memory;
  ClockedPrediction P;
  P.Execution = Seconds(seconds(Without));
  Seconds Launch = launchOverhead(Clocked, Options);
  P.Time = P.Execution + Launch;
  if (!std::isfinite(P.Time.value()) || P.Time.value() < 0)
    return createStringError(
        "its time is not finite: with the values given or assumed for its "
        "parameters a count has no value in floating point (--param)");
  P.Power = estimatePower(Evaluated.workload().Count, P.Time, P.Execution,
                          Clocked, SmsInUse)
                .Board;
  if (Options.Wanted.Explanation)
    P.Bottleneck = bottleneckOf(largestLimit(), Launch, P.Execution,
                                [&](Term T) { return shareOf(T, P); });
  return P;
}

LaunchAtClocks::LaunchAtClocks(std::unique_ptr<Impl> Made)
    : I(std::move(Made)) {}
LaunchAtClocks::LaunchAtClocks(LaunchAtClocks &&) = default;
LaunchAtClocks::~LaunchAtClocks() = default;

Expected<ClockedPrediction> LaunchAtClocks::at(Hertz Core,
                                               std::optional<Hertz> Memory) {
  return I->at(Core, Memory);
}
const GpuModel &LaunchAtClocks::gpu() const { return I->Clocked; }
const Occupancy &LaunchAtClocks::occupancy() const { return I->Occ; }
const Counts &LaunchAtClocks::counts() const {
  return I->Evaluated.workload().Count;
}

} // namespace gpuestimate
