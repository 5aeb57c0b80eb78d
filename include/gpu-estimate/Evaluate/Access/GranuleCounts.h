/// \file
/// A memory of the sizes of unions.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_GRANULECOUNTS_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_GRANULECOUNTS_H

#include "gpu-estimate/Evaluate/Access/Footprint.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

/// A union is costly to count, and L1 and L2, changed copies of a kernel and
/// its other launches ask for the same ones.
class GranuleCounts {
public:
  /// distinctGranules() of the same arguments.
  double operator()(const Directions &Set, llvm::ArrayRef<double> Starts,
                    double Width, double Granule,
                    llvm::ArrayRef<double> Elsewhere);

private:
  llvm::StringMap<double> Known; ///< by the bytes of the arguments
};

} // namespace gpuestimate

#endif
