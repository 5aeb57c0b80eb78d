/// \file
/// Reference groups: accesses to one object with equal strides, which share
/// their footprint.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_REFERENCEGROUP_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_REFERENCEGROUP_H

#include "AccessPattern.h"
#include "TracedReuse.h"
#include <climits>
#include <map>
#include <optional>
#include <string>

namespace gpuestimate {

/// Accesses to one object with the same role, loops and strides, which differ
/// by constant offsets only (the neighbours of a stencil, the fields of a
/// structure). LLVM's loop cache analysis calls this a reference group, too.
struct ReferenceGroup {
  AccessPattern Pattern;         ///< of the widest member
  std::vector<unsigned> Members; ///< access indices, ascending
  /// Start addresses of the members, in their order. An access to the edge of a
  /// tile is shifted so that a whole tile from there ends where the edge ends.
  /// Further copies of members that consist of several edges follow.
  std::vector<double> Starts;
  /// Indirect accesses: start addresses of the members that use one index, by
  /// the representative of that index and by basic block.
  std::map<std::pair<unsigned, unsigned>, std::vector<double>> IndirectStarts;
  unsigned LeastWidth = UINT_MAX; ///< bytes per thread, narrowest member
  double RequestedSectors = 0;    ///< over the launch
  std::string Object;
  bool FirstIsStore = false;
  bool HasStore = false;
  double SectorsPerBlock = 0; ///< of all members, one execution by a block
  double ThreadsPerBlock = 0; ///< of all members, one execution by a block
  /// Requested sectors, as a fraction of what all blocks, warps and iterations
  /// would request: skipped by guards, or masked lane by lane.
  double RequestFraction = 1;
  /// The same fraction in threads: without the masking of single lanes.
  double ExecutedFraction = 1;
  unsigned BasicBlock = 0; ///< of the first member
  llvm::ArrayRef<WarpPath>
      WarpPaths; ///< sampled warps and how often they execute
  /// Groups with equal numbers cover the same bytes.
  unsigned FootprintClass = 0;
  /// Groups with equal numbers have equal strides and start offsets, in
  /// different objects.
  unsigned OffsetClass = 0;
  /// Groups of one member with equal numbers differ in the object and the place
  /// in the program only: a cache fetches the same number of bytes for each of
  /// them if the same number is requested.
  unsigned CostClass = 0;
  /// Indirect accesses, if their requests were traced.
  std::optional<TracedReuse> Traced;

  bool isLoad() const {
    return Pattern.Role == CacheRole::CachedLoad ||
           Pattern.Role == CacheRole::Load;
  }
  bool isLocal() const { return Pattern.Role == CacheRole::Private; }
  bool isIndirect() const { return Pattern.IndirectSectors > 0; }
  bool reads() const { return isLoad() || (isLocal() && !FirstIsStore); }
  bool writes() const {
    return Pattern.Role == CacheRole::Store || (isLocal() && FirstIsStore);
  }
  unsigned loopDepth() const { return Pattern.EnclosingLoops.size(); }
};

/// Executed: null, or the traced requests; the warps of a block of the launch.
std::vector<ReferenceGroup> groupAccesses(const KernelModel &Kernel,
                                          const LaunchSample &Sample,
                                          std::vector<AccessPattern> Patterns,
                                          const BlockAssignment &Assignment,
                                          const ExecutedLaunch *Executed,
                                          double WarpsPerBlock);

} // namespace gpuestimate

#endif
