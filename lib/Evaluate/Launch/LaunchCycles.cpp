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

std::vector<Wave> LaunchCycles::waves(const MemoryLatencies &Idle) const {
  double AllBlocks = L.blocks();
  double PerWave = double(Occ.BlocksPerSm) * Gpu.SmCount;
  double FullWaves = std::floor(AllBlocks / PerWave);
  double TailBlocks = AllBlocks - FullWaves * PerWave;
  bool Tail = !Without.contains(Term::Tail);

  std::vector<Wave> Result;
  BlockGroup Full{double(Occ.BlocksPerSm), AllBlocks};
  if (FullWaves > 0) {
    bool LastIsFull = TailBlocks == 0 && Tail;
    if (FullWaves > LastIsFull)
      Result.push_back(
          {Full, FullWaves - LastIsFull, false, 0, 0, Idle, PerWave});
    if (LastIsFull)
      Result.push_back({Full, 1, true, 0, 0, Idle, PerWave});
  }
  if (TailBlocks > 0) {
    if (Tail || FullWaves == 0)
      Result.push_back({{std::ceil(TailBlocks / Gpu.SmCount), AllBlocks},
                        1,
                        Tail,
                        0,
                        0,
                        Idle,
                        TailBlocks});
    else
      Result.push_back(
          {Full, TailBlocks / PerWave, false, 0, 0, Idle, PerWave});
  }
  double WarpsPerBlock = llvm::divideCeil(L.threadsPerBlock(), Gpu.WarpSize);
  double Turnaround = Without.contains(Term::Dispatch)
                          ? 0
                          : Gpu.BlockStart.value() +
                                Gpu.BlockStartPerWarp.value() * WarpsPerBlock;
  for (Wave &W : Result) {
    // The launch itself starts the blocks of the first wave.
    double Starts = W.Count - (&W == &Result.front());
    W.TurnaroundCycles = Starts * Turnaround;
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
    Stations.push_back({boundCycles(R, {1, AllBlocks}), W.ChipBlocks});
  double ThinkTime = std::max(0.0, Latency / W.Count - BlockBusy);
  return std::max(Larger, W.Count * cycleTime(ThinkTime, Stations));
}

double LaunchCycles::levelCycles(Resource Level, double IdleLatency,
                                 double SmCycles) const {
  double AllBlocks = L.blocks();
  double Demand = boundCycles(Level, {AllBlocks, AllBlocks});
  if (Demand <= 0)
    return 0;
  // The transfer takes Demand cycles once the first data has arrived.
  return std::max(knee(SmCycles, Demand, Gpu.MemoryKnee), Demand + IdleLatency);
}

double LaunchCycles::total(const MemoryLatencies &Idle, WarpTime Time) const {
  double AllBlocks = L.blocks(), SmCycles = 0, QueueCycles = 0;
  for (const Wave &W : waves(Idle)) {
    double Latency = latencyCycles(W, Time);
    SmCycles += insideCycles(W, Latency);
    // Blocks also queue for the chip. Its bandwidth does not stop where one
    // wave ends, so all blocks pass at the rate of the first.
    if (QueueCycles <= 0)
      QueueCycles = insideCycles(W, Latency,
                                 {Resource::L2Bandwidth, Resource::L3Bandwidth,
                                  Resource::DramBandwidth}) *
                    AllBlocks / (W.ChipBlocks * W.Count);
  }
  return std::max(
      {SmCycles, QueueCycles,
       largestBound(BoundScope::Chip, {AllBlocks, AllBlocks}),
       levelCycles(Resource::L2Bandwidth, Idle[MemoryLevel::L2], SmCycles),
       levelCycles(Resource::L3Bandwidth, Idle[MemoryLevel::L3], SmCycles),
       levelCycles(Resource::DramBandwidth, Idle[MemoryLevel::Dram],
                   SmCycles)});
}

} // namespace gpuestimate
