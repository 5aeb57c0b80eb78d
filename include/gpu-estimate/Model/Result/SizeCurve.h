/// \file
/// The time of a kernel over a size that neither its source nor the settings
/// tell (docs/unknown-sizes.md), in place of a time of a size that was made up:
///
///   T(x)                    at the points of a table
///   T(x) = Fixed + PerUnit * x                 at its far end, in seconds
///   x_1/2 = T(least x) / PerUnit    the crossover, Hockney's n_1/2: below it
///                                   launch and latency decide, above it
///                                   throughput
///
/// Example: `scale` with the points 2.4 us at n = 1024 and 195 us at n =
/// 33,554,432 has Fixed = 2.4 us, PerUnit = 5.7 ps and x_1/2 = 420,000.
#ifndef GPU_ESTIMATE_MODEL_RESULT_SIZECURVE_H
#define GPU_ESTIMATE_MODEL_RESULT_SIZECURVE_H

#include "gpu-estimate/Model/Result/TimeInterval.h"
#include "gpu-estimate/Support/Units.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

struct SizeCurve {
  struct Point {
    double Value = 0;
    Seconds Time;
    std::string Bottleneck; ///< Prediction::Bottleneck
    std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
    /// As Prediction::Error and Prediction::Interval, for the sizes of the
    /// point. Assumptions have the effect that they have at the last one.
    std::optional<TimeError> Error = {};
    std::optional<TimeInterval> Interval = {};
  };
  struct Line {
    Seconds Fixed, PerUnit;
  };
  /// Another size that is not known, with its value in the table.
  struct Other {
    std::string Name, Value; ///< "ncols", "1024"; "block", "16x16"
  };

  std::string Unknown; ///< what the table runs over: "n", "thread blocks"
  std::string Why;     ///< "no launch of the kernel was seen"
  /// The options that settle all that is unknown, and the comment above the
  /// kernel that does.
  std::string Settle, Annotation;
  std::vector<Point> Points; ///< not empty, ascending
  /// The shortest and the longest time of the table, and the last value, are
  /// those of Points; nothing where the far end is no line within 10 %.
  std::optional<Line> FarEnd;
  /// d ln T / d ln x at the far end; nothing where it was not evaluated.
  std::optional<double> Exponent;
  /// x_1/2; nothing without FarEnd, or where it is beyond the table.
  std::optional<double> Crossover;
  std::vector<Other> Others;

  const Point &last() const { return Points.back(); }
};

/// "32 K" of 32768, "420 K" of 430,000: with the binary prefixes in which sizes
/// of memory are spoken of, K = 1024, and three digits.
std::string formatSize(double Value);

/// Whether the unknown is a number that has no name in the source.
bool sizeIsCount(const SizeCurve &C);
/// "ncols = 1 K", "block 16x16"
std::string otherText(const SizeCurve::Other &Each);
/// "its time depends on n, which is not known (no launch of the kernel was
/// seen); settle with --param n=VALUE"
std::string whyNoTime(const SizeCurve &C);
/// "up to about n = 420 K", from which on the launch takes longer than Limit,
/// interpolated in the logarithms of both; "for no value of the table up to
/// ...", "up to the end of the table, ..."; "" where the time falls.
std::string keptUpTo(const SizeCurve &C, Seconds Limit);
/// "n = 32 K", "32 K thread blocks".
std::string sizeText(const SizeCurve &C, double Value);

} // namespace gpuestimate

#endif
