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
  return Issue + NonHiding + Stalls.sum() + MissQueue + DramQueue + Pipes;
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

double markovUtilisation(double Warps, double Stalls, double StallCycles) {
  unsigned N = std::clamp(std::lround(Warps), 1l, long(MaxChainWarps));
  if (Stalls <= 0 || StallCycles <= 0)
    return 1;
  if (StallCycles <= 1) // over before the next warp has issued
    return N > 1 ? 1 : 1 / (1 + Stalls * StallCycles);
  double Wake = 1 / StallCycles;
  // [from][to] after one cycle: of k stalled warps each wakes up, and if one
  // was ready, one issues and may stall.
  std::vector<std::vector<double>> Move(N + 1, std::vector<double>(N + 1));
  for (unsigned From = 0; From <= N; ++From) {
    double Chance = std::pow(1 - Wake, From); // that Woken of them wake up
    for (unsigned Woken = 0; Woken <= From; ++Woken) {
      unsigned Left = From - Woken;
      double Stalling = From < N ? Stalls : 0;
      Move[From][Left] += Chance * (1 - Stalling);
      if (Stalling > 0)
        Move[From][Left + 1] += Chance * Stalling;
      Chance *= Wake / (1 - Wake) * Left / (Woken + 1);
    }
  }
  // The chain leaves no state upwards by more than one, so that the flow over
  // each boundary gives the stationary state from the top down:
  //   state[k] P(k -> k+1) = sum over j > k of state[j] P(j -> at most k)
  std::vector<double> State(N + 1);
  State[N] = 1;
  double Sum = 1;
  for (unsigned K = N; K-- > 0;) {
    double Down = 0;
    for (unsigned J = K + 1; J <= N; ++J)
      for (unsigned To = 0; To <= K; ++To)
        Down += State[J] * Move[J][To];
    State[K] = Down / Move[K][K + 1];
    Sum += State[K];
    if (Sum > 1e200) { // the rest does not count
      for (double &S : State)
        S /= Sum;
      Sum = 1;
    }
  }
  return 1 - State[N] / Sum;
}

static std::vector<NeededValue> valuesForInterval(const GpuModel &Gpu) {
  return {{"l1.line", Gpu.L1.Line.value()},
          {"l2.latency", Gpu.L2.Latency.value()},
          {"dram.latency", Gpu.DramLatency.value()},
          {"dram.read_bandwidth", Gpu.DramReadBandwidth.value()}};
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
  if (Gpu.MaxBytesInFlightPerSm)
    M.Entries = *Gpu.MaxBytesInFlightPerSm / Line;
  double Read = In.Work.L2ReadBytes;
  double Miss = Read > 0 ? std::min(1.0, In.Work.DramReadBytes / Read) : 0;
  MemoryLatencies Idle = MemoryLatencies::unloaded(Gpu);
  M.MissLatency =
      (1 - Miss) * Idle[MemoryLevel::L2] + Miss * Idle[MemoryLevel::Dram];
  double All = In.Work.DramReadBytes + In.Work.DramWriteBytes;
  M.TransactionCycles =
      All > 0
          ? ((Line / dramBandwidthOfLines(Gpu, In.Work.DramWriteBytes / All)) *
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

namespace {

/// The representative warp of a launch, and the multiprocessor it runs on.
struct IntervalLaunch {
  explicit IntervalLaunch(const ModelInputs &In) : M(intervalMachine(In)) {
    if (std::optional<RepresentativeWarp> Warp = representativePath(In))
      Profile = profileWarp(In, *Warp);
  }

  /// Instructions of all warps.
  double instructions() const { return Profile.instructions() * M.Warps; }
  /// Cycles of the W warps, as often as the launch has their instructions.
  double rounds(const ModelInputs &In) const {
    return instructions() > 0 ? In.Work.Count.WarpInstructions /
                                    M.Multiprocessors / instructions()
                              : 0;
  }
  /// The stack of the representative warp alone.
  IntervalStack alone() const {
    IntervalStack Stack;
    Stack.Issue = Profile.instructions() / M.IssueRate;
    Stack.Stalls = Profile.Stalls;
    return Stack;
  }

  IntervalMachine M;
  WarpProfile Profile;
};

} // namespace

static Error fill(Prediction &P, const ModelInputs &In, StringRef Model,
                  function_ref<IntervalStack(const IntervalLaunch &)> Stacked) {
  std::vector<NeededValue> Needed = valuesForInterval(In.Gpu);
  if (Error E = checkValues(Model, In.Gpu, Needed))
    return E;
  IntervalLaunch Launch(In);
  IntervalStack Stack = Stacked(Launch);
  const IntervalMachine &M = Launch.M;
  const WarpProfile &Profile = Launch.Profile;
  double Instructions = Launch.instructions(), Rounds = Launch.rounds(In);
  double Cpi = Instructions > 0 ? Stack.cycles() / Instructions : 0;
  const StallCycles &S = Stack.Stalls;
  std::vector<TimePart> Parts = {{Term::Issue, Stack.Issue + Stack.NonHiding},
                                 {Term::Pipes, Stack.Pipes},
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
      {"warps", M.Warps}};
  if (std::isfinite(M.Entries))
    P.Intermediates.push_back({"misses in flight", M.Entries});
  if (In.Work.Count.Barriers > 0)
    P.Premises.push_back((Model + ": nobody waits at a barrier").str());
  stateInherited(P, In.Gpu, Needed);
  return Error::success();
}

/// All W warps in this many cycles, of which one warp alone has its own.
static IntervalStack filledUp(const IntervalLaunch &Launch, double Cycles) {
  IntervalStack Stack = Launch.alone();
  Stack.NonHiding = std::max(0.0, Cycles - Stack.cycles());
  return Stack;
}

Error fillNaiveInterval(Prediction &P, const ModelInputs &In) {
  return fill(P, In, "interval-naive", [](const IntervalLaunch &Launch) {
    return filledUp(Launch, Launch.M.warpsPerScheduler() *
                                Launch.Profile.instructions() /
                                Launch.M.IssueRate);
  });
}

Error fillMarkovChain(Prediction &P, const ModelInputs &In) {
  return fill(P, In, "interval-markov", [](const IntervalLaunch &Launch) {
    const WarpProfile &Profile = Launch.Profile;
    double Instructions = Profile.instructions(), Count = Profile.count();
    if (Instructions <= 0 || Count <= 0)
      return Launch.alone();
    double Warps = Launch.M.warpsPerScheduler();
    double Busy =
        markovUtilisation(Warps, std::min(1.0, Count / Instructions),
                          Launch.M.IssueRate * Profile.stall() / Count);
    return filledUp(Launch, Warps * Instructions / (Launch.M.IssueRate * Busy));
  });
}

Error fillInterval(Prediction &P, const ModelInputs &In) {
  TermSet Without(In.Options.Without);
  Error E = fill(P, In, "interval", [&](const IntervalLaunch &Launch) {
    IntervalStack Stack = intervalStack(Launch.Profile, Launch.M);
    if (Without.contains(Term::Outstanding))
      Stack.MissQueue = 0;
    if (Without.contains(Term::DramQueue))
      Stack.DramQueue = 0;
    if (double Rounds = Launch.rounds(In); Rounds > 0)
      Stack.Pipes =
          std::max(0.0, In.computeCycles() / Rounds / Launch.M.Multiprocessors -
                            Stack.cycles());
    return Stack;
  });
  if (!E && !In.Gpu.MaxBytesInFlightPerSm)
    P.Premises.push_back("interval: no miss waits for an entry, since "
                         "memory.bytes_in_flight of this GPU is unknown");
  return E;
}

} // namespace gpuestimate
