/// \file
/// Reuse between reference groups of one object.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_OBJECTREUSE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_OBJECTREUSE_H

#include "ReuseModel.h"

namespace gpuestimate {

/// Hits of a group in data that another group of the same object has fetched or
/// stored.
class ObjectReuse {
public:
  ObjectReuse(const FootprintModel &Footprints, const ReuseModel &Reuse)
      : Footprints(Footprints), Reuse(Reuse) {}

  /// Takes the hits out of the bytes that the groups fetch, each by itself.
  void subtractHits(std::vector<double> &FetchedBytes) const {
    shareLoads(FetchedBytes);
    forwardStores(FetchedBytes);
  }

private:
  /// Groups that load one object at different places of the kernel share their
  /// fetches: within the resident blocks, all of their common data, if the
  /// working set of these blocks stays; in growing windows of blocks, if the
  /// working set of the smaller window stays, all but the span from the first
  /// byte to the last.
  void shareLoads(std::vector<double> &FetchedBytes) const;
  void shareLoads(llvm::ArrayRef<unsigned> Loads,
                  std::vector<double> &FetchedBytes) const;
  /// Loads hit in data that the same launch has stored, as far as the data that
  /// pass in between fit: the body of the innermost common loop, or of the
  /// kernel.
  void forwardStores(std::vector<double> &FetchedBytes) const;
  /// Bytes that some of the groups touch over the launch, in one cache.
  double distinctBytes(std::vector<unsigned> Groups) const;
  double spanBytes(llvm::ArrayRef<unsigned> Loads, double Blocks) const;

  const FootprintModel &Footprints;
  const ReuseModel &Reuse;
};

} // namespace gpuestimate

#endif
