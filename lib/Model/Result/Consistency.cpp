#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace gpuestimate {

std::string checkConsistency(const Prediction &P, bool Explained) {
  auto Bad = [](double V) { return !std::isfinite(V) || V < 0; };
  for (auto [Name, Time] : {std::pair{"time", P.Time},
                            {"launch overhead", P.LaunchOverhead},
                            {"execution", P.Execution}})
    if (Bad(Time.value()))
      return llvm::formatv("{0} is {1} s", Name, Time.value()).str();
  double Parts = (P.LaunchOverhead + P.Execution).value();
  if (std::abs(Parts - P.Time.value()) > 1e-9 * P.Time.value())
    return llvm::formatv("launch overhead and execution make {0} s, not {1} s",
                         Parts, P.Time.value())
        .str();
  double Sum = 0;
  for (const auto &[Name, Fraction] : P.Breakdown) {
    if (Bad(Fraction))
      return llvm::formatv("the breakdown's {0} is {1}", Name, Fraction).str();
    Sum += Fraction;
  }
  if (Explained && std::abs(Sum - 1) > 1e-6)
    return llvm::formatv("the breakdown sums to {0}", Sum).str();
  double OfLines = 0;
  for (const LineCost &Line : P.Lines)
    OfLines += Line.Share;
  for (const auto &[Name, Fraction] : P.OffLine)
    OfLines += Fraction;
  if (!P.Lines.empty() && std::abs(OfLines - 1) > 1e-6)
    return llvm::formatv("the lines sum to {0}", OfLines).str();
  for (const Bound &B : P.Bounds)
    if (Bad(B.Time.value()))
      return llvm::formatv("bound {0} is {1} cycles", B.Name, B.Time.value())
          .str();
  for (double Rate : {P.L1HitRate, P.L2HitRate, P.Occ.Fraction})
    if (Bad(Rate) || Rate > 1 + 1e-9)
      return llvm::formatv("a rate is {0}", Rate).str();
  double Energy = 0;
  for (const auto &[Name, Fraction] : P.Power.Breakdown) {
    if (Bad(Fraction))
      return llvm::formatv("the energy of {0} is {1}", Name, Fraction).str();
    Energy += Fraction;
  }
  if (P.Power.Board &&
      (Bad(P.Power.Board->value()) || std::abs(Energy - 1) > 1e-6))
    return llvm::formatv("the parts of {0} W sum to {1}",
                         P.Power.Board->value(), Energy)
        .str();
  return "";
}

} // namespace gpuestimate
