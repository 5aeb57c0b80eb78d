/// \file
/// A memo table of footprints.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_FOOTPRINTCACHE_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_FOOTPRINTCACHE_H

#include "gpu-estimate/Evaluate/Access/Footprint.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

/// Memoises footprintSectors() of several copies of a set, which is costly. L1
/// and L2, modified copies of a kernel and its other launches repeat the
/// arguments.
class FootprintCache {
public:
  /// footprintSectors() of these arguments.
  double operator()(const StridedAccess &Set, llvm::ArrayRef<double> Starts,
                    double Width, double SectorBytes,
                    llvm::ArrayRef<double> Elsewhere);

private:
  llvm::StringMap<double> Footprints; ///< key: the bytes of the arguments
};

} // namespace gpuestimate

#endif
