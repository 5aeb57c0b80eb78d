/// \file
/// Overlap of footprints of randomly placed thread blocks in one object.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_RANDOMOVERLAP_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_RANDOMOVERLAP_H

#include "llvm/ADT/ArrayRef.h"
#include <algorithm>

namespace gpuestimate {

/// Part of an object that a reference group touches with some randomly placed
/// blocks: a fraction of the bytes from Low to High.
struct RandomFootprint {
  unsigned FootprintClass = 0;
  double Low = 0, High = 0; ///< bytes
  double Fraction = 0;      ///< of the bytes that all blocks touch there
  /// Fraction of this footprint that no other footprint of the object covers.
  /// Randomly placed blocks cover rows and columns independently, so footprints
  /// with fractions s and t that span the same bytes cover
  /// 1 - (1 - s)(1 - t) of them together.
  double fractionOutside(llvm::ArrayRef<RandomFootprint> Others) const {
    double Outside = 1;
    for (const RandomFootprint &Other : Others)
      if (double Common = std::min(High, Other.High) - std::max(Low, Other.Low);
          Other.FootprintClass != FootprintClass && Common > 0)
        Outside *= 1 - Other.Fraction * Common / (High - Low);
    return Outside;
  }
};

} // namespace gpuestimate

#endif
