/// \file
/// Equation 1 of Wu et al. on tables whose answers are known.
#include "gpu-estimate/Scaling/ScalingValues.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

const ConfigurationGrid Grid = {{8, 16}, {400, 600, 800}, {500, 1000}};

/// A table in which every time is another number: 1, 2, 4, 8, ...
std::vector<double> powersOfTwo() {
  std::vector<double> Times;
  for (size_t I = 0; I < Grid.size(); ++I)
    Times.push_back(static_cast<double>(1 << I));
  return Times;
}

TEST(ScalingValues, OrdersMemoryThenCoreThenMultiprocessors) {
  EXPECT_EQ(indexOf(Grid, {0, 0, 1}), 1u);
  EXPECT_EQ(indexOf(Grid, {0, 1, 0}), 2u);
  EXPECT_EQ(indexOf(Grid, {1, 0, 0}), 6u);
  EXPECT_EQ(Grid.size(), 12u);
}

TEST(ScalingValues, AreRatiosOfNeighbours) {
  std::vector<double> Times = powersOfTwo();
  Times[3] = 5; // t[1][1] at 8 multiprocessors
  ScalingValues V = scalingValues(Grid, Times, {0, 1, 1});
  ASSERT_EQ(V.Clocks.size(), 2u);
  // e[i][j] = t[i+1][j] / t[i][j], m[i][j] = t[i][j+1] / t[i][j].
  EXPECT_DOUBLE_EQ(V.Clocks[0].Core[0][0], 4.0 / 1);
  EXPECT_DOUBLE_EQ(V.Clocks[0].Core[0][1], 5.0 / 2);
  EXPECT_DOUBLE_EQ(V.Clocks[0].Core[1][1], 32.0 / 5);
  EXPECT_DOUBLE_EQ(V.Clocks[0].Memory[1][0], 5.0 / 4);
  // c[k] at the base clocks.
  ASSERT_EQ(V.Sm.size(), 1u);
  EXPECT_DOUBLE_EQ(V.Sm[0], Times[indexOf(Grid, {1, 1, 1})] / 5);
}

TEST(ScalingValues, ReachEveryConfigurationFromEveryOtherOne) {
  std::vector<double> Times = powersOfTwo();
  for (size_t From = 0; From < Grid.size(); ++From)
    for (size_t To = 0; To < Grid.size(); ++To) {
      GridPoint Base = {From / 6, From / 2 % 3, From % 2};
      GridPoint Target = {To / 6, To / 2 % 3, To % 2};
      ScalingValues V = scalingValues(Grid, Times, Base);
      for (ClockOrder Order : {ClockOrder::CoreFirst, ClockOrder::MemoryFirst})
        EXPECT_DOUBLE_EQ(scalingFactor(V, Base, Target, Order),
                         Times[To] / Times[From]);
    }
}

// The counts of multiprocessors come first, then the values of the target's
// count: those of the base count do not matter.
TEST(ScalingValues, ScaleMultiprocessorsBeforeClocks) {
  ScalingValues V = scalingValues(Grid, powersOfTwo(), {0, 0, 0});
  V.Sm[0] = 0.5;
  V.Clocks[0].Core[0][0] = 1000;
  V.Clocks[1].Core[0][0] = 0.25;
  V.Clocks[1].Memory[1][0] = 0.125;
  EXPECT_DOUBLE_EQ(scalingFactor(V, {0, 0, 0}, {1, 1, 1}), 0.5 * 0.25 * 0.125);
}

// On values that belong to no table the order of the clocks matters.
TEST(ScalingValues, TakeTheCoreClockAtTheBaseMemoryClock) {
  ScalingValues V = scalingValues(Grid, powersOfTwo(), {0, 0, 0});
  V.Clocks[0].Core[0] = {2, 3};
  V.Clocks[0].Memory[0] = {5};
  V.Clocks[0].Memory[1] = {7};
  EXPECT_DOUBLE_EQ(scalingFactor(V, {0, 0, 0}, {0, 1, 1}), 2 * 7);
  EXPECT_DOUBLE_EQ(
      scalingFactor(V, {0, 0, 0}, {0, 1, 1}, ClockOrder::MemoryFirst), 5 * 3);
  EXPECT_DOUBLE_EQ(scalingFactor(V, {0, 1, 1}, {0, 0, 0}), 1.0 / (3 * 5));
}

TEST(ScalingValues, ComeBackFromAVector) {
  ScalingValues V = scalingValues(Grid, powersOfTwo(), {0, 0, 0});
  std::vector<double> Flat = flatten(V.Clocks[1]);
  EXPECT_EQ(Flat.size(), 2u * 2 + 3u * 1);
  ClockScalingValues Back = unflatten(Grid, Flat);
  EXPECT_EQ(Back.Core, V.Clocks[1].Core);
  EXPECT_EQ(Back.Memory, V.Clocks[1].Memory);
}

// A time that is a power of both clocks is exact between the points, too.
TEST(ScalingValues, GiveFactorsBetweenTheirClocks) {
  auto TimeAt = [](double Core, double Memory) {
    return 1 / (Core * std::sqrt(Memory));
  };
  std::vector<double> Times;
  for (size_t Sm = 0; Sm < Grid.SmCounts.size(); ++Sm)
    for (double Core : Grid.CoreClocks)
      for (double Memory : Grid.MemoryClocks)
        Times.push_back(TimeAt(Core, Memory));
  GridPoint Base = {1, 2, 1};
  ClockFactors Factors(Grid, scalingValues(Grid, Times, Base), Base);
  double LowCore = Grid.CoreClocks.front(), LowMemory = Grid.MemoryClocks[0],
         HighCore = Grid.CoreClocks[2], HighMemory = Grid.MemoryClocks[1];
  double BaseTime = TimeAt(HighCore, HighMemory);
  for (double Core : {LowCore, 0.7 * HighCore + 0.3 * LowCore, HighCore})
    for (double Memory : {LowMemory, 0.5 * (LowMemory + HighMemory)})
      EXPECT_NEAR(Factors.at(Core, Memory), TimeAt(Core, Memory) / BaseTime,
                  1e-12);
  // Beyond the ends: the end.
  EXPECT_DOUBLE_EQ(Factors.at(LowCore / 2, HighMemory * 2),
                   Factors.at(LowCore, HighMemory));
}

TEST(ScalingValues, GiveFactorsWithOneMemoryClock) {
  ConfigurationGrid One = {{8}, {500, 1000}, {700}};
  ClockFactors Factors(One, scalingValues(One, {4, 1}, {0, 1, 0}), {0, 1, 0});
  EXPECT_NEAR(Factors.at(500, 700), 4, 1e-12);
  EXPECT_NEAR(Factors.at(std::sqrt(500 * 1000), 900), 2, 1e-12);
}

TEST(ScalingValues, TellHowTimesMoveWithEachClock) {
  std::vector<double> Times;
  for (double Sm : Grid.SmCounts)
    for (double Core : Grid.CoreClocks)
      for (double Memory : Grid.MemoryClocks)
        Times.push_back(1 / (Sm * Core * std::sqrt(Memory)));
  Elasticities E = elasticities(Grid, Times, {1, 2, 1});
  EXPECT_NEAR(E.Core, 1, 1e-12);
  EXPECT_NEAR(E.Memory, 0.5, 1e-12);
}

} // namespace
