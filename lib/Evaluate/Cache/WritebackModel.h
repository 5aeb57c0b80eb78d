/// \file
/// Dirty data that a cache writes back before the launch ends.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_WRITEBACKMODEL_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_WRITEBACKMODEL_H

#include "ReuseModel.h"

namespace gpuestimate {

class WaveProgress;

/// Evictions of stored data: stores that are followed, in the rest of their
/// wave and in later waves, by more bytes than the cache holds.
class WritebackModel {
public:
  WritebackModel(const FootprintModel &Footprints,
                 const WorkingSetModel &WorkingSets,
                 const KernelSections &Sections, const ReuseModel &Reuse)
      : Footprints(Footprints), WorkingSets(WorkingSets), Sections(Sections),
        Reuse(Reuse) {}

  /// Fraction of the bytes that a group stores which leave the cache before the
  /// launch ends.
  double evictedFraction(unsigned Group) const;

private:
  WaveProgress waveProgress(unsigned Group) const;
  double evictedWith(const WaveProgress &Progress, double CapacityBytes) const;

  const FootprintModel &Footprints;
  const WorkingSetModel &WorkingSets;
  const KernelSections &Sections;
  const ReuseModel &Reuse;
};

} // namespace gpuestimate

#endif
