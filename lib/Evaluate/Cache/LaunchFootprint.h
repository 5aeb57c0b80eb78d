/// \file
/// The bytes that a reference group touches over a launch, as a set of
/// addresses in which others can be looked up.
///
/// Example: blocks of 4 KiB, and a loop with a step of 400 KiB. Byte 410,000 is
/// in iteration 1 of block 0: 410,000 = 1 * 409,600 + 0 * 4,096 + 400.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_LAUNCHFOOTPRINT_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_LAUNCHFOOTPRINT_H

#include "ReferenceGroup.h"

namespace gpuestimate {

class LaunchFootprint {
public:
  /// Blocks: thread blocks of the launch.
  LaunchFootprint(const ReferenceGroup &G, double Blocks);

  /// Whether Address is touched: its digits in the strides, the largest first.
  /// Members that lie apart count as all that lies between them.
  bool contains(double Address) const;
  /// Share of this footprint that Other covers as well, by some of its
  /// addresses: the digits of a low-discrepancy sequence.
  double shareIn(const LaunchFootprint &Other) const;

private:
  StridedAccess Dims;   ///< strides > 0, descending
  double First = 0;     ///< byte
  double StartSpan = 0; ///< bytes from the first member to the end of the last
};

} // namespace gpuestimate

#endif
