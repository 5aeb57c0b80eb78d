/// \file
/// The cycles of all waves of a launch, from the time of one warp and the
/// resource demand of the launch: the second half of LatencyBandwidth.h.
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCH_LAUNCHCYCLES_H
#define GPU_ESTIMATE_EVALUATE_LAUNCH_LAUNCHCYCLES_H

#include "gpu-estimate/Evaluate/Launch/BlockPhases.h"
#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// Which blocks of its phase a wave lasts as long as.
enum class WaitsFor : uint8_t {
  Mean,     ///< the next wave starts where blocks end
  LastWave, ///< the slowest of the blocks that end the launch
  Slowest,  ///< the slowest of all
};

/// Everything that the default model's time of a launch is computed from, but
/// for the sizes of grid and block.
struct LaunchDemand {
  Workload Work;
  /// A phase of the launch (BlockPhases.h).
  struct Phase {
    PhaseExtent Extent;
    /// T1 at idle latencies, in cycles: mean over the blocks, the slowest, and
    /// the slowest of the last wave of the launch.
    double MeanWarp = 0, SlowestWarp = 0, LastWarp = 0;

    double warp(WaitsFor Which) const {
      return Which == WaitsFor::Mean       ? MeanWarp
             : Which == WaitsFor::LastWave ? LastWarp
                                           : SlowestWarp;
    }
  };
  std::vector<Phase> Phases; ///< in launch order, at least one
  /// That the first wave of a launch with cold caches takes longer.
  double ColdCycles = 0;
};

/// Latencies of an idle GPU, where a level that is switched off answers as fast
/// as the level above it.
MemoryLatencies idleLatencies(const GpuModel &Gpu, TermSet Without);

/// The demand that is left when terms are switched off that are part of a
/// bound and not all of it.
Workload demandWithout(Workload Work, TermSet Without);

/// Thread blocks of a phase that run together on each multiprocessor, Count
/// times in a row.
struct Wave {
  unsigned Phase = 0;
  BlockGroup Group;
  double Count = 1;
  WaitsFor Which = WaitsFor::Mean;
  double TurnaroundCycles =
      0;                 ///< between the end of a block and the next start
  double BusyCycles = 0; ///< the multiprocessor's largest throughput bound
  MemoryLatencies Lat;
  double ChipBlocks = 0; ///< blocks on all multiprocessors together
};

/// Times of a launch, in cycles. The arguments stay owned by the caller, but
/// for Work, of which a copy is made.
class LaunchCycles {
public:
  LaunchCycles(const GpuModel &Gpu, const Launch &L, const Occupancy &Occ,
               const Workload &Work, llvm::ArrayRef<PhaseExtent> Phases,
               TermSet Without)
      : Gpu(Gpu), L(L), Occ(Occ), Work(demandWithout(Work, Without)),
        Phases(Phases), Without(Without) {}

  /// T1 of the wave's phase at the latencies of the wave, of Wave::Which.
  using WarpTime = llvm::function_ref<double(const Wave &)>;

  /// Blocks of the wave that ends the launch.
  double lastWaveBlocks() const;
  /// The waves of all phases, in launch order.
  std::vector<Wave> waves(const MemoryLatencies &Idle) const;
  double latencyCycles(const Wave &W, WarpTime Time) const {
    return W.Count * Time(W) + W.TurnaroundCycles;
  }
  /// The larger of the wave's latency and bounds; longer where its blocks wait
  /// at barriers and queue for the multiprocessor and these resources of the
  /// chip (BarrierQueueingModel.h).
  double insideCycles(const Wave &W, double Latency,
                      llvm::ArrayRef<Resource> ChipResources = {}) const;
  /// Minimum time with the traffic that the blocks of G have at a memory level,
  /// and its idle latency, if the multiprocessors take SmCycles for everything
  /// else; 0 without traffic.
  double levelCycles(Resource Level, const BlockGroup &G, double IdleLatency,
                     double SmCycles) const;
  /// All blocks of the launch.
  BlockGroup everything() const {
    double AllBlocks = L.blocks();
    return {AllBlocks, AllBlocks};
  }
  /// 0 where the term of the resource is switched off.
  double boundCycles(Resource R, const BlockGroup &G) const;
  double largestBound(BoundScope Scope, const BlockGroup &G) const;
  /// Cycles of the whole launch: the sum over its phases, or until the end of
  /// the slowest block of one of them, as far as the phases do not run
  /// together: where one passes into the next, a wave of blocks is a mixture of
  /// both. A phase is the end of the bandwidth loops in closed form. The loops
  /// raise latencies until the time is what a level's traffic demands, so they
  /// reach the larger of the two.
  double total(const MemoryLatencies &Idle, WarpTime Time) const;
  /// Lower limits of the whole launch, each alone: the bound table, and
  /// "latency", the waves without anything else. Time: as for total().
  void forEachLimit(
      const MemoryLatencies &Idle, WarpTime Time,
      llvm::function_ref<void(llvm::StringRef Name, double Cycles)> Take) const;

private:
  double blocksAtOnce() const { return double(Occ.BlocksPerSm) * Gpu.SmCount; }
  double blocksOfPhase(unsigned Phase) const;
  /// The waves of one phase. IsLast: the launch ends with it.
  void addWaves(std::vector<Wave> &Into, unsigned Phase, bool IsLast,
                const MemoryLatencies &Idle) const;
  /// Cycles of the phase with these waves.
  double phaseCycles(llvm::ArrayRef<Wave> Waves, const MemoryLatencies &Idle,
                     WarpTime Time) const;
  /// Cycles if phases follow each other without overlap.
  double sequentialCycles(const MemoryLatencies &Idle, WarpTime Time) const;
  /// Cycles if the blocks of all phases are mixed.
  double mixedCycles(const MemoryLatencies &Idle, WarpTime Time) const;

  const GpuModel &Gpu;
  const Launch &L;
  const Occupancy &Occ;
  const Workload Work;
  llvm::ArrayRef<PhaseExtent> Phases;
  TermSet Without;
};

} // namespace gpuestimate

#endif
