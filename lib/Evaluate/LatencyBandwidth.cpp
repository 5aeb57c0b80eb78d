#include "gpu-estimate/Evaluate/LatencyBandwidth.h"
#include "gpu-estimate/Evaluate/BlockTurns.h"
#include "gpu-estimate/Evaluate/Refine.h"
#include "gpu-estimate/Evaluate/WarpPaths.h"
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
      Known->second.push_back(Timer->run(Sample.Paths[P]).Cycles);
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

double
LatencyBandwidthModel::largestBound(BoundScope Scope, const BlockGroup &G,
                                    const llvm::StringSet<> &Without) const {
  double Largest = 0;
  for (const BoundInfo &B : boundTable())
    if (B.Scope == Scope && !Without.contains(B.Term))
      Largest = std::max(Largest, B.Cycles(Work, Gpu, G));
  return Largest;
}

/// Latency and bandwidth of a memory level together (GpuModel::MemoryKnee).
static double knee(double Latency, double Bandwidth, double Exponent) {
  double Larger = std::max(Latency, Bandwidth);
  if (Larger <= 0)
    return 0;
  double Ratio = std::min(Latency, Bandwidth) / Larger;
  return Larger * std::pow(1 + std::pow(Ratio, Exponent), 1 / Exponent);
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
  Turnaround = Without.contains("dispatch")
                   ? 0
                   : Gpu.BlockStart.value() +
                         Gpu.BlockStartPerWarp.value() * WarpsPerBlock;
  MemoryLatencies Lat = MemoryLatencies::unloaded(Gpu);
  if (Without.contains("shared"))
    Lat.Shared = 0;
  if (Without.contains("l1"))
    Lat.L1 = 0;
  if (Without.contains("uncoalesced"))
    Lat.PassDelay = 0;
  // A level that is switched off answers as fast as the one above it.
  if (Without.contains("l2"))
    Lat.L2 = Lat.L1;
  if (Without.contains("l3"))
    Lat.L3 = Lat.L2;
  if (Without.contains("dram"))
    Lat.Dram = Gpu.L3Latency ? Lat.L3 : Lat.L2;
  return Lat;
}

std::vector<LatencyBandwidthModel::Wave>
LatencyBandwidthModel::waves(const MemoryLatencies &Idle,
                             const llvm::StringSet<> &Without) {
  double All = L.blocks();
  double PerWave = double(Occ.BlocksPerSm) * Gpu.SmCount;
  double FullWaves = std::floor(All / PerWave);
  double Rest = All - FullWaves * PerWave;
  bool Tail = !Without.contains("tail");

  std::vector<Wave> Result;
  BlockGroup Full{double(Occ.BlocksPerSm), All};
  if (FullWaves > 0) {
    bool Ends = Rest == 0 && Tail; // then a full wave is the last one
    if (FullWaves > Ends)
      Result.push_back({Full, FullWaves - Ends, false, 0, 0, Idle, PerWave});
    if (Ends)
      Result.push_back({Full, 1, true, 0, 0, Idle, PerWave});
  }
  if (Rest > 0) {
    if (Tail || FullWaves == 0)
      Result.push_back(
          {{std::ceil(Rest / Gpu.SmCount), All}, 1, Tail, 0, 0, Idle, Rest});
    else
      Result.push_back({Full, Rest / PerWave, false, 0, 0, Idle, PerWave});
  }
  for (Wave &W : Result) {
    // The launch itself starts the blocks of the first wave.
    double Starts = W.Count - (&W == &Result.front());
    W.Turnarounds = Starts * Turnaround;
    W.Busy =
        W.Count * largestBound(BoundScope::Multiprocessor, W.Group, Without);
  }
  return Result;
}

double LatencyBandwidthModel::latencyCycles(const Wave &W) {
  return W.Count * warpTime(W.Lat, W.WaitsForSlowest) + W.Turnarounds;
}

double
LatencyBandwidthModel::insideCycles(const Wave &W, double Latency,
                                    llvm::ArrayRef<llvm::StringRef> ChipBounds,
                                    const llvm::StringSet<> &Without) const {
  double Larger = std::max(Latency, W.Busy);
  if (Work.Count.Barriers <= 0 || Without.contains("barrier"))
    return Larger;
  double All = L.blocks(), OfSm = std::max(1.0, W.Group.Blocks);
  double Busy = W.Busy / W.Count / OfSm;
  llvm::SmallVector<Station, 4> Stations = {{Busy, OfSm}};
  for (llvm::StringRef Name : ChipBounds)
    Stations.push_back({boundCycles(Name, {1, All}, Without), W.OfChip});
  double Think = std::max(0.0, Latency / W.Count - Busy);
  return std::max(Larger, W.Count * turnsPeriod(Think, Stations));
}

double LatencyBandwidthModel::levelCycles(llvm::StringRef Bound, double Idle,
                                          double Inside,
                                          const llvm::StringSet<> &Without) {
  double All = L.blocks();
  double Demand = boundCycles(Bound, {All, All}, Without);
  if (Demand <= 0)
    return 0;
  // Bandwidth flows only after the first data has come.
  return std::max(knee(Inside, Demand, Gpu.MemoryKnee), Demand + Idle);
}

double LatencyBandwidthModel::cycles(const llvm::StringSet<> &Without) {
  MemoryLatencies Idle = prepare(Without);
  double All = L.blocks(), Inside = 0, Queued = 0;
  for (const Wave &W : waves(Idle, Without)) {
    double Latency = latencyCycles(W);
    Inside += insideCycles(W, Latency, {}, Without);
    // Blocks also queue for the chip. Its bandwidth does not stop where one
    // wave ends, so all blocks pass at the rate of the first.
    if (Queued <= 0)
      Queued = insideCycles(W, Latency,
                            {"l2-bandwidth", "l3-bandwidth", "dram-bandwidth"},
                            Without) *
               All / (W.OfChip * W.Count);
  }
  return std::max({Inside, Queued,
                   largestBound(BoundScope::Chip, {All, All}, Without),
                   levelCycles("l2-bandwidth", Idle.L2, Inside, Without),
                   levelCycles("l3-bandwidth", Idle.L3, Inside, Without),
                   levelCycles("dram-bandwidth", Idle.Dram, Inside, Without)});
}

MemoryLatencies
LatencyBandwidthModel::loadedLatencies(const llvm::StringSet<> &Without) {
  MemoryLatencies Idle = prepare(Without);
  std::vector<Wave> Waves = waves(Idle, Without);
  double Inside = 0;
  for (const Wave &W : Waves)
    Inside += insideCycles(W, latencyCycles(W), {}, Without);

  auto Raise = [](double &Level, double Demand,
                  llvm::function_ref<double()> Time) {
    if (Demand <= 0)
      return;
    auto TimeAt = [&](double Latency) {
      Level = Latency;
      return Time();
    };
    Level = refineLatency(TimeAt, Level, Demand).Latency;
  };
  // First the levels inside a multiprocessor, wave by wave, then those of the
  // chip over the whole launch.
  for (Wave &W : Waves) {
    auto WaveCycles = [&] { return latencyCycles(W); };
    auto Demand = [&](llvm::StringRef Name) {
      return W.Count * boundCycles(Name, W.Group, Without);
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
    Raise(Latency, levelCycles(Name, Idle.*Level, Inside, Without), [&] {
      SetAll();
      double Sum = 0;
      for (const Wave &W : Waves)
        Sum += insideCycles(W, latencyCycles(W), {}, Without);
      return Sum;
    });
    SetAll();
  }
  return Waves.front().Lat;
}

double
LatencyBandwidthModel::boundCycles(llvm::StringRef Name, const BlockGroup &G,
                                   const llvm::StringSet<> &Without) const {
  for (const BoundInfo &B : boundTable())
    if (B.Name == Name && !Without.contains(B.Term))
      return B.Cycles(Work, Gpu, G);
  return 0;
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
