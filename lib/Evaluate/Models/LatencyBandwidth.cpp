#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "Evaluate/Launch/BandwidthRefinement.h"
#include "Evaluate/Warp/WarpPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace gpuestimate {

/// Distinct warp paths that are timed for one T1; more paths are represented by
/// their quantiles in executed instructions.
static constexpr unsigned MaxDistinctPaths = 12;

LatencyBandwidthModel::LatencyBandwidthModel(
    const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
    const Occupancy &Occ, const LaunchSample &Sample,
    const OperationCosts &Costs, const std::vector<BlockSchedule> &Schedule,
    const Workload &Work)
    : Kernel(Kernel), Gpu(Gpu), L(L), Occ(Occ), Sample(Sample), Costs(Costs),
      Work(Work), Timer(Kernel, Costs, Schedule,
                        llvm::divideCeil(L.threadsPerBlock(), Gpu.WarpSize)) {
  PathClasses Classes = classifyPaths(Kernel, Sample.Paths, MaxDistinctPaths);
  Distinct = Classes.Paths;
  std::vector<BlockPaths> Blocks(Sample.Blocks.size());
  for (unsigned I = 0; I < Sample.Paths.size(); ++I) {
    BlockPaths &B = Blocks[Sample.Paths[I].SampledBlock];
    B.Weight += Sample.Paths[I].Weight;
    B.Paths.push_back(Classes.Class[I]);
  }
  for (BlockPaths &B : Blocks) {
    std::sort(B.Paths.begin(), B.Paths.end());
    B.Paths.erase(std::unique(B.Paths.begin(), B.Paths.end()), B.Paths.end());
  }
  for (const BlockPhase &P :
       blockPhases(Sample, L, double(Occ.BlocksPerSm) * Gpu.SmCount,
                   Classes.Operations)) {
    Extents.push_back(P.Extent);
    std::vector<BlockPaths> &InPhase = Phases.emplace_back();
    for (auto [Block, UntilEnd] :
         llvm::zip_equal(P.SampledBlocks, P.UntilEnd)) {
      InPhase.push_back(Blocks[Block]);
      InPhase.back().UntilEnd = UntilEnd;
    }
  }
  LastWaveBlocks = launchCycles({}).lastWaveBlocks();
}

const WarpPath *LatencyBandwidthModel::heaviestPath() const {
  return Distinct.empty() ? nullptr : &Sample.Paths[Distinct.back()];
}

const std::vector<double> &
LatencyBandwidthModel::pathTimes(const WarpConditions &Conditions) {
  auto [Entry, New] = PathTimeCache.try_emplace(Conditions);
  if (New)
    for (unsigned P : Distinct)
      Entry->second.push_back(Timer.cycles(Sample.Paths[P], Conditions));
  return Entry->second;
}

double LatencyBandwidthModel::warpTime(unsigned Phase,
                                       const WarpConditions &Conditions,
                                       WaitsFor Which) {
  const std::vector<double> &Times = pathTimes(Conditions);
  llvm::ArrayRef<BlockPaths> Blocks = Phases[Phase];
  // The stretch before the last wave may reach into it.
  if (Which == WaitsFor::LastWave)
    while (Blocks.size() > 1 && Blocks[1].UntilEnd >= LastWaveBlocks)
      Blocks = Blocks.drop_front();
  double Sum = 0, Weight = 0, Largest = 0;
  for (const BlockPaths &B : Blocks) {
    double BlockTime = 0;
    for (unsigned P : B.Paths)
      BlockTime = std::max(BlockTime, Times[P]);
    Sum += BlockTime * B.Weight;
    Weight += B.Weight;
    Largest = std::max(Largest, BlockTime);
  }
  return Which != WaitsFor::Mean || Weight <= 0
             ? Largest
             : std::min(Largest, Sum / Weight);
}

WarpConditions LatencyBandwidthModel::conditions(const MemoryLatencies &Lat,
                                                 TermSet Without) const {
  WarpConditions Result = Costs.conditions(Lat, Without);
  if (!Without.contains(Term::Atomics))
    for (auto [Latency, Retries] :
         llvm::zip_equal(Result.AccessLatency, Work.RetryCycles))
      Latency = std::max(Latency, Retries);
  return Result;
}

double LatencyBandwidthModel::coldCycles(TermSet Without) {
  if (Without.contains(Term::Cold))
    return 0;
  MemoryLatencies Idle = idleLatencies(Gpu, Without);
  WaitsFor Which = launchCycles(Without).waves(Idle).front().Which;
  WarpConditions Conditions = conditions(Idle, Without);
  double Later = warpTime(0, Conditions, Which);
  Conditions.IsFirst = true;
  double First = std::max(0.0, warpTime(0, Conditions, Which) - Later);
  // The front end has written the arguments to L2, from where the constant
  // cache fetches them; an empty kernel has none.
  bool Fetches = Gpu.LaunchCold && !Kernel.Arguments.empty();
  return First + (Fetches ? Idle[MemoryLevel::L2] : 0);
}

LaunchDemand LatencyBandwidthModel::demand(TermSet Without) {
  MemoryLatencies Idle = idleLatencies(Gpu, Without);
  LaunchDemand Demand{Work, {}, coldCycles(Without)};
  for (unsigned P = 0; P < Phases.size(); ++P)
    Demand.Phases.push_back({Extents[P],
                             warpTime(P, Idle, Without, WaitsFor::Mean),
                             warpTime(P, Idle, Without, WaitsFor::Slowest),
                             warpTime(P, Idle, Without, WaitsFor::LastWave)});
  return Demand;
}

double LatencyBandwidthModel::cycles(TermSet Without) {
  return launchCycles(Without).total(idleLatencies(Gpu, Without),
                                     [&](const Wave &W) {
                                       return warpTime(W.Phase, W.Lat, Without,
                                                       W.Which);
                                     }) +
         coldCycles(Without);
}

/// Raises Latency until Time, which depends on it, is Demand. A latency that no
/// warp waits for would rise without end; it stays as it was.
static RefinementResult refine(double &Latency, double Demand,
                               llvm::function_ref<double()> Time) {
  const double Unloaded = Latency;
  RefinementOptions Options;
  Options.Secants = true;
  Options.Tolerance = 1e-6;
  RefinementResult R = refineLatency(
      [&](double Tried) {
        Latency = Tried;
        return Time();
      },
      Latency, Demand, Options);
  Latency = R.Converged ? R.Latency : Unloaded;
  return R;
}

LoadedLatencies LatencyBandwidthModel::loadedLatencies(TermSet Without) {
  MemoryLatencies Idle = idleLatencies(Gpu, Without);
  LaunchCycles Cycles = launchCycles(Without);
  auto latencyCycles = [&](const Wave &W) {
    return Cycles.latencyCycles(W, [&](const Wave &Timed) {
      return warpTime(Timed.Phase, Timed.Lat, Without, Timed.Which);
    });
  };
  std::vector<Wave> Waves = Cycles.waves(Idle);
  double SmCycles = 0;
  for (const Wave &W : Waves)
    SmCycles += Cycles.insideCycles(W, latencyCycles(W));

  LoadedLatencies Result;
  for (MemoryLevel Level : AllMemoryLevels)
    Result.Converged[Level] = true;
  auto raise = [&](MemoryLevel Level, double &Latency, double Demand,
                   llvm::function_ref<double()> Time) {
    if (Demand <= 0)
      return;
    RefinementResult R = refine(Latency, Demand, Time);
    Result.Iterations[Level] += R.Iterations;
    Result.Converged[Level] &= R.Converged;
    Result.Cycles = std::max(Result.Cycles, R.Time);
  };
  // The levels inside a multiprocessor first, wave by wave, then the levels of
  // the chip over the whole launch.
  for (Wave &W : Waves) {
    auto WaveCycles = [&] { return latencyCycles(W); };
    auto Demand = [&](Resource R) {
      return W.Count * Cycles.boundCycles(R, W.Group);
    };
    raise(MemoryLevel::Shared, W.Lat[MemoryLevel::Shared],
          Demand(Resource::SharedBandwidth), WaveCycles);
    raise(MemoryLevel::L1, W.Lat[MemoryLevel::L1],
          Demand(Resource::L1Bandwidth), WaveCycles);
    if (double Passes = Demand(Resource::LoadStore);
        Passes > 0 && !Without.contains(Term::Uncoalesced))
      refine(W.Lat.PassDelay, Passes, WaveCycles);
  }
  auto insideCycles = [&] {
    double Sum = 0;
    for (const Wave &W : Waves)
      Sum += Cycles.insideCycles(W, latencyCycles(W));
    return Sum;
  };
  Result.Cycles = insideCycles();
  for (auto [Level, Bandwidth] :
       {std::pair{MemoryLevel::L2, Resource::L2Bandwidth},
        {MemoryLevel::L3, Resource::L3Bandwidth},
        {MemoryLevel::Dram, Resource::DramBandwidth}}) {
    double Latency = Idle[Level];
    auto SetAll = [&, Level = Level] {
      for (Wave &W : Waves)
        W.Lat[Level] = Latency;
    };
    double Demand = Cycles.levelCycles(Bandwidth, Cycles.everything(),
                                       Idle[Level], SmCycles);
    raise(Level, Latency, Demand, [&] {
      SetAll();
      return insideCycles();
    });
    SetAll();
  }
  Result.FirstWave = Waves.front().Lat;
  return Result;
}

std::vector<Bound> LatencyBandwidthModel::bounds(TermSet Without) {
  std::vector<Bound> Result;
  launchCycles(Without).forEachLimit(
      idleLatencies(Gpu, Without),
      [&](const Wave &W) { return warpTime(W.Phase, W.Lat, Without, W.Which); },
      [&](llvm::StringRef Name, double Limit) {
        Result.push_back({Name.str(), Cycles(Limit)});
      });
  return Result;
}

const std::vector<double> &LatencyBandwidthModel::operationCycles() {
  std::vector<double> &Result = OperationCycles;
  if (!Result.empty())
    return Result;
  Result.resize(Kernel.Operations.size());
  const WarpPath *Path = heaviestPath();
  if (!Path)
    return Result;
  Timer.run(*Path, conditions(MemoryLatencies::unloaded(Gpu), {}));
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B)
    for (unsigned I : Kernel.Blocks[B].operations()) {
      const Operation &Op = Kernel.Operations[I];
      double PerWarp =
          Sample.Warps > 0 ? Sample.BlockWarps[B] / Sample.Warps : 0;
      Result[I] = PerWarp * Costs.issue(Op) * Op.Count +
                  Timer.stalls()[I] / Occ.WarpsPerSm;
    }
  return Result;
}

} // namespace gpuestimate
