/// \file
/// Pareto front, knee and best points, against brute force.
#include "gpu-estimate/Scaling/Surface.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuestimate;

namespace {

Surface surfaceOf(const std::vector<std::pair<double, double>> &TimeAndWatts) {
  Surface S;
  SurfaceAxis Axis;
  Axis.Name = "core_clock";
  Axis.Unit = "MHz";
  for (auto [Time, Watts] : TimeAndWatts) {
    SurfacePoint P;
    P.Time = Seconds(Time);
    P.Watts = Watts;
    S.Points.push_back(P);
    Axis.Labels.push_back(std::to_string(S.Points.size()));
    Axis.Numbers.push_back(double(S.Points.size()));
  }
  S.Axes.push_back(std::move(Axis));
  return S;
}

constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();

TEST(Surface, IndicesFollowTheLastAxisFirst) {
  Surface S;
  for (unsigned Size : {2, 3, 4}) {
    SurfaceAxis Axis;
    Axis.Name = "n" + std::to_string(Size);
    Axis.Labels.assign(Size, "x");
    S.Axes.push_back(std::move(Axis));
  }
  EXPECT_EQ(S.indices(0), (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(S.indices(5), (std::vector<uint32_t>{0, 1, 1}));
  EXPECT_EQ(S.indices(23), (std::vector<uint32_t>{1, 2, 3}));
}

TEST(Surface, FrontIsWhatNothingBeats) {
  std::mt19937 Random(7);
  for (int Round = 0; Round < 50; ++Round) {
    std::vector<std::pair<double, double>> Points;
    for (int I = 0; I < 40; ++I)
      Points.push_back({double(Random() % 20 + 1), double(Random() % 20 + 1)});
    Points.push_back({Unknown, 1});
    Points.push_back({1, Unknown});
    Surface S = surfaceOf(Points);
    std::vector<size_t> Front = paretoFront(S);
    for (size_t I = 0; I < 40; ++I) {
      const SurfacePoint &P = S.Points[I];
      bool IsBeaten = llvm::any_of(S.Points, [&](const SurfacePoint &Q) {
        return Q.Time <= P.Time && Q.joules() <= P.joules() &&
               (Q.Time < P.Time || Q.joules() < P.joules());
      });
      bool IsOnFront = llvm::any_of(Front, [&](size_t F) {
        return S.Points[F].Time == P.Time && S.Points[F].joules() == P.joules();
      });
      EXPECT_EQ(IsOnFront, !IsBeaten);
    }
    for (size_t I = 1; I < Front.size(); ++I)
      EXPECT_LT(S.Points[Front[I - 1]].Time, S.Points[Front[I]].Time);
  }
}

TEST(Surface, KneeIsFarFromTheLineBetweenTheEnds) {
  // energies 10, 4, 3.5, 3: the second point saves most.
  Surface S = surfaceOf({{1, 10}, {2, 2}, {3, 3.5 / 3}, {4, 0.75}});
  std::vector<size_t> Front = paretoFront(S);
  EXPECT_EQ(Front.size(), 4u);
  EXPECT_EQ(kneeOf(S, Front), std::optional<size_t>(1));
  EXPECT_EQ(kneeOf(S, {0, 1}), std::nullopt);
}

TEST(Surface, BestPointsObeyLimits) {
  Surface S = surfaceOf({{1, 10}, {2, 2}, {3, 3.5 / 3}, {4, 0.75}});
  SurfaceLimits Limits;
  Limits.PowerCapWatts = 1.5;
  Limits.EnergyBudgetJoules = 3.6;
  Limits.TimeLimit = Seconds(2.5);
  std::vector<BestPoint> Best = bestPoints(S, Limits);
  auto Of = [&](llvm::StringRef Id) {
    auto Found =
        llvm::find_if(Best, [&](const BestPoint &B) { return B.Id == Id; });
    return Found == Best.end() ? std::optional<size_t>() : Found->Point;
  };
  EXPECT_EQ(Of("fastest"), std::optional<size_t>(0));
  EXPECT_EQ(Of("least-energy"), std::optional<size_t>(3));
  EXPECT_EQ(Of("least-energy-delay"), std::optional<size_t>(1));
  EXPECT_EQ(Of("power-cap"), std::optional<size_t>(2));
  EXPECT_EQ(Of("energy-budget"), std::optional<size_t>(2));
  EXPECT_EQ(Of("time-limit"), std::optional<size_t>(1));
  Limits.PowerCapWatts = 0.1;
  for (const BestPoint &B : bestPoints(S, Limits))
    if (B.Id == "power-cap")
      EXPECT_FALSE(B.Point);
}

TEST(Surface, WithoutEnergiesThereIsNoFront) {
  Surface S = surfaceOf({{1, Unknown}, {2, Unknown}});
  EXPECT_TRUE(paretoFront(S).empty());
  EXPECT_FALSE(S.hasPower());
  SurfaceLimits Limits;
  Limits.TimeLimit = Seconds(5);
  std::vector<BestPoint> Best = bestPoints(S, Limits);
  ASSERT_EQ(Best.size(), 2u);
  EXPECT_EQ(Best[1].Point, std::optional<size_t>(1)); // the slowest that does
}

} // namespace
