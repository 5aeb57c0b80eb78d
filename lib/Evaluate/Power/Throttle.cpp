/// \file
/// The clock at which a board draws its power limit. Board power rises with the
/// clock, as voltage, clock tree and events a second do, so there is one such
/// clock; a false position on P(f) - limit finds it.
#include "Evaluate/Power/Power.h"

#include <cmath>

namespace gpuestimate {

/// Evaluations of the launch at another clock.
static constexpr unsigned MaxEvaluations = 4;
/// Relative distance from the limit at which the search ends.
static constexpr double Close = 0.005;

std::optional<ThrottledLaunch>
throttle(const Prediction &P, const GpuModel &Gpu,
         llvm::function_ref<std::optional<Prediction>(Hertz)> OnClock) {
  double Limit = P.Power.Limit->value();
  double High = Gpu.CoreClock.value(), HighPower = P.Power.Board->value();
  // A point below the limit: the clock in proportion to the power above what
  // the board draws at no clock, and less, as the voltage falls, too.
  double Standing = (*Gpu.Power.Constant + *Gpu.Power.DramIdle).value();
  double Low = High * std::max(0.2, (Limit - Standing) /
                                        std::max(HighPower - Standing, 1.0));
  std::optional<Prediction> Found;
  std::optional<double> LowPower;
  for (unsigned I = 0; I < MaxEvaluations; ++I) {
    double Clock = !LowPower ? Low
                             : Low + (High - Low) * (Limit - *LowPower) /
                                         (HighPower - *LowPower);
    std::optional<Prediction> At = OnClock(Hertz(Clock));
    if (!At || !At->Power.Board)
      return std::nullopt;
    double Power = At->Power.Board->value();
    bool IsBelow = Power <= Limit;
    if (IsBelow) {
      Low = Clock;
      LowPower = Power;
      Found = std::move(At);
      if (Limit - Power <= Close * Limit)
        break;
    } else if (!LowPower) {
      High = Clock;
      HighPower = Power;
      Low = Clock * 0.7;
    } else {
      High = Clock;
      HighPower = Power;
      if (Power - Limit <= Close * Limit) {
        Low = Clock;
        Found = std::move(At);
        break;
      }
    }
  }
  if (!Found)
    return std::nullopt;
  return ThrottledLaunch{Hertz(Low), Found->Time, Found->Power.Energy};
}

} // namespace gpuestimate
