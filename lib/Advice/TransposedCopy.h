/// \file
/// What reading a transposed copy of an array would do (CGPredict, section
/// 4.4.1: 11 times faster SYRK).
#ifndef GPU_ESTIMATE_LIB_ADVICE_TRANSPOSEDCOPY_H
#define GPU_ESTIMATE_LIB_ADVICE_TRANSPOSEDCOPY_H

#include "AffineAddress.h"

namespace gpuestimate {

/// A row-major array, as one load of it shows it: neighbouring threads are
/// Pitch bytes apart, and something else (a loop, another coordinate) walks
/// along the row.
struct TransposedArray {
  double Pitch = 0;             ///< bytes from row to row
  double Rows = 1, Columns = 1; ///< that the launch touches
  double ElementBytes = 0;

  /// The step of an address in the copy, whose rows are the array's columns.
  /// Steps beyond the rows (planes of a volume) stay.
  double step(double Old) const;
  /// Reading the array and writing the copy once, at DRAM's rates.
  Seconds copyTime(const GpuModel &Gpu) const;
};

/// Nothing where the load already runs along the rows, or along neither.
std::optional<TransposedArray> transposable(const AffineAddress &Address,
                                            unsigned BytesPerThread);

/// The kernel with the loads of the site, and its other loads of the array
/// with the same steps between threads, from a transposed copy; the copy's cost
/// is in its time. Nothing where the array is stored to or has no second
/// dimension.
std::optional<Prediction>
tryTransposed(const Advisor &A, const AccessSite &Site, Seconds &CopyTime);

} // namespace gpuestimate

#endif
