#include "Evaluation.h"

#include "AccessReports.h"
#include "Evaluate/Launch/LaunchTime.h"
#include "Formula.h"
#include "LineCosts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

Evaluation::Evaluation(const KernelModel &Kernel, const GpuModel &Gpu,
                       const Launch &L, const Occupancy &Occ,
                       const Bindings &All, const EvaluateOptions &Options,
                       std::unique_ptr<SampledLaunch> Sampled,
                       const std::vector<BlockSchedule> &Schedule)
    : Kernel(Kernel), Gpu(Gpu), L(L), Occ(Occ), All(All), Options(Options),
      Requests(std::move(Sampled)), Sample(Requests->Sample),
      Flow(estimateTraffic(Requests->Lanes, Gpu, L, All, Sample,
                           Occ.BlocksPerSm, Options)),
      Model(Kernel, Gpu, L, All, Occ, Sample, Flow, Schedule) {}

Seconds Evaluation::execution(const StringSet<> &Without) {
  return Cycles(Model.cycles(Without)) / Gpu.CoreClock;
}

void Evaluation::fillCounts(Prediction &P) {
  P.Occ = Occ;
  P.RegistersPerThread = registersOn(Gpu, Kernel.Res);
  P.RegistersSource = Kernel.Res.RegistersSource;
  P.SharedBytesPerBlock = Kernel.Res.StaticSharedBytes + L.DynamicSharedBytes;
  P.Count = Model.workload().Count;
  P.L1HitRate = Flow.L1Hit;
  P.L2HitRate = Flow.L2Hit;
}

/// Instructions of matrix units run on GPUs that have some.
static Error checkUnits(const Counts &C, const GpuModel &Gpu) {
  for (const OpClassInfo &Row : opClassTable())
    if (C.ByClass[static_cast<unsigned>(Row.Class)] > 0 &&
        Gpu.cost(Row.Class).Throughput <= 0)
      return make_error<ModelRefusal>(Gpu.Id + " has no unit for " +
                                      Row.Name.str());
  return Error::success();
}

Expected<Seconds> Evaluation::time(const ModelInfo &Info) {
  if (Error E = checkUnits(Model.workload().Count, Gpu))
    return E;
  if (!Info.Fill)
    return execution(Options.Without) +
           launchOverhead(Gpu, launchTiming(Options));
  Prediction P;
  fillCounts(P);
  if (Error E = Info.Fill(P, inputs()))
    return E;
  return P.Time;
}

Expected<LaunchDemand> Evaluation::demand() {
  if (Error E = checkUnits(Model.workload().Count, Gpu))
    return E;
  return Model.demand(Options.Without);
}

Error Evaluation::fill(Prediction &P, const ModelInfo &Info) {
  fillCounts(P);
  P.Model = Info.Name;
  if (Error E = checkUnits(P.Count, Gpu))
    return E;
  P.Accesses = accessReports(inputs());
  if (Info.Fill) { // no divergence or formulas
    if (Error E = Info.Fill(P, inputs()))
      return E;
  } else {
    fillTimes(P);
  }
  if (Options.Lines)
    fillLines(P, inputs());
  if (P.Count.WarpInstructions > 0)
    P.WarpCyclesPerInstruction = (P.Time * Gpu.CoreClock).value() *
                                 inputs().smsInUse() * Occ.WarpsPerSm /
                                 P.Count.WarpInstructions;
  return Error::success();
}

void Evaluation::fillTimes(Prediction &P) {
  P.Execution = execution(Options.Without);
  P.LaunchOverhead = launchOverhead(Gpu, launchTiming(Options));
  P.Time = P.Execution + P.LaunchOverhead;
  if (!Options.Explained)
    return;
  fillBreakdown(P);
  fillBottleneck(P);
  fillDivergence(P);
  if (Options.Formulas)
    fillFormulas(P);
  if (Options.Latencies)
    fillLatencies(P);
}

/// The breakdown adds the model's terms one by one, in the order of the term
/// table, to an otherwise ideal machine: each part is what its term adds.
void Evaluation::fillBreakdown(Prediction &P) {
  StringSet<> Off;
  for (const TermInfo &T : termTable())
    Off.insert(T.Name);
  double Before = 0, Sum = 0;
  for (const TermInfo &T : termTable()) {
    if (Options.Without.contains(T.Name))
      continue;
    Off.erase(T.Name);
    double After = execution(Off).value();
    double Part = std::max(0.0, After - Before);
    Before = std::max(Before, After);
    Sum += Part;
    P.Breakdown.push_back({T.Name.str(), Part});
  }
  bool Measurable = Sum > 0 && P.Time.value() > 0;
  double Scale = Measurable ? P.Execution / P.Time / Sum : 0;
  for (auto &[Name, Part] : P.Breakdown)
    Part *= Scale;
  double Launch = 1;
  for (auto &[Name, Part] : P.Breakdown)
    Launch -= Part;
  P.Breakdown.push_back({"launch", std::max(0.0, Launch)});
  std::erase_if(P.Breakdown, [](auto &Entry) { return Entry.second <= 0; });
  std::stable_sort(P.Breakdown.begin(), P.Breakdown.end(),
                   [](auto &A, auto &B) { return A.second > B.second; });
}

void Evaluation::fillBottleneck(Prediction &P) {
  P.Bounds = Model.bounds(Options.Without);
  const Bound *Largest = nullptr;
  for (const Bound &B : P.Bounds)
    if (!Largest || B.Time.value() > Largest->Time.value())
      Largest = &B;
  P.Bottleneck = Largest ? Largest->Name : "launch";
  if (P.LaunchOverhead.value() > P.Execution.value()) {
    P.Bottleneck = "launch";
    return;
  }
  auto Tail = std::find_if(P.Breakdown.begin(), P.Breakdown.end(),
                           [](auto &Entry) { return Entry.first == "tail"; });
  if (Tail != P.Breakdown.end() && Tail->second > 0.5)
    P.Bottleneck = "tail";
}

void Evaluation::fillDivergence(Prediction &P) {
  const std::vector<double> &Cost = Model.operationCycles();
  double All = 0;
  for (double C : Cost)
    All += C;
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B) {
    double Warps = Sample.BlockWarps[B];
    double Share = 0;
    for (unsigned I = Kernel.Blocks[B].FirstOp; I < Kernel.Blocks[B].EndOp; ++I)
      Share += Cost[I];
    if (Warps <= 0 || All <= 0 || !Kernel.Blocks[B].Condition.isValid())
      continue;
    double Lanes = Sample.BlockThreads[B] / Warps;
    if (Lanes < 0.75 * Gpu.WarpSize)
      P.Divergence.push_back({Kernel.Blocks[B].Condition, Lanes, Share / All});
  }
}

void Evaluation::fillFormulas(Prediction &P) {
  Formulas F = buildFormulas(Kernel, Gpu, Model);
  P.SymbolicTime = F.Time.str() + F.Rest;
  P.SymbolicDelay = F.Delay.str() + F.Rest;
  P.SymbolicMem = F.Mem.str() + F.Rest;
}

void Evaluation::fillLatencies(Prediction &P) {
  MemoryLatencies Idle = MemoryLatencies::unloaded(Gpu),
                  Loaded = Model.loadedLatencies(Options.Without);
  if (P.Count.SharedWavefronts > 0)
    P.Latencies.push_back(
        {"shared", Cycles(Idle.Shared), Cycles(Loaded.Shared)});
  if (P.L1HitRate > 0)
    P.Latencies.push_back({"l1", Cycles(Idle.L1), Cycles(Loaded.L1)});
  if (P.Count.L2Bytes > 0)
    P.Latencies.push_back({"l2", Cycles(Idle.L2), Cycles(Loaded.L2)});
  if (Flow.L3Bytes > 0)
    P.Latencies.push_back({"l3", Cycles(Idle.L3), Cycles(Loaded.L3)});
  if (P.Count.DramBytes > 0)
    P.Latencies.push_back({"dram", Cycles(Idle.Dram), Cycles(Loaded.Dram)});
}

} // namespace gpuestimate
