#include "WarpProfile.h"
#include "Evaluate/Warp/WarpPaths.h"
#include "gpu-estimate/Evaluate/Warp/Timing.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
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
        Costs(In.Kernel, In.Gpu, In.Sample, In.Flow, WarpsPerBlock),
        Unloaded(Costs.conditions(MemoryLatencies::unloaded(In.Gpu),
                                  {Term::Barrier})),
        Timer(In.Kernel, Costs, In.Schedule, WarpsPerBlock) {}
  unsigned WarpsPerBlock;
  OperationCosts Costs;
  WarpConditions Unloaded;
  WarpTimer Timer;
};

/// Builds intervals from the operations in the order in which a walk issues
/// them.
class IntervalBuilder {
public:
  IntervalBuilder(const ModelInputs &In, const Walk &W)
      : In(In), W(W), Idle(MemoryLatencies::unloaded(In.Gpu)) {}

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
    Open.Instructions += Op.Count * Issued.Weight;
    if (Op.Access >= 0)
      addRequests(Op.Access, Issued.Weight);
  }

  WarpProfile finish() {
    close(1);
    return std::move(Result);
  }

private:
  void close(double Count) {
    if (Open.Instructions <= 0 && Open.Stall <= 0)
      return;
    Open.Count = Count;
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
    if (A.Kind != AccessKind::Store)
      Open.Misses += F.L2Bytes * Lines;
    Open.DramReads += F.DramReadBytes * Lines;
    Open.DramWrites += F.DramWriteBytes * Lines;
  }

  /// Adds the stall to the cause that it waits for.
  void charge(const IssuedOperation &Issued) {
    double Stall = Issued.Stall * Issued.Weight;
    StallCycles &S = Result.Stalls;
    int Access =
        Issued.WaitsFor < 0 ? -1 : In.Kernel.Operations[Issued.WaitsFor].Access;
    if (Access < 0) {
      S.Dependency += Stall;
      return;
    }
    const AccessTraffic &F = In.Flow.Accesses[Access];
    switch (In.Kernel.Accesses[Access].Space) {
    case MemorySpace::Shared:
      S.Shared += Stall;
      return;
    case MemorySpace::Constant:
      S.L1 += Stall;
      return;
    default:
      break;
    }
    double Latency =
        W.Costs.latency(In.Kernel.Operations[Issued.WaitsFor], W.Unloaded);
    double L1 = F.L1Hit * Idle[MemoryLevel::L1],
           L2 = (1 - F.L1Hit) * (1 - F.L2MissWaitFraction) *
                Idle[MemoryLevel::L2];
    double Beyond = F.L3Hit * Idle[MemoryLevel::L3] +
                    (1 - F.L3Hit) * Idle[MemoryLevel::Dram];
    double Dram = (1 - F.L1Hit) * F.L2MissWaitFraction * Beyond;
    double Scale = Stall / std::max(Latency, L1 + L2 + Dram);
    S.L1 += L1 * Scale;
    S.L2 += L2 * Scale;
    S.Dram += Dram * Scale;
    S.Passes += std::max(0.0, Stall - (L1 + L2 + Dram) * Scale);
  }

  const ModelInputs &In;
  const Walk &W;
  MemoryLatencies Idle;
  WarpInterval Open{0, 0, 0, 0, 0, 0};
  WarpProfile Result;
};

} // namespace

WarpProfile profileWarp(const ModelInputs &In, const WarpPath &Path) {
  Walk W(In);
  IntervalBuilder Builder(In, W);
  W.Timer.observe(
      [&](const IssuedOperation &Issued) { Builder.issue(Issued); });
  W.Timer.run(Path, W.Unloaded);
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

/// Paths of the executed warps if there are any, else of In.Sample.
static std::vector<WarpPath> pathsOf(const ModelInputs &In) {
  const ExecutedLaunch *Executed = In.Options.Executed;
  if (!Executed || Executed->Warps.empty() || !Executed->isAbout(In.Kernel))
    return In.Sample.Paths;
  // An execution does not wait: the waits are those of the sample.
  std::vector<double> WaitCycles(In.Kernel.Waits.size());
  if (!In.Sample.Paths.empty())
    WaitCycles = In.Sample.Paths.front().WaitCycles;
  std::vector<WarpPath> Paths;
  for (const ExecutedWarp &W : Executed->Warps)
    Paths.push_back({W.Weight,
                     W.SampledBlock,
                     W.BlockShare,
                     W.LoopShare,
                     W.LoopTrips,
                     WaitCycles,
                     {}});
  return Paths;
}

std::optional<WarpPath> representativePath(const ModelInputs &In) {
  std::vector<WarpPath> Paths = pathsOf(In);
  PathClasses Classes = classifyPaths(In.Kernel, Paths, MaxPaths);
  if (Classes.Paths.empty())
    return std::nullopt;
  Walk W(In);
  std::vector<ProfilePoint> Points;
  for (unsigned Path : Classes.Paths) {
    double Instructions = 0;
    W.Timer.observe([&](const IssuedOperation &Issued) {
      Instructions += In.Kernel.Operations[Issued.Op].Count * Issued.Weight;
    });
    double Cycles = W.Timer.run(Paths[Path], W.Unloaded).Cycles;
    Points.push_back({Instructions, Cycles > 0 ? Instructions / Cycles : 0, 0});
  }
  for (unsigned I = 0; I < Paths.size(); ++I)
    Points[Classes.Class[I]].Weight += Paths[I].Weight;
  return std::move(Paths[Classes.Paths[representativeOf(Points)]]);
}

} // namespace gpuestimate
