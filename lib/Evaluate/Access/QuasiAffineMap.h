/// \file
/// Byte offsets as quasi-affine functions of a linear index: of the thread
/// block, or of a loop iteration.
///
///   offset(i) = sum over the terms of Stride * (floor(i / Divisor) mod Extent)
///
/// Example: blockIdx.x and blockIdx.y of a grid with 8 columns are
/// terms with divisors 1 and 8; `blockIdx.x % 5` and `blockIdx.x / 5` are terms
/// with divisors 1 and 5. Extents and divisors may be real numbers: 19.5 stands
/// for a period that alternates between 19 and 20.
///
/// A term with a modulus m is (i * Stride) mod m. It describes `i % n` of a
/// strided index, or the grid columns that one SM gets in a round-robin
/// assignment if the number of columns is no multiple of the number of SMs. The
/// positions of the residues follow from the continued fraction of Stride / m:
/// the first q residues, q being the denominator of a convergent, are about m/q
/// apart, and the next q are the first ones shifted by |q * Stride mod m|,
/// which is less than all distances so far (three-gap theorem).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_QUASIAFFINEMAP_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_QUASIAFFINEMAP_H

#include "gpu-estimate/Evaluate/Access/Footprint.h"

namespace gpuestimate {

/// One term of a quasi-affine map.
struct BlockStrideTerm {
  double Stride = 0;  ///< bytes
  double Extent = 1;  ///< positions before the term starts again
  double Divisor = 1; ///< indices between two moves
  double Modulus = 0; ///< bytes; 0 = none
  /// Fraction of the positions at which a guard lets threads work: a grid that
  /// is rounded up extends beyond the last element.
  double ActiveFraction = 1;
  bool operator==(const BlockStrideTerm &) const = default;
};
using QuasiAffineMap = llvm::SmallVector<BlockStrideTerm, 8>;

/// Fits a map to the offsets Offset(0), ..., Offset(Count - 1), probed at a
/// bounded number of points. It recognises
///   - a sum of digits of the index (delinearize), if necessary without the
///     first and the last index (a clamped border);
///   - a staircase Offset(i) = Offset(0) + d i + D j with j = floor(i / T) and
///   a
///     real period T: one of every T steps is different. If d T + D = 0, the
///     staircase is a residue.
/// nullopt for anything else.
std::optional<QuasiAffineMap>
fitQuasiAffineMap(llvm::function_ref<double(uint64_t)> Offset, uint64_t Count);

/// The map of every N-th index: offset(N * i). One of N SMs sees this map in a
/// round-robin assignment of blocks. A term may then move together with the
/// next one; callers bound the set that they cover by the number of indices.
QuasiAffineMap everyNth(const QuasiAffineMap &Map, double N);

/// How many positions of a slow term a window of consecutive indices overlaps.
/// Windows of 12 blocks in rows of 18 overlap one row or two, 4/3 on average;
/// Min and Max are the whole numbers beside the mean.
enum class WindowOverlap { Mean, Min, Max };

/// Strided dimensions of the offsets of Count consecutive indices, averaged
/// over the window's position: a term with divisor u takes 1 + (Count - g) / u
/// of its positions if windows begin at multiples of g = gcd(Count, u).
StridedAccess window(const QuasiAffineMap &Map, double Count,
                     WindowOverlap Overlap = WindowOverlap::Mean);

/// Mean footprint of a window of Count consecutive indices. Size gives the
/// footprint of a set of strided dimensions.
///
/// A window of 12 blocks in rows of 8 is not a box of 8 x 2: it covers k = 1
/// whole row and parts of others, together r = 4 blocks. A part of a blocks
/// beside whole rows adds
///   A(a) = Size(a blocks, 2 rows) - Size(a blocks, 1 row),
/// nearly linear between A(1) and A(whole row), so that only r and the number
/// of overlapped rows count:
///   Size(k rows) + r A' + A(0) (overlapped rows - k).
/// A window that continues in the next position of a slower term is cut in two.
/// Two parts of a set cover 2 Size(1) - Size(2) more than the whole set: its
/// halo, or everything if the faster terms do not move the address. Exact for
/// boxes with halos in rows and columns. Maps whose terms are not nested
/// (residues) are approximated by the box of window().
double
averageOverWindows(const QuasiAffineMap &Map, double Count,
                   llvm::function_ref<double(const StridedAccess &)> Size,
                   WindowOverlap Overlap = WindowOverlap::Mean);

/// Window lengths between Shortest and Longest (exclusive), ascending, at which
/// the footprint as a function of the length changes slope: divisors of terms,
/// and denominators of the convergents of residues. Longest comes last.
llvm::SmallVector<double, 8> windowBreakpoints(const QuasiAffineMap &Map,
                                               double Shortest, double Longest);

/// Appends the smallest strides in bytes between starts of windows of Count
/// indices.
void appendWindowStrides(const QuasiAffineMap &Map, double Count,
                         llvm::SmallVectorImpl<double> &Out);

} // namespace gpuestimate

#endif
