#include "WarpProfile.h"
#include "Evaluate/Sampling/ExecutedFlow.h"
#include "Evaluate/Warp/WarpPaths.h"
#include "LoadEvents.h"
#include "gpu-estimate/Evaluate/Warp/Timing.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// A shorter wait does not end an interval.
static constexpr double MinStall = 1;
/// Paths among which the representative is looked for.
static constexpr unsigned MaxPaths = 12;

template <typename F>
static double sum(const std::vector<WarpInterval> &Intervals, F Value) {
  double Sum = 0;
  for (const WarpInterval &I : Intervals)
    Sum += I.Count * Value(I);
  return Sum;
}

double WarpProfile::count() const {
  return sum(Intervals, [](const WarpInterval &) { return 1.0; });
}
double WarpProfile::instructions() const {
  return sum(Intervals, [](const WarpInterval &I) { return I.Instructions; });
}
double WarpProfile::stall() const {
  return sum(Intervals, [](const WarpInterval &I) { return I.Stall; });
}

namespace {

/// The walk of one warp at unloaded latencies, without barriers.
struct Walk {
  explicit Walk(const ModelInputs &In)
      : WarpsPerBlock(divideCeil(In.L.threadsPerBlock(), In.Gpu.WarpSize)),
        Costs(In.Kernel, In.Gpu, In.Sample, In.Flow, In.Schedule,
              WarpsPerBlock),
        Unloaded(Costs.conditions(MemoryLatencies::unloaded(In.Gpu),
                                  {Term::Barrier})),
        Timer(In.Kernel, Costs, In.Schedule, WarpsPerBlock) {}
  unsigned WarpsPerBlock;
  OperationCosts Costs;
  WarpConditions Unloaded;
  WarpTimer Timer;
};

/// Latencies of an idle GPU by the level that a load waits for.
struct LevelLatencies {
  explicit LevelLatencies(const GpuModel &Gpu)
      : Idle(MemoryLatencies::unloaded(Gpu)) {}

  /// Cycles beyond L2 of an access.
  double dram(const AccessTraffic &F) const {
    return F.L3Hit * Idle[MemoryLevel::L3] +
           (1 - F.L3Hit) * Idle[MemoryLevel::Dram];
  }
  double of(LoadEvent Event, const AccessTraffic &F) const {
    switch (Event) {
    case LoadEvent::L1:
      return Idle[MemoryLevel::L1];
    case LoadEvent::L2:
      return Idle[MemoryLevel::L2];
    case LoadEvent::Dram:
      return dram(F);
    case LoadEvent::Mean:
      break;
    }
    llvm_unreachable("a mean is no level");
  }
  double mean(const LevelShares &S, const AccessTraffic &F) const {
    return S.L1 * Idle[MemoryLevel::L1] + S.L2 * Idle[MemoryLevel::L2] +
           S.Dram * dram(F);
  }

  MemoryLatencies Idle;
};

/// Shares of the requests of a load from global memory that wait for each
/// level: how much its latency rises with that of the level.
std::vector<LevelShares> levelShares(const ModelInputs &In, const Walk &W) {
  std::vector<LevelShares> Result(In.Kernel.Accesses.size());
  auto riseWith = [&](std::initializer_list<MemoryLevel> Levels) {
    MemoryLatencies Lat = MemoryLatencies::unloaded(In.Gpu);
    for (MemoryLevel Level : Levels)
      Lat[Level] += 1;
    std::vector<double> Rise =
        W.Costs.conditions(Lat, {Term::Barrier}).AccessLatency;
    for (auto [R, Before] : zip_equal(Rise, W.Unloaded.AccessLatency))
      R -= Before;
    return Rise;
  };
  std::vector<double> L2 = riseWith({MemoryLevel::L2}),
                      Dram = riseWith({MemoryLevel::L3, MemoryLevel::Dram});
  for (unsigned A = 0; A < Result.size(); ++A)
    Result[A] = {1 - L2[A] - Dram[A], L2[A], Dram[A]};
  return Result;
}

/// Builds intervals from the operations in the order in which a walk issues
/// them.
class IntervalBuilder {
public:
  IntervalBuilder(const ModelInputs &In, const Walk &W,
                  const LevelLatencies &Latencies,
                  const std::vector<LevelShares> &Shares)
      : In(In), W(W), Latencies(Latencies), Shares(Shares) {}

  /// Begins the intervals of the walk by these events, which takes place under
  /// the conditions that are returned.
  const WarpConditions &begin(const EventCombination &Combination) {
    Current = &Combination;
    Conditions = W.Unloaded;
    for (unsigned A = 0; A < Combination.Events.size(); ++A)
      if (LoadEvent Event = Combination.Events[A]; Event != LoadEvent::Mean) {
        const AccessTraffic &F = In.Flow.Accesses[A];
        Conditions.AccessLatency[A] +=
            Latencies.of(Event, F) - Latencies.mean(Shares[A], F);
      }
    return Conditions;
  }
  void end() { close(1); }

  void issue(const IssuedOperation &Issued) {
    if (Issued.Weight <= 0)
      return;
    // Sums over executions: what comes before a loop belongs to one of the
    // intervals that its iterations make.
    Open.Stall += Issued.Stall * Issued.Weight;
    if (Issued.Stall > 0)
      charge(Issued);
    if (Issued.Stall >= MinStall)
      close(Issued.Weight);
    const Operation &Op = In.Kernel.Operations[Issued.Op];
    Open.Instructions += In.Costs.instructions(Op) * Issued.Weight;
    if (Op.access())
      addRequests(*Op.access(), Issued.Weight);
  }

  WarpProfile finish() { return std::move(Result); }

private:
  void close(double Count) {
    if (Open.Instructions <= 0 && Open.Stall <= 0)
      return;
    Open.Count = Count * Current->Weight;
    for (double *Sum : {&Open.Instructions, &Open.Stall, &Open.Misses,
                        &Open.DramReads, &Open.DramWrites})
      *Sum /= Count;
    Result.Intervals.push_back(Open);
    Open = WarpInterval();
  }

  void addRequests(unsigned Access, double Weight) {
    const MemoryAccess &A = In.Kernel.Accesses[Access];
    const AccessTraffic &F = In.Flow.Accesses[Access];
    double Requests = In.Sample.Accesses[Access].Requests;
    if (Requests <= 0)
      return;
    double Lines = Weight / Requests / In.Gpu.L1.Line.value();
    // An execution that misses has the lines of those that do not.
    const LevelShares &S = Shares[Access];
    double Misses = 1, Reads = 1;
    LoadEvent Event = Current->Events[Access];
    if (Event != LoadEvent::Mean) {
      Misses = Event == LoadEvent::L1 || S.L2 + S.Dram <= 0
                   ? 0
                   : 1 / (S.L2 + S.Dram);
      Reads = Event != LoadEvent::Dram || S.Dram <= 0 ? 0 : 1 / S.Dram;
    }
    if (A.Kind != AccessKind::Store)
      Open.Misses += F.L2Bytes * Lines * Misses;
    Open.DramReads += F.DramReadBytes * Lines * Reads;
    Open.DramWrites += F.DramWriteBytes * Lines;
  }

  /// Adds the stall to the cause that it waits for.
  void charge(const IssuedOperation &Issued) {
    double Stall = Issued.Stall * Issued.Weight * Current->Weight;
    StallCycles &S = Result.Stalls;
    std::optional<unsigned> Access;
    if (Issued.WaitsFor >= 0)
      Access = In.Kernel.Operations[Issued.WaitsFor].access();
    if (!Access) {
      S.Dependency += Stall;
      return;
    }
    const AccessTraffic &F = In.Flow.Accesses[*Access];
    switch (In.Kernel.Accesses[*Access].Space) {
    case MemorySpace::Shared:
      S.Shared += Stall;
      return;
    case MemorySpace::Constant:
      S.L1 += Stall;
      return;
    default:
      break;
    }
    const MemoryLatencies &Idle = Latencies.Idle;
    double L1 = F.L1Hit * Idle[MemoryLevel::L1],
           L2 = (1 - F.L1Hit) * (1 - F.L2MissWaitFraction) *
                Idle[MemoryLevel::L2];
    double Dram = (1 - F.L1Hit) * F.L2MissWaitFraction * Latencies.dram(F);
    if (LoadEvent Event = Current->Events[*Access]; Event != LoadEvent::Mean) {
      double AtLevel = Latencies.of(Event, F);
      L1 = Event == LoadEvent::L1 ? AtLevel : 0;
      L2 = Event == LoadEvent::L2 ? AtLevel : 0;
      Dram = Event == LoadEvent::Dram ? AtLevel : 0;
    }
    double Latency = Conditions.AccessLatency[*Access];
    double Scale = Stall / std::max(Latency, L1 + L2 + Dram);
    S.L1 += L1 * Scale;
    S.L2 += L2 * Scale;
    S.Dram += Dram * Scale;
    S.Passes += std::max(0.0, Stall - (L1 + L2 + Dram) * Scale);
  }

  const ModelInputs &In;
  const Walk &W;
  const LevelLatencies &Latencies;
  const std::vector<LevelShares> &Shares;
  const EventCombination *Current = nullptr;
  WarpConditions Conditions;
  WarpInterval Open{0, 0, 0, 0, 0, 0};
  WarpProfile Result;
};

} // namespace

WarpProfile profileWarp(const ModelInputs &In, const RepresentativeWarp &Warp) {
  Walk W(In);
  LevelLatencies Latencies(In.Gpu);
  std::vector<LevelShares> Shares = levelShares(In, W);
  IntervalBuilder Builder(In, W, Latencies, Shares);
  W.Timer.observe(
      [&](const IssuedOperation &Issued) { Builder.issue(Issued); });
  for (const EventCombination &C :
       combineEvents(In.Kernel, Warp.Executed, Shares)) {
    W.Timer.run(Warp.Path, Builder.begin(C));
    Builder.end();
  }
  return Builder.finish();
}

unsigned representativeOf(ArrayRef<ProfilePoint> Points) {
  double Instructions = 0, Performance = 0, Weight = 0;
  for (const ProfilePoint &P : Points) {
    Instructions += P.Instructions * P.Weight;
    Performance += P.Performance * P.Weight;
    Weight += P.Weight;
  }
  auto Scaled = [&](const ProfilePoint &P) {
    return std::array{
        Instructions > 0 ? P.Instructions * Weight / Instructions : 0,
        Performance > 0 ? P.Performance * Weight / Performance : 0};
  };
  using Features = std::array<double, 2>;
  auto Distance = [](const Features &A, const Features &B) {
    return std::hypot(A[0] - B[0], A[1] - B[1]);
  };
  // The clusters begin at the shortest and the longest.
  auto [Shortest, Longest] = std::minmax_element(
      Points.begin(), Points.end(), [](const auto &A, const auto &B) {
        return A.Instructions < B.Instructions;
      });
  std::array<Features, 2> Centre = {Scaled(*Shortest), Scaled(*Longest)};
  std::vector<unsigned> Cluster(Points.size(), 2);
  std::array<double, 2> Size{};
  for (bool Moved = true; Moved;) {
    Moved = false;
    std::array<Features, 2> Sum{};
    Size = {};
    for (unsigned I = 0; I < Points.size(); ++I) {
      Features Point = Scaled(Points[I]);
      unsigned Nearest =
          Distance(Point, Centre[1]) < Distance(Point, Centre[0]) ? 1 : 0;
      Moved |= Nearest != Cluster[I];
      Cluster[I] = Nearest;
      Size[Nearest] += Points[I].Weight;
      for (unsigned F = 0; F < 2; ++F)
        Sum[Nearest][F] += Point[F] * Points[I].Weight;
    }
    for (unsigned C = 0; C < 2; ++C)
      if (Size[C] > 0)
        Centre[C] = {Sum[C][0] / Size[C], Sum[C][1] / Size[C]};
  }
  unsigned Larger = Size[1] > Size[0] ? 1 : 0, Best = 0;
  double MinDistance = INFINITY;
  for (unsigned I = 0; I < Points.size(); ++I)
    if (double D = Distance(Scaled(Points[I]), Centre[Larger]);
        Cluster[I] == Larger && D < MinDistance) {
      MinDistance = D;
      Best = I;
    }
  return Best;
}

/// The executed warps, if there are any that In.Kernel is about.
static ArrayRef<ExecutedWarp> executedWarps(const ModelInputs &In) {
  const ExecutedLaunch *Executed = In.Options.Executed;
  if (!Executed || !Executed->isAbout(In.Kernel))
    return {};
  return Executed->Warps;
}

/// Paths of the executed warps if there are any, else of In.Sample.
static std::vector<WarpPath> pathsOf(const ModelInputs &In) {
  ArrayRef<ExecutedWarp> Executed = executedWarps(In);
  if (Executed.empty())
    return In.Sample.Paths;
  // An execution does not wait: the waits are those of the sample.
  std::vector<double> WaitCycles(In.Kernel.Waits.size());
  if (!In.Sample.Paths.empty())
    WaitCycles = In.Sample.Paths.front().WaitCycles;
  return executedPaths(*In.Options.Executed, WaitCycles);
}

std::optional<RepresentativeWarp> representativePath(const ModelInputs &In) {
  std::vector<WarpPath> Paths = pathsOf(In);
  PathClasses Classes = classifyPaths(In.Kernel, Paths, MaxPaths);
  if (Classes.Paths.empty())
    return std::nullopt;
  Walk W(In);
  std::vector<ProfilePoint> Points;
  for (unsigned Path : Classes.Paths) {
    double Instructions = 0;
    W.Timer.observe([&](const IssuedOperation &Issued) {
      Instructions += In.Costs.instructions(In.Kernel.Operations[Issued.Op]) *
                      Issued.Weight;
    });
    double Cycles = W.Timer.run(Paths[Path], W.Unloaded).Cycles;
    Points.push_back({Instructions, Cycles > 0 ? Instructions / Cycles : 0, 0});
  }
  for (unsigned I = 0; I < Paths.size(); ++I)
    Points[Classes.Class[I]].Weight += Paths[I].Weight;
  unsigned Index = Classes.Paths[representativeOf(Points)];
  ArrayRef<ExecutedWarp> Executed = executedWarps(In);
  return RepresentativeWarp{std::move(Paths[Index]),
                            Executed.empty() ? nullptr : &Executed[Index]};
}

} // namespace gpuestimate
