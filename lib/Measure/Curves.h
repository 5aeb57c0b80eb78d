/// \file
/// Features of measured curves: plateaus, straight lines, and rates that
/// saturate.
#ifndef GPU_ESTIMATE_LIB_MEASURE_CURVES_H
#define GPU_ESTIMATE_LIB_MEASURE_CURVES_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace gpuestimate {

struct CurveSample {
  double X, Y;
};

/// A stretch of a curve on which Y stays within Tolerance of its median.
struct Plateau {
  double From, To; ///< first and last X
  double Level;    ///< median of Y
  unsigned Points;
};

/// The plateaus of at least MinPoints points of a curve that ascends in X.
/// Points between two plateaus belong to none.
std::vector<Plateau> findPlateaus(llvm::ArrayRef<CurveSample> Curve,
                                  double Tolerance = 0.06,
                                  unsigned MinPoints = 3);

/// The largest X up to which every Y lies below Threshold.
std::optional<double> lastBelow(llvm::ArrayRef<CurveSample> Curve,
                                double Threshold);

struct StraightLine {
  double Intercept = 0, Slope = 0;
};

/// Least squares; none for fewer than two different X.
std::optional<StraightLine> fitLine(llvm::ArrayRef<CurveSample> Points);

struct Saturation {
  double Latency;  ///< seconds
  double Exponent; ///< p, within [1, 20]
};

/// The latency and the exponent p with which
/// rate(X) = 1 / ((Latency/X)^p + (1/Peak)^p)^(1/p) comes closest to the
/// points, by the squares of the logarithms' differences. X is bytes in flight,
/// Y bytes per second. None where no point lies near the knee: p would mean
/// nothing.
std::optional<Saturation> fitSaturation(llvm::ArrayRef<CurveSample> Points,
                                        double Peak);

double medianOf(std::vector<double> Values);

} // namespace gpuestimate

#endif
