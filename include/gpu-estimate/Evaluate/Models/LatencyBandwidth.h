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
/// The launch is the sum over its phases (BlockPhases.h), each by these
/// formulas. T1 is the mean over the phase's sampled thread blocks of the
/// slowest warp's time (maximum for the last wave) at unloaded latencies. The
/// paper raises the latencies level by level (L1 and shared, passes of
/// uncoalesced requests, L2, DRAM) until each level's bandwidth carries its
/// traffic (BandwidthRefinement.h); the time that these loops reach is the
/// maximum above, the latencies that they end with are loadedLatencies(). The
/// bounds are those of Bounds.h.
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
#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Evaluate/Warp/Timing.h"
#include <map>

namespace gpuestimate {

/// What the bandwidth loops of figures 4 and 5 of the paper end with
/// (BandwidthRefinement.h).
struct LoadedLatencies {
  MemoryLatencies FirstWave;
  /// Rounds of the loops, summed over the waves where each has its own.
  PerMemoryLevel<unsigned> Iterations;
  /// The loop ended where the bandwidth carries the traffic. False where no
  /// latency shows it: a kernel that only stores takes the time of its bytes.
  PerMemoryLevel<bool> Converged;
  /// The waves at these latencies, at least the time that each level needs for
  /// its traffic: the fixed point, which LaunchCycles::total() has in closed
  /// form.
  double Cycles = 0;
};

class LatencyBandwidthModel {
public:
  /// The arguments stay owned by the caller. Schedule: scheduleBlocks(Kernel).
  LatencyBandwidthModel(const KernelModel &Kernel, const GpuModel &Gpu,
                        const Launch &L, const Occupancy &Occ,
                        const LaunchSample &Sample, const OperationCosts &Costs,
                        const std::vector<BlockSchedule> &Schedule,
                        const Workload &Work);
  explicit LatencyBandwidthModel(const ModelInputs &In)
      : LatencyBandwidthModel(In.Kernel, In.Gpu, In.L, In.Occ, In.Sample,
                              In.Costs, In.Schedule, In.Work) {}

  LaunchDemand demand(TermSet Without);
  /// Cycles of the whole launch (LaunchCycles.h).
  double cycles(TermSet Without);
  LoadedLatencies loadedLatencies(TermSet Without);

  /// Lower limits of the whole launch, each alone, in cycles: the bound table
  /// plus "latency".
  std::vector<Bound> bounds(TermSet Without);

  /// Cost per operation for line shares: cycles of one warp's issue, plus its
  /// stalls divided by the warps that can fill them.
  const std::vector<double> &operationCycles();
  const OperationCosts &costs() const { return Costs; }

private:
  /// T1 of a phase.
  double warpTime(unsigned Phase, const MemoryLatencies &Lat, TermSet Without,
                  WaitsFor Which) {
    return warpTime(Phase, conditions(Lat, Without), Which);
  }
  /// Those of Costs, in which the warps of a block wait for each other in
  /// compare-and-swap loops.
  WarpConditions conditions(const MemoryLatencies &Lat, TermSet Without) const;
  double warpTime(unsigned Phase, const WarpConditions &Conditions,
                  WaitsFor Which);
  /// Cycles that the first wave takes longer because its code and translations
  /// are in no cache.
  double coldCycles(TermSet Without);
  LaunchCycles launchCycles(TermSet Without) const {
    return {Gpu, L, Occ, Work, Extents, Without};
  }
  /// Cycles of each distinct path. Most terms leave most latencies unchanged,
  /// so the times are cached by the conditions of the walk.
  const std::vector<double> &pathTimes(const WarpConditions &Conditions);
  const WarpPath *heaviestPath() const;

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const Occupancy &Occ;
  const LaunchSample &Sample;
  const OperationCosts &Costs;
  const Workload &Work;
  WarpTimer Timer;
  /// Distinct paths, and for each sampled block the distinct paths it has.
  std::vector<unsigned> Distinct;
  struct BlockPaths {
    double Weight = 0;
    std::vector<unsigned> Paths; ///< indices into Distinct
    double UntilEnd = 0;         ///< as in BlockPhase
  };
  std::vector<std::vector<BlockPaths>> Phases; ///< [phase] its sampled blocks
  std::vector<PhaseExtent> Extents;            ///< [phase]
  double LastWaveBlocks = 0;
  std::map<WarpConditions, std::vector<double>> PathTimeCache;
  std::vector<double> OperationCycles; ///< empty until first asked for
};

/// Adds the terms one by one, in the order of the term table, to an otherwise
/// ideal machine. Time: of the launch without the terms of a set. Take gets for
/// each term that is not in Without what it adds. Returns the sum.
double
addTermsOneByOne(TermSet Without, llvm::function_ref<double(TermSet)> Time,
                 llvm::function_ref<void(const TermInfo &, double)> Take);

/// What bounds the time: `launch` where it takes longer than the execution,
/// `tail` or `wait` where that is more than half of the time, else the largest
/// of the limits of LaunchCycles::forEachLimit(). Share: part of the time that
/// a term takes.
llvm::StringRef bottleneckOf(llvm::StringRef LargestLimit, Seconds Launch,
                             Seconds Execution,
                             llvm::function_ref<double(Term)> Share);

/// Times, breakdown, bounds, divergence and latencies, as far as
/// In.Options asks for them. Refuses nothing.
llvm::Error fillLatencyBandwidth(Prediction &P, const ModelInputs &In);

} // namespace gpuestimate

#endif
