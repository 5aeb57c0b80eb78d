/// \file
/// How sure a predicted time is, as plain data.
#ifndef GPU_ESTIMATE_MODEL_RESULT_TIMEINTERVAL_H
#define GPU_ESTIMATE_MODEL_RESULT_TIMEINTERVAL_H

#include <array>
#include <cmath>
#include <cstdint>

namespace gpuestimate {

/// Factors of a time, Low <= 1 <= High.
struct TimeFactors {
  double Low = 1, High = 1;

  /// Both deviations, which do not depend on each other: their logarithms add
  /// in squares.
  friend TimeFactors operator*(const TimeFactors &A, const TimeFactors &B) {
    return {std::exp(-std::hypot(std::log(A.Low), std::log(B.Low))),
            std::exp(std::hypot(std::log(A.High), std::log(B.High)))};
  }
};

/// How far a predicted time may be off although everything is known of the
/// launch (ModelError.h), with the probability of the interval.
struct TimeError {
  TimeFactors Time;
  /// >= 1: the ratio of two times of one kernel on one GPU is off by less than
  /// this factor. Errors that both times share cancel.
  double Ratio = 1;
  /// >= 1: the same of the ratio of the times of one launch on two GPUs.
  double Transfer = 1;
};

/// TimeError::Ratio of two times with an error each: their geometric mean.
inline double ratioError(double A, double B) { return std::sqrt(A * B); }

/// The probabilities that an interval can have.
inline constexpr unsigned NumIntervalLevels = 4;
inline constexpr std::array<double, NumIntervalLevels> intervalLevels() {
  return {0.5, 0.8, 0.9, 0.95};
}
inline constexpr double DefaultIntervalLevel = 0.8;

/// The measured time of the launch lies between the predicted time times
/// total().Low and times total().High with probability Level.
struct TimeInterval {
  double Level = DefaultIntervalLevel;
  TimeFactors Model;  ///< error where everything is known (ModelError.h)
  TimeFactors Inputs; ///< assumptions varied (AssumptionEffects.h)

  TimeFactors total() const { return Model * Inputs; }
  /// How wide it is.
  double ratio() const { return total().High / total().Low; }
};

/// When a time counts as longer than another one, since it has an interval.
enum class VerdictRule : uint8_t {
  Likely,   ///< the predicted time is
  Sure,     ///< even the end of the interval that is closest is
  Possible, ///< the end that is furthest is, or there is no interval
};

} // namespace gpuestimate

#endif
