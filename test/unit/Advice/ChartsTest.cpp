/// \file
/// The data of the charts: the prediction itself, or an evaluation of the same
/// kernel with one thing changed.
#include "gpu-estimate/Advice/Charts.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// c[i] = a[i] * k + b[i], 1000 blocks of 256.
OpKernel triad() {
  OpKernel K;
  K.block(-1);
  unsigned A = K.load("a"), B = K.load("b");
  K.store("c", {{K.op(OpClass::Fp32Fma, {{A, false}, {B, false}}), false}});
  return K;
}

struct Case {
  explicit Case(OpKernel Made = triad()) : K(std::move(Made)) {
    L = launch({1000, 1, 1}, {256, 1, 1});
    Gpu = plainGpu();
    P = llvm::cantFail(evaluate(K.Model, Gpu, L, Values, Options));
  }
  ChartInputs inputs() const { return {K.Model, Gpu, L, Values, Options}; }

  OpKernel K;
  Launch L;
  GpuModel Gpu;
  Bindings Values;
  EvaluateOptions Options;
  Prediction P;
};

double sum(const StackBar &Bar) {
  double Sum = 0;
  for (const auto &[Component, Cycles] : Bar.Parts)
    Sum += Cycles;
  return Sum;
}

TEST(Roofline, CountsByHand) {
  Case C;
  Roofline R = roofline(C.P, C.K.Model, C.Gpu);
  EXPECT_TRUE(R.CountsFlops);
  // Two operations for each of 256000 threads.
  EXPECT_DOUBLE_EQ(R.Rate, 512000 / C.P.Execution.value());
  ASSERT_EQ(R.Peaks.size(), 1u); // 4 * 128 multiply-adds a cycle at 1 GHz
  EXPECT_DOUBLE_EQ(R.Peaks[0].Rate, 1024e9);
  ASSERT_EQ(R.Bandwidths.size(), 3u);
  EXPECT_DOUBLE_EQ(R.Bandwidths[0].Rate, 4 * 128e9); // L1
  EXPECT_DOUBLE_EQ(R.Bandwidths[1].Rate, 128e9);     // L2
  ASSERT_GE(R.Points.size(), 2u);
  // Three words of four bytes for two operations, nothing used twice.
  EXPECT_EQ(R.Points[0].Level, "L1");
  EXPECT_NEAR(R.Points[0].Intensity, 2 / 12., 1e-9);
  EXPECT_NEAR(R.Points[1].Intensity, 2 / 12., 1e-9);
}

TEST(Roofline, MeasuredRoofsOfTheKernelsTypes) {
  Case C;
  EXPECT_TRUE(roofline(C.P, C.K.Model, C.Gpu).MeasuredPeaks.empty());
  C.Gpu.Roofline = {200, 100, 50, BytesPerSecond(9e10)};
  Roofline R = roofline(C.P, C.K.Model, C.Gpu);
  ASSERT_EQ(R.MeasuredPeaks.size(), 1u); // 4 multiprocessors at 1 GHz
  EXPECT_EQ(R.MeasuredPeaks[0].Name, "fp32");
  EXPECT_DOUBLE_EQ(R.MeasuredPeaks[0].Rate, 800e9);
  EXPECT_DOUBLE_EQ(R.MeasuredBandwidth.value_or(0), 9e10);
}

TEST(Roofline, OfInstructionsWhereNothingIsFloatingPoint) {
  OpKernel K;
  K.block(-1);
  K.store("c", {{K.load("a"), false}});
  Case C(std::move(K));
  Roofline R = roofline(C.P, C.K.Model, C.Gpu);
  EXPECT_FALSE(R.CountsFlops);
  EXPECT_DOUBLE_EQ(R.Rate, 2 * 8000 / C.P.Execution.value());
  ASSERT_EQ(R.Peaks.size(), 1u); // one instruction of each scheduler
  EXPECT_DOUBLE_EQ(R.Peaks[0].Rate, 16e9);
  EXPECT_NEAR(R.Points[0].Intensity, 2 / 256., 1e-9);
}

TEST(Charts, TheLastBarIsThePrediction) {
  Case C;
  for (const auto &Bars :
       {stacksByOccupancy(C.inputs()), stacksByWarps(C.inputs())}) {
    ASSERT_GE(Bars.size(), 3u);
    for (const StackBar &Bar : Bars) {
      EXPECT_EQ(Bar.IsUsed, &Bar == &Bars.back());
      EXPECT_GT(Bar.Time.value(), 0);
    }
    EXPECT_EQ(Bars.back().Time, C.P.Time);
    EXPECT_NEAR(sum(Bars.back()), C.P.WarpCyclesPerInstruction, 1e-6);
  }
}

TEST(Charts, FewerResidentWarpsAreNeverFaster) {
  Case C;
  auto Bars = stacksByOccupancy(C.inputs());
  EXPECT_EQ(Bars.front().Label, "8"); // one block of 256
  EXPECT_EQ(Bars.back().Label, "64");
  for (size_t I = 1; I < Bars.size(); ++I)
    EXPECT_LE(Bars[I].Time, Bars[I - 1].Time * (1 + 1e-9));
}

TEST(Charts, FewerBlocksAreNeverSlower) {
  Case C;
  auto Bars = stacksByWarps(C.inputs());
  EXPECT_EQ(Bars.front().Label, "8");
  EXPECT_EQ(Bars.back().Label, "8000");
  for (size_t I = 1; I < Bars.size(); ++I)
    EXPECT_GE(Bars[I].Time * (1 + 1e-9), Bars[I - 1].Time);
}

TEST(Charts, EveryGpuIsEvaluated) {
  Case C;
  C.Gpu.SmCount = 8; // --set
  C.P = llvm::cantFail(evaluate(C.K.Model, C.Gpu, C.L, {}, C.Options));
  GpuModel Other = plainGpu(), Small = plainGpu();
  Other.Id = "other";
  Small.Id = "small";
  Small.MaxThreadsPerBlock = 128;
  auto Same = [&](const GpuModel &) { return LaunchWithArguments{C.L, {}}; };
  auto Rows = rowsByGpu(C.inputs(), {Other, plainGpu(), Small}, Same);
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_FALSE(Rows[0].IsUsed);
  EXPECT_EQ(Rows[0].Time, Case().P.Time);
  EXPECT_EQ(Rows[0].Bottleneck, Case().P.Bottleneck);
  EXPECT_TRUE(Rows[1].IsUsed); // with what was set
  EXPECT_EQ(Rows[1].Time, C.P.Time);
  EXPECT_EQ(Rows[2].Refusal.empty(), false);
  // A launch that follows the device: twice the blocks there.
  auto Follows = [&](const GpuModel &On) {
    LaunchWithArguments There{C.L, {}};
    There.Used.Grid[0] *= On.Id == "other" ? 2 : 1;
    return There;
  };
  auto Followed = rowsByGpu(C.inputs(), {Other, plainGpu()}, Follows);
  EXPECT_GT(Followed[0].Time.value(), 1.5 * Rows[0].Time.value());
  EXPECT_EQ(Followed[1].Time, Rows[1].Time);
}

TEST(Charts, CapabilityOfAPrediction) {
  Prediction P;
  EXPECT_FALSE(capability(P));
  P.Intermediates = {
      {"W_comp", 1000}, {"W_traf", 500}, {"T'_op", 8e12}, {"O_dev", 4}};
  auto C = capability(P);
  ASSERT_TRUE(C.has_value());
  EXPECT_DOUBLE_EQ(C->Operations, 8e12);
  EXPECT_DOUBLE_EQ(C->Bytes, 2e12);
  EXPECT_DOUBLE_EQ(C->Intensity, 2);
  P.Intermediates[1].second = 0; // all of it in caches
  EXPECT_TRUE(std::isinf(capability(P)->Intensity));
}

} // namespace
