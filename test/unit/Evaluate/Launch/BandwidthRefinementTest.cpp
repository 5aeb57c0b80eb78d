/// \file
/// The bandwidth loop: from below, without oscillation, always to an end.
#include "Evaluate/Launch/BandwidthRefinement.h"
#include "helpers/EvaluateRandom.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

TEST(BandwidthRefinement, ReachesTheDemand) {
  auto Time = [](double Latency) { return 100 + 2 * Latency; };
  RefinementResult R = refineLatency(Time, 50, 1000);
  EXPECT_TRUE(R.Converged);
  EXPECT_NEAR(R.Latency, 450, 1);
  EXPECT_DOUBLE_EQ(R.Time, 1000);
  EXPECT_GT(R.Iterations, 0u);
  EXPECT_LT(R.Iterations, 24u);
}

TEST(BandwidthRefinement, EnoughBandwidthChangesNothing) {
  auto Time = [](double Latency) { return 100 + 2 * Latency; };
  for (double Demand : {0., 10., 200.}) {
    RefinementResult R = refineLatency(Time, 50, Demand);
    EXPECT_TRUE(R.Converged);
    EXPECT_EQ(R.Iterations, 0u);
    EXPECT_EQ(R.Latency, 50); // never below the unloaded one
    EXPECT_EQ(R.Time, 200);
  }
}

TEST(BandwidthRefinement, KernelThatDoesNotWaitStopsAtOnce) {
  unsigned Calls = 0;
  auto Time = [&](double) {
    ++Calls;
    return 70.0;
  };
  RefinementResult R = refineLatency(Time, 50, 1000);
  EXPECT_FALSE(R.Converged);
  EXPECT_EQ(R.Latency, 50);
  EXPECT_EQ(R.Time, 1000); // what the traffic needs, all the same
  EXPECT_EQ(Calls, 3u);
}

TEST(BandwidthRefinement, GoesOnWhereSomethingElseHidesTheLevelAtFirst) {
  auto Time = [](double Latency) { return std::max(800.0, 2 * Latency); };
  RefinementResult R = refineLatency(Time, 50, 1000);
  EXPECT_TRUE(R.Converged);
  EXPECT_NEAR(R.Latency, 500, 1);
}

TEST(BandwidthRefinement, NoTimeAtAll) {
  RefinementResult R = refineLatency([](double) { return 0.0; }, 0, 1000);
  EXPECT_EQ(R.Time, 1000);
  EXPECT_FALSE(R.Converged);
}

TEST(BandwidthRefinement, IterationCapEndsASlowApproach) {
  // A square root below its value: each step closes little of the gap.
  auto Time = [](double Latency) { return std::log1p(Latency); };
  RefinementOptions O;
  O.MaxIterations = 7;
  unsigned Calls = 0;
  RefinementResult R = refineLatency(
      [&](double Latency) {
        ++Calls;
        return Time(Latency);
      },
      1, 100, O);
  EXPECT_FALSE(R.Converged);
  EXPECT_EQ(R.Iterations, 7u);
  EXPECT_EQ(Calls, 8u);
  EXPECT_EQ(R.Time, 100);
}

TEST(BandwidthRefinement, DampingTakesSmallerSteps) {
  auto Time = [](double Latency) { return 10 + Latency; };
  unsigned Before = 0;
  for (double Damping : {1.0, 0.5, 0.1}) {
    RefinementOptions O;
    O.Damping = Damping;
    O.MaxIterations = 1000;
    RefinementResult R = refineLatency(Time, 1, 50, O);
    EXPECT_TRUE(R.Converged);
    EXPECT_GT(R.Iterations, Before) << Damping;
    Before = R.Iterations;
  }
}

/// Over random convex piecewise linear times, as a walk makes them.
TEST(BandwidthRefinement, FromBelowAndWithoutOscillation) {
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    Random R(Seed);
    std::vector<std::pair<double, double>> Pieces;
    for (unsigned I = R.between(1, 5); I > 0; --I)
      Pieces.push_back({R.real(0, 1e4), R.real(0.01, 100)});
    std::vector<double> Latencies;
    auto Time = [&](double Latency) {
      Latencies.push_back(Latency);
      double T = 0;
      for (auto [A, B] : Pieces)
        T = std::max(T, A + B * Latency);
      return T;
    };
    double Demand = R.real(0, 1e6), Start = R.real(1, 500);
    RefinementOptions O;
    O.MaxIterations = 100000;
    RefinementResult Result = refineLatency(Time, Start, Demand, O);
    EXPECT_TRUE(Result.Converged) << "seed " << Seed;
    for (size_t I = 1; I < Latencies.size(); ++I)
      EXPECT_GT(Latencies[I], Latencies[I - 1]) << "seed " << Seed;
    double Reached = Time(Result.Latency);
    EXPECT_LE(Reached, std::max(Demand, Time(Start)) * (1 + 1e-9));
    EXPECT_GE(Reached, Demand * (1 - O.Tolerance));
  }
}

/// The same times: as near to the demand, in a few steps, which the printed
/// loop does not keep to where the times are nearly flat at first.
TEST(BandwidthRefinement, SecantsTakeFewSteps) {
  unsigned Calls = 0, Slow = 0;
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    Random R(Seed);
    std::vector<std::pair<double, double>> Pieces;
    for (unsigned I = R.between(1, 5); I > 0; --I)
      Pieces.push_back({R.real(0, 1e4), R.real(0.01, 100)});
    auto Time = [&](double Latency) {
      ++Calls;
      double T = 0;
      for (auto [A, B] : Pieces)
        T = std::max(T, A + B * Latency);
      return T;
    };
    double Demand = R.real(0, 1e6), Start = R.real(1, 500);
    RefinementOptions O;
    O.Secants = true;
    RefinementResult Result = refineLatency(Time, Start, Demand, O);
    EXPECT_TRUE(Result.Converged) << "seed " << Seed;
    Slow += Result.Iterations > 8;
    double Reached = Time(Result.Latency);
    EXPECT_LE(Reached, std::max(Demand, Time(Start)) * (1 + 1e-9));
    EXPECT_GE(Reached, Demand * (1 - O.Tolerance));
  }
  EXPECT_LT(Calls, 500u * 6);
  EXPECT_EQ(Slow, 0u);
}

TEST(BandwidthRefinement, SecantsEndBehindAJump) {
  auto Time = [](double Latency) {
    return Latency < 300 ? 100 + Latency : 1000 + Latency;
  };
  RefinementOptions O;
  O.Secants = true;
  RefinementResult R = refineLatency(Time, 50, 800, O);
  EXPECT_TRUE(R.Converged);
  EXPECT_NEAR(R.Latency, 300, 1);
  EXPECT_EQ(R.Time, Time(R.Latency));
}

} // namespace
