#include "gpu-estimate/Evaluate/Launch/LaunchCycles.h"

#include "BarrierQueueingModel.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

MemoryLatencies idleLatencies(const GpuModel &Gpu, TermSet Without) {
  MemoryLatencies Lat = MemoryLatencies::unloaded(Gpu);
  if (Without.contains(Term::Shared))
    Lat[MemoryLevel::Shared] = 0;
  if (Without.contains(Term::L1))
    Lat[MemoryLevel::L1] = 0;
  if (Without.contains(Term::Uncoalesced))
    Lat.PassDelay = 0;
  if (Without.contains(Term::L2))
    Lat[MemoryLevel::L2] = Lat[MemoryLevel::L1];
  if (Without.contains(Term::L3))
    Lat[MemoryLevel::L3] = Lat[MemoryLevel::L2];
  if (Without.contains(Term::Dram))
    Lat[MemoryLevel::Dram] =
        Lat[Gpu.L3Latency ? MemoryLevel::L3 : MemoryLevel::L2];
  return Lat;
}

Workload demandWithout(Workload Work, TermSet Without) {
  if (Without.contains(Term::Ecc))
    Work.DramCodeBytes = 0;
  return Work;
}

/// Latency and bandwidth of a memory level together (GpuModel::MemoryKnee).
static double knee(double Latency, double Bandwidth, double Exponent) {
  double Larger = std::max(Latency, Bandwidth);
  if (Larger <= 0)
    return 0;
  double Ratio = std::min(Latency, Bandwidth) / Larger;
  return Larger * std::pow(1 + std::pow(Ratio, Exponent), 1 / Exponent);
}

double LaunchCycles::largestBound(BoundScope Scope, const BlockGroup &G) const {
  double Largest = 0;
  for (const BoundInfo &B : boundTable())
    if (B.Scope == Scope && !Without.contains(B.SwitchedOffBy))
      Largest = std::max(Largest, B.Cycles(Work, Gpu, G));
  return Largest;
}

double LaunchCycles::boundCycles(Resource R, const BlockGroup &G) const {
  const BoundInfo &B = boundOf(R);
  return Without.contains(B.SwitchedOffBy) ? 0 : B.Cycles(Work, Gpu, G);
}

double LaunchCycles::blocksOfPhase(unsigned Phase) const {
  double Blocks = L.blocks() * Phases[Phase].BlockShare;
  bool IsWhole = Phases.size() > 1 && Phase + 1 == Phases.size();
  return IsWhole ? std::round(Blocks) : Blocks;
}

double LaunchCycles::lastWaveBlocks() const {
  double Blocks = blocksOfPhase(Phases.size() - 1), PerWave = blocksAtOnce();
  double TailBlocks = Blocks - std::floor(Blocks / PerWave) * PerWave;
  return TailBlocks > 0 ? TailBlocks : PerWave;
}

void LaunchCycles::addWaves(std::vector<Wave> &Into, unsigned Phase,
                            bool IsLast, const MemoryLatencies &Idle) const {
  double AllBlocks = L.blocks(), PerWave = blocksAtOnce();
  double Density = Phases[Phase].density(), Blocks = blocksOfPhase(Phase);
  bool Tail = IsLast && !Without.contains(Term::Tail);
  double FullWaves = std::floor(Blocks / PerWave);
  double TailBlocks = Blocks - FullWaves * PerWave;
  auto Add = [&](double OfSm, double Count, bool IsEnd, double OnChip) {
    Into.push_back({Phase,
                    {OfSm, AllBlocks, Density},
                    Count,
                    IsEnd ? WaitsFor::LastWave : WaitsFor::Mean,
                    0,
                    0,
                    Idle,
                    OnChip});
  };
  double BlocksOfSm = Occ.BlocksPerSm;
  // The next phase takes the places that a wave leaves free.
  if (!IsLast)
    return Add(BlocksOfSm, Blocks / PerWave, false, PerWave);
  if (FullWaves > 0) {
    bool LastIsFull = TailBlocks == 0 && Tail;
    if (FullWaves > LastIsFull)
      Add(BlocksOfSm, FullWaves - LastIsFull, false, PerWave);
    if (LastIsFull)
      Add(BlocksOfSm, 1, true, PerWave);
  }
  if (TailBlocks <= 0)
    return;
  if (Tail || FullWaves == 0)
    Add(std::ceil(TailBlocks / Gpu.SmCount), 1, Tail, TailBlocks);
  else
    Add(BlocksOfSm, TailBlocks / PerWave, false, PerWave);
}

std::vector<Wave> LaunchCycles::waves(const MemoryLatencies &Idle) const {
  std::vector<Wave> Result;
  for (unsigned P = 0; P < Phases.size(); ++P)
    addWaves(Result, P, P + 1 == Phases.size(), Idle);
  double WarpsPerBlock = llvm::divideCeil(L.threadsPerBlock(), Gpu.WarpSize);
  double Turnaround = Without.contains(Term::Dispatch)
                          ? 0
                          : Gpu.BlockStart.value() +
                                Gpu.BlockStartPerWarp.value() * WarpsPerBlock;
  for (Wave &W : Result) {
    // The launch itself starts the blocks of the first wave.
    double Starts = W.Count - (&W == &Result.front());
    W.TurnaroundCycles = std::max(0.0, Starts) * Turnaround;
    W.BusyCycles = W.Count * largestBound(BoundScope::Multiprocessor, W.Group);
  }
  return Result;
}

double
LaunchCycles::insideCycles(const Wave &W, double Latency,
                           llvm::ArrayRef<Resource> ChipResources) const {
  double Larger = std::max(Latency, W.BusyCycles);
  if (Work.Count.Barriers <= 0 || Without.contains(Term::Barrier))
    return Larger;
  double AllBlocks = L.blocks(), SmBlocks = std::max(1.0, W.Group.Blocks);
  double BlockBusy = W.BusyCycles / W.Count / SmBlocks;
  llvm::SmallVector<Station, 4> Stations = {{BlockBusy, SmBlocks}};
  for (Resource R : ChipResources)
    Stations.push_back(
        {boundCycles(R, {1, AllBlocks, W.Group.Density}), W.ChipBlocks});
  double ThinkTime = std::max(0.0, Latency / W.Count - BlockBusy);
  return std::max(Larger, W.Count * cycleTime(ThinkTime, Stations));
}

double LaunchCycles::levelCycles(Resource Level, const BlockGroup &G,
                                 double IdleLatency, double SmCycles) const {
  double Demand = boundCycles(Level, G);
  if (Demand <= 0)
    return 0;
  // The transfer takes Demand cycles once the first data has arrived.
  return std::max(knee(SmCycles, Demand, Gpu.MemoryKnee), Demand + IdleLatency);
}

double LaunchCycles::phaseCycles(llvm::ArrayRef<Wave> Waves,
                                 const MemoryLatencies &Idle,
                                 WarpTime Time) const {
  double SmCycles = 0;
  for (const Wave &W : Waves)
    SmCycles += insideCycles(W, latencyCycles(W, Time));
  const Wave &First = Waves.front();
  const PhaseExtent &Extent = Phases[First.Phase];
  BlockGroup All = everything();
  All.Blocks *= Extent.BlockShare;
  All.Density = Extent.density();
  // Blocks also queue for the chip. Its bandwidth does not stop where one wave
  // ends, so all blocks pass at the rate of the first.
  double QueueCycles =
      insideCycles(First, latencyCycles(First, Time),
                   {Resource::L2Bandwidth, Resource::L3Bandwidth,
                    Resource::DramBandwidth}) *
      All.Blocks / (First.ChipBlocks * First.Count);
  auto LevelCycles = [&](Resource Bandwidth, MemoryLevel Level) {
    return levelCycles(Bandwidth, All, Idle[Level], SmCycles);
  };
  return std::max({SmCycles, QueueCycles, largestBound(BoundScope::Chip, All),
                   LevelCycles(Resource::L2Bandwidth, MemoryLevel::L2),
                   LevelCycles(Resource::L3Bandwidth, MemoryLevel::L3),
                   LevelCycles(Resource::DramBandwidth, MemoryLevel::Dram)});
}

double LaunchCycles::sequentialCycles(const MemoryLatencies &Idle,
                                      WarpTime Time) const {
  std::vector<Wave> Waves = waves(Idle);
  double Begin = 0, End = 0;
  for (llvm::ArrayRef<Wave> Rest = Waves; !Rest.empty();) {
    unsigned Phase = Rest.front().Phase;
    llvm::ArrayRef<Wave> Mine =
        Rest.take_while([&](const Wave &W) { return W.Phase == Phase; });
    Rest = Rest.drop_front(Mine.size());
    // A long block that starts with the phase may end after all others.
    if (!Without.contains(Term::Tail)) {
      Wave Slowest = Mine.front();
      Slowest.Which = WaitsFor::Slowest;
      End = std::max(End, Begin + Time(Slowest));
    }
    Begin += phaseCycles(Mine, Idle, Time);
  }
  return std::max(Begin, End);
}

double LaunchCycles::mixedCycles(const MemoryLatencies &Idle,
                                 WarpTime Time) const {
  const PhaseExtent Mixture;
  LaunchCycles Mixed(Gpu, L, Occ, Work, Mixture, Without);
  return Mixed.sequentialCycles(Idle, [&](const Wave &W) {
    Wave Part = W;
    Part.Phase = Phases.size() - 1;
    if (W.Which == WaitsFor::LastWave)
      return Time(Part);
    double Mean = 0, Slowest = 0;
    for (Part.Phase = 0; Part.Phase < Phases.size(); ++Part.Phase) {
      double Cycles = Time(Part);
      Mean += Phases[Part.Phase].BlockShare * Cycles;
      Slowest = std::max(Slowest, Cycles);
    }
    return W.Which == WaitsFor::Mean ? Mean : Slowest;
  });
}

double LaunchCycles::total(const MemoryLatencies &Idle, WarpTime Time) const {
  double Sequential = sequentialCycles(Idle, Time);
  if (Phases.size() == 1)
    return Sequential;
  double Boundaries = -1;
  for (const PhaseExtent &P : Phases)
    Boundaries += P.Repeats;
  double Overlap = std::min(1.0, Boundaries * blocksAtOnce() / L.blocks());
  return Overlap * mixedCycles(Idle, Time) + (1 - Overlap) * Sequential;
}

void LaunchCycles::forEachLimit(
    const MemoryLatencies &Idle, WarpTime Time,
    llvm::function_ref<void(llvm::StringRef, double)> Take) const {
  double AllBlocks = L.blocks();
  BlockGroup Busiest{std::ceil(AllBlocks / Gpu.SmCount), AllBlocks};
  for (const BoundInfo &B : boundTable())
    if (!Without.contains(B.SwitchedOffBy))
      Take(B.name(),
           B.Cycles(Work, Gpu,
                    B.Scope == BoundScope::Chip ? everything() : Busiest));
  Wave Mean;
  Mean.Lat = Idle;
  double OneWave = 0;
  for (Mean.Phase = 0; Mean.Phase < Phases.size(); ++Mean.Phase)
    OneWave += Phases[Mean.Phase].BlockShare * Time(Mean);
  Take("latency", OneWave * std::max(1.0, AllBlocks / blocksAtOnce()));
}

} // namespace gpuestimate
