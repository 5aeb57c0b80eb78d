/// \file
/// Footprints: the number of distinct sectors or cache lines that a set of
/// addresses covers, in closed form.
///
/// The address of an access is a sum of strided dimensions: a digit of the
/// lane, a block index or a loop counter moves it by a constant stride. A
/// subset of the dimensions spans a sum of arithmetic progressions, whose
/// distinct sectors follow from the strides in ascending order (see
/// footprintSectors). The cost does not depend on the extents. They may be real
/// numbers (a mean trip count, a fraction of a wave), so that results are
/// smooth functions of problem sizes.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_FOOTPRINT_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_FOOTPRINT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace gpuestimate {

/// Extent addresses, Stride bytes apart.
struct StridedDim {
  double Stride = 0; ///< bytes
  double Extent = 1; ///< number of positions, may be fractional
  bool operator==(const StridedDim &) const = default;
};
/// The addresses of an access relative to its start: all sums with one position
/// of each dimension. Example: a 16 x 8 tile of floats in rows of 4096 bytes is
/// {{4, 16}, {4096, 8}}.
using StridedAccess = llvm::SmallVector<StridedDim, 8>;

/// A stride (2^52 bytes) that never merges with another one, for sets of which
/// only the size is known.
inline constexpr double ScatterStride = 0x1p52;

/// Distinct sectors of the set { Start + sum of i_d * Stride_d + [0, Width) }.
/// SectorBytes is the size of the unit that is counted: a sector, a cache line,
/// or an element.
///
/// The strides are taken in ascending order. Run = Width bytes are contiguous
/// at first. A stride of at most Run (or of at most one sector, since then no
/// sector is skipped) extends the run by Stride * (Extent - 1). The first
/// larger stride starts a progression of separate runs; a later stride that is
/// a multiple of a progression's and lands within or right behind it extends
/// that progression; any other stride multiplies the number of runs. The result
/// is sectors per run x number of runs, at most the sectors of the whole span.
/// It is exact if the strides are nested (every stride is a multiple of the
/// next smaller one or larger than all smaller dimensions together), and an
/// upper bound otherwise. Example: {{4, 16}, {4096, 16}} with Width 4 covers 16
/// runs of 64 bytes, 32 sectors of 32 bytes.
///
/// Alignment: runs start at Start modulo the greatest common divisor of
/// SectorBytes, the progressions' strides and the strides in Elsewhere (along
/// which the set as a whole moves). The sectors of a run are averaged over all
/// start positions that this leaves.
double footprintSectors(const StridedAccess &Set, double Start, double Width,
                        double SectorBytes,
                        llvm::ArrayRef<double> Elsewhere = {});

/// footprintSectors() of the union of several copies of the set, one at each of
/// Starts (the neighbours of a stencil, the fields of a structure). The union
/// is as exact as one copy is; for very many copies it is their bounding box.
double footprintSectors(const StridedAccess &Set, llvm::ArrayRef<double> Starts,
                        double Width, double SectorBytes,
                        llvm::ArrayRef<double> Elsewhere = {});

/// First and last byte (exclusive) of the set.
std::pair<double, double> span(const StridedAccess &Set, double Start,
                               double Width);

/// Recovers the dimensions of a sequence of addresses that is a sum of mixed-
/// radix digits of its index (row = i / 16, column = i % 16); nullopt if it is
/// not such a sum of at most four digits.
std::optional<StridedAccess> delinearize(llvm::ArrayRef<double> Sequence);

/// Recovers the dimensions of a long sequence Address(0), ...,
/// Address(Count-1), probed at a bounded number of points.
std::optional<StridedAccess>
delinearize(llvm::function_ref<double(uint64_t)> Address, uint64_t Count);

} // namespace gpuestimate

#endif
