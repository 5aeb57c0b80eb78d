#include "Interval.h"
#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

double IntervalMachine::warpsPerScheduler() const {
  return std::max(1.0, Warps / Schedulers);
}

double issueProbability(const WarpProfile &P, double IssueRate) {
  double Issue = P.instructions() / IssueRate;
  double Cycles = Issue + P.stall();
  return Cycles > 0 ? P.instructions() / Cycles : 0;
}

double nonHidingRoundRobin(const WarpInterval &I, double Warps,
                           double IssueRate, double IssueProbability) {
  double WaitingSlots = std::max(0.0, I.Instructions - 1);
  return (WaitingSlots * (Warps - 1) +
          std::max(0.0, Warps - 1 - IssueRate * I.Stall)) *
         IssueProbability;
}

double nonHidingGreedy(const WarpInterval &I, double Warps, double IssueRate,
                       double IssueProbability, double MeanInstructions) {
  double InStall = I.Stall > 0 ? std::min(1.0, IssueProbability * I.Stall) : 1;
  return std::max(0.0, InStall * (Warps - 1) * MeanInstructions -
                           IssueRate * I.Stall);
}

double missQueue(double Requests, double Entries) {
  if (Requests <= Entries)
    return 0;
  // Full batches of Entries, then one that is partly filled.
  double Batches = std::floor(Requests / Entries);
  double LastBatch = Requests - Batches * Entries;
  double Sum =
      Entries * Batches * (Batches + 1) / 2 + LastBatch * (Batches + 1);
  return Sum / Requests - 1;
}

double dramQueue(double Requests, double S, double Cycles) {
  if (Requests <= 0 || S <= 0)
    return 0;
  double Batch = Requests * S / 2;
  double Load = Cycles > 0 ? Requests * S / Cycles : 1;
  if (Load >= 1)
    return Batch;
  return std::min(Batch, Requests / Cycles * S * S / (2 * (1 - Load)));
}

double IntervalStack::cycles() const {
  return Issue + NonHiding + Stalls.sum() + MissQueue + DramQueue;
}

IntervalStack intervalStack(const WarpProfile &P, const IntervalMachine &M) {
  IntervalStack Stack;
  double SchedulerWarps = M.warpsPerScheduler();
  double Probability = issueProbability(P, M.IssueRate);
  double Count = P.count();
  double Mean = Count > 0 ? P.instructions() / Count : 0;
  for (const WarpInterval &I : P.Intervals) {
    double NonHiding =
        M.Order == WarpOrder::RoundRobin
            ? nonHidingRoundRobin(I, SchedulerWarps, M.IssueRate, Probability)
            : nonHidingGreedy(I, SchedulerWarps, M.IssueRate, Probability,
                              Mean);
    Stack.NonHiding += I.Count * NonHiding / M.IssueRate;
    Stack.MissQueue +=
        I.Count * M.MissLatency * missQueue(I.Misses * M.Warps, M.Entries);
    double Requests =
        (std::min(I.DramReads * M.Warps, M.Entries) + I.DramWrites * M.Warps) *
        M.Multiprocessors;
    Stack.DramQueue +=
        I.Count * dramQueue(Requests, M.TransactionCycles,
                            I.Instructions / M.IssueRate + I.Stall);
  }
  Stack.Issue = P.instructions() / M.IssueRate;
  Stack.Stalls = P.Stalls;
  return Stack;
}

static std::vector<NeededValue> neededValues(const GpuModel &Gpu) {
  return {{"l1.line", Gpu.L1.Line.value()},
          {"l2.latency", Gpu.L2.Latency.value()},
          {"dram.latency", Gpu.DramLatency.value()},
          {"dram.read_bandwidth", Gpu.DramReadBandwidth.value()},
          {"memory.bytes_in_flight",
           Gpu.MaxBytesInFlightPerSm ? Gpu.MaxBytesInFlightPerSm->value() : 0}};
}

static IntervalMachine intervalMachine(const ModelInputs &In) {
  const GpuModel &Gpu = In.Gpu;
  IntervalMachine M;
  M.IssueRate = Gpu.IssueRate;
  M.Schedulers = Gpu.SchedulersPerSm;
  M.Warps = In.Occ.WarpsPerSm;
  M.Order = In.Options.Order;
  M.Multiprocessors = smsInUse(In.Gpu, In.L);
  Bytes Line = Gpu.L1.Line;
  M.Entries = *Gpu.MaxBytesInFlightPerSm / Line;
  double Read = In.Work.L2ReadBytes;
  double Miss = Read > 0 ? std::min(1.0, In.Work.DramReadBytes / Read) : 0;
  MemoryLatencies Idle = MemoryLatencies::unloaded(Gpu);
  M.MissLatency =
      (1 - Miss) * Idle[MemoryLevel::L2] + Miss * Idle[MemoryLevel::Dram];
  double All = In.Work.DramReadBytes + In.Work.DramWriteBytes;
  M.TransactionCycles =
      All > 0 ? ((Line / dramBandwidth(Gpu, In.Work.DramWriteBytes / All)) *
                 Gpu.CoreClock)
                    .value()
              : 0;
  return M;
}

static StringRef bottleneckOf(StringRef Component) {
  if (Component == name(Term::Issue))
    return name(Resource::Issue);
  if (Component == name(Term::Outstanding))
    return name(Resource::OutstandingRequests);
  return Component == name(Term::DramQueue) ? name(Resource::DramBandwidth)
                                            : "latency";
}

Error fillInterval(Prediction &P, const ModelInputs &In) {
  std::vector<NeededValue> Needed = neededValues(In.Gpu);
  if (Error E = checkValues("interval", In.Gpu, Needed))
    return E;
  IntervalMachine M = intervalMachine(In);
  std::optional<WarpPath> Path = representativePath(In);
  WarpProfile Profile = Path ? profileWarp(In, *Path) : WarpProfile();
  IntervalStack Stack = intervalStack(Profile, M);
  double Instructions = Profile.instructions() * M.Warps;
  double Cpi = Instructions > 0 ? Stack.cycles() / Instructions : 0;
  // Cycles of W such warps, as often as the launch has their instructions.
  double Rounds = Instructions > 0 ? In.Work.Count.WarpInstructions /
                                         M.Multiprocessors / Instructions
                                   : 0;
  const StallCycles &S = Stack.Stalls;
  std::vector<TimePart> Parts = {{Term::Issue, Stack.Issue + Stack.NonHiding},
                                 {Term::Dependency, S.Dependency},
                                 {Term::Shared, S.Shared},
                                 {Term::L1, S.L1},
                                 {Term::Uncoalesced, S.Passes},
                                 {Term::L2, S.L2},
                                 {Term::Dram, S.Dram},
                                 {Term::Outstanding, Stack.MissQueue},
                                 {Term::DramQueue, Stack.DramQueue}};
  for (TimePart &Part : Parts)
    Part.Cycles *= Rounds;
  setParts(P, In.Gpu, Parts);
  P.Bottleneck = bottleneckOf(P.Breakdown.front().first).str();
  double Count = Profile.count();
  P.Intermediates = {
      {"CPI", Cpi},
      {"intervals", Count},
      {"instructions per interval",
       Count > 0 ? Profile.instructions() / Count : 0},
      {"stall per interval", Count > 0 ? Profile.stall() / Count : 0},
      {"issue_prob", issueProbability(Profile, M.IssueRate)},
      {"misses in flight", M.Entries},
      {"warps", M.Warps}};
  if (In.Work.Count.Barriers > 0)
    P.Premises.push_back("interval: nobody waits at a barrier");
  stateInherited(P, In.Gpu, Needed);
  return Error::success();
}

} // namespace gpuestimate
