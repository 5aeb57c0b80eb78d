#include "gpu-estimate/Advice/Disagreement.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include <cmath>
#include <map>

namespace gpuestimate {

/// Component group -> seconds.
static std::map<std::string, double> parts(const Prediction &P) {
  std::map<std::string, double> Result;
  for (const auto &[Component, Fraction] : P.Breakdown)
    Result[componentGroup(Component).str()] += Fraction * P.Time.value();
  return Result;
}

std::optional<Disagreement> disagreement(const ModelComparison &C,
                                         const ModelEstimate &M) {
  if (C.Models.empty() || !C.Models.front().Estimate || !M.Estimate)
    return std::nullopt;
  const Prediction &First = *C.Models.front().Estimate;
  if (First.Time.value() <= 0 || M.Estimate->Time.value() <= 0)
    return std::nullopt;
  Disagreement D;
  D.Model = M.Model;
  D.Ratio = M.Estimate->Time / First.Time;
  std::map<std::string, double> Difference = parts(*M.Estimate);
  for (const auto &[Component, Time] : parts(First))
    Difference[Component] -= Time;
  for (const auto &[Component, Time] : Difference)
    if (std::abs(Time) > std::abs(D.Difference.value())) {
      D.Component = Component;
      D.Difference = Seconds(Time);
    }
  return D;
}

std::optional<Disagreement> largestDisagreement(const ModelComparison &C) {
  std::optional<Disagreement> Largest;
  for (const ModelEstimate &M : C.Models)
    if (std::optional<Disagreement> D = disagreement(C, M);
        D && &M != &C.Models.front() &&
        (!Largest ||
         std::abs(std::log(D->Ratio)) > std::abs(std::log(Largest->Ratio))))
      Largest = D;
  return Largest;
}

} // namespace gpuestimate
