/// \file
/// How an address moves with the number of the block (or of an iteration): as a
/// sum of digits of that number.
///
/// A digit with stride s, extent e and unit u stands still for u numbers, then
/// moves by s, and begins again after e moves. `blockIdx.x` and `blockIdx.y` of
/// a grid of 8 columns are digits of units 1 and 8; `blockIdx.x % 5` and `/ 5`
/// those of units 1 and 5. Extents and units may be real: what wraps around
/// every 19.5 numbers moves on average so.
///
/// A digit with a modulus m is at (i s) mod m: `i % n` of an index that moves
/// by s, or the columns that one multiprocessor gets where the rows of the grid
/// are no multiple of what is dealt in turn. Where the residues lie follows
/// from the continued fraction of s / m: the first q of them, q the denominator
/// of a convergent, are about evenly m / q apart, and the next q are the same
/// ones moved by |q s mod m|, less than any distance so far (three-gap
/// theorem).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_BLOCKDIGITS_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_BLOCKDIGITS_H

#include "gpu-estimate/Evaluate/Access/Footprint.h"

namespace gpuestimate {

struct BlockDigit {
  double Stride = 0;  ///< bytes
  double Extent = 1;  ///< positions
  double Unit = 1;    ///< numbers between two moves
  double Modulus = 0; ///< bytes; 0 = none
  /// Share of the positions at which a guard lets threads work: a grid that is
  /// rounded up goes beyond the last element.
  double Reached = 1;
  bool operator==(const BlockDigit &) const = default;
};
using BlockDigits = llvm::SmallVector<BlockDigit, 8>;

/// Digits of At(0), ..., At(Count - 1), found at a bounded number of points:
///   - a sum of digits of the number (takeApart), where need be without the
///     first and the last member (a clamped border);
///   - a staircase At(i) = At(0) + d i + D j with j = floor(i / T): of every T
///     steps, T real, one goes another way. With d T + D = 0 it is a residue.
/// nullopt for anything else.
std::optional<BlockDigits> blockDigits(llvm::function_ref<double(uint64_t)> At,
                                       uint64_t Count);

/// Digits of the numbers 0, Every, 2 Every, ...: what one multiprocessor sees
/// of the blocks that are dealt in turn. A digit may then move together with
/// the next one; the set that they cover is bounded by the count besides.
BlockDigits everyNth(const BlockDigits &Digits, double Every);

/// Positions of slow digits that a window meets. 12 blocks over rows of 18 meet
/// one row or two, 4/3 on average: Fewest and Most are the whole numbers beside
/// the mean.
enum class RowsMet { Mean, Fewest, Most };

/// Positions that Count consecutive numbers take, on average over where the
/// first one lies: a digit of unit u meets 1 + (Count - g) / u of its positions
/// when windows begin at multiples of g = gcd(Count, u).
Directions window(const BlockDigits &Digits, double Count,
                  RowsMet Rows = RowsMet::Mean);

/// Mean size of what Count consecutive numbers cover, where Size is that of the
/// positions that a set of directions spans. A window of 12 blocks over rows of
/// 8 is no box of 8 x 2: it is k = 1 whole row and parts of others, r = 4
/// blocks together. A part of a blocks beside whole rows adds
///   A(a) = Size(a blocks, 2 rows) - Size(a blocks, 1 row),
/// nearly a straight line between A(1) and A(whole row), so that only r and the
/// number of rows that are met count:
///   Size(k rows) + r A' + A(0) (rows met - k).
/// Windows that go on in the next position of a slower digit are cut in two
/// there, and what two parts of a set cover more than the whole is its
/// 2 Size(1) - Size(2) (the halo; everything, where the faster digits do not
/// move the address). Exact for boxes with halos in rows and columns. Digits
/// that are not nested (residues) are taken as the box of window().
double overWindow(const BlockDigits &Digits, double Count,
                  llvm::function_ref<double(const Directions &)> Size,
                  RowsMet Rows = RowsMet::Mean);

/// Counts, ascending, between From and To at which the window begins to cover
/// places again, or others: units of digits, and the denominators of the
/// convergents of residues. To comes last.
llvm::SmallVector<double, 8> windowLevels(const BlockDigits &Digits,
                                          double From, double To);

/// Smallest distances between places where windows of Count numbers begin.
void appendWindowSteps(const BlockDigits &Digits, double Count,
                       llvm::SmallVectorImpl<double> &Out);

} // namespace gpuestimate

#endif
