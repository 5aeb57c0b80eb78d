/// \file
/// The default model, `latency-bandwidth`: Kleimenov & Popova 2021, extended.
///
///   execution = max( S, knee(S0, demand), demand + latency, chip bounds )
///   S         = sum over waves of t(wave)
///   t(wave)   = max( T1 + block turnaround,
///                    bounds of one multiprocessor for the wave's blocks )
///   knee(a,b) = (a^p + b^p)^(1/p), p = GpuModel::MemoryKnee; S0 is the
///               sum over waves of T1 + turnaround, demand what L2 or DRAM
///               needs for its traffic
///
/// T1 is the mean over the sampled blocks of the slowest warp's time (maximum
/// for the last wave) at unloaded latencies; as long as the sampling does not
/// number its blocks (WarpPath::SampledBlock), all are one, and T1 is the time
/// of the slowest warp sampled. The paper raises the latencies
/// level by level (L1 and shared, passes of uncoalesced requests, L2, DRAM)
/// until each level's bandwidth carries its traffic (Refine.h); the time that
/// these loops reach is the maximum above, the latencies that they end with
/// are loadedLatencies(). The bounds are those of Bounds.h.
///
/// Differences from the paper, each because hardware since then works so:
/// - Blocks are refilled one by one, so the bounds of the chip count bytes of
///   the launch, not of whole waves.
/// - Pipes are separate (fp32, int, fp64, ...): the largest one binds instead
///   of the sum of all issue delays; issue slots are a bound of their own.
/// - Caches are sectored: uncoalesced accesses cost the sectors they touch and
///   their passes through the load/store unit, not a fixed `latUncoal`.
/// - Traffic that nothing waits for (stores) bounds the time as well.
/// - A memory level slows down before it is saturated (knee), and a place on a
///   multiprocessor is empty between two blocks (turnaround); both are measured
///   by bandwidth against occupancy (te42kyfo/gpu-benches, gpu-stream).
#ifndef GPU_ESTIMATE_EVALUATE_MODELS_LATENCYBANDWIDTH_H
#define GPU_ESTIMATE_EVALUATE_MODELS_LATENCYBANDWIDTH_H

#include "gpu-estimate/Evaluate/Launch/LaunchCycles.h"
#include "gpu-estimate/Evaluate/Warp/Timing.h"
#include <map>

namespace gpuestimate {

/// Parts of the model that can be switched off (`--without`); also the order
/// in which the breakdown adds them.
struct TermInfo {
  llvm::StringRef Name, Meaning;
};
llvm::ArrayRef<TermInfo> termTable();

class LatencyBandwidthModel {
public:
  /// Schedule: scheduleBlocks(Kernel).
  LatencyBandwidthModel(const KernelModel &Kernel, const GpuModel &Gpu,
                        const Launch &L, const Bindings &All,
                        const Occupancy &Occ, const LaunchSample &Sample,
                        const Traffic &Flow,
                        const std::vector<BlockSchedule> &Schedule);

  const Workload &workload() const { return Work; }
  const std::vector<BlockSchedule> &schedule() const { return Schedule; }

  LaunchDemand demand(const llvm::StringSet<> &Without);
  /// Of the whole launch (LaunchCycles.h).
  double cycles(const llvm::StringSet<> &Without);
  /// Latencies of the first wave after the bandwidth loops (Refine.h).
  MemoryLatencies loadedLatencies(const llvm::StringSet<> &Without);

  /// Lower limits of the whole launch, each alone, in cycles: the bound table
  /// plus "latency".
  std::vector<Bound> bounds(const llvm::StringSet<> &Without);

  /// Cost per operation for line shares: cycles of one warp's issue, plus its
  /// stalls divided by the warps that can fill them.
  const std::vector<double> &operationCycles();
  /// Cycles of one execution of each block on the longest sampled path, at the
  /// unloaded latencies with this many cycles added to those of global and
  /// shared memory: what the printed formula is made of.
  struct Steady {
    std::vector<double> BlockCycles;
  };
  Steady blockCycles(double ExtraGlobal, double ExtraShared);
  /// Mean unloaded latency of the launch's global loads, by the levels that
  /// they hit.
  double globalLatency();
  const OperationCosts &costs() const { return Costs; }

private:
  /// Applies the switched-off terms to costs and timer; gives the latencies.
  MemoryLatencies prepare(const llvm::StringSet<> &Without);
  double warpTime(const MemoryLatencies &Lat, bool Slowest);
  /// Cycles of each distinct path. Most terms leave most latencies as they are,
  /// so walks that have been made are remembered.
  const std::vector<double> &pathTimes(const MemoryLatencies &Lat);
  const WarpPath *heaviestPath() const;

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  Occupancy Occ;
  const LaunchSample &Sample;
  unsigned WarpsPerBlock;
  OperationCosts Costs;
  const std::vector<BlockSchedule> &Schedule;
  Workload Work;
  std::unique_ptr<WarpTimer> Timer;
  /// Distinct paths, and for each sampled block the distinct paths it has.
  std::vector<unsigned> Distinct;
  struct SampledBlock {
    double Weight = 0;
    std::vector<unsigned> Paths; ///< indices into Distinct
  };
  std::vector<SampledBlock> Blocks;
  /// What the terms leave of dependency latencies, register reads, barriers,
  /// data stages of shared memory and L1.
  std::array<bool, 5> Switches = {true, true, true, true, true};
  /// By the switches and the latency of each access.
  std::map<std::pair<std::array<bool, 5>, std::vector<double>>,
           std::vector<double>>
      Walked;
  std::vector<double> OperationCycles; ///< once they are known
};

} // namespace gpuestimate

#endif
