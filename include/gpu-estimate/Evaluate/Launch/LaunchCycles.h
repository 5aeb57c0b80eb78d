/// \file
/// The cycles of all waves of a launch, from the time of one warp and the
/// resource demand of the launch: the second half of LatencyBandwidth.h.
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCH_LAUNCHCYCLES_H
#define GPU_ESTIMATE_EVALUATE_LAUNCH_LAUNCHCYCLES_H

#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// Everything that the default model's time of a launch is computed from, but
/// for the sizes of grid and block.
struct LaunchDemand {
  Workload Work;
  /// T1 at idle latencies, in cycles: mean over the blocks, and the slowest.
  double MeanWarp = 0, SlowestWarp = 0;
};

/// Latencies of an idle GPU, where a level that is switched off answers as fast
/// as the level above it.
MemoryLatencies idleLatencies(const GpuModel &Gpu, TermSet Without);

/// Thread blocks that run together on each multiprocessor, Count times in a
/// row.
struct Wave {
  BlockGroup Group;
  double Count = 1;
  bool WaitsForSlowest = false;
  double TurnaroundCycles =
      0;                 ///< between the end of a block and the next start
  double BusyCycles = 0; ///< the multiprocessor's largest throughput bound
  MemoryLatencies Lat;
  double ChipBlocks = 0; ///< blocks on all multiprocessors together
};

/// Times of a launch, in cycles. The arguments stay owned by the caller.
class LaunchCycles {
public:
  LaunchCycles(const GpuModel &Gpu, const Launch &L, const Occupancy &Occ,
               const Workload &Work, TermSet Without)
      : Gpu(Gpu), L(L), Occ(Occ), Work(Work), Without(Without) {}

  /// T1 at the latencies of a wave, of the slowest warp if
  /// Wave::WaitsForSlowest.
  using WarpTime = llvm::function_ref<double(const Wave &)>;

  std::vector<Wave> waves(const MemoryLatencies &Idle) const;
  double latencyCycles(const Wave &W, WarpTime Time) const {
    return W.Count * Time(W) + W.TurnaroundCycles;
  }
  /// The larger of the wave's latency and bounds; longer where its blocks wait
  /// at barriers and queue for the multiprocessor and these resources of the
  /// chip (BarrierQueueingModel.h).
  double insideCycles(const Wave &W, double Latency,
                      llvm::ArrayRef<Resource> ChipResources = {}) const;
  /// Minimum time with the traffic of a memory level and its idle latency if
  /// the multiprocessors take SmCycles for everything else; 0 without traffic.
  double levelCycles(Resource Level, double IdleLatency, double SmCycles) const;
  /// 0 where the term of the resource is switched off.
  double boundCycles(Resource R, const BlockGroup &G) const;
  double largestBound(BoundScope Scope, const BlockGroup &G) const;
  /// Cycles of the whole launch: the end of the bandwidth loops in closed form.
  /// The loops raise latencies until the time is what a level's traffic
  /// demands, so they reach the larger of the two.
  double total(const MemoryLatencies &Idle, WarpTime Time) const;

private:
  const GpuModel &Gpu;
  const Launch &L;
  const Occupancy &Occ;
  const Workload &Work;
  TermSet Without;
};

} // namespace gpuestimate

#endif
