/// \file
/// From requests to bytes at each level of the memory hierarchy: the one
/// function behind which hit fractions are computed.
#ifndef GPU_ESTIMATE_EVALUATE_CACHE_TRAFFIC_H
#define GPU_ESTIMATE_EVALUATE_CACHE_TRAFFIC_H

#include "gpu-estimate/Evaluate/Access/GranuleCounts.h"
#include "gpu-estimate/Evaluate/Cache/PrivateWalks.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Evaluate/Sampling/SamplingShapes.h"
#include "gpu-estimate/Model/Result/EvaluateOptions.h"

namespace gpuestimate {

/// Of one access, over the launch. Global, texture and local space only; the
/// other spaces stay 0.
struct AccessTraffic {
  double L1Hit = 0; ///< fraction of its sectors served by L1
  double L2Hit =
      0; ///< fraction of the sectors that reach L2 and are served there
  /// Fraction of the sectors that reach L2 and wait for what is beyond it:
  /// those that it misses, and those that it is fetching just then for another
  /// multiprocessor, which asked for the same in the same step.
  double L2Wait = 1;
  double L3Hit = 0; ///< fraction of what L2 misses that a third level serves
  double L2Bytes = 0;
  double DramReadBytes = 0, DramWriteBytes = 0;
  /// Lanes that walk through sectors of their own, iteration by iteration: how
  /// many different iterations of a sector they enter new ones in. 0: else.
  double Walks = 0;
};

struct Traffic {
  std::vector<AccessTraffic> Accesses; ///< parallel to KernelModel::Accesses
  double L1Hit = 0, L2Hit = 0;         ///< sector-weighted over all accesses
  double L2ReadBytes = 0, L2WriteBytes = 0;
  double L3Bytes = 0; ///< that pass the third level, where there is one
  double DramReadBytes = 0, DramWriteBytes = 0;
};

/// A cache keeps all of a working set of up to Full of its capacity that is
/// swept again and again, and nothing of one beyond Gone.
struct CacheCurve {
  double Full = 1, Gone = 1;
};

/// The default is read off published curves of bandwidth against working set
/// (docs/models/traffic.md): gpu-benches by te42kyfo (gpu-cache on V100, A100,
/// H100, A40, L40; gpu-l2-cache on A100, H100, H200, L40) and
/// gpu-performance-engineering by S. Kuckuk (stream on A100, A40, H100). The
/// missing share is the ratio of the bandwidth far beyond the capacity to the
/// bandwidth at the size. Another one is for a cache that is known better, as a
/// simulated one is.
struct CacheCurves {
  CacheCurve L1 = {0.9, 1.7};
  CacheCurve L2 = {0.95, 1.4};
  /// A multiprocessor goes through its own partition of L2, so that data used
  /// from both sides are held in both: partitions begin to lose at their share
  /// of the whole, also where every sector has one reader (each launch another
  /// one).
  CacheCurve L2Partitioned = {0.95, 1.22};
};

/// Bytes of L1 beside the shared memory of the resident blocks: the smallest
/// carve-out that holds it is taken, as the driver does by default.
double l1Capacity(const GpuModel &Gpu, double SharedPerBlock,
                  double BlocksPerSm);

/// Intermediate results that the launches of one kernel, and changed copies of
/// it, can share on one GPU. The traffic is the same without them.
struct TrafficCaches {
  explicit TrafficCaches(const GpuModel &Gpu) : Requests(Gpu) {}

  RequestShapes Requests;
  GranuleCounts Granules;
  PrivateWalks Walks;
};

/// Layer conditions: for each level of the loop nest, the block, the blocks of
/// a multiprocessor, and the wave, the footprint (distinct sectors of the
/// affine addresses) is compared with the capacity that is left to it; the
/// widest level that fits captures its reuse. See docs/models/traffic.md.
Traffic estimateTraffic(const KernelModel &Kernel, const GpuModel &Gpu,
                        const Launch &L, const Bindings &All,
                        const LaunchSample &Sample, unsigned BlocksPerSm,
                        const EvaluateOptions &Options,
                        const CacheCurves &Curves = {});
/// The same of a kernel that is bound already, to All and L. Shared, if given,
/// grows.
Traffic estimateTraffic(BoundKernel &Bound, const GpuModel &Gpu,
                        const Launch &L, const Bindings &All,
                        const LaunchSample &Sample, unsigned BlocksPerSm,
                        const EvaluateOptions &Options,
                        const CacheCurves &Curves = {},
                        TrafficCaches *Shared = nullptr);

} // namespace gpuestimate

#endif
