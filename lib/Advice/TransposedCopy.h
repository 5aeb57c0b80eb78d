/// \file
/// The effect of reading a transposed copy of an array (CGPredict, section
/// 4.4.1: 11 times faster SYRK).
#ifndef GPU_ESTIMATE_LIB_ADVICE_TRANSPOSEDCOPY_H
#define GPU_ESTIMATE_LIB_ADVICE_TRANSPOSEDCOPY_H

#include "AffineAddress.h"

namespace gpuestimate {

/// A row-major array, as the strides of one load show it: neighbouring threads
/// are Pitch bytes apart, and a loop or another coordinate moves along the row.
struct TransposedArray {
  double Pitch = 0;             ///< bytes from row to row
  double Rows = 1, Columns = 1; ///< that the launch touches
  double ElementBytes = 0;

  /// Converts a step of an address in the array, in bytes, to the step in the
  /// copy, whose rows are the array's columns. Steps beyond the rows (planes of
  /// a volume) stay.
  double step(double Old) const;
  /// Time to read the array and write the copy once, at DRAM bandwidth.
  Seconds copyTime(const GpuModel &Gpu) const;
};

/// Returns the array of a load across the rows; nullopt if the load already
/// runs along the rows, or along neither dimension.
std::optional<TransposedArray> transposable(const AffineAddress &Address,
                                            unsigned BytesPerThread);

/// Evaluates the kernel with the loads of the site, and other loads of the
/// array with equal steps between threads, from a transposed copy; the time
/// includes the copy. Returns nullopt if the kernel stores to the array, or if
/// the array has no second dimension.
std::optional<Prediction>
tryTransposed(const Advisor &A, const AccessSite &Site, Seconds &CopyTime);

} // namespace gpuestimate

#endif
