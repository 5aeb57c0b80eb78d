/// \file
/// A launch at many clocks against its evaluation on the configured GPU: equal
/// up to rounding, with the same bottleneck.
#include "gpu-estimate/Evaluate/Evaluator/LaunchAtClocks.h"
#include "gpu-estimate/Model/Machine/Configuration.h"
#include "helpers/EvaluateRandom.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// The GPU with every value that a clock moves.
GpuModel clockedGpu(Random &R) {
  GpuModel Gpu = randomGpu(R);
  Gpu.DramClock = Hertz(R.real(5e8, 5e9));
  Gpu.BlockRateFollowsCore = R.chance(0.7);
  if (R.chance(0.5))
    Gpu.L2MissBandwidth = BytesPerCycle(R.real(16, 2000));
  if (R.chance(0.3)) {
    double L2 = Gpu.L2.Latency.value(), Dram = Gpu.DramLatency.value();
    Gpu.L3Size = Gpu.L2.Size * 8;
    Gpu.L3Latency = Cycles(R.real(L2, Dram));
    Gpu.L3Bandwidth = Gpu.L2Bandwidth * 0.7;
  }
  if (R.chance(0.3))
    Gpu.L2FarLatency = Gpu.L2.Latency * R.real(1, 1.5);
  if (R.chance(0.5)) {
    Gpu.LaunchCold = Gpu.LaunchLatency * 2;
    Gpu.TlbWalk = Cycles(R.real(0, 1000));
    Gpu.TlbPage = Bytes(2 << 20);
    Gpu.CodeLineFetch = Cycles(R.real(0, 100));
    Gpu.CodeLineInstructions = 32;
  }
  return Gpu;
}

/// Values of every key that the power of a launch needs.
void givePower(GpuModel &Gpu) {
  GpuPower &P = Gpu.Power;
  P.CoreClock = Gpu.CoreClock;
  P.DramClock = Gpu.DramClock;
  P.VoltageKnee = Gpu.CoreClock * 0.6;
  P.VoltageFloor = 0.7;
  P.Constant = P.DramIdle = P.Leakage = P.ClockTree = Watts(10);
  P.SmActive = Watts(0.5);
  P.LowState = {*Gpu.DramClock * 0.8, 0.5, Gpu.CoreClock * 0.3,
                Gpu.CoreClock * 0.5, Watts(5)};
  P.Energies.fill(1e-11);
}

void compare(uint64_t Seed) {
  Random R(Seed);
  OpKernel K = randomKernel(R);
  GpuModel Gpu = clockedGpu(R);
  Launch L = randomLaunch(R);
  EvaluateOptions Options;
  Options.Wanted.Sensitivities = false;
  Options.Caches = R.chance(0.5) ? CacheState::Warm : CacheState::Cold;
  if (R.chance(0.3))
    Options.Without.insert(name(R.chance(0.5) ? Term::Tail : Term::L2));
  Bindings Values;
  Values["n"] = R.between(1, 50);
  givePower(Gpu);
  KernelEvaluator Once(K.Model, Gpu, Options);
  llvm::Expected<LaunchAtClocks> Many = Once.atClocks(L, Values);
  ASSERT_TRUE(bool(Many)) << llvm::toString(Many.takeError());
  // In an order that comes back to clocks that were there before.
  std::vector<double> Cores = {1, 0.4, 1.7, 0.4, 1}, Memories = {1, 0.3, 1.5};
  for (double Core : Cores)
    for (double Memory : Memories) {
      Configuration To;
      To.CoreClock = Gpu.CoreClock * Core;
      To.MemoryClock = *Gpu.DramClock * Memory;
      llvm::Expected<GpuModel> Moved = hypothetical(Gpu, To);
      ASSERT_TRUE(bool(Moved));
      KernelEvaluator Full(K.Model, *Moved, Options);
      llvm::Expected<Prediction> P = Full.evaluate(L, Values);
      ASSERT_TRUE(bool(P)) << llvm::toString(P.takeError());
      llvm::Expected<ClockedPrediction> At =
          Many->at(*To.CoreClock, To.MemoryClock);
      ASSERT_TRUE(bool(At)) << llvm::toString(At.takeError());
      double Near = 1e-9 * P->Time.value();
      EXPECT_NEAR(At->Time.value(), P->Time.value(), Near) << "seed " << Seed;
      EXPECT_NEAR(At->Execution.value(), P->Execution.value(), Near)
          << "seed " << Seed;
      EXPECT_EQ(At->Bottleneck, P->Bottleneck) << "seed " << Seed;
      ASSERT_TRUE(At->Power && P->Power.Board) << P->Power.Missing;
      EXPECT_NEAR(At->Power->value(), P->Power.Board->value(),
                  1e-9 * P->Power.Board->value())
          << "seed " << Seed;
    }
}

TEST(LaunchAtClocks, EqualsTheEvaluationOfTheConfiguredGpu) {
  for (uint64_t Seed = 1; Seed <= 40; ++Seed)
    compare(Seed);
}

// One block of one warp: the tail is all that there is.
TEST(LaunchAtClocks, FindsTheTail) {
  OpKernel K;
  int Loop = K.loop(-1, K.number(100));
  K.block(Loop);
  K.op(OpClass::Fp32Fma);
  GpuModel Gpu = plainGpu();
  Gpu.LaunchInterval = Gpu.LaunchLatency = Seconds(1e-9);
  Launch L;
  L.Grid = {Gpu.SmCount * 8 + 1, 1, 1};
  L.Block = {1024, 1, 1};
  EvaluateOptions Options;
  KernelEvaluator By(K.Model, Gpu, Options);
  llvm::Expected<LaunchAtClocks> Many = By.atClocks(L, {});
  ASSERT_TRUE(bool(Many)) << llvm::toString(Many.takeError());
  llvm::Expected<Prediction> P = By.evaluate(L, {});
  llvm::Expected<ClockedPrediction> At = Many->at(Gpu.CoreClock);
  ASSERT_TRUE(P && At);
  EXPECT_EQ(At->Bottleneck, P->Bottleneck);
}

TEST(LaunchAtClocks, RefusesWhatItCannotKnow) {
  OpKernel K;
  K.block(-1);
  K.load("x");
  GpuModel Gpu = plainGpu();
  Gpu.DramClock.reset();
  Gpu.DramBusWidth.reset();
  Launch L;
  L.Block = {32, 1, 1};
  KernelEvaluator By(K.Model, Gpu, {});
  llvm::Expected<LaunchAtClocks> Many = By.atClocks(L, {});
  ASSERT_TRUE(bool(Many)) << llvm::toString(Many.takeError());
  EXPECT_TRUE(llvm::errorToBool(Many->at(Hertz(1e9), Hertz(1e9)).takeError()));
  EvaluateOptions Other;
  Other.Model = "roofline";
  KernelEvaluator Roofline(K.Model, Gpu, Other);
  EXPECT_TRUE(llvm::errorToBool(Roofline.atClocks(L, {}).takeError()));
}

} // namespace
