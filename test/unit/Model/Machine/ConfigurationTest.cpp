/// \file
/// How the values of a GPU move with its clocks and multiprocessors.
#include "gpu-estimate/Model/Machine/Configuration.h"
#include "helpers/GpuModelTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

GpuModel configuredTo(const GpuModel &Card, const Configuration &To) {
  llvm::Expected<GpuModel> Result = configured(Card, To);
  if (!Result) {
    ADD_FAILURE() << llvm::toString(Result.takeError());
    return Card;
  }
  return *Result;
}

std::string refusal(const GpuModel &Card, const Configuration &To) {
  return errorOf(configured(Card, To));
}

constexpr Hertz MHz(1e6);

TEST(Configuration, EveryValueDeclaresHowItMoves) {
  for (const GpuKey &Key : gpuKeys())
    EXPECT_NE(Key.Moves, Scaling::ByUnit) << Key.Path;
}

TEST(Configuration, TheCardItselfIsUnchanged) {
  for (const char *Id : {"nvidia-v100", "nvidia-gtx-980", "amd-rx-6900-xt"}) {
    GpuModel Card = shipped(Id);
    GpuModel Same =
        configuredTo(Card, {Card.SmCount, Card.CoreClock, memoryClock(Card)});
    for (const GpuKey &Key : gpuKeys())
      if (Key.Path != "dram.clock") // stated now, where it was not
        EXPECT_EQ(Key.Get(Same), Key.Get(Card)) << Key.Path;
  }
}

// The oracle is the unit: what is in cycles stays, and so on, key by key.
TEST(Configuration, ValuesMoveByTheirClock) {
  GpuModel Card = shipped("nvidia-v100");
  GpuModel Half = configuredTo(Card, {std::nullopt, MHz * 690, std::nullopt});
  for (const GpuKey &Key : gpuKeys()) {
    std::optional<KeyValue> Before = Key.Get(Card), After = Key.Get(Half);
    if (Key.Path == "core_clock" || Key.Path == "l2.read_bandwidth" ||
        Key.Path == "l2.write_bandwidth")
      EXPECT_NEAR(std::get<double>(*After) / std::get<double>(*Before), 0.5,
                  1e-12)
          << Key.Path;
    else if (Key.Path == "dram.latency")
      EXPECT_NEAR(Half.DramLatency.value(), 215 + (436.6 - 215) / 2, 1e-9);
    else
      EXPECT_EQ(After, Before) << Key.Path;
  }
}

TEST(Configuration, TheClockTreeFollowsTheMultiprocessors) {
  GpuModel Card = shipped("nvidia-v100");
  GpuModel Half = configuredTo(Card, {40u, std::nullopt, std::nullopt});
  for (const GpuKey &Key : gpuKeys())
    if (Key.Path != "sm_count" && Key.Path != "power.clock_tree")
      EXPECT_EQ(Key.Get(Half), Key.Get(Card)) << Key.Path;
  EXPECT_NEAR(*Half.Power.ClockTree / *Card.Power.ClockTree, 0.5, 1e-12);
  // And back.
  GpuModel Again = configuredTo(Half, {80u, std::nullopt, std::nullopt});
  EXPECT_NEAR(*Again.Power.ClockTree / *Card.Power.ClockTree, 1, 1e-12);
  ASSERT_FALSE(setGpuValue(Card, "power.clock_tree=20W"));
  EXPECT_EQ(
      *configuredTo(Card, {40u, std::nullopt, std::nullopt}).Power.ClockTree,
      Watts(20));
}

TEST(Configuration, MemoryClockMovesTheBandwidthsOfDram) {
  GpuModel Card = shipped("nvidia-gtx-980");
  Card.DramClock = std::nullopt; // it then follows from the peak bandwidth
  EXPECT_NEAR(memoryClock(Card)->value() / 1e6, 3005, 1);
  GpuModel Slow = configuredTo(Card, {std::nullopt, std::nullopt, MHz * 500});
  // 500 MHz over 32 bytes, two transfers each cycle
  EXPECT_NEAR(Slow.DramPeakBandwidth.value(), 32e9, 1e3);
  double Share = Slow.DramPeakBandwidth / Card.DramPeakBandwidth;
  EXPECT_NEAR(Slow.DramReadBandwidth / Card.DramReadBandwidth, Share, 1e-12);
  EXPECT_NEAR(Slow.DramWriteBandwidth / Card.DramWriteBandwidth, Share, 1e-12);
  EXPECT_NEAR(Slow.DramCopyBandwidth / Card.DramCopyBandwidth, Share, 1e-12);
  EXPECT_EQ(Slow.DramLatency, Card.DramLatency);
  EXPECT_EQ(Slow.L2Bandwidth, Card.L2Bandwidth);
  EXPECT_EQ(Slow.Sources["dram.read_bandwidth"].Kind, "what-if");
}

// Infinity Cache has a fabric clock of its own.
TEST(Configuration, TheFabricKeepsItsTime) {
  GpuModel Card = shipped("amd-rx-6900-xt");
  GpuModel Half =
      configuredTo(Card, {std::nullopt, Card.CoreClock / 2, std::nullopt});
  EXPECT_EQ(Half.L3Bandwidth, Card.L3Bandwidth);
  double L2 = Card.L2.Latency.value();
  EXPECT_NEAR(Half.L3Latency->value() - L2, (Card.L3Latency->value() - L2) / 2,
              1e-9);
}

TEST(Configuration, ADistributorOfItsOwnClockKeepsItsTime) {
  GpuModel Card = shipped("nvidia-v100");
  ASSERT_FALSE(setGpuValue(Card, "launch.block_rate_follows_core=false"));
  GpuModel Half = configuredTo(Card, {std::nullopt, MHz * 690, std::nullopt});
  EXPECT_NEAR(Half.BlockDispatchRate / Card.BlockDispatchRate, 2, 1e-12);
}

TEST(Configuration, MovesCompose) {
  GpuModel Card = shipped("nvidia-a100-40gb-pcie"),
           Twice =
               configuredTo(configuredTo(Card, {54u, MHz * 1000, MHz * 800}),
                            {108u, MHz * 700, MHz * 1000}),
           Once = configuredTo(Card, {108u, MHz * 700, MHz * 1000});
  for (const GpuKey &Key : gpuKeys()) {
    std::optional<KeyValue> A = Key.Get(Twice), B = Key.Get(Once);
    if (Key.Moves == Scaling::Fixed || Key.Moves == Scaling::CoreCycles)
      EXPECT_EQ(A, B) << Key.Path;
    else if (A)
      EXPECT_NEAR(std::get<double>(*A) / std::get<double>(*B), 1, 1e-12)
          << Key.Path;
  }
}

TEST(Configuration, WhatTheUserSetStays) {
  GpuModel Card = shipped("nvidia-v100");
  ASSERT_FALSE(setGpuValue(Card, "l2.read_bandwidth=2000GB/s"));
  GpuModel Half = configuredTo(Card, {std::nullopt, MHz * 690, std::nullopt});
  EXPECT_EQ(Half.L2Bandwidth, BytesPerSecond(2000e9));
  EXPECT_NEAR(Half.L2WriteBandwidth / Card.L2WriteBandwidth, 0.5, 1e-12);
}

TEST(Configuration, ClockScalingAgreesWithConfigured) {
  GpuModel Card = shipped("nvidia-gtx-980"), Fast = Card;
  ClockScaling Scale(Card);
  for (double Core : {500.0, 900.0, 1500.0})
    for (double Memory : {500.0, 3900.0}) {
      GpuModel Slow =
          configuredTo(Card, {std::nullopt, MHz * Core, MHz * Memory});
      Scale.apply(Fast, MHz * Core / Card.CoreClock,
                  MHz * Memory / *memoryClock(Card));
      for (const ClockScaling::MovingValue &V : Scale.values()) {
        double Expected = std::get<double>(*V.Key->Get(Slow));
        EXPECT_NEAR(std::get<double>(*V.Key->Get(Fast)), Expected,
                    1e-12 * Expected)
            << V.Key->Path;
      }
    }
}

TEST(Configuration, WhatTheCardCannotHaveIsRefusedWithTheRange) {
  GpuModel V100 = shipped("nvidia-v100"), Gtx980 = shipped("nvidia-gtx-980");
  EXPECT_EQ(refusal(V100, {85u, std::nullopt, std::nullopt}),
            "sm_count: the die of NVIDIA Tesla V100 PCIe has 1 to 84 "
            "multiprocessors, got 85; for a card that does not exist, set "
            "limits.sm_count, too");
  EXPECT_EQ(refusal(V100, {std::nullopt, MHz * 1500, std::nullopt}),
            "core_clock: the core clock of NVIDIA Tesla V100 PCIe is between "
            "135 MHz and 1380 MHz, got 1500 MHz; for a card that does not "
            "exist, set limits.core_clock_max, too");
  EXPECT_NE(refusal(V100, {std::nullopt, MHz * 100, std::nullopt})
                .find("limits.core_clock_min"),
            std::string::npos);
  EXPECT_NE(refusal(V100, {std::nullopt, std::nullopt, MHz * 1000})
                .find("memory_clock: the memory clock"),
            std::string::npos);
  EXPECT_NE(refusal(V100, {0u, std::nullopt, std::nullopt}).find("at least 1"),
            std::string::npos);
  // Its range is not known.
  EXPECT_NE(refusal(Gtx980, {std::nullopt, MHz * 5000, std::nullopt})
                .find("is not known to reach beyond"),
            std::string::npos);
  ASSERT_FALSE(setGpuValue(V100, "limits.sm_count=160"));
  EXPECT_EQ(configuredTo(V100, {160u, std::nullopt, std::nullopt}).SmCount,
            160u);
}

// A what-if; the report says what exceeds the limits.
TEST(Configuration, SetDescribesGpusThatDoNotExist) {
  GpuModel V100 = shipped("nvidia-v100"), Old = V100;
  ASSERT_FALSE(setGpuValue(V100, "sm_count=160"));
  ASSERT_FALSE(setGpuValue(V100, "memory_clock=438.5MHz"));
  EXPECT_EQ(V100.SmCount, 160u);
  EXPECT_NEAR(V100.DramReadBandwidth / Old.DramReadBandwidth, 0.5, 1e-12);
  std::vector<ExceededLimit> Found =
      exceededLimits(V100, {V100.SmCount, V100.CoreClock, memoryClock(V100)});
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found.front().Key, "sm_count");
  EXPECT_EQ(Found.front().Value, 160);
}

TEST(Configuration, ExtrapolationsAreSaid) {
  GpuModel V100 = shipped("nvidia-v100"), Gtx980 = shipped("nvidia-gtx-980");
  EXPECT_TRUE(extrapolations(V100, {}).empty());
  EXPECT_TRUE(extrapolations(V100, {40u, MHz * 1000, std::nullopt}).empty());
  EXPECT_EQ(extrapolations(V100, {84u, std::nullopt, std::nullopt}).size(), 1u);
  EXPECT_EQ(extrapolations(Gtx980, {std::nullopt, MHz * 800, MHz * 800}).size(),
            2u);
}

} // namespace
