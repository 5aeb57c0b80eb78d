/// \file
/// Plateaus, straight lines and the knee.
#include "Curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpuestimate {

double medianOf(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  size_t Half = Values.size() / 2;
  return Values.size() % 2 ? Values[Half]
                           : (Values[Half - 1] + Values[Half]) / 2;
}

std::vector<Plateau> findPlateaus(llvm::ArrayRef<CurveSample> Curve,
                                  double Tolerance, unsigned MinPoints) {
  std::vector<Plateau> Plateaus;
  size_t Begin = 0;
  while (Begin < Curve.size()) {
    std::vector<double> Levels = {Curve[Begin].Y};
    size_t End = Begin + 1;
    while (End < Curve.size()) {
      double Level = medianOf(Levels);
      if (std::fabs(Curve[End].Y - Level) > Tolerance * Level)
        break;
      Levels.push_back(Curve[End++].Y);
    }
    unsigned Points = static_cast<unsigned>(End - Begin);
    if (Points < MinPoints) { // perhaps a slope: begin one point later
      ++Begin;
      continue;
    }
    Plateaus.push_back(
        {Curve[Begin].X, Curve[End - 1].X, medianOf(Levels), Points});
    Begin = End;
  }
  return Plateaus;
}

std::optional<double> lastBelow(llvm::ArrayRef<CurveSample> Curve,
                                double Threshold) {
  std::optional<double> Last;
  for (const CurveSample &P : Curve) {
    if (P.Y >= Threshold)
      break;
    Last = P.X;
  }
  return Last;
}

std::optional<StraightLine> fitLine(llvm::ArrayRef<CurveSample> Points) {
  double N = static_cast<double>(Points.size()), X = 0, Y = 0, XX = 0, XY = 0;
  for (const CurveSample &P : Points) {
    X += P.X / N;
    Y += P.Y / N;
  }
  for (const CurveSample &P : Points) { // about the means, for precision
    XX += (P.X - X) * (P.X - X);
    XY += (P.X - X) * (P.Y - Y);
  }
  if (XX <= 0)
    return std::nullopt;
  double Slope = XY / XX;
  return StraightLine{Y - Slope * X, Slope};
}

std::optional<Saturation> fitSaturation(llvm::ArrayRef<CurveSample> Points,
                                        double Peak) {
  auto Error = [&](double Latency, double Exponent) {
    double Sum = 0;
    for (const CurveSample &P : Points) {
      double Seconds = std::pow(std::pow(Latency / P.X, Exponent) +
                                    std::pow(1 / Peak, Exponent),
                                1 / Exponent);
      double Difference = std::log(P.Y * Seconds);
      Sum += Difference * Difference;
    }
    return Sum;
  };
  if (Points.empty())
    return std::nullopt;
  // No rate is above what the latency alone allows: Latency <= X / Y.
  double Highest = std::numeric_limits<double>::infinity();
  for (const CurveSample &P : Points)
    Highest = std::min(Highest, P.X / P.Y);
  Saturation Best{Highest, 1};
  double Least = std::numeric_limits<double>::infinity();
  for (double Latency = Highest / 2; Latency < Highest * 1.1; Latency *= 1.005)
    for (double Exponent = 1; Exponent <= 20; Exponent *= 1.01)
      if (double Found = Error(Latency, Exponent); Found < Least) {
        Least = Found;
        Best = {Latency, Exponent};
      }
  auto Near = [&](const CurveSample &P) {
    double Demand = P.X / Best.Latency / Peak;
    return Demand > 0.4 && Demand < 2.5;
  };
  if (std::count_if(Points.begin(), Points.end(), Near) < 2)
    return std::nullopt;
  return Best;
}

} // namespace gpuestimate
