/// \file
/// Bytes at each level of the memory hierarchy, and hit fractions.
#ifndef GPU_ESTIMATE_EVALUATE_CACHE_TRAFFIC_H
#define GPU_ESTIMATE_EVALUATE_CACHE_TRAFFIC_H

#include "gpu-estimate/Evaluate/Access/FootprintCache.h"
#include "gpu-estimate/Evaluate/Cache/LocalMemoryReplayCache.h"
#include "gpu-estimate/Evaluate/Sampling/RequestCostTables.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Model/Result/EvaluateOptions.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Traffic of one access, over the launch. Global, texture and local memory
/// only; accesses to other memory spaces stay 0.
struct AccessTraffic {
  double L1Hit = 0; ///< fraction of the requested sectors that hit L1
  /// Part of L1Hit that waits for L2 all the same: L1 is fetching the sector
  /// just then for another warp, which has requested it in the same iteration
  /// (a hit on a pending miss).
  double L1PendingHit = 0;
  double L2Hit = 0; ///< fraction of the sectors that reach L2 and hit there
  /// Fraction of the sectors that reach L2 and wait for the level below it: L2
  /// misses them, or is fetching them just then for another SM, which has
  /// requested them in the same iteration (a hit on a pending miss).
  double L2MissWaitFraction = 1;
  double L3Hit = 0; ///< fraction of the L2 misses that hit a third level
  double L2Bytes = 0;
  double DramReadBytes = 0, DramWriteBytes = 0;
  double LinkReadBytes = 0, LinkWriteBytes = 0; ///< from and to the host
  /// Lanes that sweep through sectors of their own, iteration by iteration: the
  /// number of iterations of a sector in which some lane enters its next one;
  /// 0 for all other accesses.
  double SectorCrossingPhases = 0;
  /// Fraction of the sectors of such a sweep that L2 has fetched from DRAM
  /// together with the sector before (GpuModel::L2FetchSize), so that a warp
  /// which reaches them later waits for L2 only.
  double NeighbourFetchedFraction = 0;
};

/// Demand of a launch on the levels of memory below L1.
struct MemoryDemand {
  double L2ReadBytes = 0, L2WriteBytes = 0;
  /// Packets that carry them: one for each line of a request.
  double L2ReadPackets = 0, L2WritePackets = 0;
  double L3Bytes = 0; ///< that pass the third level, if there is one
  double DramReadBytes = 0, DramWriteBytes = 0;
  /// Error-correcting code that DRAM moves with these bytes
  /// (GpuModel::InlineEccRead), at the mix of reads and writes that they have.
  double DramCodeBytes = 0;
  /// Time in which DRAM opens rows that requests use too little of, beyond the
  /// time in which it moves their bytes.
  double DramActivationSeconds = 0;
  double LinkReadBytes = 0, LinkWriteBytes = 0; ///< from and to the host
  /// Pages of managed memory that the launch touches first, in bytes.
  double MigratedBytes = 0;
};

struct Traffic : MemoryDemand {
  std::vector<AccessTraffic> Accesses; ///< parallel to KernelModel::Accesses
  double L1Hit = 0, L2Hit = 0;         ///< sector-weighted over all accesses
  std::vector<std::string> Premises;   ///< what a trace of caches stands on
};

/// Hit fraction of a cache as a function of the working set that is swept again
/// and again: 1 up to AllHits of the capacity, 0 from NoHits of the capacity
/// on, linear in between.
struct CacheCurve {
  double AllHits = 1, NoHits = 1;
};

/// Curves of the cache levels. The defaults are read off published curves of
/// bandwidth against working set (docs/models/traffic.md): gpu-benches by
/// te42kyfo (gpu-cache on V100, A100, H100, A40, L40; gpu-l2-cache on A100,
/// H100, H200, L40) and gpu-performance-engineering by S. Kuckuk (stream on
/// A100, A40, H100). The miss fraction is the ratio of the bandwidth far beyond
/// the capacity to the bandwidth at the size. Other curves are for caches that
/// are known better, such as simulated ones.
struct CacheCurves {
  CacheCurve L1 = {0.9, 1.7};
  CacheCurve L2 = {0.95, 1.4};
  /// L2 of several partitions. An SM goes through its own partition, so data
  /// that are used from both sides are in both. Partitions begin to miss at
  /// their share of the capacity, also if every sector has one reader per
  /// launch (the next launch has another one).
  CacheCurve L2Partitioned = {0.95, 1.22};
};

/// Bytes of the array that L1 keeps beside the shared memory of the resident
/// blocks. The smallest carve-out that holds it is taken, as the driver does by
/// default.
double l1Capacity(const GpuModel &Gpu, double SharedPerBlock,
                  double BlocksPerSm);

/// Memo tables that the launches of one kernel, and changed copies of it, share
/// on one GPU. The traffic does not depend on them.
struct TrafficMemo {
  explicit TrafficMemo(const GpuModel &Gpu) : Requests(Gpu) {}

  RequestCostTables Requests;
  FootprintCache SectorIndices;
  LocalMemoryReplayCache Replays;
};

/// Traffic of a launch. L1, L2 and L3 are cache models
/// (lib/Evaluate/Cache/CacheModel.h), local memory that misses L1 is replayed
/// (lib/Evaluate/Cache/LocalMemoryReplay.h). See docs/models/traffic.md.
Traffic estimateTraffic(const KernelModel &Kernel, const GpuModel &Gpu,
                        const Launch &L, const Bindings &All,
                        const LaunchSample &Sample, unsigned BlocksPerSm,
                        const EvaluateOptions &Options,
                        const CacheCurves &Curves = {});
/// Traffic of a kernel that is bound to All and L already. Shared, if given,
/// grows. Decisions, if given, gets a line for each choice of the model
/// (lib/Evaluate/Cache/DecisionLog.h).
Traffic estimateTraffic(LaneState &State, const GpuModel &Gpu, const Launch &L,
                        const Bindings &All, const LaunchSample &Sample,
                        unsigned BlocksPerSm, const EvaluateOptions &Options,
                        const CacheCurves &Curves = {},
                        TrafficMemo *Shared = nullptr,
                        llvm::raw_ostream *Decisions = nullptr);

} // namespace gpuestimate

#endif
