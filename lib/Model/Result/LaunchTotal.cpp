#include "gpu-estimate/Model/Result/LaunchTotal.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

std::optional<std::pair<double, double>> intervalMs(const Prediction &P) {
  if (!P.Interval)
    return std::nullopt;
  TimeFactors Range = P.Interval->total();
  double Ms = P.Time.value() * 1e3;
  return std::pair(Ms * Range.Low, Ms * Range.High);
}

void LaunchTotal::add(const Prediction &P) {
  std::optional<std::pair<double, double>> Interval = intervalMs(P);
  if (Launches == 0)
    IntervalMs = Interval;
  else if (IntervalMs && Interval)
    IntervalMs = {IntervalMs->first + Interval->first,
                  IntervalMs->second + Interval->second};
  else
    IntervalMs = std::nullopt;
  Time += P.Time;
  if (Launches == 0 || P.Time > Longest) {
    Longest = P.Time;
    Bottleneck = P.Bottleneck;
  }
  append_range(Assumptions, P.Assumptions);
  for (const std::string &Premise : P.Premises)
    if (!is_contained(Premises, Premise))
      Premises.push_back(Premise);
  ++Launches;
}

} // namespace gpuestimate
