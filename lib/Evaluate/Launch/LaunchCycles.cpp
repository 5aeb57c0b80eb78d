#include "gpu-estimate/Evaluate/Launch/LaunchCycles.h"

#include "BlockTurns.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

MemoryLatencies idleLatencies(const GpuModel &Gpu,
                              const llvm::StringSet<> &Without) {
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
    if (B.Scope == Scope && !Without.contains(B.Term))
      Largest = std::max(Largest, B.Cycles(Work, Gpu, G));
  return Largest;
}

double LaunchCycles::boundCycles(llvm::StringRef Name,
                                 const BlockGroup &G) const {
  for (const BoundInfo &B : boundTable())
    if (B.Name == Name && !Without.contains(B.Term))
      return B.Cycles(Work, Gpu, G);
  return 0;
}

std::vector<Wave> LaunchCycles::waves(const MemoryLatencies &Idle) const {
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
  double WarpsPerBlock = llvm::divideCeil(L.threadsPerBlock(), Gpu.WarpSize);
  double Turnaround = Without.contains("dispatch")
                          ? 0
                          : Gpu.BlockStart.value() +
                                Gpu.BlockStartPerWarp.value() * WarpsPerBlock;
  for (Wave &W : Result) {
    // The launch itself starts the blocks of the first wave.
    double Starts = W.Count - (&W == &Result.front());
    W.Turnarounds = Starts * Turnaround;
    W.Busy = W.Count * largestBound(BoundScope::Multiprocessor, W.Group);
  }
  return Result;
}

double
LaunchCycles::insideCycles(const Wave &W, double Latency,
                           llvm::ArrayRef<llvm::StringRef> ChipBounds) const {
  double Larger = std::max(Latency, W.Busy);
  if (Work.Count.Barriers <= 0 || Without.contains("barrier"))
    return Larger;
  double All = L.blocks(), OfSm = std::max(1.0, W.Group.Blocks);
  double Busy = W.Busy / W.Count / OfSm;
  llvm::SmallVector<Station, 4> Stations = {{Busy, OfSm}};
  for (llvm::StringRef Name : ChipBounds)
    Stations.push_back({boundCycles(Name, {1, All}), W.OfChip});
  double Think = std::max(0.0, Latency / W.Count - Busy);
  return std::max(Larger, W.Count * turnsPeriod(Think, Stations));
}

double LaunchCycles::levelCycles(llvm::StringRef Bound, double Idle,
                                 double Inside) const {
  double All = L.blocks();
  double Demand = boundCycles(Bound, {All, All});
  if (Demand <= 0)
    return 0;
  // Bandwidth flows only after the first data has come.
  return std::max(knee(Inside, Demand, Gpu.MemoryKnee), Demand + Idle);
}

double LaunchCycles::all(const MemoryLatencies &Idle, WarpTime Time) const {
  double All = L.blocks(), Inside = 0, Queued = 0;
  for (const Wave &W : waves(Idle)) {
    double Latency = latencyCycles(W, Time);
    Inside += insideCycles(W, Latency);
    // Blocks also queue for the chip. Its bandwidth does not stop where one
    // wave ends, so all blocks pass at the rate of the first.
    if (Queued <= 0)
      Queued =
          insideCycles(W, Latency,
                       {"l2-bandwidth", "l3-bandwidth", "dram-bandwidth"}) *
          All / (W.OfChip * W.Count);
  }
  return std::max({Inside, Queued, largestBound(BoundScope::Chip, {All, All}),
                   levelCycles("l2-bandwidth", Idle.L2, Inside),
                   levelCycles("l3-bandwidth", Idle.L3, Inside),
                   levelCycles("dram-bandwidth", Idle.Dram, Inside)});
}

} // namespace gpuestimate
