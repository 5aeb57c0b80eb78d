/// \file
/// Loops over one segment of an array, such as the nonzeros of one row of a
/// sparse matrix.
///
///   for (j = row[i]; j < row[i + 1]; ++j) sum += value[j] * x[column[j]];
///
/// The begin of the segment is loaded, so the trip count is not known. But the
/// segments share the array, so their mean length follows from the sizes of two
/// buffers:
///
///   iterations = iterations that it takes to walk the whole array
///   mean       = iterations / elements of the array of begins
///
/// Example: 1,000,000 elements of `value` and 50,000 of `row` give 20
/// iterations, or 1 (0.625, rounded up) where a warp walks a row together and j
/// advances by 32.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_SEGMENTLENGTH_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_SEGMENTLENGTH_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Symbolic/Expr.h"

namespace gpuestimate {

/// What the mean length of a loop's segments was computed from.
struct SegmentLength {
  double Mean = 0;           ///< iterations, a whole number >= 1
  std::string Array, Begins; ///< names of the buffers: "value", "row"
};

/// The mean over the segments that the loop with the trip count U walks, if it
/// is such a loop and the sizes of both buffers are among All. Of several
/// arrays the one with the fewest iterations counts: others may be larger than
/// what the segments cover.
std::optional<SegmentLength>
segmentLength(const KernelModel &Kernel, const Unknown &U, const Bindings &All);

} // namespace gpuestimate

#endif
