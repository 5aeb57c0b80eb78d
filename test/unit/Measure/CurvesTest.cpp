/// \file
/// Synthetic curves, made from known numbers, must give the numbers back.
#include "Measure/Curves.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

std::vector<CurveSample> steps() {
  std::vector<CurveSample> Curve;
  for (double X = 1; X < 4000; X *= 1.1) {
    double Noise = 1 + 0.01 * std::sin(40 * X);
    Curve.push_back({X, (X <= 30 ? 30 : X <= 500 ? 200 : 600) * Noise});
  }
  return Curve;
}

TEST(MeasureCurves, PlateausAreTheLevels) {
  std::vector<Plateau> Found = findPlateaus(steps());
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_NEAR(Found[0].Level, 30, 0.5);
  EXPECT_NEAR(Found[1].Level, 200, 3);
  EXPECT_NEAR(Found[2].Level, 600, 9);
  EXPECT_LE(Found[0].To, 30);
  EXPECT_GT(Found[1].From, 30);
}

TEST(MeasureCurves, ASlopeIsNoPlateau) {
  std::vector<CurveSample> Slope;
  for (int X = 0; X < 20; ++X)
    Slope.push_back({double(X), std::pow(1.2, X)});
  EXPECT_TRUE(findPlateaus(Slope).empty());
  EXPECT_TRUE(findPlateaus({}).empty());
}

TEST(MeasureCurves, CapacityIsTheLastPointBelow) {
  std::optional<double> Last = lastBelow(steps(), 100);
  ASSERT_TRUE(Last);
  EXPECT_LE(*Last, 30);
  EXPECT_GT(*Last * 1.1, 30);
  EXPECT_FALSE(lastBelow(steps(), 1));
}

TEST(MeasureCurves, LineThroughPoints) {
  std::optional<StraightLine> Line = fitLine({{1, 5}, {2, 7}, {4, 11}});
  ASSERT_TRUE(Line);
  EXPECT_DOUBLE_EQ(Line->Slope, 2);
  EXPECT_DOUBLE_EQ(Line->Intercept, 3);
  EXPECT_FALSE(fitLine({{1, 5}}));
  EXPECT_FALSE(fitLine({{1, 5}, {1, 6}}));
}

TEST(MeasureCurves, KneeComesBack) {
  double Latency = 4e-7, Peak = 1.5e12;
  for (double Exponent : {1.5, 4.3, 9.0}) {
    std::vector<CurveSample> Points;
    for (double Bytes = 2e4; Bytes < 1e7; Bytes *= 1.5)
      Points.push_back(
          {Bytes, 1 / std::pow(std::pow(Latency / Bytes, Exponent) +
                                   std::pow(1 / Peak, Exponent),
                               1 / Exponent)});
    std::optional<Saturation> Found = fitSaturation(Points, Peak);
    ASSERT_TRUE(Found);
    EXPECT_NEAR(Found->Exponent / Exponent, 1, 0.03);
    EXPECT_NEAR(Found->Latency / Latency, 1, 0.01);
  }
  EXPECT_FALSE(fitSaturation({{1, 1}, {2, 2}}, Peak));
}

} // namespace
