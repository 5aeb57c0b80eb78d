/// \file
/// `--set KEY=VALUE` and the reading of values with units.
#include "helpers/GpuModelTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

std::string failure(llvm::Error Error) {
  EXPECT_TRUE(bool(Error));
  return Error ? llvm::toString(std::move(Error)) : "";
}

TEST(GpuModelSet, ChangesAValueAndRemembersIt) {
  GpuModel Model = shipped("nvidia-v100");
  ASSERT_FALSE(setGpuValue(Model, "sm_count=40"));
  EXPECT_EQ(Model.SmCount, 40u);
  ASSERT_FALSE(setGpuValue(Model, "l2.size=12 MiB"));
  EXPECT_EQ(Model.L2.Size, Bytes(12 * 1048576));
  ASSERT_FALSE(setGpuValue(Model, "operations.fp64_fma.throughput = 2 /cycle"));
  EXPECT_EQ(Model.cost(OpClass::Fp64Fma).Throughput, 2);
  ASSERT_FALSE(setGpuValue(Model, "l1.unified_with_shared=false"));
  EXPECT_FALSE(Model.L1UnifiedWithShared);
  ASSERT_FALSE(setGpuValue(Model, "occupancy.max_block=512,512,64"));
  EXPECT_EQ(Model.MaxBlock[0], 512u);
  ASSERT_FALSE(setGpuValue(Model, "operations.int_add.pipe=fp32"));
  EXPECT_EQ(Model.cost(OpClass::IntAdd).On, Pipe::Fp32);
  EXPECT_EQ(Model.Sources["l2.size"].Kind, "what-if");
  EXPECT_EQ(Model.Sources["l2.size"].Text, "12 MiB");
}

TEST(GpuModelSet, UnderscoresAndCaseDoNotMatter) {
  GpuModel Model = shipped("nvidia-v100");
  ASSERT_FALSE(setGpuValue(Model, "L2_Size=12MiB"));
  EXPECT_EQ(Model.L2.Size, Bytes(12 * 1048576));
}

TEST(GpuModelSet, NoTwoKeysDifferOnlyInSeparators) {
  llvm::StringMap<std::string> Seen;
  for (const GpuKey &Key : gpuKeys()) {
    std::string Folded = Key.Path;
    std::replace(Folded.begin(), Folded.end(), '.', '_');
    EXPECT_TRUE(Seen.try_emplace(Folded, Key.Path).second) << Key.Path;
  }
}

TEST(GpuModelSet, DramBandwidthMovesAllOfThem) {
  GpuModel Model = shipped("nvidia-a100-40gb-pcie"), Old = Model;
  ASSERT_FALSE(setGpuValue(Model, "dram_bandwidth=2980GB/s"));
  EXPECT_DOUBLE_EQ(Model.DramReadBandwidth.value(), 2980e9);
  EXPECT_NEAR(Model.DramWriteBandwidth / Old.DramWriteBandwidth, 2, 1e-12);
  EXPECT_NEAR(Model.DramCopyBandwidth / Old.DramCopyBandwidth, 2, 1e-12);
  EXPECT_NEAR(Model.DramPeakBandwidth / Old.DramPeakBandwidth, 2, 1e-12);
  EXPECT_EQ(Model.Sources["dram.copy_bandwidth"].Kind, "what-if");
  ASSERT_FALSE(setGpuValue(Model, "l2_bandwidth=10.81TB/s"));
  EXPECT_NEAR(Model.L2WriteBandwidth / Old.L2WriteBandwidth, 2, 1e-12);
}

// Half the clock: DRAM keeps its time, so it takes fewer cycles, and what is
// on the chip keeps its cycles.
TEST(GpuModelSet, CoreClockLeavesTheTimeOfDramAlone) {
  GpuModel Model = shipped("nvidia-v100"), Old = Model;
  ASSERT_FALSE(setGpuValue(Model, "core_clock=690MHz"));
  double Beyond = (Old.DramLatency - Old.L2.Latency).value();
  EXPECT_NEAR((Model.DramLatency - Model.L2.Latency).value(), Beyond / 2, 1e-9);
  EXPECT_EQ(Model.L2.Latency, Old.L2.Latency);
  EXPECT_EQ(Model.DramReadBandwidth, Old.DramReadBandwidth);
  EXPECT_NEAR(Model.L2Bandwidth / Old.L2Bandwidth, 0.5, 1e-12);
}

TEST(GpuModelSet, WhatTheUserSetStaysAsSet) {
  GpuModel Model = shipped("nvidia-v100");
  ASSERT_FALSE(setGpuValue(Model, "dram.latency=500cycles"));
  ASSERT_FALSE(setGpuValue(Model, "core_clock=690MHz"));
  EXPECT_EQ(Model.DramLatency, Cycles(500));
}

TEST(GpuModelSet, BarrierLatencyIsOneNumber) {
  GpuModel Model = shipped("nvidia-v100");
  EXPECT_EQ(Model.cost(OpClass::Barrier).Latency, Model.BarrierLatency);
  ASSERT_FALSE(setGpuValue(Model, "barrier.latency=50cycles"));
  EXPECT_EQ(Model.cost(OpClass::Barrier).Latency, Cycles(50));
}

TEST(GpuModelSet, BadRequestsSayWhatIsWrong) {
  GpuModel Model = shipped("nvidia-v100");
  EXPECT_EQ(
      failure(setGpuValue(Model, "core_clock")),
      "expected KEY=VALUE such as 'core_clock=1440MHz', got 'core_clock'");
  EXPECT_EQ(failure(setGpuValue(Model, "=3")),
            "expected KEY=VALUE such as 'core_clock=1440MHz', got '=3'");
  EXPECT_EQ(failure(setGpuValue(Model, "core_clock=1440")),
            "core_clock: expected a frequency such as '1410 MHz', got '1440'");
  EXPECT_NE(failure(setGpuValue(Model, "core_clock=1 Hz"))
                .find("is not between 50 MHz and 10 GHz"),
            std::string::npos);
  EXPECT_EQ(failure(setGpuValue(Model, "id=x")),
            "id: the identity of a GPU cannot be set");
  std::string Error = failure(setGpuValue(Model, "core_clok=1440MHz"));
  EXPECT_NE(Error.find("unknown GPU value 'core_clok'"), std::string::npos)
      << Error;
  EXPECT_NE(Error.find("'core_clock'"), std::string::npos) << Error;
  EXPECT_NE(
      failure(setGpuValue(Model, "dram_bandwidth=fast")).find("got 'fast'"),
      std::string::npos);
}

TEST(GpuModelSet, ARefusedValueChangesNothing) {
  GpuModel Model = shipped("nvidia-v100"), Old = Model;
  for (const char *Bad :
       {"l2.size=big", "dram_bandwidth=-1GB/s", "sm_count=1e99", "sm_count=nan",
        "l1.latency=inf cycles", "core_clock=0MHz", "shared.carveouts=8KiB,0B"})
    EXPECT_TRUE(bool(llvm::errorToBool(setGpuValue(Model, Bad)))) << Bad;
  for (const GpuKey &Key : gpuKeys())
    EXPECT_EQ(Key.Get(Model), Key.Get(Old)) << Key.Path;
}

// Every numeric key refuses a number without its unit and takes its own bounds.
TEST(GpuModelSet, UnitsAreMandatory) {
  for (const GpuKey &Key : gpuKeys()) {
    bool HasUnit =
        Key.Dim >= KeyDimension::Cycles || Key.Dim == KeyDimension::BytesList;
    if (!HasUnit || Key.Dim == KeyDimension::BytesList)
      continue;
    EXPECT_TRUE(llvm::errorToBool(parseKeyValue(Key, "100").takeError()))
        << Key.Path;
    EXPECT_TRUE(llvm::errorToBool(parseKeyValue(Key, "100 apples").takeError()))
        << Key.Path;
  }
}

} // namespace
