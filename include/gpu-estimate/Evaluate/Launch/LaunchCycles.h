/// \file
/// The default model's second half (LatencyBandwidth.h): from the time of one
/// warp and the demand of the launch to the cycles of all waves.
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCH_LAUNCHCYCLES_H
#define GPU_ESTIMATE_EVALUATE_LAUNCH_LAUNCHCYCLES_H

#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace gpuestimate {

/// What the default model makes a launch's time of, beside its sizes.
struct LaunchDemand {
  Workload Work;
  /// T1 at idle latencies, in cycles: mean over the blocks, and the slowest.
  double MeanWarp = 0, SlowestWarp = 0;
};

/// Idle latencies without some terms.
MemoryLatencies idleLatencies(const GpuModel &Gpu,
                              const llvm::StringSet<> &Without);

/// Blocks that run together on each multiprocessor, Count times in a row.
struct Wave {
  BlockGroup Group;
  double Count = 1;
  bool WaitsForSlowest = false;
  double Turnarounds = 0; ///< cycles between its blocks and those before
  double Busy = 0;        ///< cycles of the multiprocessor's largest bound
  MemoryLatencies Lat;
  double OfChip = 0; ///< blocks of all multiprocessors together
};

/// What is given stays owned by the caller. Without: terms that are switched
/// off. All times are in cycles.
class LaunchCycles {
public:
  LaunchCycles(const GpuModel &Gpu, const Launch &L, const Occupancy &Occ,
               const Workload &Work, const llvm::StringSet<> &Without)
      : Gpu(Gpu), L(L), Occ(Occ), Work(Work), Without(Without) {}

  /// T1 at the latencies of a wave: of its slowest warps where it waits for
  /// them.
  using WarpTime = llvm::function_ref<double(const Wave &)>;

  std::vector<Wave> waves(const MemoryLatencies &Idle) const;
  double latencyCycles(const Wave &W, WarpTime Time) const {
    return W.Count * Time(W) + W.Turnarounds;
  }
  /// The larger of the wave's latency and bounds; longer where its blocks wait
  /// at barriers and take turns at the multiprocessor and these chip bounds
  /// (BlockTurns.h).
  double insideCycles(const Wave &W, double Latency,
                      llvm::ArrayRef<llvm::StringRef> ChipBounds = {}) const;
  /// Least time with this level's traffic and latency where the multiprocessors
  /// take Inside for all else; 0 without traffic.
  double levelCycles(llvm::StringRef Bound, double Idle, double Inside) const;
  double boundCycles(llvm::StringRef Name, const BlockGroup &G) const;
  double largestBound(BoundScope Scope, const BlockGroup &G) const;
  /// Of the whole launch: where the bandwidth loops end, in closed form. They
  /// raise latencies until the time is what a level's traffic demands, so the
  /// time that they reach is the larger of the two.
  double all(const MemoryLatencies &Idle, WarpTime Time) const;

private:
  const GpuModel &Gpu;
  const Launch &L;
  const Occupancy &Occ;
  const Workload &Work;
  const llvm::StringSet<> &Without;
};

} // namespace gpuestimate

#endif
