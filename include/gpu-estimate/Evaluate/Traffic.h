/// \file
/// From requests to bytes at each level of the memory hierarchy: the one
/// function behind which hit fractions are computed.
#ifndef GPU_ESTIMATE_EVALUATE_TRAFFIC_H
#define GPU_ESTIMATE_EVALUATE_TRAFFIC_H

#include "gpu-estimate/Evaluate/Evaluate.h"
#include "gpu-estimate/Evaluate/Sampling.h"

namespace gpuestimate {

/// Of one access, over the launch. Global, texture and local space only; the
/// other spaces stay 0.
struct AccessTraffic {
  double L1Hit = 0; ///< fraction of its sectors served by L1
  double L2Hit =
      0; ///< fraction of the sectors that reach L2 and are served there
  double L3Hit = 0; ///< fraction of what L2 misses that a third level serves
  double L2Bytes = 0;
  double DramReadBytes = 0, DramWriteBytes = 0;
};

struct Traffic {
  std::vector<AccessTraffic> Accesses; ///< parallel to KernelModel::Accesses
  double L1Hit = 0, L2Hit = 0;         ///< sector-weighted over all accesses
  double L2ReadBytes = 0, L2WriteBytes = 0;
  double L3Bytes = 0; ///< that pass the third level, where there is one
  double DramReadBytes = 0, DramWriteBytes = 0;
};

/// Bytes of L1 beside the shared memory of the resident blocks: the smallest
/// carve-out that holds it is taken, as the driver does by default.
double l1Capacity(const GpuModel &Gpu, double SharedPerBlock,
                  double BlocksPerSm);

/// Layer conditions: for each level of the loop nest, the block, the blocks of
/// a multiprocessor, and the wave, the footprint (distinct sectors of the
/// affine addresses) is compared with the capacity that is left to it; the
/// widest level that fits captures its reuse. See docs/models/traffic.md.
Traffic estimateTraffic(const KernelModel &Kernel, const GpuModel &Gpu,
                        const Launch &L, const Bindings &All,
                        const LaunchSample &Sample, unsigned BlocksPerSm,
                        const EvaluateOptions &Options);

} // namespace gpuestimate

#endif
