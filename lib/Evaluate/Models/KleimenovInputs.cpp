/// \file
/// Kernel, traffic and GPU model in the terms of model `kleimenov`.
#include "Evaluate/Launch/LaunchTime.h"
#include "Evaluate/Warp/WarpPaths.h"
#include "Kleimenov.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Evaluate/Launch/LaunchCycles.h"
#include "gpu-estimate/Evaluate/Warp/Timing.h"
#include "gpu-estimate/Model/Machine/InlineEcc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// A word of the paper's uncoalesced request: one for each thread.
static constexpr double BytesPerWord = 4;
/// Distinct warp paths that are timed.
static constexpr unsigned MaxPathsToWeigh = 12;

KleimenovMachine kleimenovMachine(const GpuModel &Gpu) {
  using enum KleimenovLevel;
  auto perCycle = [&](BytesPerSecond B) { return (B / Gpu.CoreClock).value(); };
  KleimenovMachine M;
  M.Latency[L1] = Gpu.L1.Latency.value();
  M.Latency[L2] = Gpu.L2.Latency.value();
  M.Latency[Dram] = Gpu.DramLatency.value();
  // One pass of L1 for each further sector.
  M.Latency[Uncoalesced] =
      M.Latency[Dram] + SectorsBeyondCoalesced * globalPassCycles(Gpu);
  M.Bandwidth[L1] = Gpu.L1Bandwidth.value();
  M.Bandwidth[L2] = perCycle(Gpu.L2Bandwidth);
  M.Bandwidth[Dram] =
      perCycle(Gpu.DramReadBandwidth) / dramBytesPerByte(Gpu, 0);
  // Of each sector one word is used.
  M.Bandwidth[Uncoalesced] =
      M.Bandwidth[Dram] * BytesPerWord / Gpu.L2.Sector.value();
  return M;
}

bool isMem(const MemoryAccess &A) {
  return A.Space != MemorySpace::Shared && A.Space != MemorySpace::Constant;
}

bool isUncoalesced(const MemoryAccess &A, const AccessTotals &T,
                   const GpuModel &Gpu) {
  if (T.Requests <= 0)
    return false;
  double LanesBytes = T.Threads / T.Requests * A.BytesPerThread;
  double Sequential = std::ceil(LanesBytes / sectorBytes(A, Gpu)) + 1;
  return T.Sectors / T.Requests > Sequential;
}

KleimenovTraffic kleimenovTraffic(const ModelInputs &In) {
  using enum KleimenovLevel;
  KleimenovTraffic Result;
  PerKleimenovLevel<double> &Share = Result.Share;
  for (unsigned I = 0; I < In.Kernel.Accesses.size(); ++I) {
    const MemoryAccess &A = In.Kernel.Accesses[I];
    const AccessTraffic &F = In.Flow.Accesses[I];
    if (!isMem(A))
      continue;
    double OfAccess = In.Sample.Accesses[I].Threads * A.BytesPerThread;
    Result.Bytes += OfAccess;
    Share[L1] += OfAccess * F.L1Hit;
    Share[L2] += OfAccess * (1 - F.L1Hit) * F.L2Hit;
    if (isUncoalesced(A, In.Sample.Accesses[I], In.Gpu))
      Share[Uncoalesced] += OfAccess;
  }
  if (Result.Bytes <= 0)
    return Result;
  for (KleimenovLevel Level : {L1, L2, Uncoalesced})
    Share[Level] /= Result.Bytes;
  Share[Dram] = std::max(0.0, 1 - Share[L1] - Share[L2]);
  return Result;
}

static void setLatency(WarpConditions &Conditions, const KernelModel &Kernel,
                       double Latency) {
  for (auto [A, OfAccess] :
       zip_equal(Kernel.Accesses, Conditions.AccessLatency))
    if (isMem(A))
      OfAccess = Latency;
}

WarpConditions kleimenovConditions(const ModelInputs &In, double Latency) {
  WarpConditions Result = In.Costs.conditions(
      MemoryLatencies::unloaded(In.Gpu),
      {Term::Barrier, Term::Registers, Term::Shared, Term::L1});
  // Bank conflicts are future work in the paper.
  for (auto [A, OfAccess] : zip_equal(In.Kernel.Accesses, Result.AccessLatency))
    if (A.Space == MemorySpace::Shared)
      OfAccess = In.Gpu.SharedLatency.value();
  setLatency(Result, In.Kernel, Latency);
  return Result;
}

namespace {

std::vector<NeededValue> valuesForKleimenov(const GpuModel &Gpu) {
  return {{"l1.latency", Gpu.L1.Latency.value()},
          {"l2.latency", Gpu.L2.Latency.value()},
          {"dram.latency", Gpu.DramLatency.value()},
          {"l2.read_bandwidth", Gpu.L2Bandwidth.value()},
          {"dram.read_bandwidth", Gpu.DramReadBandwidth.value()}};
}

/// A launch as the paper sees it. Mem of a thread are the bytes of its accesses
/// to global, local and texture memory.
class KleimenovLaunch {
public:
  explicit KleimenovLaunch(const ModelInputs &In);

  /// Adds the waves up.
  void run();
  /// Cycles of the execution by what the warps wait for in the end.
  std::vector<TimePart> parts() const;

  const KleimenovMachine Machine;
  const KleimenovTraffic Mem;
  double Syncs = 0;           ///< most of a warp of the longest wave
  double ExecutionCycles = 0; ///< after run()
  bool IsDelayBound = false;  ///< of the longest wave
  KleimenovResult Longest;    ///< of the waves
  /// time_WP of its slowest warp with the latencies of an idle GPU.
  double IdleWarpCycles = 0;
  bool Converged = true; ///< all of them

private:
  struct PathOfWarp {
    const WarpPath *Path;
    double Delay, Syncs;
  };
  /// time_WP of the slowest warp of a phase.
  double warpTime(unsigned Phase, double Latency);
  double syncCycles(double Count) const;

  const ModelInputs &In;
  double WarpsPerBlock;
  std::vector<BlockSchedule> Order;
  WarpTimer Timer;
  WarpConditions Conditions;
  std::vector<PathOfWarp> Paths;             ///< the distinct ones
  std::vector<std::vector<unsigned>> Phases; ///< [phase] indices into Paths
  std::vector<PhaseExtent> Extents;          ///< [phase]
  std::vector<double> MeanDelay;             ///< [phase] of a warp
  double ArithmeticCycles = 0; ///< of its slowest warp, at no latency
};

KleimenovLaunch::KleimenovLaunch(const ModelInputs &In)
    : Machine(kleimenovMachine(In.Gpu)), Mem(kleimenovTraffic(In)), In(In),
      WarpsPerBlock(divideCeil(In.L.threadsPerBlock(), In.Gpu.WarpSize)),
      Order(programOrder(In.Kernel)),
      Timer(In.Kernel, In.Costs, Order, WarpsPerBlock, WalkRule::Published),
      Conditions(kleimenovConditions(In, 0)) {
  PathClasses Classes =
      classifyPaths(In.Kernel, In.Sample.Paths, MaxPathsToWeigh);
  for (unsigned P : Classes.Paths) {
    const WarpPath &Path = In.Sample.Paths[P];
    auto sum = [&](function_ref<double(const Operation &)> Value) {
      return sumOverPath(In.Kernel, Path, [&](unsigned B) {
        double Sum = 0;
        for (unsigned I : In.Kernel.Blocks[B].operations())
          Sum += Value(In.Kernel.Operations[I]);
        return Sum;
      });
    };
    Paths.push_back({&Path, sum([&](const Operation &Op) {
                       return In.Costs.issue(Op) * Op.Count;
                     }),
                     sum([&](const Operation &Op) {
                       return Op.Class == OpClass::Barrier ? Op.Count : 0.0;
                     })});
  }
  std::vector<std::vector<unsigned>> PathsOfBlock(In.Sample.Blocks.size());
  std::vector<double> Weight(In.Sample.Blocks.size()),
      Delay(In.Sample.Blocks.size());
  for (unsigned I = 0; I < In.Sample.Paths.size(); ++I) {
    const WarpPath &P = In.Sample.Paths[I];
    PathsOfBlock[P.SampledBlock].push_back(Classes.Class[I]);
    Weight[P.SampledBlock] += P.Weight;
    Delay[P.SampledBlock] += P.Weight * Paths[Classes.Class[I]].Delay;
  }
  for (const BlockPhase &P :
       blockPhases(In.Sample, In.L, double(In.Occ.BlocksPerSm) * In.Gpu.SmCount,
                   Classes.Operations)) {
    Extents.push_back(P.Extent);
    std::vector<unsigned> &InPhase = Phases.emplace_back();
    double Warps = 0, Sum = 0;
    for (unsigned Block : P.SampledBlocks) {
      append_range(InPhase, PathsOfBlock[Block]);
      Warps += Weight[Block];
      Sum += Delay[Block];
    }
    sort(InPhase);
    InPhase.erase(std::unique(InPhase.begin(), InPhase.end()), InPhase.end());
    MeanDelay.push_back(Warps > 0 ? Sum / Warps : 0);
  }
}

double KleimenovLaunch::syncCycles(double Count) const {
  return Count * Machine.departureDelay() * (WarpsPerBlock - 1);
}

double KleimenovLaunch::warpTime(unsigned Phase, double Latency) {
  setLatency(Conditions, In.Kernel, Latency);
  double Slowest = 0;
  for (unsigned P : Phases[Phase])
    Slowest = std::max(Slowest, Timer.cycles(*Paths[P].Path, Conditions) +
                                    syncCycles(Paths[P].Syncs));
  return Slowest;
}

void KleimenovLaunch::run() {
  LaunchCycles Waves(In.Gpu, In.L, In.Occ, In.Work, Extents, {});
  double LongestCycles = -1, AllBlocks = In.L.blocks();
  for (const Wave &W : Waves.waves(idleLatencies(In.Gpu, {}))) {
    auto Time = [&](double Latency) { return warpTime(W.Phase, Latency); };
    double BytesOfBlock = Mem.Bytes / AllBlocks * Extents[W.Phase].density();
    double Warps =
        std::ceil(W.Group.Blocks * WarpsPerBlock / In.Gpu.SchedulersPerSm);
    KleimenovWave Wave{Time, Warps * MeanDelay[W.Phase],
                       BytesOfBlock * W.Group.Blocks,
                       BytesOfBlock * W.ChipBlocks, Mem.Share};
    KleimenovResult R = kleimenovWave(Machine, Wave);
    Converged &= R.Converged;
    ExecutionCycles += W.Count * R.Cycles;
    if (W.Count * R.Cycles <= LongestCycles)
      continue;
    LongestCycles = W.Count * R.Cycles;
    Longest = R;
    IsDelayBound = Wave.DelayCycles >= R.Cycles;
    ArithmeticCycles = std::min(Time(0), R.Cycles);
    IdleWarpCycles = Time(kleimenovLatency(Machine.Latency, Mem.Share));
    Syncs = 0;
    for (unsigned P : Phases[W.Phase])
      Syncs = std::max(Syncs, Paths[P].Syncs);
  }
}

std::vector<TimePart> KleimenovLaunch::parts() const {
  using enum KleimenovLevel;
  if (IsDelayBound || Longest.Cycles <= 0)
    return {{Term::Issue, ExecutionCycles}};
  // Of the longest wave, for all.
  double Scale = ExecutionCycles / Longest.Cycles;
  double Sync = std::min(syncCycles(Syncs), ArithmeticCycles);
  double Waiting = Longest.Cycles - ArithmeticCycles;
  double Latency = kleimenovLatency(Longest.Latency, Mem.Share);
  auto waitsFor = [&](KleimenovLevel Level) {
    double Weight = Level == Uncoalesced
                        ? Mem.Share[Level]
                        : (1 - Mem.Share[Uncoalesced]) * Mem.Share[Level];
    return Latency > 0
               ? Scale * Waiting * Weight * Longest.Latency[Level] / Latency
               : 0;
  };
  return {{Term::Dependency, Scale * (ArithmeticCycles - Sync)},
          {Term::Barrier, Scale * Sync},
          {Term::L1, waitsFor(L1)},
          {Term::L2, waitsFor(L2)},
          {Term::Dram, waitsFor(Dram)},
          {Term::Uncoalesced, waitsFor(Uncoalesced)}};
}

/// What bounds the time is the level whose latency its bandwidth raised most;
/// where none rose, the latencies.
std::string bottleneck(const KleimenovLaunch &Launch, const Prediction &P) {
  using enum KleimenovLevel;
  if (P.LaunchOverhead > P.Execution)
    return name(Term::Launch).str();
  if (Launch.IsDelayBound)
    return name(Resource::Issue).str();
  double Raised = 1;
  StringRef Result = "latency";
  for (auto [Level, R] : {std::pair{L1, Resource::L1Bandwidth},
                          {L2, Resource::L2Bandwidth},
                          {Dram, Resource::DramBandwidth},
                          {Uncoalesced, Resource::DramBandwidth}}) {
    double Factor =
        Launch.Longest.Latency[Level] / Launch.Machine.Latency[Level];
    if (Factor > Raised) {
      Raised = Factor;
      Result = name(R);
    }
  }
  return Result.str();
}

} // namespace

Error fillKleimenov(Prediction &P, const ModelInputs &In) {
  using enum KleimenovLevel;
  std::vector<NeededValue> Needed = valuesForKleimenov(In.Gpu);
  if (Error E = checkValues("kleimenov", In.Gpu, Needed))
    return E;
  KleimenovLaunch Launch(In);
  Launch.run();
  LaunchRegression Line = launchRegression(
      In.Gpu, divideCeil(In.L.threadsPerBlock(), In.Gpu.WarpSize),
      launchOverhead(In.Gpu, In.Options));
  Seconds Start = Line.PerBlock * double(In.L.blocks()) + Line.Intercept;
  std::vector<TimePart> Parts = Launch.parts();
  Parts.push_back({Term::Launch, (Start * In.Gpu.CoreClock).value()});
  setParts(P, In.Gpu, Parts);
  P.LaunchOverhead = Start;
  P.Execution = Cycles(Launch.ExecutionCycles) / In.Gpu.CoreClock;
  P.Time = P.LaunchOverhead + P.Execution;
  P.Bottleneck = bottleneck(Launch, P);
  P.Intermediates = {{"x1 in ns", Line.PerBlock.value() * 1e9},
                     {"x2 in us", Line.Intercept.value() * 1e6},
                     {"time_WP", Launch.IdleWarpCycles},
                     {"mem", Launch.Mem.Bytes},
                     {"l1pct", Launch.Mem.Share[L1]},
                     {"l2pct", Launch.Mem.Share[L2]},
                     {"uncoalpct", Launch.Mem.Share[Uncoalesced]},
                     {"syncs", Launch.Syncs},
                     {"delay_dep", Launch.Machine.departureDelay()}};
  for (unsigned I = 0; I < NumKleimenovLevels; ++I) {
    auto Level = KleimenovLevel(I);
    std::string Name = name(Level).str();
    P.Intermediates.push_back({"lat " + Name, Launch.Longest.Latency[Level]});
    P.Intermediates.push_back(
        {"iterations " + Name, double(Launch.Longest.Iterations[Level])});
  }
  if (!Launch.Converged)
    P.Premises.push_back("kleimenov: a latency was still rising after " +
                         std::to_string(MaxKleimenovIterations) +
                         " iterations");
  Needed.push_back({"l1.bandwidth", In.Gpu.L1Bandwidth.value()});
  stateInherited(P, In.Gpu, Needed);
  return Error::success();
}

} // namespace gpuestimate
