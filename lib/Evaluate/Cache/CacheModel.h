/// \file
/// The model of one cache level: bytes that it fetches and writes back.
///
/// It is put together from parts, each of which sees those above it:
///   FootprintModel    distinct bytes of one group
///   WorkingSetModel   bytes of all groups: the reuse distances
///   KernelSections    uses of the same data in several sections of the kernel
///   ReuseModel        hit fractions of reuse distances
///   BlockReuse        fetched bytes of one group, by the order of the blocks
///   ObjectReuse       hits in data of other groups
///   InterLaunchReuse  hits in data of the previous launch
///   WritebackModel    dirty data that leave before the launch ends
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_CACHEMODEL_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_CACHEMODEL_H

#include "InterLaunchReuse.h"
#include "ObjectReuse.h"
#include "WritebackModel.h"

namespace gpuestimate {

class CacheModel {
public:
  /// Groups: those that allocate in this cache. Inner: the cache in front of
  /// this one, which has taken some of the hits already; null if there is none.
  /// Counts stays owned by the caller.
  CacheModel(llvm::ArrayRef<const ReferenceGroup *> Groups,
             const CacheView &View, FootprintCache &Counts,
             const CacheModel *Inner = nullptr);
  CacheModel(const CacheModel &) = delete; // parts refer to each other
  CacheModel &operator=(const CacheModel &) = delete;

  const CacheView &view() const { return Footprints.view(); }
  /// Bytes that each group fetches over the launch, given the bytes that its
  /// requests ask for (both parallel to the groups).
  std::vector<double> fetchedBytes(llvm::ArrayRef<double> RequestedBytes) const;

  const FootprintModel &footprints() const { return Footprints; }
  const WorkingSetModel &workingSets() const { return WorkingSets; }
  const ReuseModel &reuse() const { return Reuse; }
  const InterLaunchReuse &interLaunch() const { return InterLaunch; }
  const WritebackModel &writeback() const { return Writeback; }

private:
  double groupFetchBytes(unsigned Group, double RequestedBytes) const;
  /// Writes the strategy for a group to the log, if there is one.
  void logStrategy(unsigned Group, double RequestedBytes) const;
  double computeGroupFetchBytes(unsigned Group, double RequestedBytes) const;

  FootprintModel Footprints;
  WorkingSetModel WorkingSets;
  KernelSections Sections;
  ReuseModel Reuse;
  LockstepReuse Lockstep;
  StaggeredReuse Staggered;
  RandomPlacementReuse RandomPlacement;
  IndirectReuse Indirect;
  ObjectReuse Objects;
  InterLaunchReuse InterLaunch;
  WritebackModel Writeback;
  /// By CostClass and the bits of the requested bytes.
  mutable std::map<std::pair<unsigned, uint64_t>, double> FetchMemo;
};

} // namespace gpuestimate

#endif
