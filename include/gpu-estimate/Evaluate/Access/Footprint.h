/// \file
/// How much memory a set of addresses covers, in closed form.
///
/// The address of an access is taken apart into directions: a lane digit, a
/// block index, a loop counter, each of which moves it by a constant stride.
/// The set that some of the directions span is a sum of arithmetic
/// progressions; its distinct sectors follow from the strides in ascending
/// order (the merge rule, see distinctGranules). The cost does not depend on
/// the extents, which may be real numbers (a mean trip count, a part of a
/// wave), so that results move smoothly with sizes.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_FOOTPRINT_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_FOOTPRINT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace gpuestimate {

/// Extent positions, Stride bytes apart.
struct Direction {
  double Stride = 0;
  double Extent = 1;
  bool operator==(const Direction &) const = default;
};
using Directions = llvm::SmallVector<Direction, 8>;

/// A stride that no other one can merge with: for sets of which only the size
/// is known.
inline constexpr double ScatterStride = 0x1p52;

/// Distinct granules of the set { Start + sum of i_d * Stride_d + [0, Width) }.
///
/// Strides ascending; Run = Width bytes are contiguous at first. A stride of at
/// most Run (or at most one granule, since then no granule is skipped) extends
/// the run by Stride * (Extent - 1). The first larger one starts a progression
/// of separate runs; a later stride that is a multiple of a progression's and
/// lands within or right behind it prolongs that progression; any other one
/// multiplies. Result: granules of a run x the number of runs, at most those of
/// the whole span. Exact when the strides are nested (every stride is a
/// multiple of the next smaller one or larger than all before together), an
/// upper bound otherwise.
///
/// Alignment: runs start at Start modulo the greatest common divisor of the
/// granule, the progressions' strides and Elsewhere (strides along which the
/// set as a whole moves); the granules of a run are averaged over the start
/// positions that this leaves.
double distinctGranules(const Directions &Set, double Start, double Width,
                        double Granule, llvm::ArrayRef<double> Elsewhere = {});

/// The same for several copies of the set, shifted to each of Starts (the
/// neighbours of a stencil, the fields of a structure): the union of the runs
/// of all copies, exact as far as one copy is; the box around them where there
/// are very many.
double distinctGranules(const Directions &Set, llvm::ArrayRef<double> Starts,
                        double Width, double Granule,
                        llvm::ArrayRef<double> Elsewhere = {});

/// First and last byte (exclusive) of the set.
std::pair<double, double> span(const Directions &Set, double Start,
                               double Width);

/// Directions of a sequence that is a sum of digits of its index (row = i / 16,
/// column = i % 16); nullopt when it is none of at most four digits.
std::optional<Directions> takeApart(llvm::ArrayRef<double> Sequence);

/// The same for a long sequence given as a function, probed at a bounded
/// number of points.
std::optional<Directions> takeApart(llvm::function_ref<double(uint64_t)> At,
                                    uint64_t Count);

} // namespace gpuestimate

#endif
