#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "Evaluate/Launch/Refine.h"
#include "Evaluate/Warp/WarpPaths.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace gpuestimate {

static constexpr TermInfo Terms[] = {
    {"issue", "issue slots"},
    {"pipes", "throughput of each execution pipe"},
    {"registers", "read ports of the register file"},
    {"dependency", "latencies of dependent arithmetic"},
    {"shared", "latency, bank passes and bandwidth of shared memory"},
    {"l1", "latency and bandwidth of L1"},
    {"uncoalesced", "serialised passes of uncoalesced requests"},
    {"outstanding", "requests that a multiprocessor can have in flight"},
    {"l2", "latency and bandwidth of L2"},
    {"l3", "latency and bandwidth of a cache in front of DRAM"},
    {"dram", "latency and bandwidth of DRAM"},
    {"atomics", "rate of atomics, same-address serialisation"},
    {"barrier", "barrier latency, waiting for other warps of the block, and "
                "blocks that take turns"},
    {"dispatch", "start and retirement of blocks, and the rate of starts"},
    {"tail", "the last, partly filled wave and its slowest warp"},
};

llvm::ArrayRef<TermInfo> termTable() { return Terms; }

/// Timing walks of different warps that are made per evaluation of T1; more
/// distinct paths are represented by their quantiles in executed instructions.
static constexpr unsigned MaxDistinctPaths = 12;

LatencyBandwidthModel::LatencyBandwidthModel(
    const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
    const Bindings &All, const Occupancy &Occ, const LaunchSample &Sample,
    const Traffic &Flow, const std::vector<BlockSchedule> &Schedule)
    : Kernel(Kernel), Gpu(Gpu), L(L), Occ(Occ), Sample(Sample),
      WarpsPerBlock(llvm::divideCeil(L.threadsPerBlock(), Gpu.WarpSize)),
      Costs(Kernel, Gpu, Sample, Flow, WarpsPerBlock, Occ.WarpsPerSm),
      Schedule(Schedule) {
  std::vector<unsigned> Copies;
  for (const BlockSchedule &S : Schedule)
    Copies.push_back(S.Copies);
  Work = measureWorkload(Kernel, Gpu, L, All, Sample, Flow, Costs, Copies);
  Timer = std::make_unique<WarpTimer>(Kernel, Costs, Schedule, WarpsPerBlock);

  PathClasses Classes = classifyPaths(Kernel, Sample.Paths, MaxDistinctPaths);
  Distinct = Classes.Paths;
  std::map<unsigned, SampledBlock> ById;
  for (unsigned I = 0; I < Sample.Paths.size(); ++I) {
    SampledBlock &B = ById[Sample.Paths[I].SampledBlock];
    B.Weight += Sample.Paths[I].Weight;
    B.Paths.push_back(Classes.Class[I]);
  }
  for (auto &[Id, B] : ById) {
    std::sort(B.Paths.begin(), B.Paths.end());
    B.Paths.erase(std::unique(B.Paths.begin(), B.Paths.end()), B.Paths.end());
    Blocks.push_back(std::move(B));
  }
}

const WarpPath *LatencyBandwidthModel::heaviestPath() const {
  return Distinct.empty() ? nullptr : &Sample.Paths[Distinct.back()];
}

const std::vector<double> &
LatencyBandwidthModel::pathTimes(const MemoryLatencies &Lat) {
  Costs.setLatencies(Lat);
  auto [Known, New] =
      Walked.try_emplace({Switches, Costs.accessLatencies().vec()});
  if (New)
    for (unsigned P : Distinct)
      Known->second.push_back(Timer->cycles(Sample.Paths[P]));
  return Known->second;
}

double LatencyBandwidthModel::warpTime(const MemoryLatencies &Lat,
                                       bool Slowest) {
  const std::vector<double> &Times = pathTimes(Lat);
  double Sum = 0, Weight = 0, Largest = 0;
  for (const SampledBlock &B : Blocks) {
    double BlockTime = 0;
    for (unsigned P : B.Paths)
      BlockTime = std::max(BlockTime, Times[P]);
    Sum += BlockTime * B.Weight;
    Weight += B.Weight;
    Largest = std::max(Largest, BlockTime);
  }
  return Slowest || Weight <= 0 ? Largest : Sum / Weight;
}

MemoryLatencies
LatencyBandwidthModel::prepare(const llvm::StringSet<> &Without) {
  Switches = {!Without.contains("dependency"), !Without.contains("registers"),
              !Without.contains("barrier"), !Without.contains("shared"),
              !Without.contains("l1")};
  Costs.setDependencyLatencies(Switches[0]);
  Costs.setOperandReads(Switches[1]);
  Timer->setBarriers(Switches[2]);
  Timer->setDataStages(Switches[3], Switches[4]);
  return idleLatencies(Gpu, Without);
}

LaunchDemand LatencyBandwidthModel::demand(const llvm::StringSet<> &Without) {
  MemoryLatencies Idle = prepare(Without);
  return {Work, warpTime(Idle, false), warpTime(Idle, true)};
}

double LatencyBandwidthModel::cycles(const llvm::StringSet<> &Without) {
  MemoryLatencies Idle = prepare(Without);
  return LaunchCycles(Gpu, L, Occ, Work, Without).all(Idle, [&](const Wave &W) {
    return warpTime(W.Lat, W.WaitsForSlowest);
  });
}

MemoryLatencies
LatencyBandwidthModel::loadedLatencies(const llvm::StringSet<> &Without) {
  MemoryLatencies Idle = prepare(Without);
  LaunchCycles Launched(Gpu, L, Occ, Work, Without);
  auto latencyCycles = [&](const Wave &W) {
    return Launched.latencyCycles(W, [&](const Wave &Of) {
      return warpTime(Of.Lat, Of.WaitsForSlowest);
    });
  };
  std::vector<Wave> Waves = Launched.waves(Idle);
  double Inside = 0;
  for (const Wave &W : Waves)
    Inside += Launched.insideCycles(W, latencyCycles(W));

  auto Raise = [](double &Level, double Demand,
                  llvm::function_ref<double()> Time) {
    if (Demand <= 0)
      return;
    auto TimeAt = [&](double Latency) {
      Level = Latency;
      return Time();
    };
    RefineOptions Options;
    Options.Secants = true;
    Level = refineLatency(TimeAt, Level, Demand, Options).Latency;
  };
  // First the levels inside a multiprocessor, wave by wave, then those of the
  // chip over the whole launch.
  for (Wave &W : Waves) {
    auto WaveCycles = [&] { return latencyCycles(W); };
    auto Demand = [&](llvm::StringRef Name) {
      return W.Count * Launched.boundCycles(Name, W.Group);
    };
    Raise(W.Lat.Shared, Demand("shared-bandwidth"), WaveCycles);
    Raise(W.Lat.L1, Demand("l1-bandwidth"), WaveCycles);
    if (!Without.contains("uncoalesced"))
      Raise(W.Lat.PassDelay, Demand("load-store"), WaveCycles);
  }
  for (auto [Level, Name] : {std::pair{&MemoryLatencies::L2, "l2-bandwidth"},
                             {&MemoryLatencies::L3, "l3-bandwidth"},
                             {&MemoryLatencies::Dram, "dram-bandwidth"}}) {
    double Latency = Idle.*Level;
    auto SetAll = [&, Level = Level] {
      for (Wave &W : Waves)
        W.Lat.*Level = Latency;
    };
    Raise(Latency, Launched.levelCycles(Name, Idle.*Level, Inside), [&] {
      SetAll();
      double Sum = 0;
      for (const Wave &W : Waves)
        Sum += Launched.insideCycles(W, latencyCycles(W));
      return Sum;
    });
    SetAll();
  }
  return Waves.front().Lat;
}

std::vector<Bound>
LatencyBandwidthModel::bounds(const llvm::StringSet<> &Without) {
  double All = L.blocks();
  BlockGroup Busiest{std::ceil(All / Gpu.SmCount), All}, Chip{All, All};
  std::vector<Bound> Result;
  for (const BoundInfo &B : boundTable())
    if (!Without.contains(B.Term))
      Result.push_back(
          {B.Name.str(),
           Cycles(B.Cycles(Work, Gpu,
                           B.Scope == BoundScope::Chip ? Chip : Busiest))});
  double PerWave = double(Occ.BlocksPerSm) * Gpu.SmCount;
  Result.push_back({"latency", Cycles(warpTime(prepare(Without), false) *
                                      std::max(1.0, All / PerWave))});
  return Result;
}

const std::vector<double> &LatencyBandwidthModel::operationCycles() {
  std::vector<double> &Result = OperationCycles;
  if (!Result.empty())
    return Result;
  Result.resize(Kernel.Operations.size());
  Costs.setLatencies(prepare({}));
  const WarpPath *Path = heaviestPath();
  if (!Path)
    return Result;
  Timer->run(*Path);
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B)
    for (unsigned I = Kernel.Blocks[B].FirstOp; I < Kernel.Blocks[B].EndOp;
         ++I) {
      const Operation &Op = Kernel.Operations[I];
      double PerWarp =
          Sample.Warps > 0 ? Sample.BlockWarps[B] / Sample.Warps : 0;
      Result[I] = PerWarp * Costs.issue(Op) * Op.Count +
                  Timer->stalls()[I] / Occ.WarpsPerSm;
    }
  return Result;
}

double LatencyBandwidthModel::globalLatency() {
  Costs.setLatencies(MemoryLatencies::unloaded(Gpu));
  double Sum = 0, Requests = 0;
  for (const Operation &Op : Kernel.Operations) {
    if (Op.Access < 0)
      continue;
    const MemoryAccess &A = Kernel.Accesses[Op.Access];
    if (A.Space == MemorySpace::Shared || A.Space == MemorySpace::Constant ||
        A.Kind != AccessKind::Load)
      continue;
    double Times = Sample.Accesses[Op.Access].Requests;
    Sum += Times * Costs.latency(Op);
    Requests += Times;
  }
  return Requests > 0 ? Sum / Requests : Gpu.L1.Latency.value();
}

LatencyBandwidthModel::Steady
LatencyBandwidthModel::blockCycles(double ExtraGlobal, double ExtraShared) {
  MemoryLatencies Lat = prepare({});
  Lat.L1 += ExtraGlobal;
  Lat.L2 += ExtraGlobal;
  Lat.Dram += ExtraGlobal;
  Lat.Shared += ExtraShared;
  Costs.setLatencies(Lat);
  if (const WarpPath *Path = heaviestPath())
    Timer->run(*Path);
  return {Timer->blockCycles()};
}

} // namespace gpuestimate
