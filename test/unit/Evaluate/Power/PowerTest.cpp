/// \file
/// Board power against hand calculations: events times energies, the knee of
/// the voltage, and the clock at which a board keeps to its limit.
#include "Evaluate/Power/Power.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// 10 W constant, 5 W memory, 2 W leakage, 3 W clock tree, 1 W for each of four
/// multiprocessors, 10 pJ an instruction and 20 pJ more for fp32, 100 pJ a byte
/// of DRAM; the voltage is 0.5 of that at 1 GHz up to 600 MHz.
GpuModel poweredGpu() {
  GpuModel G = plainGpu();
  G.CoreClock = Hertz(1e9);
  GpuPower &P = G.Power;
  P.CoreClock = Hertz(1e9);
  G.DramClock = P.DramClock = Hertz(1e9);
  P.VoltageKnee = Hertz(600e6);
  P.VoltageFloor = 0.5;
  P.Constant = Watts(10);
  P.DramIdle = Watts(5);
  P.Leakage = Watts(2);
  P.ClockTree = Watts(3);
  P.SmActive = Watts(1);
  auto Set = [&](EnergyClass Class, double Joules) {
    P.Energies[static_cast<unsigned>(Class)] = Joules;
  };
  Set(EnergyClass::Instruction, 10e-12);
  Set(EnergyClass::Fp32, 20e-12);
  Set(EnergyClass::L1, 0);
  Set(EnergyClass::L2, 0);
  Set(EnergyClass::Shared, 0);
  Set(EnergyClass::Dram, 100e-12);
  return G;
}

/// A millisecond, a tenth of it launch overhead, with 1e7 warp instructions of
/// which 5e6 are fp32, and 1e8 bytes of DRAM.
Prediction handMade() {
  Prediction P;
  P.Time = Seconds(1e-3);
  P.LaunchOverhead = Seconds(1e-4);
  P.Execution = Seconds(9e-4);
  P.Count.WarpInstructions = 1e7;
  P.Count.ByClass[static_cast<unsigned>(OpClass::Fp32Fma)] = 5e6;
  P.Count.ByClass[static_cast<unsigned>(OpClass::IntAdd)] = 5e6;
  P.Count.DramBytes = 1e8;
  return P;
}

/// Four multiprocessors hold warps.
PowerEstimate powerOf(const Prediction &P, const GpuModel &Gpu) {
  return estimatePower(P.Count, P.Time, P.Execution, Gpu, 4);
}

double part(const PowerEstimate &P, llvm::StringRef Name) {
  for (const auto &[Component, Fraction] : P.Breakdown)
    if (Component == Name)
      return Fraction * P.Board->value();
  return 0;
}

TEST(Power, IsEventsTimesEnergies) {
  Prediction P = handMade();
  P.Power = powerOf(P, poweredGpu());
  ASSERT_TRUE(P.Power.Board);
  EXPECT_NEAR(part(P.Power, "constant"), 15, 1e-9);
  EXPECT_NEAR(part(P.Power, "idle"), 5, 1e-9);
  EXPECT_NEAR(part(P.Power, "active"), 4 * 0.9, 1e-9);
  EXPECT_NEAR(part(P.Power, "instruction"), 1e7 * 32 * 10e-12 / 1e-3, 1e-9);
  EXPECT_NEAR(part(P.Power, "fp32"), 5e6 * 32 * 20e-12 / 1e-3, 1e-9);
  EXPECT_NEAR(part(P.Power, "dram"), 1e8 * 100e-12 / 1e-3, 1e-9);
  EXPECT_NEAR(P.Power.Board->value(), 15 + 5 + 3.6 + 3.2 + 3.2 + 10, 1e-9);
  EXPECT_NEAR(P.Power.Energy.value(), P.Power.Board->value() * 1e-3, 1e-12);
}

TEST(Power, VoltageHasAKnee) {
  GpuPower P = poweredGpu().Power;
  EXPECT_DOUBLE_EQ(relativeVoltage(P, Hertz(300e6)), 0.5);
  EXPECT_DOUBLE_EQ(relativeVoltage(P, Hertz(600e6)), 0.5);
  EXPECT_DOUBLE_EQ(relativeVoltage(P, Hertz(800e6)), 0.75);
  EXPECT_DOUBLE_EQ(relativeVoltage(P, Hertz(1e9)), 1);
  EXPECT_DOUBLE_EQ(relativeVoltage(P, Hertz(1.2e9)), 1.25);
}

// At low memory clocks a card has lower voltages at the same core clocks.
TEST(Power, HasAStateOfLowVoltage) {
  GpuModel G = poweredGpu();
  LowPowerState &Low = G.Power.LowState;
  Low = {Hertz(500e6), 0.3, Hertz(200e6), Hertz(400e6), Watts(4)};
  EXPECT_FALSE(isInLowState(G));
  EXPECT_DOUBLE_EQ(relativeVoltage(G.Power, Hertz(100e6), true), 0.3);
  EXPECT_DOUBLE_EQ(relativeVoltage(G.Power, Hertz(300e6), true), 0.4);
  EXPECT_DOUBLE_EQ(relativeVoltage(G.Power, Hertz(400e6), true), 0.5);
  EXPECT_DOUBLE_EQ(relativeVoltage(G.Power, Hertz(800e6), true), 0.75);
  EXPECT_DOUBLE_EQ(relativeVoltage(G.Power, Hertz(100e6)), 0.5);

  G.DramClock = Hertz(500e6);
  G.CoreClock = Hertz(200e6);
  ASSERT_TRUE(isInLowState(G));
  Prediction P = handMade();
  P.Power = powerOf(P, G);
  EXPECT_NEAR(part(P.Power, "constant"), 4 + 5 * 0.5, 1e-9);
  EXPECT_NEAR(part(P.Power, "idle"), 0.09 * 3 * 0.2, 1e-9);
  Low.VoltageEnd = Low.VoltageKnee;
  EXPECT_EQ(powerOf(P, G).Missing,
            G.Id + " has no value of power.low_state.voltage_end");
}

TEST(Power, EventsFollowTheActivityOfTheData) {
  GpuModel G = poweredGpu();
  G.Power.DataActivity = 0.5;
  Prediction P = handMade();
  P.Power = powerOf(P, G);
  EXPECT_NEAR(part(P.Power, "constant"), 15, 1e-9);
  EXPECT_NEAR(part(P.Power, "idle"), 5, 1e-9);
  EXPECT_NEAR(part(P.Power, "active"), 4 * 0.9, 1e-9);
  EXPECT_NEAR(part(P.Power, "fp32"), 0.5 * 3.2, 1e-9);
  EXPECT_NEAR(part(P.Power, "dram"), 0.5 * 10, 1e-9);
}

TEST(Power, FollowsClocksAndVoltage) {
  GpuModel G = poweredGpu();
  G.CoreClock = Hertz(500e6); // half the clock, half the voltage
  G.DramClock = Hertz(2e9);
  Prediction P = handMade();
  P.Power = powerOf(P, G);
  EXPECT_NEAR(part(P.Power, "constant"), 10 + 2 * 5, 1e-9);
  EXPECT_NEAR(part(P.Power, "idle"), 0.25 * (2 + 3 * 0.5), 1e-9);
  EXPECT_NEAR(part(P.Power, "active"), 0.25 * 0.5 * 4 * 0.9, 1e-9);
  EXPECT_NEAR(part(P.Power, "fp32"), 0.25 * 3.2, 1e-9);
  EXPECT_NEAR(part(P.Power, "dram"), 10, 1e-9); // a voltage of its own
}

TEST(Power, IsNotKnownWithoutAValueThatTheLaunchNeeds) {
  Prediction P = handMade();
  GpuModel G = poweredGpu();
  G.Power.Energies[static_cast<unsigned>(EnergyClass::Fp32)] = std::nullopt;
  P.Power = powerOf(P, G);
  EXPECT_FALSE(P.Power.Board);
  EXPECT_EQ(P.Power.Missing, G.Id + " has no value of power.energy.fp32");
  // No kernel without fp64 needs the energy of fp64.
  P.Power = powerOf(P, poweredGpu());
  EXPECT_TRUE(P.Power.Board);
  P.Power = powerOf(P, plainGpu());
  EXPECT_FALSE(P.Power.Board);
}

// Idle power of the memory is proportional to a clock, which must be known.
TEST(Power, NeedsTheClocksOfTheMemory) {
  Prediction P = handMade();
  GpuModel G = poweredGpu();
  G.Power.DramClock.reset();
  EXPECT_EQ(powerOf(P, G).Missing, G.Id + " has no value of power.dram_clock");
  G.Power.DramIdle = Watts(0);
  EXPECT_TRUE(powerOf(P, G).Board);

  GpuModel ByWidth = poweredGpu(); // two transfers of 32 bytes each cycle
  ByWidth.DramClock.reset();
  ByWidth.DramBusWidth = Bytes(32);
  ByWidth.DramPeakBandwidth = BytesPerSecond(2 * 32 * 2e9);
  EXPECT_NEAR(part(powerOf(P, ByWidth), "constant"), 10 + 2 * 5, 1e-9);
  ByWidth.DramBusWidth.reset();
  EXPECT_EQ(powerOf(P, ByWidth).Missing, G.Id + " has no value of dram.clock");
}

TEST(Power, TheLimitHasOneClock) {
  GpuModel G = poweredGpu();
  Prediction P = handMade();
  G.Power.Limit = Watts(30);
  P.Power = powerOf(P, G);
  ASSERT_GT(*P.Power.Board, *P.Power.Limit);
  unsigned Evaluations = 0;
  auto AtClock = [&](Hertz Clock) -> std::optional<Prediction> {
    ++Evaluations;
    GpuModel Slower = G;
    Slower.CoreClock = Clock;
    // Half of the execution is memory.
    Prediction At = handMade();
    At.Execution = Seconds(4.5e-4 + 4.5e-4 * (G.CoreClock / Clock));
    At.Time = At.LaunchOverhead + At.Execution;
    At.Power = powerOf(At, Slower);
    return At;
  };
  std::optional<ThrottledLaunch> T = throttle(P, G, AtClock);
  ASSERT_TRUE(T);
  EXPECT_LT(T->Clock, G.CoreClock);
  EXPECT_NEAR(T->Energy.value() / T->Time.value(), 30, 0.5);
  EXPECT_LE(Evaluations, 4u);
  // No clock keeps to less than what memory and board draw.
  P.Power.Limit = G.Power.Limit = Watts(12);
  EXPECT_FALSE(throttle(P, G, AtClock));
}

TEST(Power, ThrottlingIsPartOfAnEvaluation) {
  OpKernel K;
  K.block(-1);
  for (int I = 0; I < 64; ++I)
    K.op(OpClass::Fp32Fma);
  GpuModel G = poweredGpu();
  G.Power.Limit = Watts(1000);
  Launch L = launch({4000, 1, 1}, {256, 1, 1});
  Prediction Free = llvm::cantFail(evaluate(K.Model, G, L, {}, {}));
  ASSERT_TRUE(Free.Power.Board);
  EXPECT_FALSE(Free.Power.Throttled);
  G.Power.Limit = Watts(Free.Power.Board->value() * 0.8);
  Prediction Limited = llvm::cantFail(evaluate(K.Model, G, L, {}, {}));
  ASSERT_TRUE(Limited.Power.Throttled);
  EXPECT_EQ(Limited.Time, Free.Time); // the time at the clock of the model
  EXPECT_GT(Limited.Power.Throttled->Time, Free.Time);
  EXPECT_LT(Limited.Power.Throttled->Clock, G.CoreClock);
}

TEST(Power, LinesShareTheEnergy) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::Fp32Fma);
  K.last().Location = {"f.cu", 1, 0};
  K.op(OpClass::IntAdd);
  K.last().Location = {"f.cu", 2, 0};
  EvaluateOptions Options;
  Options.Wanted.Lines = true;
  Prediction P = llvm::cantFail(evaluate(
      K.Model, poweredGpu(), launch({4000, 1, 1}, {256, 1, 1}), {}, Options));
  double Sum = 0, First = 0, Second = 0;
  for (const LineCost &Line : P.Lines) {
    Sum += Line.EnergyShare;
    (Line.Where.Line == 1 ? First : Second) = Line.EnergyShare;
  }
  EXPECT_GT(First, Second); // fp32 costs more than an instruction alone
  EXPECT_GT(Second, 0);
  EXPECT_LE(Sum, 1 + 1e-9);
}

} // namespace
