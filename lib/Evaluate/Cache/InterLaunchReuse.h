/// \file
/// Reuse between consecutive launches of one kernel.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_INTERLAUNCHREUSE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_INTERLAUNCHREUSE_H

#include "BlockReuse.h"

namespace gpuestimate {

/// Bytes that a launch misses although an equal launch ran before it (warm
/// caches).
class InterLaunchReuse {
public:
  InterLaunchReuse(const FootprintModel &Footprints,
                   const WorkingSetModel &WorkingSets,
                   const KernelSections &Sections, const ReuseModel &Reuse,
                   const IndirectReuse &Indirect)
      : Footprints(Footprints), WorkingSets(WorkingSets), Sections(Sections),
        Reuse(Reuse), Indirect(Indirect) {}

  /// Bytes that are fetched. ColdMissBytes: bytes that the launch would fetch
  /// into an empty cache; RequestedBytes: bytes that reach the cache.
  double missBytes(unsigned Group, double ColdMissBytes,
                   double RequestedBytes) const;
  /// Bytes that are written back, of ColdMissBytes stored ones.
  double writebackBytes(unsigned Group, double ColdMissBytes,
                        double RequestedBytes) const;

private:
  /// The smallest window of blocks that touches all bytes of a group.
  double sweepBlocks(unsigned Group) const;
  /// Fraction of a group's distinct bytes that are present when the next launch
  /// uses them. Dirty: and have been present ever since they were stored,
  /// although a later section of the kernel reads them.
  double hitFraction(unsigned Group, double RequestedBytes, bool Dirty) const;

  const FootprintModel &Footprints;
  const WorkingSetModel &WorkingSets;
  const KernelSections &Sections;
  const ReuseModel &Reuse;
  const IndirectReuse &Indirect;
  mutable llvm::DenseMap<unsigned, double> SweepMemo; ///< [CostClass]
};

} // namespace gpuestimate

#endif
