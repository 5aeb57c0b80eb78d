/// \file
/// What a Prediction says by the default model.
#include "Evaluate/Launch/LaunchTime.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {
namespace {

/// Fills P step by step from the model.
class LatencyBandwidthFiller {
public:
  LatencyBandwidthFiller(Prediction &P, const ModelInputs &In)
      : P(P), In(In), Without(switchedOff(In.Options)), Model(In) {}
  void run();

private:
  Seconds execution(TermSet Off) {
    return Cycles(Model.cycles(Off)) / In.Gpu.CoreClock +
           migrationTime(In.Gpu, In.Work, Off);
  }
  void fillBreakdown();
  void fillBottleneck();
  void fillDivergence();
  void fillLatencies();

  Prediction &P;
  const ModelInputs &In;
  TermSet Without;
  LatencyBandwidthModel Model;
};

void LatencyBandwidthFiller::run() {
  P.Execution = execution(Without);
  P.LaunchOverhead = launchOverhead(In.Gpu, In.Options);
  P.Time = P.Execution + P.LaunchOverhead;
  if (!In.Options.Wanted.Explanation)
    return;
  fillBreakdown();
  fillBottleneck();
  fillDivergence();
  if (In.Options.Wanted.Latencies)
    fillLatencies();
}

void LatencyBandwidthFiller::fillBreakdown() {
  double Sum = addTermsOneByOne(
      Without, [&](TermSet Off) { return execution(Off).value(); },
      [&](const TermInfo &T, double Part) {
        P.Breakdown.push_back({T.Name.str(), Part});
      });
  bool Measurable = Sum > 0 && P.Time.value() > 0;
  double Scale = Measurable ? P.Execution / P.Time / Sum : 0;
  for (auto &[Name, Part] : P.Breakdown)
    Part *= Scale;
  double Launch = 1;
  for (auto &[Name, Part] : P.Breakdown)
    Launch -= Part;
  P.Breakdown.push_back({name(Term::Launch).str(), std::max(0.0, Launch)});
  std::erase_if(P.Breakdown, [](auto &Entry) { return Entry.second <= 0; });
  std::stable_sort(P.Breakdown.begin(), P.Breakdown.end(),
                   [](auto &A, auto &B) { return A.second > B.second; });
}

void LatencyBandwidthFiller::fillBottleneck() {
  P.Bounds = Model.bounds(Without);
  const Bound *Largest = nullptr;
  for (const Bound &B : P.Bounds)
    if (!Largest || B.Time.value() > Largest->Time.value())
      Largest = &B;
  P.Bottleneck =
      bottleneckOf(Largest ? StringRef(Largest->Name) : name(Term::Launch),
                   P.LaunchOverhead, P.Execution, [&](Term T) {
                     auto Part = find_if(P.Breakdown, [&](const auto &Entry) {
                       return Entry.first == name(T);
                     });
                     return Part == P.Breakdown.end() ? 0 : Part->second;
                   });
}

void LatencyBandwidthFiller::fillDivergence() {
  const KernelModel &Kernel = In.Kernel;
  const std::vector<double> &Cost = Model.operationCycles();
  double Total = 0;
  for (double C : Cost)
    Total += C;
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B) {
    double Warps = In.Sample.BlockWarps[B];
    double Share = 0;
    for (unsigned I : Kernel.Blocks[B].operations())
      Share += Cost[I];
    if (Warps <= 0 || Total <= 0 || !Kernel.Blocks[B].Condition.isValid())
      continue;
    double Lanes = In.Sample.BlockThreads[B] / Warps;
    if (Lanes < 0.75 * In.Gpu.WarpSize)
      P.Divergence.push_back(
          {Kernel.Blocks[B].Condition, Lanes, Share / Total});
  }
}

void LatencyBandwidthFiller::fillLatencies() {
  MemoryLatencies Idle = MemoryLatencies::unloaded(In.Gpu);
  LoadedLatencies Loaded = Model.loadedLatencies(Without);
  PerMemoryLevel<bool> Used;
  Used[MemoryLevel::Shared] = P.Count.SharedWavefronts > 0;
  Used[MemoryLevel::L1] = P.L1HitRate > 0;
  Used[MemoryLevel::L2] = P.Count.L2Bytes > 0;
  Used[MemoryLevel::L3] = In.Flow.L3Bytes > 0;
  Used[MemoryLevel::Dram] = P.Count.DramBytes > 0;
  for (MemoryLevel Level : AllMemoryLevels)
    if (Used[Level])
      P.Latencies.push_back({name(Level).str(), Cycles(Idle[Level]),
                             Cycles(Loaded.FirstWave[Level]),
                             Loaded.Iterations[Level],
                             Loaded.Converged[Level]});
}

} // namespace

double addTermsOneByOne(TermSet Without, function_ref<double(TermSet)> Time,
                        function_ref<void(const TermInfo &, double)> Take) {
  TermSet Off = TermSet::all();
  double Largest = 0, Sum = 0;
  for (const TermInfo &T : termTable()) {
    if (Without.contains(T.Id))
      continue;
    Off.erase(T.Id);
    double WithIt = Time(Off);
    double Part = std::max(0.0, WithIt - Largest);
    Largest = std::max(Largest, WithIt);
    Sum += Part;
    Take(T, Part);
  }
  return Sum;
}

StringRef bottleneckOf(StringRef LargestLimit, Seconds Launch,
                       Seconds Execution, function_ref<double(Term)> Share) {
  if (Launch > Execution)
    return name(Term::Launch);
  for (Term T : {Term::Tail, Term::Wait, Term::Migration})
    if (Share(T) > 0.5)
      return name(T);
  return LargestLimit;
}

Error fillLatencyBandwidth(Prediction &P, const ModelInputs &In) {
  LatencyBandwidthFiller(P, In).run();
  return Error::success();
}

} // namespace gpuestimate
